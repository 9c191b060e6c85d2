import { basename, isAbsolute, resolve } from "node:path";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import type { OnProgress } from "../../../../compiler/src/diagnostics/progress.js";
import { compileVersion, diffDiagnostics, type Version } from "../../../../compiler/src/diff/index.js";
import { isFolder } from "../../../../project/src/fs/entries.js";
import { copySnapshot, type NoSnapshot } from "../../../../project/src/read/read-git.js";
import { readProject } from "../../../../project/src/read/read-project.js";
import type { Invocation } from "../shell/command.js";

type Base = Version | { readonly refusal: Diagnostic };

/**
 * Reads another version of the project: a git ref, or a folder. Only a path names a folder, since a change could add a
 * folder with the name of a missing ref.
 */
export async function readBase(root: string, base: string, invocation: Invocation): Promise<Base> {
  const folder = resolve(invocation.folder, base);
  if (isAbsolute(base) || /^\.{1,2}(?:[/\\]|$)/u.test(base)) {
    if (isFolder(folder)) return versionIn(folder, base, invocation);
    return { refusal: diffDiagnostics("base-unreadable", undefined, { base, reason: "there is no such folder." }) };
  }
  const snapshot = copySnapshot(root, base);
  if (!("folder" in snapshot)) return { refusal: refusalOf(base, snapshot, isFolder(folder)) };
  try {
    return await versionIn(snapshot.folder, base, invocation);
  } finally {
    snapshot.remove();
  }
}

function refusalOf(ref: string, snapshot: NoSnapshot, hasFolder: boolean): Diagnostic {
  const variant = hasFolder ? "folder" : "no-folder";
  switch (snapshot.problem) {
    case "no-repository":
      return diffDiagnostics("no-repository", undefined, { variant, ref });
    case "no-commits":
      return diffDiagnostics("no-commits", undefined, { ref });
    case "git-failed":
      return diffDiagnostics("git-failed", undefined, { reason: snapshot.reason });
    case "ref-not-found":
      return diffDiagnostics("ref-not-found", undefined, { variant, ref, command: snapshot.command });
  }
}

async function versionIn(folder: string, base: string, invocation: Invocation): Promise<Base> {
  const { report } = invocation.terminal.progress;
  const onProgress: OnProgress = (phase, done, total) => report(`${base}: ${phase}`, done, total);
  const project = await readProject(folder, { ...configOption(invocation), onProgress });
  if (project.plan === undefined) {
    const reason = project.diagnostics
      .map(({ message }) => message)
      .join(" ")
      .replaceAll(folder, base);
    return { refusal: diffDiagnostics("base-unreadable", undefined, { base, reason }) };
  }
  const { sources, plan, callStore } = project;
  return (await compileVersion({ sources, plan, callStore }, onProgress)).value;
}

function configOption({ options, terminal }: Invocation): { readonly config?: string; readonly unlocked: true } {
  const config = options.config ?? terminal.environment["HASP_CONFIG"];
  return { unlocked: true, ...(config === undefined ? {} : { config: basename(config) }) };
}
