import type { Dispatcher, DispatcherOptions } from "./dispatcher-types.js";
import { dispatcherWith } from "./dispatcher-with.js";
import { sha256 } from "../json/sha256.js";
import { hooks } from "./pipeline/hooks.js";
import { mcpEntries } from "./registry/mcp-entry.js";
import { createNestedDispatch } from "./nested.js";
import type { DispatcherParts } from "./parts.js";
import { previewCall } from "./preview.js";
import { resultStore } from "./result-store.js";
import { toolSearch } from "./registry/tool-search.js";
import { turnResultBudget } from "./turn-result-budget.js";

const ALL_PARTS: DispatcherParts = {
  hooks,
  mcpServers: mcpEntries,
  nestedDispatch: createNestedDispatch,
  preview: previewCall,
  resultStore,
  sha256,
  toolSearch,
  turnResultBudget,
};

/**
 * Makes a dispatcher. It answers every call exactly once and in order, runs nothing unsafe beside anything, and refuses
 * whatever nobody allowed. A mistake in the options is a `TypeError`; everything that a call can do wrong is a result.
 */
export function createDispatcher<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
): Dispatcher<Context> {
  return dispatcherWith(options, ALL_PARTS);
}
