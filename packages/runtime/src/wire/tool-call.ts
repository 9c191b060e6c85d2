import type { ToolCall } from "../contract/definition.js";

/** Marks the last call as truncated if the response was cut off: the cut went through it, or through what it depends on. */
export function withTruncation(calls: readonly ToolCall[], wasCutOff: boolean): readonly ToolCall[] {
  if (!wasCutOff) return calls;
  return calls.map((call, index) => (index === calls.length - 1 ? { ...call, truncated: true } : call));
}
