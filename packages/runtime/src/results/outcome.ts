import type { JsonValue } from "@hasp/schema";
import type { Effect, ToolContent, ToolError } from "../tool/definition.js";
import { callError, type CallError, type Refusal } from "./call-errors.js";
import { cut, messageOf, plainText, createTextContent } from "./text.js";

/** The most characters of `error.message`; the text for the model has the tool's limit. */
const MESSAGE_LIMIT = 4000;

export interface Outcome {
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
  readonly output?: JsonValue;
  readonly outputChars?: number;
  /** The handler's return value if it is a string that the content holds unchanged. */
  readonly plainText?: string;
  readonly details?: unknown;
  readonly terminate?: boolean;
  readonly error?: ToolError;
  /** Parts of the content that the handler did not return. */
  readonly notes?: readonly string[];
  /** The labels that the handler stated for its result. */
  readonly stated?: { readonly untrusted?: boolean | undefined; readonly private?: boolean | undefined } | undefined;
  readonly durationMs: number;
  /** Stated by a tape. */
  readonly wasConcurrent?: boolean;
}

/** Creates the outcome of a call that failed before its handler began. */
export function refused({ error }: Refusal): Outcome {
  return failure(error, "none");
}

export function createInternalFailure(thrown: unknown, effect: Effect): Outcome {
  return failure(callError("execute/internal-error", { reason: messageOf(thrown) }), effect);
}

/** Creates an error outcome whose text first says whether the model may repeat the call. */
export function failure(
  error: CallError,
  effect: Effect,
  rest: { readonly durationMs?: number; readonly content?: readonly ToolContent[]; readonly details?: unknown } = {},
): Outcome {
  const advice = adviceFor(effect);
  const text = advice + error.message;
  return {
    content:
      rest.content === undefined
        ? createTextContent(text)
        : [...(advice === "" ? [] : createTextContent(advice.trim())), ...rest.content],
    isError: true,
    ...(rest.details !== undefined && { details: rest.details }),
    error: Object.freeze({
      phase: error.phase,
      code: error.code,
      message: cut(text, MESSAGE_LIMIT),
      effect,
      ...(effect === "unknown" && { indeterminate: true }),
    }),
    durationMs: rest.durationMs ?? 0,
  };
}

/** Replaces the content of a failure for a post-hook, and keeps the advice against repeating the call. */
export function replaceWords(error: ToolError, words: readonly ToolContent[]): Pick<Outcome, "content" | "error"> {
  const advice = adviceFor(error.effect).trim();
  const content = plainText(words).startsWith(advice) ? words : [...createTextContent(advice), ...words];
  return { content, error: Object.freeze({ ...error, message: cut(plainText(content), MESSAGE_LIMIT) }) };
}

function adviceFor(effect: Effect): string {
  switch (effect) {
    case "none":
      return "";
    case "landed":
      return "Do not repeat this call: its effect has taken place. Check the state first. ";
    case "unknown":
      return "Do not repeat this call before you have checked whether it took effect: it may have. ";
  }
}
