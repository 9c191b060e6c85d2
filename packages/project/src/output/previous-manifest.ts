import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt } from "@hasp/base/diagnostics";
import { isStructured, readOwnMember } from "@hasp/base/json";
import { digestText, SHARED_OUTPUT } from "@hasp/builtin";
import { readErrorCode } from "../fs/entries.js";
import { isTemporary, readOriginalName } from "../fs/write-atomically.js";

/**
 * Lists manifests under temporary names, relative to the root. A build writes its manifest under one first, renames it
 * after all other files, and finally deletes the backup of the previous one. If one is left, a build was interrupted or
 * is running, and some of the files on disk are those of that manifest.
 */
export function findInterruptedManifests(root: string, manifestPath: string): readonly string[] {
  const folder = dirname(manifestPath);
  return findTemporaryFiles(join(root, folder))
    .filter((name) => readOriginalName(name) === basename(manifestPath))
    .map((name) => `${folder}/${name}`);
}

/** Returns the names of the temporary files directly in a folder, sorted. */
export function findTemporaryFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && isTemporary(entry.name))
      .map(({ name }) => name)
      .toSorted();
  } catch {
    // A missing folder holds nothing; reads and writes in a closed one report that themselves.
    return [];
  }
}

export interface PreviousManifest {
  /** The digests of each generated file by path: several if an unfinished build may have changed the file. */
  readonly outputs: ReadonlyMap<string, readonly string[]>;
  /** Generated files that depend on several tools, of which no digest is known. */
  readonly shared: ReadonlySet<string>;
  readonly handlers: ReadonlyMap<string, string>;
  /** Files that two branches changed before a merge: Git's result of both, not an edit by hand. */
  readonly merged: ReadonlySet<string>;
  readonly version: string | undefined;
}

/**
 * Reads the manifests of the last build and of a later one that was killed; a missing or damaged one counts as empty.
 * One that Git merged, with or without conflict markers, counts for both branches.
 */
export function readPreviousManifest(root: string, manifestPath: string): PreviousManifest {
  const manifest = entriesOf(manifestPath, root);
  const outputs = new Map<string, string[]>();
  const shared = new Set<string>();
  for (const { digests, shared: paths } of [
    manifest,
    ...findInterruptedManifests(root, manifestPath).map((path) => entriesOf(path, root)),
  ]) {
    for (const path of paths) shared.add(path);
    for (const [path, digest] of digests) outputs.set(path, [...(outputs.get(path) ?? []), digest]);
  }
  const merged = new Set<string>();
  const seen = new Map<string, string>();
  for (const [path, digest] of manifest.digests) {
    if (seen.has(path) && seen.get(path) !== digest) merged.add(path);
    seen.set(path, digest);
  }
  return { outputs, shared, handlers: manifest.handlers, merged, version: manifest.version };
}

interface ManifestEntries {
  readonly digests: readonly (readonly [path: string, digest: string])[];
  readonly shared: ReadonlySet<string>;
  readonly handlers: ReadonlyMap<string, string>;
  readonly version: string | undefined;
}

/** An entry of a manifest, on lines of its own: a file's digest or, as an object below its name, a tool. */
const ENTRY = /^[ \t]*("(?:[^"\\]|\\.)*":\s+(?:"(?:sha256-[\w-]+|shared)"|\{.*\})),?[ \t]*\r?$/gmu;

function entriesOf(path: string, root: string): ManifestEntries {
  return entriesIn(readTextIfThere(join(root, path)) ?? "", path);
}

/** Finds the digests of what a build reads, by path or by name of a plugin; a file of several tools has one for each. */
export function readInputs(manifest: string): ReadonlyMap<string, string> {
  const whole = parsed(manifest);
  const read = { ...recordIn(whole, "plugins"), ...recordIn(whole, "inputs") };
  const inputs = new Map(Object.entries(read).map(([input, digest]) => [input, String(digest)]));
  for (const [tool, entry] of Object.entries(recordIn(whole, "tools"))) {
    const { spec, digest } = Object(entry) as { readonly spec?: unknown; readonly digest?: unknown };
    inputs.set(String(spec), `${inputs.get(String(spec)) ?? ""} ${tool} ${String(digest)}`);
  }
  return inputs;
}

export function readVersion(manifest: string): string | undefined {
  return entriesIn(manifest, "").version;
}

/** Finds the handler of each tool in the text of a manifest. */
export function readHandlers(manifest: string): ReadonlyMap<string, string> {
  return entriesIn(manifest, "").handlers;
}

/** Lists the files of hasp's own that the build of the manifest at a path made. */
export function readOutputs(manifest: string, path: string): ReadonlySet<string> {
  const { digests, shared } = entriesIn(manifest, path);
  return new Set([...digests.map(([path]) => path), ...shared]);
}

function entriesIn(text: string, path: string): ManifestEntries {
  const whole = parsed(text);
  const entries = Array.from(text.matchAll(ENTRY), ([, entry = ""]) => entry);
  const keys = new Set(entries.map((entry) => entry.slice(0, entry.indexOf(":"))));
  // Only the lines show that Git has merged two entries of one key.
  const isPlain = whole !== undefined && keys.size === entries.length;
  const lines = isPlain ? [] : entries.flatMap((entry) => Object.entries(parsed(`{${entry}}`) ?? {}));
  // The folder tells the digests of outputs from those of inputs.
  const folder = `${dirname(path)}/`;
  const tools = [...lines, ...Object.entries(recordIn(whole, "tools"))] as readonly (readonly [string, unknown])[];
  const outputs = [
    ...Object.entries(recordIn(whole, "outputs")),
    ...[...lines, ...tools.flatMap(([, tool]) => Object.entries(recordIn(tool, "outputs")))].filter(([file]) =>
      file.startsWith(folder),
    ),
  ].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return {
    version: /^[ \t]*"version": "([^"\n]+)",?\r?$/mu.exec(text)?.[1],
    digests: outputs.filter(([, digest]) => digest !== SHARED_OUTPUT),
    shared: new Set(outputs.flatMap(([file, digest]) => (digest === SHARED_OUTPUT ? [file] : []))),
    handlers: new Map(
      tools.flatMap(([tool, entry]): [string, string][] => {
        const handler = readOwnMember(entry, "handler");
        return typeof handler === "string" ? [[tool, handler]] : [];
      }),
    ),
  };
}

/** True if a text is hasp's own byte for byte, apart from line endings. */
export function isUnedited(text: string, digests: readonly string[] = []): boolean {
  return digests.length > 0 && digests.includes(digestText(text));
}

/** Ignores line endings: a checkout on Windows is not drift. */
export function isSameText(left: string, right: string): boolean {
  return left === right || left.replaceAll("\r\n", "\n") === right.replaceAll("\r\n", "\n");
}

/** Reads a file; `undefined` if it does not exist. Throws if something else is in the way. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (readErrorCode(error) === "ENOENT" || readErrorCode(error) === "ENOTDIR") return undefined;
    // For a folder, Node's error names no path.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

function parsed(text: string): object | undefined {
  const value: unknown = attempt(() => JSON.parse(text) as unknown);
  return isStructured(value) ? value : undefined;
}

function recordIn(value: unknown, key: string): object {
  const found = readOwnMember(value, key);
  return isStructured(found) ? found : {};
}
