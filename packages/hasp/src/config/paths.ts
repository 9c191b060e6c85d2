/**
 * A path of the configuration in its one spelling: no `.` and no `..`, no slash at the end, `""` for the project itself.
 * `undefined` if it leads out of the project.
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
