export const DEFAULT_OUT_DIR = "src/generated";

/** Folders inside a project that belong to another program, which removes foreign files or fails on them. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  [".git", "git"],
  ["node_modules", "the package manager"],
]);

/** Finds another program's folder that contains a normal path. */
export function findForeignFolder(path: string): { readonly name: string; readonly owner: string } | undefined {
  for (const name of path.split("/")) {
    // Some file systems ignore case.
    const owner = FOREIGN.get(name.toLowerCase());
    if (owner !== undefined) return { name, owner };
  }
  return undefined;
}

/** Normalises a path of the configuration; `""` is the project itself. `undefined` if it points outside the project. */
export function normalisePath(path: string): string | undefined {
  if (path.startsWith("/") || /^[a-z]:/iu.test(path)) return undefined;
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return segments.join("/");
}

export function isWithinFolder(folder: string, path: string): boolean {
  return folder === "" || `${path}/`.startsWith(`${folder}/`);
}
