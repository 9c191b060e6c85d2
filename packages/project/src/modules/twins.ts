import { readdirSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { attempt } from "@hasp/base/diagnostics";
import { groupBy } from "@hasp/base/json";
import { runGit } from "../fs/run-git.js";
import { ADDED_ENDINGS } from "./code-endings.js";

/** A file that a program may load in place of a module. */
export interface Twin {
  readonly path: string;
  readonly module: string;
}

/**
 * Finds the entries beside modules in TypeScript that their specifier may mean, such as `do-it.js` beside `do-it.ts`,
 * which is imported as `do-it.js`. One that git ignores is what a compiler made of the module: nobody commits it.
 */
export function findTwins(root: string, modules: readonly string[]): readonly Twin[] {
  const typescript = modules.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"));
  const found = [...groupBy(typescript, posix.dirname)].flatMap(([folder, inFolder]) => {
    // Some file systems ignore case.
    const byStem = new Map(inFolder.map((path) => [basename(path, ".ts").toLowerCase(), path]));
    const entries = attempt(() => readdirSync(join(root, folder))) ?? [];
    return entries.flatMap((name): readonly Twin[] => {
      const [, stem = ""] = NAMED_LIKE.exec(name.toLowerCase()) ?? [];
      const module = byStem.get(stem);
      const isBeside = module !== undefined && entries.includes(basename(module));
      return isBeside ? [{ path: posix.join(folder, name), module }] : [];
    });
  });
  if (found.length === 0) return [];
  const ignored = ignoredByGit(
    root,
    found.map(({ path }) => path),
  );
  return found.filter(({ path }) => !ignored.has(path)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** A name that `<stem>.js` may mean besides `<stem>.ts`. */
const NAMED_LIKE = new RegExp(`^(.+)\\.js(?:${ADDED_ENDINGS.map((ending) => `\\${ending}`).join("|")})?$`, "u");

/** Returns those of some paths that git ignores and has not been told to track; none without git. */
function ignoredByGit(root: string, paths: readonly string[]): ReadonlySet<string> {
  const { out } = runGit(root, ["check-ignore", "--stdin", "-z"], paths.join("\0"));
  return new Set(out.toString("utf8").split("\0"));
}
