import type { Dispatcher, DispatcherOptions } from "../contract/dispatcher.js";
import { dispatcherWith } from "../dispatch/dispatcher-with.js";
import { NO_PARTS } from "../dispatch/parts.js";

/**
 * The dispatcher of `@hasp/runtime` without live MCP servers and without `tool_search`, for workers that count bytes: a
 * registry's tools bring their validators along, so that this holds nothing of JSON Schema. Throws a `TypeError` for a
 * mistake in the options, and for what it does not have.
 */
export function createDispatcher<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
): Dispatcher<Context> {
  return dispatcherWith(options, NO_PARTS);
}

export { createGate } from "../dispatch/gate.js";
export { NotExecuted, shouldTerminate, toolResult } from "../results/tool-result.js";
