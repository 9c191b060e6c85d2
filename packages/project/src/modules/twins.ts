import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { attempt } from "@hasp/base/diagnostics";
import { groupBy, sortBy } from "@hasp/base/json";
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
  return withoutIgnored(root, find(root, modules.filter(isTypeScript).map(placeAt), readStems));
}

/**
 * Finds the twins of hasp's own modules, which a program may also import without an ending, and an index by its folder.
 * @param outputs - All files of hasp's own. None of them is a twin.
 */
export function findOutputTwins(root: string, outputs: readonly string[]): readonly Twin[] {
  const own = new Set(outputs);
  const places = outputs.filter(isTypeScript).flatMap((module) => {
    const folder = posix.dirname(module);
    return [placeAt(module), ...(posix.basename(module) === "index.ts" ? [{ ...placeAt(folder), module }] : [])];
  });
  return withoutIgnored(
    root,
    find(root, places, readStemsWithoutEnding).filter(({ path }) => !own.has(path)),
  );
}

function isTypeScript(path: string): boolean {
  return path.endsWith(".ts") && !path.endsWith(".d.ts");
}

/** A place where programs look for a module: a folder, and the name there without an ending. */
interface ModulePlace {
  readonly folder: string;
  readonly stem: string;
  readonly module: string;
}

function placeAt(path: string): ModulePlace {
  return { folder: posix.dirname(path), stem: posix.basename(path, ".ts"), module: path };
}

function find(
  root: string,
  places: readonly ModulePlace[],
  readNames: (entry: Dirent) => readonly string[],
): readonly Twin[] {
  return [...groupBy(places, ({ folder }) => folder)].flatMap(([folder, inFolder]) => {
    // Some file systems ignore case.
    const byStem = new Map(inFolder.map(({ stem, module }) => [stem.toLowerCase(), module]));
    const entries = attempt(() => readdirSync(join(root, folder), { withFileTypes: true })) ?? [];
    return entries.flatMap((entry): readonly Twin[] => {
      const module = readNames(entry).flatMap((stem) => byStem.get(stem.toLowerCase()) ?? [])[0];
      const path = posix.join(folder, entry.name);
      return module !== undefined && path !== module && existsSync(join(root, module)) ? [{ path, module }] : [];
    });
  });
}

const ADDED = `(?:${ADDED_ENDINGS.map((ending) => `\\${ending}`).join("|")})`;

/** A name that `<stem>.js` may mean besides `<stem>.ts`. */
const NAMED_LIKE = new RegExp(`^(.+)\\.js${ADDED}?$`, "iu");

/** A name that `<stem>` may mean. */
const NAMED_WITH_ENDING = new RegExp(`^(.+?)${ADDED}$`, "iu");

function readStems({ name }: Dirent): readonly string[] {
  const [, ...stems] = NAMED_LIKE.exec(name) ?? [];
  return stems;
}

function readStemsWithoutEnding(entry: Dirent): readonly string[] {
  const [, ...stems] = NAMED_WITH_ENDING.exec(entry.name) ?? [];
  return [...readStems(entry), ...stems, ...(entry.isFile() ? [entry.name] : [])];
}

function withoutIgnored(root: string, found: readonly Twin[]): readonly Twin[] {
  if (found.length === 0) return [];
  const ignored = ignoredByGit(
    root,
    found.map(({ path }) => path),
  );
  return sortBy(
    found.filter(({ path }) => !ignored.has(path)),
    ({ path }) => path,
  );
}

/** Returns those of some paths that git ignores and has not been told to track; none without git. */
export function ignoredByGit(root: string, paths: readonly string[]): ReadonlySet<string> {
  const { out } = runGit(root, ["check-ignore", "--stdin", "-z"], paths.join("\0"));
  return new Set(out.toString("utf8").split("\0"));
}
