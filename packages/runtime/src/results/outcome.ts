import type { JsonValue } from "@hasp/schema";
import type { Effect, Phase, ToolContent, ToolError } from "../tool/definition.js";
import { plainText } from "./plain-text.js";
import { cut, messageOf, textContent } from "./text.js";

/** Characters of an error's own message; what the model reads has the tool's limit. */
const MESSAGE_LIMIT = 4000;

/** What came of a call, before hooks after it and limits. */
export interface Outcome {
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
  readonly output?: JsonValue;
  readonly details?: unknown;
  readonly terminate?: boolean;
  readonly error?: ToolError;
  readonly durationMs: number;
}

/** Why a call does not go on; thrown inside a phase, caught where phases are called. */
export class Refusal {
  readonly phase: Phase;
  readonly code: string;
  readonly message: string;

  constructor(phase: Phase, code: string, message: string) {
    this.phase = phase;
    this.code = code;
    this.message = message;
  }
}

/** The outcome of a call that failed before its handler began. */
export function refused({ phase, code, message }: Refusal): Outcome {
  return failure({ phase, code, message, effect: "none" });
}

/** The outcome of a call that hasp itself failed. */
export function ourFault(what: unknown, effect: Effect): Outcome {
  const message = `hasp failed, not the tool: ${messageOf(what)}`;
  return failure({ phase: "execute", code: "internal-error", message, effect });
}

/** An error outcome whose text tells the model first whether it may repeat the call. */
export function failure(
  error: { readonly phase: Phase; readonly code: string; readonly message: string; readonly effect: Effect },
  rest: { readonly durationMs?: number; readonly content?: readonly ToolContent[]; readonly details?: unknown } = {},
): Outcome {
  const advice = adviceFor(error.effect);
  const text = advice + error.message;
  return {
    content:
      rest.content === undefined
        ? textContent(text)
        : [...(advice === "" ? [] : textContent(advice.trim())), ...rest.content],
    isError: true,
    ...(rest.details !== undefined && { details: rest.details }),
    error: Object.freeze({
      phase: error.phase,
      code: error.code,
      message: cut(text, MESSAGE_LIMIT),
      effect: error.effect,
      ...(error.effect === "unknown" && { indeterminate: true }),
    }),
    durationMs: rest.durationMs ?? 0,
  };
}

/**
 * The same failure in words that somebody has put in place of its own: what keeps the model from repeating it is not
 * lost.
 */
export function retold(error: ToolError, words: readonly ToolContent[]): Pick<Outcome, "content" | "error"> {
  const advice = adviceFor(error.effect).trim();
  const content = plainText(words).startsWith(advice) ? words : [...textContent(advice), ...words];
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
