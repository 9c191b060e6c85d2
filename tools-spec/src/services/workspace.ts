import { randomUUID } from "node:crypto";
import { lstat, mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { NotExecuted } from "@hasp/runtime";
import { glob } from "tinyglobby";

/** The only folder that the file tools may touch. */
export interface Workspace {
  /** Absolute path without symbolic links. */
  readonly root: string;
  /** Returns the absolute path of `path`, or the reason why it is refused. Follows symbolic links first. */
  locate(path: string): Promise<{ readonly absolute: string } | { readonly refused: string }>;
}

/** Opens the workspace at `root`, which must exist. */
export async function openWorkspace(root: string): Promise<Workspace> {
  const realRoot = await realpath(root);
  return {
    root: realRoot,
    async locate(path) {
      if (path.includes("\0")) return { refused: "a path cannot contain a NUL character" };
      if (isAbsolute(path) || /^[A-Za-z]:|\\/.test(path)) {
        return { refused: "give a path relative to the workspace, with forward slashes" };
      }
      const absolute = resolve(realRoot, path);
      if (absolute === realRoot) return { refused: "that is the workspace itself, not a file in it" };
      const real = await realOfExisting(absolute);
      const facts = await stat(real).catch(() => undefined);
      // Opening a pipe waits for its other end, for ever.
      if (facts !== undefined && !facts.isFile() && !facts.isDirectory()) {
        return { refused: `${path} is neither a file nor a folder` };
      }
      return isInside(realRoot, absolute) && isInside(realRoot, real)
        ? { absolute }
        : { refused: `${path} leads out of the workspace` };
    },
  };
}

/** Checks a path for all file tools: returns `true`, or a message for the model. */
export async function insideWorkspace(
  input: { readonly path: string },
  { context }: { readonly context: { readonly workspace: Workspace } },
): Promise<true | string> {
  const found = await context.workspace.locate(input.path);
  return "refused" in found ? found.refused : true;
}

/** Returns the absolute path of a path that has passed {@link insideWorkspace}. Throws if the check fails now. */
export async function absolutePath(workspace: Workspace, path: string): Promise<string> {
  const found = await workspace.locate(path);
  if ("refused" in found) throw new NotExecuted(found.refused);
  return found.absolute;
}

/** Lists the files that match a glob, in path order, without those of dependencies and version control. */
export async function listFiles({ root }: Workspace, pattern: string): Promise<readonly string[]> {
  // A pattern that leads out would be searched for outside, even if nothing of it were returned.
  if (pattern.includes("..") || isAbsolute(pattern) || /^[A-Za-z]:|\\/.test(pattern)) {
    throw new NotExecuted(`${pattern} may lead out of the workspace; give a pattern relative to it, without ".."`);
  }
  if (isSlow(pattern)) {
    throw new NotExecuted(`${pattern} may take long; leave out "(", and use fewer "*", "{" and "+" in each name of it`);
  }
  const paths = await glob([pattern], {
    cwd: root,
    dot: false,
    followSymbolicLinks: false,
    ignore: ["**/node_modules/**", "**/.git/**"],
  });
  return paths.filter((path) => !path.startsWith("../")).toSorted();
}

/** True if a long name may match in very many ways, each of which is tried while nothing else can run. */
function isSlow(pattern: string): boolean {
  const count = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;
  return (
    pattern.includes("(") ||
    count(pattern, /\*\*/gu) > 2 ||
    pattern.split("/").some((name) => count(name, /\*+|[+{]/gu) > 3)
  );
}

/**
 * Writes a whole file, or nothing: the text goes to a file beside it first. Without `mayReplace` an existing file is
 * refused. Throws {@link NotExecuted} if nothing changed.
 */
export async function writeWhole(
  path: string,
  text: string,
  options: { readonly mayReplace: boolean },
): Promise<number> {
  const newFolder = await mkdir(dirname(path), { recursive: true }).catch(nothingHappened);
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    if (options.mayReplace) {
      await writeFile(draft, text, { flag: "wx" });
      await rename(draft, path);
    } else {
      await writeFile(path, text, { flag: "wx" });
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isUntouched = newFolder === undefined && (options.mayReplace || code === "EEXIST");
    if (options.mayReplace) await rm(draft, { force: true });
    if (isUntouched) nothingHappened(error);
    throw error;
  }
  return Buffer.byteLength(text);
}

const reasons: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  EEXIST: "the file exists already",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is not a folder",
  EACCES: "access is denied",
  EPERM: "the operation is not permitted",
};

/** Rethrows the error of a file operation that changed nothing, without the absolute path that Node's message has. */
export function nothingHappened(error: unknown): never {
  if (error instanceof NotExecuted || !(error instanceof Error)) throw error;
  const { code = "" } = error as NodeJS.ErrnoException;
  throw Object.assign(new NotExecuted(reasons[code] ?? (code === "" ? error.message : `the system answered ${code}`)), {
    cause: error,
  });
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Resolves the links of the longest part of the path that exists; a new file has no real path of its own yet. */
async function realOfExisting(path: string): Promise<string> {
  for (let existing = path; ; existing = dirname(existing)) {
    const entry = await lstat(existing).catch(() => undefined);
    if (entry !== undefined) {
      // Writing to a dangling link creates its target, so it counts as outside.
      const real = await realpath(existing).catch(() => undefined);
      return real === undefined ? sep : resolve(real, relative(existing, path));
    }
    if (dirname(existing) === existing) return path;
  }
}
