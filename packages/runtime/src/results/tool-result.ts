import type { Effect, ToolContent } from "../tool/definition.js";
import { readProperty } from "../tool/callback.js";
import type { StatedCode } from "./call-errors.js";

export interface ToolResultParts {
  readonly content?: string | readonly ToolContent[] | undefined;
  readonly output?: unknown;
  /** For logs and screens; the model never sees it. */
  readonly details?: unknown;
  /** Asks to end the agent's loop, which ends if all results of the turn ask for it. */
  readonly terminate?: boolean | undefined;
  readonly isError?: boolean | undefined;
  /**
   * The code of an error: `invalid-input` for an input that the handler refuses, the code of a failed program, or by
   * default `tool-error`.
   */
  readonly code?: StatedCode | undefined;
  /** The effect of a failed call. Default for an error: `unknown`. */
  readonly effect?: Effect | undefined;
  /** States if an outsider may have written this result. `false` counts only where the spec claims it for some input. */
  readonly untrusted?: boolean | undefined;
  /** States if not everybody may read this result. `false` counts only where the spec claims it for some input. */
  readonly private?: boolean | undefined;
}

const MARK: unique symbol = Symbol.for("hasp.toolResult");

/** The value of {@link toolResult}; `execute` may return it instead of a plain value. */
export type MarkedResult = ToolResultParts & { readonly [MARK]: true };

/** Creates a result with more than a value: content blocks, an error, details for the host, or the end of the loop. */
export function toolResult(parts: ToolResultParts): MarkedResult {
  return Object.freeze({ ...parts, [MARK]: true as const });
}

/** True if a value comes from {@link toolResult}, of this or another copy of the package. */
export function isToolResult(value: unknown): value is MarkedResult {
  return typeof value === "object" && value !== null && (value as { [MARK]?: unknown })[MARK] === true;
}

/** The error codes of handlers that have run nothing: `tool-gone` if the service has removed the tool. */
const UNEXECUTED_CODES = ["not-executed", "tool-gone"] as const;

/** Returns the code of a handler's error that says that nothing was run. */
export function readUnexecuted(thrown: unknown): (typeof UNEXECUTED_CODES)[number] | undefined {
  const stated = readProperty(thrown, "code");
  return UNEXECUTED_CODES.find((code) => code === stated);
}

/** Thrown by a handler that had no effect: the model may try again. Recognized by its `code`. */
export class NotExecuted extends Error {
  override readonly name = "NotExecuted";
  readonly code = "not-executed";

  /** True for errors of other copies of the package, too, and for any other error that says that nothing was run. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === NotExecuted ? readUnexecuted(value) !== undefined : super[Symbol.hasInstance](value);
  }
}
