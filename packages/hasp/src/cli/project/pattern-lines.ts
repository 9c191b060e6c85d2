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
  refuseConflict(text);
  return `${text}${text.endsWith("\n") ? "\n" : "\n\n"}${lines}`;
}

/**
 * Adds lines, unless a line begins with the pattern already. Where the text has the first of them, those that it lacks
 * go to the end of that paragraph. Throws like {@link addLines}.
 */
export function withLines(text: string | undefined, lines: string, pattern: string): string | undefined {
  if (hasPattern(text, pattern)) return undefined;
  const [first = "", ...others] = lines.trimEnd().split("\n");
  const present = (text ?? "").split("\n");
  const at = present.indexOf(first);
  if (at === -1) return addLines(text, lines);
  refuseConflict(text);
  const end = [...present, ""].indexOf("", at);
  return present.toSpliced(end, 0, ...others.filter((line) => !present.includes(line))).join("\n");
}

function refuseConflict(text = ""): void {
  if (findConflict(text) !== undefined) throw new Error("it has an unresolved merge conflict");
}
