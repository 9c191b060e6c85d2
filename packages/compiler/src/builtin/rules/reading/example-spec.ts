/** Removes the first line break and the common indentation. */
export function yaml(parts: TemplateStringsArray): string {
  const lines = parts.join("").replace(/^\n/u, "").trimEnd().split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...indents);
  return `${lines.map((line) => line.slice(shared)).join("\n")}\n`;
}
