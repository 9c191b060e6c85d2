import type { Dispatcher, DispatcherOptions } from "../contract/dispatcher.js";
import { dispatcherWith } from "./dispatcher-with.js";
import { mcpEntries } from "./mcp-entry.js";
import { toolSearch } from "./tool-search.js";

/**
 * Makes a dispatcher. It answers every call exactly once and in order, runs nothing unsafe beside anything, and refuses
 * whatever nobody allowed. A mistake in the options is a `TypeError`; everything that a call can do wrong is a result.
 */
export function createDispatcher<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
): Dispatcher<Context> {
  return dispatcherWith(options, { mcpEntries, toolSearch });
}
