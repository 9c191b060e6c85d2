import type { JsonSchema } from "@hasp/schema";
import { once } from "@hasp/base/json";
import { makeToolWith } from "../../tool/make-tool.js";
import { TOOL_SEARCH } from "../../tool/tool-names.js";
import { toolResult } from "../../results/tool-result.js";
import type { AnyTool } from "../../tool/tool.js";
import { createRanking, type ToolRanking } from "./rank-tools.js";
import type { DispatcherExtension } from "../../dispatch/state/extension.js";
import type { ToolEntry } from "../../dispatch/state/engine.js";

const DEFAULT_RESULTS = 5;

/** Limits the characters of names in the description. */
const MOST_NAMES = 4000;

const describeInput = (): JsonSchema => ({
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
});

/** Offers a tool that finds and loads deferred ones. */
export const toolSearch: DispatcherExtension<undefined> = {
  name: "search",
  attach: () => ({ api: undefined, tools: { search: createToolSearch } }),
};

function createToolSearch(deferred: readonly ToolEntry[], load: (names: readonly string[]) => void): ToolEntry {
  const rank = once((): ToolRanking => createRanking(deferred.map((entry) => entry.tool)));
  const tool = makeToolWith<{ readonly query: string; readonly maxResults: number }, unknown, unknown>(
    {},
    {
      name: TOOL_SEARCH,
      description:
        "Find and load tools that are not listed yet, by name or by what the tool should do. What is found can be called " +
        `in your next message. The tools are: ${namesOf(deferred)}.`,
      input: describeInput,
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false, isOpenWorld: false, returnsUntrusted: false, returnsPrivate: false },
      execute({ query, maxResults }) {
        const found = rank()(query).slice(0, maxResults);
        load(found.map(({ name }) => name));
        const isUnread = (name: string): boolean =>
          deferred.some(({ tool, server }) => server?.isPinned === false && tool.name === name);
        return toolResult({
          content: found.length === 0 ? nothing(query) : describe(found),
          // Nobody here has read the description of an unpinned live tool.
          untrusted: found.some(({ name }) => isUnread(name)),
        });
      },
    },
  );
  return { tool };
}

function namesOf(deferred: readonly ToolEntry[]): string {
  const names = deferred.map(({ tool }) => tool.name).toSorted();
  const text = names.join(", ");
  if (text.length <= MOST_NAMES) return text;
  const end = text.lastIndexOf(",", MOST_NAMES - ", and more".length);
  return `${text.slice(0, end)}, and more`;
}

function describe(found: readonly AnyTool[]): string {
  const entries = found.map((tool) => `${tool.name}: ${tool.description}\ninput: ${JSON.stringify(tool.input)}`);
  return `Loaded; you can call ${found.length === 1 ? "it" : "them"} in your next message.\n\n${entries.join("\n\n")}`;
}

function nothing(query: string): string {
  return `No tool fits ${JSON.stringify(query)}. Try other words for what the tool should do.`;
}
