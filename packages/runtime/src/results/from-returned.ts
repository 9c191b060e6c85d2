import type { JsonValue } from "@hasp/schema";
import type { Classification, Effect, ToolContent, AnyTool } from "../tool/definition.js";
import { copyJson, deepFreeze, toPlainJson } from "@hasp/base/json";
import { callError, STATED_CODES, type StatedCode } from "./call-errors.js";
import { declaresSecrets } from "../tool/secrets.js";
import { toContent } from "./content.js";
import { failure, type Outcome } from "./outcome.js";
import { messageOf, createTextContent } from "./text.js";
import { isToolResult, type ToolResultParts } from "./tool-result.js";

/** The text of a result for a handler that returned nothing. */
export const NOTHING = "Done. The tool returned nothing.";

/** Returns the outcome of a returned value. `onMismatch` learns why an output that passes does not fit. */
export function readReturned(
  value: unknown,
  tool: AnyTool,
  classification: Classification,
  durationMs: number,
  onMismatch?: (message: string) => void,
): Outcome {
  const outcome = toOutcome(value, tool, classification, durationMs, onMismatch);
  if (!isToolResult(value) || (value.untrusted === undefined && value.private === undefined)) return outcome;
  return { ...outcome, stated: { untrusted: readStatement(value.untrusted), private: readStatement(value.private) } };
}

/** Reads a handler's statement about a label: anything but `false` adds it. */
function readStatement(given: unknown): boolean | undefined {
  return given === undefined ? undefined : given !== false;
}

function toOutcome(
  value: unknown,
  tool: AnyTool,
  classification: Classification,
  durationMs: number,
  onMismatch: ((message: string) => void) | undefined,
): Outcome {
  try {
    const isMarked = isToolResult(value);
    const parts: ToolResultParts = isMarked ? value : { output: value };
    const { content: given, output: raw, terminate, isError = false, effect, code } = parts;
    const details = toPlainJson(parts.details);
    const content = given === undefined ? undefined : toContent(given);
    if (isError) {
      const left = judgeEffect(classification, effect ?? "unknown");
      return toolError(
        tool.name,
        content,
        details,
        left,
        durationMs,
        STATED_CODES.find((known) => known === code),
      );
    }
    const output = raw !== undefined || tool.output !== undefined ? validOutput(raw, tool, onMismatch) : undefined;
    // A plain string is complete in the content.
    if (!isMarked && typeof output === "string" && tool.output === undefined) {
      return { content: createTextContent(output), isError: false, durationMs, plainText: output };
    }
    // Spreads would cost each call more than the rest of this.
    const outcome: { -readonly [Key in keyof Outcome]: Outcome[Key] } = {
      content: content ?? createTextContent(output === undefined ? NOTHING : textOf(output)),
      isError: false,
      durationMs,
    };
    if (output !== undefined) outcome.output = output;
    if (content !== undefined && output !== undefined) outcome.outputChars = JSON.stringify(output).length;
    if (details !== undefined) outcome.details = details;
    if (terminate === true) outcome.terminate = terminate;
    return outcome;
  } catch (error) {
    return failure(
      callError("result/invalid-output", { tool: tool.name, reason: messageOf(error) }),
      judgeEffect(classification, "landed"),
      { durationMs },
    );
  }
}

function toolError(
  name: string,
  content: readonly ToolContent[] | undefined,
  details: unknown,
  effect: Effect,
  durationMs: number,
  code: StatedCode = "tool-error",
): Outcome {
  const words = content ?? createTextContent(`${name} failed and gave no reason.`);
  const text = words.flatMap((block) => ("text" in block ? (block.text ?? []) : [])).join("\n");
  return failure(callError(`execute/${code}`, { text }), effect, { durationMs, content: words, details });
}

/** Returns the effect of a call; a read-only call has none, however it ended. */
export function judgeEffect(classification: Classification, effect: Effect): Effect {
  return classification.isReadOnly ? "none" : effect;
}

/** Returns a frozen copy of the output. Throws if it is not JSON, or must fit a schema and does not. */
function validOutput(
  value: unknown,
  tool: AnyTool,
  onMismatch: ((message: string) => void) | undefined,
): JsonValue | undefined {
  const output = value === undefined ? undefined : copyJson(value);
  const fault = tool.outputCheck === "off" ? undefined : faultOf(output, tool);
  if (fault !== undefined && tool.outputCheck === "enforce") throw new TypeError(fault);
  if (fault !== undefined) onMismatch?.(fault);
  return output === undefined ? undefined : deepFreeze(output);
}

function faultOf(output: JsonValue | undefined, tool: AnyTool): string | undefined {
  if (output === undefined) return "its spec declares an output, but there is none";
  const verdict = tool.validateOutput?.(output);
  if (verdict === undefined || verdict.valid) return undefined;
  const quotes = !declaresSecrets(tool.output ?? true);
  // The validator addresses the sender of a value.
  const reword = (message: string): string =>
    quotes ? message.replace("; you sent ", "; the handler returned ") : message.replace(/; you sent .*/su, ".");
  const errors = verdict.errors.map(({ message }) => `- ${reword(message)}`);
  return `it does not fit the declared output:\n${errors.join("\n")}`;
}

function textOf(output: JsonValue): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}
