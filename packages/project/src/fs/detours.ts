import { type Dirent, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { attempt } from "@hasp/base/diagnostics";
import { linkAt } from "./entries.js";

/** The entries by which the modules of a folder mean something else to a program than their texts say, sorted. */
export interface FolderDetours {
  /** The first link on the way to the folder, else every link in it. Programs resolve imports where a link leads. */
  readonly links: readonly string[];
  /** The paths of the `package.json` files in it. */
  readonly packages: readonly string[];
}

/** Finds the {@link FolderDetours} of a folder below the root, apart from installed packages. */
export function findDetours(root: string, folder: string): FolderDetours {
  const way = folder.split("/").map((_, index, names) => names.slice(0, index + 1).join("/"));
  const onWay = way.find((path) => isLink(join(root, path)));
  const [links, packages]: [string[], string[]] = [onWay === undefined ? [] : [onWay], []];
  const waiting = onWay === undefined ? [folder] : [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of entriesOf(join(root, next))) {
      const path = posix.join(next, entry.name);
      if (entry.name === "node_modules") continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.name === "package.json" && entry.isFile()) packages.push(path);
      // Emacs marks a file with unsaved changes by a link that leads nowhere.
      else if (entry.isSymbolicLink() && !entry.name.startsWith(".#")) links.push(path);
    }
  }
  return { links: links.toSorted(), packages: packages.toSorted() };
}

function isLink(path: string): boolean {
  // Whatever reads a closed folder reports it.
  return attempt(() => linkAt(path)?.isSymbolicLink()) === true;
}

function entriesOf(folder: string): readonly Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}
