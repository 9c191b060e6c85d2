import { type AnyTool, buildTool, type Tool, toolResult } from "@hasp/runtime";
import { createRanking } from "@hasp/runtime/internal";
import { declareTool } from "@hasp/runtime/internal/declarations";
import { SEARCH_TOOLS } from "@hasp/runtime/contract";

const CHARS_PER_TOKEN = 4;

/** Declares tools for the model: each one, or, beyond the budget, only their groups. */
export function describeTools(
  tools: readonly AnyTool[],
  overTokens: number,
): { readonly text: string; readonly isComplete: boolean } {
  let room = overTokens * CHARS_PER_TOKEN;
  const lines: string[] = [];
  for (const tool of tools.toSorted(byName)) {
    const line = declareTool(tool);
    lines.push(line);
    room -= line.length + 1;
    if (room < 0) return { text: describeGroups(tools, overTokens * CHARS_PER_TOKEN), isComplete: false };
  }
  return { text: `declare const tools: {\n${lines.join("\n")}\n};`, isComplete: true };
}

function describeGroups(tools: readonly AnyTool[], mostChars: number): string {
  const counts = new Map<string, number>();
  for (const tool of tools) counts.set(groupOf(tool), (counts.get(groupOf(tool)) ?? 0) + 1);
  const groups = [...counts].toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  const start = `There are ${tools.length} tools. Call ${SEARCH_TOOLS} first: it declares those that fit, and only what it declares is certain. Groups: `;
  let text = "";
  for (const [index, [group, count]] of groups.entries()) {
    const next = `${index === 0 ? "" : ", "}${group} (${count})`;
    if (start.length + text.length + next.length > mostChars - 30) {
      return `${start}${text}, and ${groups.length - index} more.`;
    }
    text += next;
  }
  return `${start}${text}.`;
}

/** Returns the group of a tool: its first tag, or the first word of its name. */
function groupOf({ name, tags }: AnyTool): string {
  return tags[0] ?? /^(?:[A-Z]+(?![a-z])|[A-Za-z][a-z\d]*)/.exec(name)?.[0].toLowerCase() ?? name;
}

function byName(a: AnyTool, b: AnyTool): number {
  return a.name < b.name ? -1 : 1;
}

const DEFAULT_RESULTS = 5;

interface SearchInput {
  readonly query: string;
  readonly limit: number;
}

/** Creates `search_tools`, which answers with declarations. */
export function createToolSearch(tools: readonly AnyTool[]): Tool<SearchInput> {
  let ranking: ReturnType<typeof createRanking> | undefined;
  return buildTool<SearchInput, unknown, unknown>({
    name: SEARCH_TOOLS,
    description:
      "Find tools for a program by name or by what they do, and read their declarations. Programs call them as `tools.<name>(input)`.",
    input: {
      type: "object",
      required: ["query"],
      properties: {
        query: {
          type: "string",
          minLength: 1,
          maxLength: 400,
          description: "The name of a tool, or words for what it should do.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: 20,
          default: DEFAULT_RESULTS,
          description: "The most tools to declare.",
        },
      },
      additionalProperties: false,
    },
    concurrency: { class: "READ_ONLY" },
    // The declarations may hold text of live servers.
    behavior: { requiresPermission: false, isOpenWorld: false, returnsPrivate: false },
    visibility: "always",
    async execute({ query, limit }) {
      ranking ??= createRanking(tools);
      const found = ranking(query).slice(0, limit);
      return toolResult({
        content:
          found.length === 0
            ? `No tool fits ${JSON.stringify(query)}. Try other words for what the tool should do.`
            : found.map(declareTool).join("\n\n"),
      });
    },
  });
}
