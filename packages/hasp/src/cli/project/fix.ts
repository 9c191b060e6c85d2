import { printVisibleLines, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import { printUnifiedDiff } from "@hasp/project/output";
import { type Invocation, type CommandResult, printNextBuild, refuse } from "../shell/command.js";
import { type FixedFile, fixFiles, writeFixes } from "@hasp/project/session";
import { describeModernProgram, modernizeFiles } from "./modernize-files.js";
import { compileProject, createSession, isCompiled, type ReportedProject } from "./project.js";

interface FixSettings {
  readonly unlocked: boolean;
  readonly isDryRun: boolean;
}

/** Applies the fixes of findings to the user's files and reports the rest. `isDryRun` only shows the differences. */
export async function fixProject(invocation: Invocation, { unlocked, isDryRun }: FixSettings): Promise<CommandResult> {
  const modern = await modernizeFiles(createSession(invocation));
  const rewritten = modern.map(({ path }) => `${path} ${isDryRun ? "would be " : ""}rewritten.`);
  if (isDryRun && modern.length > 0) {
    return {
      diagnostics: [],
      data: { changed: modern.map(({ path }) => path) },
      text: `${[...modern.map(printChange), rewritten.join("\n")].join("\n\n")}\n`,
    };
  }
  const unwritten = await writeFixes(modern, invocation.root);
  if (unwritten.length > 0) return refuse(...unwritten);
  const project = await compileProject(invocation, { unlocked });
  if (!isCompiled(project)) {
    const advice = await describeModernProgram(createSession(invocation));
    return {
      ...project,
      text: [...rewritten, ...(advice === undefined ? [] : [advice])]
        .map((line) => `${printVisibleLines(line)}\n`)
        .join(""),
    };
  }
  const { changes, fixed } = await fixFiles(project);
  const data = {
    fixed: fixed.map(({ code, location }) => ({
      code,
      uri: location?.uri ?? null,
      line: location?.range.start.line ?? null,
    })),
    changed: [...modern, ...changes].map(({ path }) => path),
  };
  const lines = fixed.map(
    ({ code, location }) =>
      `  ${printVisibleText(`${location?.uri ?? ""}:${location?.range.start.line ?? 1}`)}  ${code}`,
  );
  const done = isDryRun ? "would be fixed" : "fixed";
  const verdict = `${pluralize(fixed.length, "finding")} ${done} in ${pluralize(changes.length, "file")}.`;
  if (isDryRun) {
    return {
      ...reportOf(project),
      data,
      text: `${[...changes.map(printChange), [verdict, ...lines].join("\n")].join("\n\n")}\n`,
    };
  }
  const problems = await writeFixes(changes, project.root);
  const left = await compileProject(invocation, { unlocked });
  const rest = isCompiled(left) ? reportOf(left) : left;
  return {
    ...rest,
    diagnostics: [...rest.diagnostics, ...problems],
    data,
    text: `${[...rewritten, verdict, ...lines].join("\n")}\n${modern.length + changes.length === 0 ? "" : printNextBuild(invocation)}`,
    state: rest.state === "unchecked" || problems.length > 0 ? "unchecked" : undefined,
  };
}

function printChange({ path, before = "", after }: FixedFile): string {
  return printVisibleLines(printUnifiedDiff(path, before, after));
}

function reportOf({ diagnostics, texts, root }: ReportedProject): CommandResult {
  return { diagnostics, sources: texts, root };
}
