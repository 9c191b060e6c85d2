import { createHash, type Hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { sortBy, once } from "@hasp/base/json";
import { ownFolder } from "./own-package.js";

/**
 * Digests the running program: the code of hasp and of its two packages, and the manifests of their dependencies, so
 * that a patched, rebuilt or upgraded hasp is a different one. Reads contents: package managers set one modification
 * time for all files of a package, and installs that share files change each other's.
 */
export const compilerFingerprint: () => string = once(() => digestOfPackage(ownFolder()));

export function digestOfPackage(home: string): string {
  const hash = createHash("sha256").update(`${process.version} ${process.platform}`);
  const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    readonly dependencies?: object;
    readonly peerDependencies?: object;
  };
  addProgram(hash, realpathSync(home));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    const folder = installedAt(home, name);
    if (folder === undefined) continue;
    if (name.startsWith("@hasp/")) addProgram(hash, folder);
    // Another package changes with its version, which its manifest states.
    else addFile(hash, join(folder, "package.json"));
  }
  return hash.digest("hex");
}

function addProgram(hash: Hash, folder: string): void {
  addFile(hash, join(folder, "package.json"));
  for (const path of codeBelow(join(folder, "dist"))) addFile(hash, path);
}

function addFile(hash: Hash, path: string): void {
  const content = readFileSync(path);
  hash.update(`${path} ${content.length}\n`).update(content);
}

/** Lists the code below a folder, without types and source maps, which do not run. */
function codeBelow(folder: string): readonly string[] {
  return sortBy(readdirSync(folder, { withFileTypes: true }), ({ name }) => name).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return codeBelow(path);
    return entry.name.endsWith(".js") ? [path] : [];
  });
}

function installedAt(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate);
    if (dirname(folder) === folder) return undefined;
  }
}
