import { globSync } from "tinyglobby";
import { readdirSync, readlinkSync, realpathSync, type Dirent } from "node:fs";
import { join, posix } from "node:path";
import { isFolder, linkAt, describeOddity, readErrorCode } from "../fs/entries.js";
import { toSlashPath } from "../fs/slash-path.js";
import { SPEC_FILE } from "./file-names.js";

/** Specs by path, and unreadable entries where specs are looked for. */
export interface FoundSpecs {
  readonly paths: readonly string[];
  /** Entries that are named like a spec, and links to folders with specs, each with a description. */
  readonly oddities: readonly { readonly path: string; readonly what: string }[];
  /** Other YAML and JSON files beside a spec: shared schemas, or misnamed specs. */
  readonly neighbours: readonly string[];
}

const LINE_BREAK = /[\n\r\u2028\u2029]/u;

/** YAML and JSON files whose names do not begin with a dot. */
const YAML_OR_JSON = /(?:^|\/)[^./][^/]*\.(?:ya?ml|json)$/u;

/**
 * Finds every spec that the patterns cover. Links are not followed, and pipes and folders are not read: an entry that
 * is named like a spec without being a file is reported, since a check that skips it would prove less than it seems to.
 */
export async function findSpecFiles(
  root: string,
  patterns: readonly string[],
  ignore: readonly string[],
): Promise<FoundSpecs> {
  const linkedFolders: string[] = [];
  /** Folder entries identify most files; the rest are checked one by one. */
  const files = new Set<string>();
  const closedFolders: string[] = [];
  /** No pattern matches a line break. */
  const broken: string[] = [];
  const pathOf = (path: string): string => toSlashPath(root, path);
  const bases = patterns.map((pattern) => {
    const special = pattern.search(/[!()*?[{]/u);
    return special < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf("/", special) + 1);
  });
  /**
   * Shows links to folders as folders to the walker, so that it enters those that a pattern covers, and finds nothing
   * there.
   */
  const entriesOf = (folder: string): readonly WalkedEntry[] => {
    const path = pathOf(folder);
    if (path !== "" && linkAt(join(root, path))?.isSymbolicLink() === true) {
      linkedFolders.push(path);
      return [];
    }
    return listed(folder, () => closedFolders.push(path)).map((entry) => {
      const place = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) files.add(place);
      if (LINE_BREAK.test(entry.name) && bases.some((base) => `${path}/`.startsWith(base))) broken.push(place);
      const isEntered =
        !SPEC_FILE.test(entry.name) &&
        (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(folder, entry.name))));
      return { name: entry.name, isFile: () => !isEntered, isDirectory: () => isEntered, isSymbolicLink: () => false };
    });
  };
  const found = globSync(patterns, {
    cwd: root,
    dot: false,
    ignore,
    // The walker calls it in one way only, and reads only these members.
    fs: { readdirSync: entriesOf as unknown as typeof readdirSync },
  });
  // The walker enters hidden folders, though it finds nothing there.
  const namesHidden = patterns.some((pattern) => /(?:^|\/)\./u.test(pattern));
  const isSeen = (path: string): boolean => namesHidden || !/(?:^|\/)\./u.test(path);
  const named = found.filter((path) => SPEC_FILE.test(path)).toSorted();
  const kinds = new Map(named.map((path) => [path, files.has(path) ? undefined : describeOddity(join(root, path))]));
  const oddities = named.flatMap((path) => {
    const what = kinds.get(path);
    return what === undefined ? [] : [{ path, what }];
  });
  const folders = linkedFolders
    .filter((path) => isSeen(path) && holdsSpecs(join(root, path)))
    .toSorted()
    .map((path) => ({
      path,
      what: `a symbolic link to a folder of specs (${readlinkSync(join(root, path))})`,
    }));
  const closed = closedFolders
    .filter(isSeen)
    .toSorted()
    .map((path) => ({ path: path === "" ? "." : path, what: "a folder that you are not allowed to read" }));
  const unmatched = broken
    .filter((path) => SPEC_FILE.test(path) || (isFolder(join(root, path)) && holdsSpecs(join(root, path))))
    .toSorted()
    .map((path) => ({ path, what: "under a name with a line break, which no pattern finds" }));
  return {
    paths: named.filter((path) => kinds.get(path) === undefined),
    oddities: [...oddities, ...folders, ...closed, ...unmatched],
    neighbours: neighboursOf(named, [...files]),
  };
}

function neighboursOf(specs: readonly string[], files: readonly string[]): readonly string[] {
  const folders = new Set(specs.map((path) => posix.dirname(path)));
  return files
    .filter((path) => YAML_OR_JSON.test(path) && !SPEC_FILE.test(path) && folders.has(posix.dirname(path)))
    .toSorted();
}

type WalkedEntry = Pick<Dirent, "name" | "isFile" | "isDirectory" | "isSymbolicLink">;

/** Lists a folder. The walker would take an unreadable one for an empty one. */
function listed(folder: string, onClosed: () => void): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = readErrorCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") onClosed();
    return [];
  }
}

const FOLDERS_BEHIND_A_LINK = 2_000;

/** True if a folder holds a spec, or cannot be searched. */
function holdsSpecs(folder: string): boolean {
  const waiting = [realpathSync(folder)];
  for (let count = 0; ; count += 1) {
    const next = waiting.pop();
    if (next === undefined) return false;
    if (count === FOLDERS_BEHIND_A_LINK) return true;
    let isClosed = false;
    const entries = listed(next, () => void (isClosed = true));
    if (isClosed) return true;
    for (const entry of entries) {
      if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
      if (SPEC_FILE.test(entry.name)) return true;
      if (entry.isDirectory()) waiting.push(join(next, entry.name));
    }
  }
}
