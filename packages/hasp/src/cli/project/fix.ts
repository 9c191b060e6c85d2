import { printVisibleLines, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import { printUnifiedDiff } from "@hasp/project/output";
import { type Invocation, type CommandResult, printNextBuild } from "../shell/command.js";
import { fixFiles, writeFixes } from "@hasp/project/session";
import { compileProject, isCompiled, type ReportedProject } from "./project.js";

interface FixSettings {
  readonly unlocked: boolean;
  readonly isDryRun: boolean;
}

/** Applies the fixes of findings to the user's files and reports the rest. `isDryRun` only shows the differences. */
export async function fixProject(invocation: Invocation, { unlocked, isDryRun }: FixSettings): Promise<CommandResult> {
  const project = await compileProject(invocation, { unlocked });
  if (!isCompiled(project)) return project;
  const { changes, fixed } = await fixFiles(project);
  const data = {
    fixed: fixed.map(({ code, location }) => ({
      code,
      uri: location?.uri ?? null,
      line: location?.range.start.line ?? null,
    })),
    changed: changes.map(({ path }) => path),
  };
  const lines = fixed.map(
    ({ code, location }) =>
      `  ${printVisibleText(`${location?.uri ?? ""}:${location?.range.start.line ?? 1}`)}  ${code}`,
  );
  const done = isDryRun ? "would be fixed" : "fixed";
  const verdict = `${pluralize(fixed.length, "finding")} ${done} in ${pluralize(changes.length, "file")}.`;
  if (isDryRun) {
    const diffs = changes.map(({ path, before, after }) => printVisibleLines(printUnifiedDiff(path, before, after)));
    return { ...reportOf(project), data, text: `${[...diffs, [verdict, ...lines].join("\n")].join("\n\n")}\n` };
  }
  const problems = await writeFixes(changes, project.root);
  const left = await compileProject(invocation, { unlocked });
  const rest = isCompiled(left) ? reportOf(left) : left;
  return {
    ...rest,
    diagnostics: [...rest.diagnostics, ...problems],
    data,
    text: `${[verdict, ...lines].join("\n")}\n${changes.length === 0 ? "" : printNextBuild(invocation)}`,
    state: rest.state === "unchecked" || problems.length > 0 ? "unchecked" : undefined,
  };
}

function reportOf({ diagnostics, texts, root }: ReportedProject): CommandResult {
  return { diagnostics, sources: texts, root };
}
