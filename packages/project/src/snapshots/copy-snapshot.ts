import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { attempt } from "@hasp/base/diagnostics";
import { runGit } from "../fs/run-git.js";
import { isConfigName } from "../read/file-names.js";
import { CommitCopy, GitFailure } from "./commit-copy.js";
import type { RepositoryOnDisk } from "../read/compiler-host.js";

/** A project at a commit, in a temporary folder. The caller removes it. */
interface Snapshot {
  readonly folder: string;
  readonly repository: RepositoryOnDisk;
  remove(): void;
}

export type NoSnapshot =
  | { readonly problem: "no-repository" }
  | { readonly problem: "no-commits" }
  | { readonly problem: "ref-not-found"; readonly command: string }
  | { readonly problem: "ref-ambiguous" }
  | { readonly problem: "git-failed"; readonly reason: string };

/**
 * Copies the project at `ref` into a temporary folder, with the packages of its workspace that it names. Reads git's
 * objects, without hooks or a shell; of the work tree only `node_modules`, and what git ignores in those packages.
 */
export function copySnapshot(folder: string, ref: string): Snapshot | NoSnapshot {
  const place = runGit(folder, ["rev-parse", "--show-toplevel", "--show-prefix"]);
  if (place.error !== undefined) return { problem: "git-failed", reason: place.error };
  if (place.status !== 0) return { problem: "no-repository" };
  const words = ["-c", "core.warnAmbiguousRefs=true", "rev-parse", "--verify", `${ref}^{commit}`];
  // Git would read a leading hyphen as an option.
  const commit = ref.startsWith("-") ? undefined : runGit(folder, words);
  if (commit?.status !== 0 && runGit(folder, ["rev-list", "--all", "--max-count=1"]).out.length === 0) {
    return { problem: "no-commits" };
  }
  if (commit?.status !== 0) return { problem: "ref-not-found", command: fetchCommand(folder, ref) };
  // Git would choose one of them, such as a tag over a branch.
  if (commit.message.includes(" is ambiguous")) return { problem: "ref-ambiguous" };
  const [top = "", prefix = ""] = place.out.toString("utf8").split(/\r?\n/u);
  const project = prefix.replace(/\/$/u, "");
  const temporary = realpathSync.native(mkdtempSync(join(tmpdir(), "hasp-base-")));
  const remove = (): void => rmSync(temporary, { recursive: true, force: true });
  try {
    const copy = new CommitCopy({
      head: realpathSync.native(top),
      commit: commit.out.toString("utf8").trim(),
      ref,
      temporary,
    });
    copy.addProject(project);
    return {
      folder: join(copy.top, project),
      repository: { top: copy.top, provide: (path) => attempt(() => copy.provide(path)) },
      remove,
    };
  } catch (error) {
    remove();
    if (error instanceof GitFailure) return { problem: "git-failed", reason: error.message };
    throw error;
  }
}

/** Lists the configurations that a commit has in a folder and below it, as paths from there; none if git cannot say. */
export function listConfigsAt(folder: string, ref: string): readonly string[] {
  // Git would read a leading hyphen as an option.
  const tree = ref.startsWith("-") ? undefined : runGit(folder, ["ls-tree", "-r", "-z", "--name-only", ref]);
  if (tree?.status !== 0) return [];
  const paths = tree.out.toString("utf8").split("\0");
  return paths.filter((path) => isConfigName(posix.basename(path)) && !path.includes("node_modules/"));
}

/** Returns the command that most likely fetches a missing ref. */
function fetchCommand(folder: string, ref: string): string {
  const remotes: readonly string[] = runGit(folder, ["remote"]).out.toString("utf8").match(/.+/gu) ?? [];
  const remote = remotes.find((name) => ref.startsWith(`${name}/`)) ?? remotes[0] ?? "origin";
  const branch = ref.startsWith(`${remote}/`) ? ref.slice(remote.length + 1) : ref;
  if (!/^[\w./][\w./-]*$/u.test(branch)) return `git fetch --unshallow ${remote}`;
  if (/^[0-9a-f]{7,40}$/u.test(branch)) return `git fetch --depth=1 ${remote} ${branch}`;
  const target = `${remote}/${branch}`;
  const fetch = `git fetch --depth=1 ${remote} ${branch}:refs/remotes/${target}`;
  return ref === target ? fetch : `${fetch}, then compare with ${target}`;
}
