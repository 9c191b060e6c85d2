import { buildCounts, relaxationLine } from "../report/build-summary.js";
import { counted } from "../report/words.js";
import type { CommandModule, Invocation, Outcome } from "./command.js";
import { compileProject, isCompiled } from "./project.js";

interface CheckOptions {
  readonly unlocked?: boolean;
}

/** `hasp check`: everything that a build would find, and nothing written. */
export const check: CommandModule = {
  configure(command) {
    command.option("--unlocked", "go on where approvals are missing, with a warning");
  },
  run: async (invocation) => runCheck(invocation as Invocation<CheckOptions>),
};

async function runCheck(invocation: Invocation<CheckOptions>): Promise<Outcome> {
  const project = await compileProject(invocation, { unlocked: invocation.options.unlocked === true });
  if (!isCompiled(project)) return project;
  const { result, diagnostics, texts, root } = project;
  const { terminal } = invocation;
  const hasErrors = diagnostics.some(({ severity }) => severity === "error");
  return {
    diagnostics,
    sources: texts,
    root,
    summary: buildCounts(result),
    text: hasErrors ? "" : `${terminal.paint("good", "✓")} ${counted(result.tools.length, "tool")} checked. ${relaxationLine(result)}\n`,
  };
}
