/** The name of a group's file, the same on a system that does not tell capital letters apart. */
export function groupFile(prefix: string): string {
  return prefix === "index"
    ? "index~"
    : prefix.replaceAll(/[^a-z0-9_-]/gu, (letter) => `~${letter.codePointAt(0)?.toString(16) ?? ""}`);
}

/** The end of a name in code that belongs to a group. */
export function groupSuffix(prefix: string): string {
  return `_${prefix.replaceAll(/[^A-Za-z0-9_]/gu, "$")}`;
}
