import type { Dispatcher, DispatcherOptions } from "../dispatch/dispatcher-types.js";
import { dispatcherWith } from "../dispatch/dispatcher-with.js";
import type { CoreParts } from "../dispatch/parts.js";

/**
 * The dispatcher of `@hasp/runtime` for programs that count bytes: what only some programs need is a part that is
 * handed in, such as `createDispatcher({ tools, hooks: { guard } }, { hooks })`. There is no part for live MCP servers
 * and `tool_search`: a registry's tools bring their validators along, so that this holds nothing of JSON Schema. Throws
 * a `TypeError` for a mistake in the options, and for what needs a part that is not there.
 */
export function createDispatcher<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
  parts: CoreParts = {},
): Dispatcher<Context> {
  return dispatcherWith(options, parts);
}

export { createGate } from "../dispatch/scheduling/gate.js";
export { hooks } from "../dispatch/pipeline/hooks.js";
export { createNestedDispatch as nestedDispatch } from "../dispatch/nested.js";
export { previewCall as preview } from "../dispatch/preview.js";
export { resultStore } from "../dispatch/result-store.js";
export { turnResultBudget } from "../dispatch/turn-result-budget.js";
export { sha256 } from "../json/sha256.js";
export { NotExecuted, shouldTerminate, toolResult } from "../results/tool-result.js";
export type { CoreParts } from "../dispatch/parts.js";
