import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { exportDiagnostics } from "./diagnostics.js";

/** The contents of files by their paths in the bundle. */
export type BundleFiles = Map<string, Uint8Array>;

/** Files that a compiler leaves beside JavaScript. */
export const NOT_RUN: RegExp = /\.(?:d\.[cm]?ts|map|tsbuildinfo)$/u;

interface Manifest {
  readonly dependencies?: { readonly [name: string]: string };
  readonly optionalDependencies?: { readonly [name: string]: string };
  readonly peerDependencies?: { readonly [name: string]: string };
  readonly files?: readonly string[];
}

interface Placed {
  readonly name: string;
  readonly folder: string;
  readonly path: string;
}

/** The dependencies that `serve --registry <JavaScript file>` never loads, except those of a few kilobytes. */
export const NOT_FOR_SERVING: ReadonlySet<string> = new Set([
  "@apidevtools/json-schema-ref-parser",
  "ajv",
  "jiti",
  "libpg-query",
  "oxfmt",
  "ts-morph",
]);
const MOST_BYTES = 250_000_000;

export function addInstalledPackages(
  root: string,
  dependencies: readonly string[],
  hasp: string,
  files: BundleFiles,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const placed = new Map<string, Placed>();
  const queue: Placed[] = [];
  let bytes = 0;

  function place(name: string, folder: string, dependent: string): void {
    const there = lookUp(placed, name, dependent);
    if (there?.folder === folder) return;
    const path = there === undefined ? `node_modules/${name}` : `${dependent}/node_modules/${name}`;
    const entry = { name, folder, path };
    placed.set(path, entry);
    queue.push(entry);
  }

  place("hasp", realpathSync(hasp), "");
  for (const name of dependencies.filter((each) => each !== "hasp")) {
    const folder = installed(root, name);
    if (folder !== undefined) place(name, folder, "");
    else diagnostics.push(exportDiagnostics("not-installed", undefined, { name, dependent: "the project" }));
  }
  // The list grows while we walk it.
  for (const { name, folder, path } of queue) {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    bytes += addPackage(folder, path, manifest, files);
    if (bytes > MOST_BYTES) {
      return [exportDiagnostics("too-large", undefined, { megabytes: String(MOST_BYTES / 1_000_000) })];
    }
    const { dependencies: needed = {}, optionalDependencies: optional = {}, peerDependencies: peers = {} } = manifest;
    for (const dependency of Object.keys({ ...needed, ...optional, ...peers }).toSorted()) {
      // The compiler that packages name as a peer, for their types, runs nothing.
      if (dependency === "typescript" && Object.hasOwn(peers, dependency)) continue;
      if (name === "hasp" && (NOT_FOR_SERVING.has(dependency) || !Object.hasOwn(needed, dependency))) continue;
      const found = installed(folder, dependency);
      if (found !== undefined) place(dependency, found, path);
      else if (Object.hasOwn(needed, dependency) && !Object.hasOwn(optional, dependency)) {
        diagnostics.push(exportDiagnostics("not-installed", undefined, { name: dependency, dependent: name }));
      }
    }
  }
  return diagnostics;
}

/** Finds the package that Node would load from a place in the bundle. */
function lookUp(placed: ReadonlyMap<string, Placed>, name: string, from: string): Placed | undefined {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf("/node_modules/")))) {
    const found = placed.get(place === "" ? `node_modules/${name}` : `${place}/node_modules/${name}`);
    if (found !== undefined || place === "") return found;
  }
}

function installed(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate);
    if (dirname(folder) === folder) return undefined;
  }
}

/** Adds a package's published files and returns their size. Skips the other files of a linked package. */
function addPackage(folder: string, path: string, { files: published }: Manifest, files: BundleFiles): number {
  const top = published?.map((pattern) => pattern.split("/")[0] ?? "");
  const isPublished = (name: string): boolean =>
    top === undefined || top.includes(name) || /^(?:package\.json|licen[cs]e|[\w-]+\.[cm]?js$)/iu.test(name);
  let bytes = 0;
  const add = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true }).toSorted(byName)) {
      const at = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.name === "node_modules" || (below === "" && !isPublished(entry.name))) continue;
      if (entry.isDirectory()) add(at);
      else if (entry.isFile() && !NOT_RUN.test(entry.name)) {
        const content = readFileSync(join(folder, at));
        bytes += content.length;
        files.set(`${path}/${at}`, content);
      }
    }
  };
  add("");
  return bytes;
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
