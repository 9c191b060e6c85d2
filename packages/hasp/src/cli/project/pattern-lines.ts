import { findConflict } from "@hasp/compiler/source";

/** Writes a path as a pattern of `.gitignore` and of files like it, which matches this path only. */
export function writePattern(path: string): string {
  return path.replaceAll(/[\\*?[]/gu, String.raw`\$&`);
}

/** True if a line begins with this pattern. In a comment, it has no effect. */
export function hasPattern(text: string | undefined, pattern: string): boolean {
  return (text ?? "")
    .split(/\r?\n/u)
    .some((line) => line.startsWith(pattern) && /^\s|^$/u.test(line.slice(pattern.length)));
}

/** Adds lines at the end of a text. Throws an `Error` for a text with an unresolved merge conflict. */
export function addLines(text: string | undefined, lines: string): string {
  if (text === undefined || text === "") return lines;
  if (findConflict(text) !== undefined) throw new Error("it has an unresolved merge conflict");
  return `${text}${text.endsWith("\n") ? "\n" : "\n\n"}${lines}`;
}

/** Adds lines, unless a line begins with the pattern already. Throws like {@link addLines}. */
export function withLines(text: string | undefined, lines: string, pattern: string): string | undefined {
  return hasPattern(text, pattern) ? undefined : addLines(text, lines);
}
