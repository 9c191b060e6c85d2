export function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${head.map(() => " --- ").join("|")}|`, ...rows.map(line)].join("\n");
}

/** Escapes bars and line breaks. */
export const cell = (text) =>
  String(text)
    .replaceAll("\n", " ")
    .replaceAll("|", String.raw`\|`);

/** Text as code, whatever it holds. */
export function code(value) {
  const text = String(value);
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

export const block = (language, text) => `\`\`\`${language}\n${text.trim()}\n\`\`\``;

export const page = (...parts) => `${parts.flat().join("\n\n")}\n`;
