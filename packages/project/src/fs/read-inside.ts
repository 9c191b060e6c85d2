import { dropUndefined, findOrAdd } from "@hasp/base/json";
import { readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { findForeignFolder } from "@hasp/compiler/model";
import type { Position } from "@hasp/base/diagnostics";
import type { SourceRole, SourceText } from "@hasp/compiler";
import { MEGABYTE, MEGABYTES_LIMIT } from "@hasp/compiler/source";
import { entryAt, readErrorCode, linkAt } from "./entries.js";
import { decodeUtf8 } from "./read-text.js";
import { toSlashPath } from "./slash-path.js";

/** A reader of the files of one folder and of nothing outside it, whatever `..` and links say. */
export interface ProjectReader {
  /** Reads a file as text, or says why it could not be read; `undefined` if there is no such file. */
  read(uri: string, role: SourceRole): SourceText | undefined;
  /** Reads the bytes of a file that is not text; `undefined` if it may not be read. */
  readBytes(uri: string): Uint8Array | undefined;
  /** Returns the path that remains once every link in a path is followed; `undefined` if it leads nowhere or outside. */
  followLinks(uri: string): string | undefined;
}

export function createProjectReader(root: string): ProjectReader {
  const realRoot = realpathSync.native(root);
  return {
    read(uri, role) {
      const refused = (unreadable: string, unreadableAt?: Position): SourceText => ({
        uri,
        role,
        text: "",
        unreadable,
        ...dropUndefined({ unreadableAt }),
      });
      try {
        const path = realpathSync.native(join(realRoot, uri));
        if (!isWithin(realRoot, path)) return refused("it is a link that points outside the project");
        const entry = entryAt(path);
        if (entry === undefined) return undefined;
        // Reading a pipe would wait for its writer.
        if (!entry.isFile()) return refused(entry.isDirectory() ? "it is a folder" : "it is not a regular file");
        const size = Number(entry.size);
        if (size > MEGABYTES_LIMIT * MEGABYTE) {
          return refused(`it has ${Math.ceil(size / MEGABYTE)} MB, and hasp reads files up to ${MEGABYTES_LIMIT} MB`);
        }
        const decoded = decodeUtf8(readFileSync(path));
        return "text" in decoded ? { uri, role, text: decoded.text } : refused(decoded.reason, decoded.at);
      } catch (error) {
        const code = readErrorCode(error) ?? String(error);
        if (code === "ENOENT" || code === "ENOTDIR") return undefined;
        return refused(REASONS[code] ?? `the system says ${code}`);
      }
    },
    readBytes(uri) {
      try {
        const path = realpathSync.native(join(realRoot, uri));
        const entry = isWithin(realRoot, path) ? entryAt(path) : undefined;
        const isReadable = entry?.isFile() === true && Number(entry.size) <= MEGABYTES_LIMIT * MEGABYTE;
        return isReadable ? readFileSync(path) : undefined;
      } catch {
        return undefined;
      }
    },
    followLinks(uri) {
      try {
        const path = realpathSync.native(join(realRoot, uri));
        return isWithin(realRoot, path) ? toSlashPath(realRoot, path) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** Resolves a path to write to within a folder, with slashes; `undefined` if `..` or links lead outside. */
export function placeWithin(folder: string, path: string): string | undefined {
  const realFolder = realpathSync(folder);
  const real = realpathOfNearest(path);
  return isWithin(folder, path) && isWithin(realFolder, real) ? toSlashPath(realFolder, real) : undefined;
}

/** True if a path lies in a folder by its words, and links lead it out of there: nobody asked to write where it ends. */
export function leadsOutside(folder: string, path: string): boolean {
  return isWithin(folder, path) && placeWithin(folder, path) === undefined;
}

export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

const REASONS: { readonly [code: string]: string } = {
  EISDIR: "it is a folder",
  EACCES: "you are not allowed to read it",
  EPERM: "you are not allowed to read it",
  ELOOP: "its links form a cycle",
};

/**
 * Creates a test for paths inside the project, also after following every link. A link into `.git` or `node_modules`
 * leads to another program's files, and counts as outside.
 */
export function createInsideCheck(root: string): (path: string) => boolean {
  const lexicalRoot = resolve(root);
  const realRoot = realpathSync(root);
  const known = new Map<string, boolean>();
  return (path) => {
    const absolute = resolve(lexicalRoot, path);
    if (!isBelow(lexicalRoot, absolute)) return false;
    const folder = dirname(absolute);
    const answer = findOrAdd(known, folder, () => isOwn(realRoot, realpathOfNearest(folder)));
    // A reader would follow a link to a file elsewhere.
    return answer && !(linkAt(absolute)?.isSymbolicLink() === true);
  };
}

/** Compares the paths only, without following links. */
export function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`) && resolve(root, way) === path;
}

function isOwn(root: string, path: string): boolean {
  return root === path || (isBelow(root, path) && findForeignFolder(toSlashPath(root, path)) === undefined);
}

function realpathOfNearest(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (readErrorCode(error) !== "ENOENT" && readErrorCode(error) !== "ENOTDIR") throw error;
    return resolve(realpathOfNearest(dirname(path)), path.slice(dirname(path).length + 1));
  }
}
