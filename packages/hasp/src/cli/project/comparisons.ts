import { dirname, join } from "node:path";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { diffDiagnostics, findLevelName } from "@hasp/compiler/diff";
import { isWithin } from "@hasp/project";
import { listConfigsAt, listGone } from "@hasp/project/read";

export type Allowed = (typeof ALLOWED)[keyof typeof ALLOWED];

/** The words of `--allow`, by the names of the levels. */
export const ALLOWED = {
  breaks: "breaks",
  mayBreak: "may-break",
  loosens: "loosens",
  mayLoosen: "may-loosen",
} as const;

export function allowWordFor(finding: Parameters<typeof findLevelName>[0]): Allowed | undefined {
  const name = findLevelName(finding);
  return name === undefined || name === "prompt" ? undefined : ALLOWED[name];
}

/** Makes warnings of the errors of the lists that a reviewer agrees with. */
export function permit(diagnostics: readonly Diagnostic[], allowed: readonly Allowed[] = []): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const word = allowWordFor(diagnostic);
    const isAllowed = diagnostic.severity === "error" && word !== undefined && allowed.includes(word);
    return isAllowed ? { ...diagnostic, severity: "warning" } : diagnostic;
  });
}

/**
 * Finds the projects that a git ref has in a folder or below it, and the work tree has not. Only what is there can be
 * checked and compared, so each is a finding. `counts` takes the absolute path of a project's folder.
 */
export function findGoneProjects(
  ref: string,
  folder: string,
  counts: (project: string) => boolean = () => true,
): readonly Diagnostic[] {
  const gone = listGone(folder, listConfigsAt(folder, ref)).filter((path) => counts(dirname(join(folder, path))));
  return gone.map((path) => diffDiagnostics("project-gone", undefined, { path }));
}

/** Finds projects that a folder had of its own at a git ref, where that of a folder above, the root, is compared now. */
export function findReplacedProjects(ref: string, root: string, folder: string): readonly Diagnostic[] {
  return findGoneProjects(ref, root, (home) => home !== root && isWithin(home, folder));
}
