import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MEGABYTE, MEGABYTES_LIMIT } from "../../../compiler/src/phases/1-load/source-text.js";
import { isWithin } from "../fs/read-inside.js";

/** A folder with a project's files at a commit. The caller removes it. */
interface Snapshot {
  readonly folder: string;
  remove(): void;
}

export type NoSnapshot =
  | { readonly problem: "no-repository" }
  | { readonly problem: "no-commits" }
  | { readonly problem: "ref-not-found"; readonly command: string }
  | { readonly problem: "git-failed"; readonly reason: string };

/** Returns git's user in a folder, `Name <email>` or one of the two; `undefined` if git knows neither. */
export function readGitUser(folder: string): string | undefined {
  const { status, out } = git(folder, ["config", "-z", "--get-regexp", "^user\\.(name|email)$"]);
  if (status !== 0) return undefined;
  const pairs = out
    .toString("utf8")
    .split("\0")
    .map(
      (line) =>
        [
          line.replace(/\n[\s\S]*$/u, ""),
          line
            .replace(/^[^\n]*\n?/u, "")
            .replace(/\s+/gu, " ")
            .trim(),
        ] as const,
    );
  const known = new Map(pairs);
  const [name, email] = [known.get("user.name") ?? "", known.get("user.email") ?? ""];
  const user = [name, ...(email === "" ? [] : [name === "" ? email : `<${email}>`])].join(" ").trim();
  return user === "" ? undefined : user;
}

/** The files that make up a project: specs, shared files, ledgers, configuration and handlers. */
const READ = /\.(?:ya?ml|json|[cm]?[jt]sx?)$/u;

/** Copies the project at `ref` into a temporary folder. Reads only git objects: no work tree, index, hook or shell. */
export function copySnapshot(folder: string, ref: string): Snapshot | NoSnapshot {
  const prefix = git(folder, ["rev-parse", "--show-prefix"]);
  if (prefix.error !== undefined) return { problem: "git-failed", reason: prefix.error };
  if (prefix.status !== 0) return { problem: "no-repository" };
  // Git would read a leading hyphen as an option.
  const commit = ref.startsWith("-") ? undefined : git(folder, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (commit?.status !== 0 && git(folder, ["rev-list", "--all", "--max-count=1"]).out.length === 0) {
    return { problem: "no-commits" };
  }
  if (commit?.status !== 0) return { problem: "ref-not-found", command: fetchCommand(folder, ref) };
  const path = prefix.out.toString("utf8").replace(/\r?\n$/u, "");
  const tree = `${commit.out.toString("utf8").trim()}:${path}`;
  // A folder that did not exist had no files.
  const wasThere = git(folder, ["rev-parse", "--verify", "--quiet", tree]).status === 0;
  const listing = wasThere ? git(folder, ["ls-tree", "-r", "-z", "--long", "--full-tree", tree]) : undefined;
  if (listing !== undefined && listing.status !== 0) {
    return { problem: "git-failed", reason: listing.error ?? listing.message };
  }
  const files = listing === undefined ? [] : parseListing(listing.out);
  const contents = git(folder, ["cat-file", "--batch"], files.map(({ id }) => `${id}\n`).join(""));
  if (contents.status !== 0) return { problem: "git-failed", reason: contents.error ?? contents.message };

  const copy = realpathSync.native(mkdtempSync(join(tmpdir(), "hasp-base-")));
  const remove = (): void => rmSync(copy, { recursive: true, force: true });
  try {
    const texts = parseBatch(contents.out);
    for (const { id, path: name } of files) {
      const file = join(copy, name);
      const text = texts.get(id);
      if (!isWithin(copy, file)) continue;
      if (text === undefined) {
        // Without the file, a tool would count as removed or as new.
        remove();
        return { problem: "git-failed", reason: `it has no contents for ${name} at ${ref}` };
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    // A configuration in JavaScript may import packages.
    const modules = findUp(folder, "node_modules");
    if (modules !== undefined && !existsSync(join(copy, "node_modules"))) {
      symlinkSync(join(modules, "node_modules"), join(copy, "node_modules"), "junction");
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { folder: copy, remove };
}

interface Blob {
  readonly id: string;
  readonly path: string;
}

/**
 * Parses `<mode> <type> <id> <size>\t<path>` entries, each ended by a zero byte. Links and submodules are not files;
 * `BAD` is the size of an object that git lacks.
 */
function parseListing(out: Buffer): readonly Blob[] {
  return out
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const [, mode, id = "", size = "", path = ""] =
        /^(\d+) blob ([0-9a-f]+) +(\d+|BAD)\t([\s\S]+)$/u.exec(line) ?? [];
      if (mode === undefined || !mode.startsWith("100") || Number(size) > MEGABYTES_LIMIT * MEGABYTE) return [];
      return READ.test(path) && !/(?:^|\/)node_modules\//u.test(path) ? [{ id, path }] : [];
    });
}

/** Parses entries `<id> blob <size>\n<contents>\n`. */
function parseBatch(out: Buffer): ReadonlyMap<string, Buffer> {
  const texts = new Map<string, Buffer>();
  for (let at = 0; at < out.length;) {
    const end = out.indexOf("\n", at);
    const [id = "", type, size] = out.toString("utf8", at, end).split(" ");
    const length = type === "blob" ? Number(size) : 0;
    if (type === "blob") texts.set(id, out.subarray(end + 1, end + 1 + length));
    at = type === "blob" ? end + 1 + length + 1 : end + 1;
  }
  return texts;
}

/** Returns the command that most likely fetches a missing ref. */
function fetchCommand(folder: string, ref: string): string {
  const lines = (words: readonly string[]): readonly string[] =>
    git(folder, words)
      .out.toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
  const remotes = lines(["remote"]);
  const remote = remotes.find((name) => ref.startsWith(`${name}/`)) ?? remotes[0] ?? "origin";
  const branch = ref.startsWith(`${remote}/`) ? ref.slice(remote.length + 1) : ref;
  const isPlain = /^[\w./-]+$/u.test(branch) && !branch.startsWith("-");
  if (!isPlain) return `git fetch --unshallow ${remote}`;
  if (/^[0-9a-f]{7,40}$/u.test(branch)) return `git fetch --depth=1 ${remote} ${branch}`;
  const target = `${remote}/${branch}`;
  const fetch = `git fetch --depth=1 ${remote} ${branch}:refs/remotes/${target}`;
  return ref === target ? fetch : `${fetch}, then compare with ${target}`;
}

interface GitRun {
  readonly status: number | null;
  readonly out: Buffer;
  readonly message: string;
  /** Set if git could not be started. */
  readonly error?: string;
}

function git(folder: string, words: readonly string[], input = ""): GitRun {
  const { status, stdout, stderr, error } = spawnSync("git", words, {
    cwd: folder,
    input,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" },
    maxBuffer: 1024 * MEGABYTE,
    windowsHide: true,
  });
  const message = (stderr as Buffer | null)?.toString("utf8").trim() ?? "";
  const out = (stdout as Buffer | null) ?? Buffer.alloc(0);
  return { status, out, message, ...(error === undefined ? {} : { error: error.message }) };
}

/** Finds the nearest folder, from `folder` upwards, that holds an entry of this name. */
export function findUp(folder: string, entry: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, entry))) return current;
    if (dirname(current) === current) return undefined;
  }
}

export function findFirstExisting(paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path));
}
