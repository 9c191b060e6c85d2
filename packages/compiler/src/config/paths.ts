/** Folders inside a project that are another program's: it removes what it did not put there, or breaks over it. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  [".git", "git"],
  ["node_modules", "the package manager"],
]);

/**
 * The folder of another program's in which a normal path lies, as it is written there; `undefined` if it lies in none.
 */
export function foreignFolder(path: string): { readonly name: string; readonly owner: string } | undefined {
  for (const name of path.split("/")) {
    // Some file systems take capitals for the same letters.
    const owner = FOREIGN.get(name.toLowerCase());
    if (owner !== undefined) return { name, owner };
  }
  return undefined;
}

/**
 * A path of the configuration in its one spelling: no `.` and no `..`, no slash at the end, `""` for the project
 * itself. `undefined` if it points outside the project.
 */
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
