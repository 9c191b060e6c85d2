import type { FlatTool } from "../model/tool.js";

/**
 * Whether a tool's handler is imported on its first call: it is deferred or behind a gate, and nothing of it is needed
 * before. A custom function judges calls at once, so its module must be there from the start.
 */
export function isLoadedOnFirstCall(tool: FlatTool): boolean {
  const mayWait = tool.metadata.visibility.shouldDefer || tool.spec.visibility?.featureGate !== undefined;
  return mayWait && tool.customFunctions.length === 0;
}
