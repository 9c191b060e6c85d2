import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sortBy } from "@hasp/base/json";
import { readErrorCode } from "../fs/entries.js";
import { findRepository } from "../fs/read-git.js";
import { runGit } from "../fs/run-git.js";
import { toSlashPath } from "../fs/slash-path.js";
import { isOwnPackage } from "../installation/own-package.js";

/** Lists the packages, and entry points of hasp's own, that a project's modules can import. None of them is loaded. */
export function listImportablePackages(root: string, names: readonly string[]): readonly string[] {
  const { resolve } = createRequire(join(root, "package.json"));
  return names.filter((name) => {
    try {
      resolve(name);
    } catch (error) {
      const code = readErrorCode(error);
      // A package with only `import` conditions is found, and refused. Every entry point of hasp's has a default.
      return code === "ERR_PACKAGE_PATH_NOT_EXPORTED" ? !name.startsWith("@hasp/") : code !== "MODULE_NOT_FOUND";
    }
    return true;
  });
}

/**
 * True for the real path of a package that was installed, whose content a lockfile pins. Others are linked: packages of
 * a workspace, whose code is that of the repository. hasp's own packages count as installed wherever they are.
 */
export function isInstalled(folder: string): boolean {
  return folder.split(sep).includes("node_modules") || isOwnPackage(folder);
}

/** The packages to which a name leads. */
export interface FoundPackage {
  /** The folders of linked ones, nearest first, relative to the root. */
  readonly linked: readonly string[];
  /** True if the search ended at an installed one, which hides those above it. */
  readonly isInstalled: boolean;
  /** True if no lockfile pins its content: pnpm has copied it from a folder of the repository, or it is committed. */
  readonly isUnpinned: boolean;
}

/** The folder in which pnpm keeps a copy of a package from a folder. */
const COPIED = /[\\/]\.pnpm[\\/][^\\/]*@file\+/u;

/** Lists the files below `node_modules` that git holds in a project's repository. */
export function listCommittedModules(root: string): readonly string[] {
  const top = findRepository(root);
  const { out } = runGit(top, ["ls-files", "-z", "--", ":(glob)**/node_modules/**"]);
  return out
    .toString("utf8")
    .split("\0")
    .flatMap((path) => (path === "" ? [] : [join(top, path)]));
}

/** Finds the packages to which a name leads from a folder; `listCommitted` lists what git holds below `node_modules`. */
export function findPackage(
  root: string,
  { folder, name }: { readonly folder: string; readonly name: string },
  listCommitted: () => readonly string[],
): FoundPackage {
  const linked: string[] = [];
  const start = realPathAt(join(root, folder)) ?? join(root, folder);
  for (let current = start; ; current = dirname(current)) {
    const place = realPathAt(join(current, "node_modules", name));
    if (place !== undefined && isInstalled(place)) {
      const isUnpinned = COPIED.test(place) || listCommitted().some((path) => path.startsWith(place + sep));
      return { linked, isInstalled: true, isUnpinned };
    }
    if (place !== undefined) linked.push(toSlashPath(realpathSync.native(root), place));
    if (dirname(current) === current) return { linked, isInstalled: false, isUnpinned: false };
  }
}

function realPathAt(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** The module of a plugin's package. */
export type PluginPackage =
  /** `digest` is that of every file in its folder except `node_modules`. */
  | { readonly url: string; readonly digest: string }
  /** A linked package: the path from the root. */
  | { readonly path: string };

/** Finds the package of a plugin as the project's own modules would import it. */
export function findPluginPackage(root: string, name: string): PluginPackage | undefined {
  const { createJiti } = createRequire(import.meta.url)("jiti") as typeof import("jiti");
  const manifest = join(root, "package.json");
  const url = createJiti(manifest).esmResolve(name, { parentURL: pathToFileURL(manifest), try: true });
  if (url === undefined || !url.startsWith("file:")) return undefined;
  const module = realpathSync.native(fileURLToPath(url));
  const folder = packageFolder(dirname(module), name);
  if (!isInstalled(folder ?? dirname(module))) return { path: toSlashPath(realpathSync.native(root), module) };
  return folder === undefined ? undefined : { url, digest: digestOfFolder(folder) };
}

function packageFolder(start: string, name: string): string | undefined {
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    const { name: found } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly name?: unknown };
    if (typeof found === "string" && `${name}/`.startsWith(`${found}/`)) return folder;
  }
  return undefined;
}

function digestOfFolder(folder: string): string {
  const digest = createHash("sha256");
  const add = (path: string): void => {
    for (const entry of sortBy(readdirSync(path, { withFileTypes: true }), ({ name }) => name)) {
      if (entry.name === "node_modules" || entry.name === ".git") continue;
      const inner = join(path, entry.name);
      if (entry.isDirectory()) add(inner);
      else if (entry.isFile()) {
        const content = readFileSync(inner);
        digest.update(`${toSlashPath(folder, inner)} ${content.length}\n`).update(content);
      }
    }
  };
  add(folder);
  return `sha256-${digest.digest("base64url")}`;
}
