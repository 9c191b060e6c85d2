import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { entryAt } from "../../../../project/src/fs/entries.js";
import { slashPath } from "../../../../project/src/fs/slash-path.js";
import { configsIn, isProjectRoot } from "../../../../project/src/read/file-names.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

/**
 * Finds the project of a folder, as Git does: the nearest folder upwards with a configuration, inside the repository.
 * Falls back to the folder itself. Refuses a configuration of another user, since it may be a program.
 */
export function findProjectRoot(folder: string): { readonly root: string } | { readonly finding: Diagnostic } {
  for (let place = folder; ; place = dirname(place)) {
    if (isProjectRoot(place)) {
      const [name = ""] = configsIn(place);
      return place === folder || isTrusted(join(place, name), folder)
        ? { root: place }
        : { finding: cliDiagnostics("foreign-config", undefined, { path: slashPath(folder, join(place, name)) }) };
    }
    if (dirname(place) === place || existsSync(join(place, ".git"))) return { root: folder };
  }
}

export function configAbove(folder: string): string | undefined {
  if (dirname(folder) === folder || existsSync(join(folder, ".git")) || isProjectRoot(folder)) return undefined;
  const found = findProjectRoot(dirname(folder));
  const [name] = "root" in found ? configsIn(found.root) : [];
  return "root" in found && name !== undefined ? join(found.root, name) : undefined;
}

/** True if a file belongs to the current user, to the owner of the folder, or to the system. */
function isTrusted(path: string, folder: string): boolean {
  const owner = entryAt(path)?.uid;
  const own = process.getuid?.();
  return owner === undefined || owner === 0n || owner === entryAt(folder)?.uid || owner === BigInt(own ?? 0);
}
