import { escapeToken } from "@hasp/base/json";
import type { JsonValue, ValidationError } from "@hasp/schema";
import { keepDeclared, removeSecrets } from "../../tool/secrets.js";
import type { AnyTool } from "../../tool/definition.js";
import type { Case } from "../state/call-state.js";

/** Explains a fault by its place and keyword, without a value and without a name that is not in the schema. */
export function explainPlace({ pointer, keyword }: ValidationError, value: unknown, tool: AnyTool): string {
  const place = keepDeclared(pointer, value, tool.input, tool);
  const whole = place === "" ? "The input" : `\`${place}\``;
  const part = place === "" ? "A part of the input" : `A part of ${whole}`;
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") {
    return `${whole} has a part that the schema does not know.`;
  }
  return `${place === pointer ? whole : part} breaks ${keyword === "" ? "the schema" : `\`${keyword}\``}.`;
}

/** States the faults of an input. One that concerns or quotes a secret part names its place and keyword only. */
export function explainFaults(errors: readonly ValidationError[], value: JsonValue, tool: AnyTool): readonly string[] {
  if (errors.length === 0) return ["The input must be an object."];
  const { hidden, secrets } = removeSecrets(value, tool.input, tool);
  const isSecret = (pointer: string): boolean =>
    hidden.some((place) => pointer === place || pointer.startsWith(`${place}/`));
  return errors.map((error) =>
    isSecret(error.pointer) || quotesAny(error.message, secrets) ? explainPlace(error, value, tool) : error.message,
  );
}

/** Returns a text unless it quotes a secret part of the input. */
export function withoutSecrets<Text extends string | undefined>(
  text: Text,
  input: JsonValue,
  tool: AnyTool,
): Text | undefined {
  return text !== undefined && quotesAny(text, removeSecrets(input, tool.input, tool).secrets) ? undefined : text;
}

/**
 * Returns what a function says about a call, unless it quotes a secret part of the input. The schema of a live server is
 * not ours: it must not decide what people read.
 */
export function leaveOutQuotes(
  { call, entry }: Case,
  text: string | undefined,
  input: unknown = call.input,
): string | undefined {
  return entry.server === undefined ? withoutSecrets(text, input as JsonValue, entry.tool) : text;
}

/** Returns the words with which a function failed, unless they quote a secret part of the call's input or of its own. */
export function explainFailure(about: Case, words: string, input?: unknown): string {
  return leaveOutQuotes(about, leaveOutQuotes(about, words), input) ?? "its message quotes a secret";
}

/** True if a text quotes a secret: as it is, in JSON or as a step of a JSON Pointer. */
function quotesAny(text: string, secrets: readonly string[]): boolean {
  const plain = simplify(text);
  return secrets.some(
    (secret) =>
      secret !== "" &&
      [secret, JSON.stringify(secret).slice(1, -1), escapeToken(secret)].some((form) => plain.includes(simplify(form))),
  );
}

/** Removes backslashes, which nested JSON doubles, and ignores case. */
function simplify(text: string): string {
  return text.replaceAll("\\", "").toLowerCase();
}
