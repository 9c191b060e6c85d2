import { createHash, type Hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { once } from "../../../compiler/src/model/once.js";
import { ownFolder } from "./own-package.js";

/**
 * A digest of the program that runs: of every file of code of hasp and of its two packages, and of the manifests of
 * what they use, so that a patched, rebuilt or upgraded hasp is another one. Contents are read: package managers give
 * all files of a package one time of modification, and those that share files between projects let each install change
 * the other time.
 */
export const compilerFingerprint: () => string = once(() => digestOfPackage(ownFolder()));

/** As `compilerFingerprint`, of the program in any folder. */
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

/**
 * Every file of code below a folder. Types and source maps, which are most of what is there, are not part of what runs.
 */
function codeBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return codeBelow(path);
      return entry.name.endsWith(".js") ? [path] : [];
    });
}

/** The folder of an installed package, found as Node finds it. */
function installedAt(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate);
    if (dirname(folder) === folder) return undefined;
  }
}
