import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readErrorCode } from "../fs/entries.js";
import { toSlashPath } from "../fs/slash-path.js";

/** Lists the packages that a project's modules can import. None of them is loaded. */
export function listImportablePackages(root: string, names: readonly string[]): readonly string[] {
  const { resolve } = createRequire(join(root, "package.json"));
  return names.filter((name) => {
    try {
      resolve(name);
    } catch (error) {
      // A package with only `import` conditions is found, and refused.
      return readErrorCode(error) !== "MODULE_NOT_FOUND";
    }
    return true;
  });
}

export interface PluginPackage {
  readonly url: string;
  /** Digest of every file in its folder except `node_modules`. */
  readonly digest: string;
}

/** Finds the package of a plugin as the project's own modules would import it. */
export function findPluginPackage(root: string, name: string): PluginPackage | undefined {
  const { createJiti } = createRequire(import.meta.url)("jiti") as typeof import("jiti");
  const manifest = join(root, "package.json");
  const url = createJiti(manifest).esmResolve(name, { parentURL: pathToFileURL(manifest), try: true });
  if (url === undefined || !url.startsWith("file:")) return undefined;
  const folder = packageFolder(dirname(fileURLToPath(url)), name);
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
    const entries = readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
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
