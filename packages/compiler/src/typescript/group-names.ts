/** Returns a file name that is unambiguous on case-insensitive file systems. */
export function groupFile(prefix: string): string {
  return prefix === "index"
    ? "index~"
    : prefix.replaceAll(/[^a-z0-9_-]/gu, (letter) => `~${letter.codePointAt(0)?.toString(16) ?? ""}`);
}

export function groupSuffix(prefix: string): string {
  return `_${prefix.replaceAll(/[^A-Za-z0-9_]/gu, "$")}`;
}
