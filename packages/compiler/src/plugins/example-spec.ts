import type { BadExample } from "./rule.js";

/** Reads the spec of an example: removes the common indentation, and adds the version of the format. */
export function spec(parts: TemplateStringsArray): string {
  const lines = parts.join("").replace(/^\n/u, "").trimEnd().split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...indents);
  return `${["hasp: 1", ...lines.map((line) => line.slice(shared))].join("\n")}\n`;
}

/** Reads the spec of an example that draws these messages. */
export function reporting<Name extends string>(
  ...reports: readonly Name[]
): (parts: TemplateStringsArray) => BadExample<Name> {
  return (parts) => ({ spec: spec(parts), reports });
}
