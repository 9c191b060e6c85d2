import type { ToolResultParts } from "../dispatch/dispatcher-types.js";
import type { ToolResult } from "../tool/definition.js";

const MARK: unique symbol = Symbol.for("hasp.toolResult");

/** What {@link toolResult} makes; `execute` may return it in place of a value. */
export type MarkedResult = ToolResultParts & { readonly [MARK]: true };

/**
 * Says more than a value can: content blocks, an error, details that the model never sees, the wish to end the loop.
 */
export function toolResult(parts: ToolResultParts): MarkedResult {
  return Object.freeze({ ...parts, [MARK]: true as const });
}

/** Whether a handler answered with {@link toolResult}; two copies of this package recognise each other's. */
export function isToolResult(value: unknown): value is MarkedResult {
  return typeof value === "object" && value !== null && (value as { [MARK]?: unknown })[MARK] === true;
}

/** Thrown by a handler that did nothing: the model may safely try again. Recognised by its `code`. */
export class NotExecuted extends Error {
  override readonly name = "NotExecuted";
  readonly code = "not-executed";
}

/** Whether the agent's loop should end: there are results, all say so, and none is an error. */
export function shouldTerminate(results: readonly ToolResult[]): boolean {
  return results.length > 0 && results.every((result) => result.terminate === true && !result.isError);
}
