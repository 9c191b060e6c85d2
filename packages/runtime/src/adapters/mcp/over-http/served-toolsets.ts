import type { Dispatcher } from "../../../dispatch/state/dispatcher-types.js";
import { readyLists, type ReadyLists } from "./ready-lists.js";

/** What callers of the same toolsets share. */
export interface Served<Context> {
  readonly dispatcher: Dispatcher<Context>;
  readonly lists: ReadyLists;
}

/** One dispatcher for each combination of toolsets that somebody is offered. */
export interface ServedToolsets<Context> {
  /** `undefined` where the toolsets are not among those of the server. */
  of(toolsets: readonly string[] | undefined): Served<Context> | undefined;
  all(): readonly Served<Context>[];
}

/**
 * Makes dispatchers by `create`, which takes the names of the tools, or nothing for all. The first are made at once, so
 * that a mistake in the settings is an error of whoever starts the server.
 */
export function servedToolsets<Context>(
  toolsets: { readonly [toolset: string]: readonly string[] } | undefined,
  create: (names: ReadonlySet<string> | undefined) => Dispatcher<Context>,
): ServedToolsets<Context> {
  const made = new Map<string, Served<Context>>();

  function of(wanted: readonly string[] | undefined): Served<Context> | undefined {
    if ((wanted === undefined) !== (toolsets === undefined)) return undefined;
    const sorted = [...new Set(wanted)].toSorted();
    if (sorted.some((name) => toolsets === undefined || !Object.hasOwn(toolsets, name))) return undefined;
    const key = JSON.stringify(sorted);
    const known = made.get(key);
    if (known !== undefined) return known;
    const names = toolsets === undefined ? undefined : new Set(sorted.flatMap((name) => toolsets[name] ?? []));
    const dispatcher = create(names);
    const served = { dispatcher, lists: readyLists(() => dispatcher.definitions("mcp")) };
    made.set(key, served);
    return served;
  }

  if (toolsets === undefined) of(undefined);
  else for (const name of Object.keys(toolsets)) of([name]);
  return { of, all: () => [...made.values()] };
}
