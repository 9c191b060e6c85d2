import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { entryAt } from "../fs/entries.js";
import { toSlashPath } from "../fs/slash-path.js";
import { findAllConfigs, findConfigs, isProjectRoot } from "../read/file-names.js";
import { sessionDiagnostics } from "./diagnostics.js";

type FoundRoot =
  | { readonly root: string }
  /** `place` is the folder of configurations side by side. */
  | { readonly finding: Diagnostic; readonly place?: string };

/**
 * Finds the project of a folder, as Git does: the nearest folder upwards with a configuration, inside the repository.
 * Falls back to the folder itself. Refuses a configuration of another user, since it may be a program, and a choice between
 * configurations side by side.
 */
export function findProjectRoot(folder: string): FoundRoot {
  for (let place = folder; ; place = dirname(place)) {
    if (isProjectRoot(place)) {
      const [name = ""] = findConfigs(place);
      return place === folder || isTrusted(join(place, name), folder)
        ? { root: place }
        : {
            finding: sessionDiagnostics("foreign-config", undefined, { path: toSlashPath(folder, join(place, name)) }),
          };
    }
    const names = findAllConfigs(place).map((each) => toSlashPath(folder, join(place, each)));
    if (names.length > 0) {
      return { finding: sessionDiagnostics("which-configuration", undefined, { names }), place };
    }
    if (dirname(place) === place || existsSync(join(place, ".git"))) return { root: folder };
  }
}

/** Finds the nearest folder upwards with configurations that this user may trust. */
export function findConfiguredFolder(folder: string): string | undefined {
  const found = findProjectRoot(folder);
  if ("root" in found) return isProjectRoot(found.root) ? found.root : undefined;
  return found.place;
}

export function findConfigAbove(folder: string): string | undefined {
  if (dirname(folder) === folder || existsSync(join(folder, ".git")) || isProjectRoot(folder)) return undefined;
  const found = findProjectRoot(dirname(folder));
  const [name] = "root" in found ? findConfigs(found.root) : [];
  return "root" in found && name !== undefined ? join(found.root, name) : undefined;
}

/** True if a file belongs to the current user, to the owner of the folder, or to the system. */
function isTrusted(path: string, folder: string): boolean {
  const owner = entryAt(path)?.uid;
  const own = process.getuid?.();
  return owner === undefined || owner === 0n || owner === entryAt(folder)?.uid || owner === BigInt(own ?? 0);
}
