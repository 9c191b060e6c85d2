import type { JsonObject } from "@hasp/schema";
import { hasErrors } from "@hasp/base/diagnostics";
import { buildModel } from "@hasp/compiler/plugins";
import { compileProject, isCompiled } from "../project/project.js";
import type { CommandModule } from "../shell/command.js";

export const model: CommandModule = {
  configure(command) {
    command.option("--json", "print JSON, as it always does");
  },
  async run(invocation) {
    const project = await compileProject(invocation);
    if (!isCompiled(project)) return project;
    const { diagnostics, texts, root, result } = project;
    const common = { diagnostics, sources: texts, rules: project.facts.rules, root };
    // A model with errors would differ from the built one.
    if (hasErrors(diagnostics)) return common;
    const compiled = buildModel(result.tools, result.toolsets);
    return {
      ...common,
      data: { model: compiled as unknown as JsonObject },
      product: `${JSON.stringify(compiled, undefined, 2)}\n`,
    };
  },
};
