import { makeTool } from "../../tool/make-tool.js";
import { TOOL_SEARCH } from "../../tool/tool-names.js";
import { deepFreeze } from "../../json/copy-json.js";
import { toolResult } from "../../results/tool-result.js";
import type { ToolEntry } from "../state/engine.js";

const DEFAULT_RESULTS = 5;

/** The most characters of names in the description. */
const MOST_NAMES = 4000;

const INPUT = deepFreeze({
  type: "object",
  required: ["query"],
  properties: {
    query: {
      type: "string",
      minLength: 1,
      maxLength: 400,
      description: "The name of a tool, or words for what it should do.",
    },
    maxResults: {
      type: "integer",
      minimum: 1,
      maximum: 20,
      default: DEFAULT_RESULTS,
      description: "The most tools to load.",
    },
  },
  additionalProperties: false,
} as const);

export function toolSearch(deferred: readonly ToolEntry[], load: (names: readonly string[]) => void): ToolEntry {
  const tool = makeTool<{ readonly query: string; readonly maxResults: number }, unknown, unknown>({
    name: TOOL_SEARCH,
    description:
      "Find and load tools that are not listed yet, by name or by what the tool should do. What is found can be called " +
      `in your next message. The tools are: ${namesOf(deferred)}.`,
    input: INPUT,
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute({ query, maxResults }) {
      const found = rank(deferred, query).slice(0, maxResults);
      load(found.map((entry) => entry.tool.name));
      return toolResult({ content: found.length === 0 ? nothing(query) : describe(found) });
    },
  });
  return { tool };
}

function namesOf(deferred: readonly ToolEntry[]): string {
  const names = deferred.map(({ tool }) => tool.name).toSorted();
  const text = names.join(", ");
  if (text.length <= MOST_NAMES) return text;
  const end = text.lastIndexOf(",", MOST_NAMES - ", and more".length);
  return `${text.slice(0, end)}, and more`;
}

/** Ranks tools by exact name, then by words in name, hint and description. */
function rank(entries: readonly ToolEntry[], query: string): readonly ToolEntry[] {
  const words = wordsOf(query);
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, query.trim().toLowerCase(), words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.entry.tool.name < b.entry.tool.name ? -1 : 1))
    .map(({ entry }) => entry);
}

function scoreOf({ tool }: ToolEntry, query: string, words: readonly string[]): number {
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

function describe(found: readonly ToolEntry[]): string {
  const entries = found.map(({ tool }) => `${tool.name}: ${tool.description}\ninput: ${JSON.stringify(tool.input)}`);
  return `Loaded; you can call ${found.length === 1 ? "it" : "them"} in your next message.\n\n${entries.join("\n\n")}`;
}

function nothing(query: string): string {
  return `No tool fits ${JSON.stringify(query)}. Try other words for what the tool should do.`;
}
