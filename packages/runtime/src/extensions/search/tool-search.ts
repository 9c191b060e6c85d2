import type { JsonSchema } from "@hasp/schema";
import { once } from "@hasp/base/json";
import { makeToolWith } from "../../tool/make-tool.js";
import { TOOL_SEARCH } from "../../tool/tool-names.js";
import { toolResult } from "../../results/tool-result.js";
import type { AnyTool } from "../../tool/definition.js";
import { createRanking, type ToolRanking } from "./rank-tools.js";
import { isListed, isSameList } from "../../dispatch/registry/assemble.js";
import { defineExtension } from "../../dispatch/state/define-extension.js";
import type { Attachment, DispatcherExtension } from "../../dispatch/state/extension.js";
import type { ToolEntry } from "../../dispatch/state/engine.js";
import { anAmount } from "../../tool/shape.js";

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
export const toolSearch: DispatcherExtension<undefined> = /* @__PURE__ */ createSearch(() => attach(Infinity));

/**
 * Offers a tool that finds and loads deferred ones. All tools but those with `load: always` are deferred as soon as
 * list costs more than this, at four characters a token. Throws a `TypeError` for no number above 0.
 */
export function toolSearchOver(tokens: number): DispatcherExtension<undefined> {
  if (!anAmount.fits(tokens)) throw new TypeError(`toolSearchOver: \`tokens\` must be ${anAmount.expected}.`);
  return createSearch(() => attach(tokens));
}

/** Leaves deferred tools to the provider's own search over the list, which marks them. */
export const providerSearch: DispatcherExtension<undefined> = /* @__PURE__ */ createSearch(() => ({
  api: undefined,
  tools: { marksDeferred: true },
}));

function createSearch(attachTo: () => Attachment<undefined>): DispatcherExtension<undefined> {
  return defineExtension({ name: "search", attach: attachTo });
}

function attach(mostTokens: number): Attachment<undefined> {
  const loaded = new Set<string>();
  /** The tools that a running turn has found: listed and callable from the next turn on. */
  const found = new Set<string>();
  /** Set once the list costs too much: tools then stay deferred, so that the list does not flip back and forth. */
  let isTooLong = false;
  /** The tools of the last list, which may have been seen. */
  let listed: readonly string[] = [];
  let made: { readonly deferred: readonly AnyTool[]; readonly tool: AnyTool } | undefined;
  return {
    api: undefined,
    tools: {
      place({ tool: { name, metadata } }) {
        const { load } = metadata.visibility;
        if (load === "always" || (load === "normal" && !isTooLong)) return undefined;
        return loaded.has(name) ? "loaded" : "not-loaded";
      },
      addAbout(entries) {
        for (const name of loaded) if (!entries.some(({ tool }) => tool.name === name)) loaded.delete(name);
        if (!isTooLong && estimateTokens(entries) > mostTokens) {
          isTooLong = true;
          for (const name of listed) loaded.add(name);
          return "again";
        }
        listed = entries.flatMap(({ tool, unavailable }) => (unavailable === undefined ? tool.name : []));
        const findable = entries.filter(isFindable);
        const deferred = findable.map(({ tool }) => tool);
        if (made === undefined || !isSameList(made.deferred, deferred)) {
          made = { deferred, tool: createToolSearch(findable, (each) => each.forEach((name) => found.add(name))) };
        }
        return deferred.length === 0 ? [] : [{ tool: made.tool }];
      },
      renew() {
        const known = loaded.size;
        for (const name of found) loaded.add(name);
        found.clear();
        return loaded.size > known;
      },
    },
  };
}

function isFindable({ place, unavailable, isBeyondMode }: ToolEntry): boolean {
  if ((place !== "loaded" && place !== "not-loaded") || isBeyondMode === true) return false;
  return unavailable === undefined || unavailable.code === "not-loaded";
}

/** Estimates what the list costs in every request, at four characters a token. */
function estimateTokens(entries: readonly ToolEntry[]): number {
  let characters = 0;
  for (const entry of entries) {
    if (!isListed(entry)) continue;
    const { name, description, input } = entry.tool;
    characters += JSON.stringify({ name, description, input }).length;
  }
  return characters / 4;
}

function createToolSearch(deferred: readonly ToolEntry[], load: (names: readonly string[]) => void): AnyTool {
  const rank = once((): ToolRanking => createRanking(deferred.map((entry) => entry.tool)));
  return makeToolWith<{ readonly query: string; readonly maxResults: number }, unknown, unknown>(
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
