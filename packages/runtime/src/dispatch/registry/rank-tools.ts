import type { AnyTool } from "../../tool/tool.js";

/** Ranks tools by exact name, then by words in name, hint and description. */
export function rankTools(tools: readonly AnyTool[], query: string): readonly AnyTool[] {
  const words = wordsOf(query);
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, query.trim().toLowerCase(), words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .map(({ tool }) => tool);
}

function scoreOf(tool: AnyTool, query: string, words: readonly string[]): number {
  if ([tool.name, ...tool.aliases].some((name) => name.toLowerCase() === query)) return 1000;
  const fields = [
    { words: wordsOf([tool.name, ...tool.aliases].join(" ")), weight: 9 },
    { words: wordsOf(`${tool.searchHint ?? ""} ${tool.tags.join(" ")}`), weight: 4 },
    { words: wordsOf(`${tool.title ?? ""} ${tool.description}`), weight: 1 },
  ];
  let score = 0;
  for (const word of words) {
    for (const field of fields) {
      if (field.words.includes(word)) score += field.weight;
      else if (word.length > 3 && field.words.some((other) => other.startsWith(word))) score += field.weight / 2;
    }
  }
  return score;
}

function wordsOf(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
        .toLowerCase()
        .match(/[\p{L}\p{N}]{2,}/gu),
    ),
  ];
}
