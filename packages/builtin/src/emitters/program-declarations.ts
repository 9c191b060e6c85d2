import { declareTool } from "@hasp/runtime/internal/declarations";
import type { Emitter } from "./base/emitter.js";
import { printHeader } from "./base/module-text.js";
import { listMembers } from "./registry.js";

/** Emits the declarations of each toolset's tools, as a model reads them before it writes a program. */
export const programDeclarations: Emitter<string> = {
  name: "program-declarations",
  part: ({ tool: { name, spec, input, output, metadata }, plan }) =>
    plan.declarations === true
      ? declareTool({
          name,
          description: spec.description,
          input: input.schema,
          ...(output && { output: output.schema }),
          metadata,
        })
      : "",
  files: ({ toolsets, layout, plan }, partOf) => {
    if (plan.declarations !== true) return [];
    return toolsets.map((toolset) => {
      const declared = listMembers(toolset).map((tool) => `${partOf(tool)}\n`.replaceAll(/^(?=.)/gmu, "  "));
      return {
        path: layout.declarations(toolset.name),
        owner: "hasp",
        // As a module, it declares nothing in the user's own programs. A model needs no layout.
        text: `${printHeader("the specs").text}\n\nexport {};\n\n// prettier-ignore\ndeclare const tools: {\n${declared.join("")}};\n`,
      };
    });
  },
};
