/** A YAML text written inside code: without its first line break and the indentation that all its lines share. */
export function yaml(parts: TemplateStringsArray): string {
  const lines = parts.join("").replace(/^\n/u, "").trimEnd().split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...indents);
  return `${lines.map((line) => line.slice(shared)).join("\n")}\n`;
}
