import type { AnyTool, Dispatcher, PermissionPolicy } from "@hasp/runtime";
import { readyLists, type ReadyLists } from "./ready-lists.js";
import { joinPolicies } from "./toolset-policies.js";

export interface Served<Context> {
  readonly dispatcher: Dispatcher<Context>;
  readonly lists: ReadyLists;
}

interface ServedToolsets<Context> {
  /** Returns `undefined` if a toolset is not the server's. */
  of(toolsets: readonly string[] | undefined): Served<Context> | undefined;
  all(): readonly Served<Context>[];
}

/** The tools of a toolset and its policy. */
export interface ToolsetOnOffer {
  readonly tools: readonly AnyTool[];
  readonly policy?: PermissionPolicy | undefined;
}

/**
 * Keeps one dispatcher for each combination of toolsets, made by `create` of the tools and their policy. The first are
 * made at once, so that a mistake in the settings fails when the server starts.
 */
export function servedToolsets<Context>(
  all: readonly AnyTool[],
  toolsets: ReadonlyMap<string, ToolsetOnOffer> | undefined,
  create: (offer: ToolsetOnOffer) => Dispatcher<Context>,
): ServedToolsets<Context> {
  const made = new Map<string, Served<Context>>();

  function of(wanted: readonly string[] | undefined): Served<Context> | undefined {
    if ((wanted === undefined) !== (toolsets === undefined)) return undefined;
    const names = new Set(wanted);
    const offers = [...(toolsets ?? [])].filter(([name]) => names.has(name));
    if (offers.length < names.size) return undefined;
    const key = JSON.stringify(offers.map(([name]) => name));
    const known = made.get(key);
    if (known !== undefined) return known;
    const parts = offers.map(([, { tools, policy }]) => ({ tools, policy }));
    const dispatcher = create(
      toolsets === undefined
        ? { tools: all }
        : {
            tools: all.filter((tool) => parts.some(({ tools }) => tools.includes(tool))),
            policy: joinPolicies(parts),
          },
    );
    const served = { dispatcher, lists: readyLists(() => dispatcher.definitions("mcp")) };
    made.set(key, served);
    return served;
  }

  if (toolsets === undefined) of(undefined);
  else for (const name of toolsets.keys()) of([name]);
  return { of, all: () => [...made.values()] };
}
