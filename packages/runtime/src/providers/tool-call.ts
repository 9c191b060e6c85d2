import type { ToolCall } from "../tool/definition.js";

/** Marks the last call as truncated if the response was cut off: the cut went through it or something it depends on. */
export function withTruncation(calls: readonly ToolCall[], wasCutOff: boolean): readonly ToolCall[] {
  if (!wasCutOff) return calls;
  return calls.map((call, index) => (index === calls.length - 1 ? { ...call, truncated: true } : call));
}

/** Reads an id or a name from a response; `""` if there is none, so that the call is answered as malformed. */
export function readWord(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
