import type { JsonValue } from "@hasp/schema";
import type { Classification, Effect } from "../contract/definition.js";
import { copyJson } from "../json/copy-json.js";
import { deepFreeze } from "../json/deep-freeze.js";
import type { ToolEntry } from "../dispatch/tool-entry.js";
import { toContent } from "./content.js";
import { failure, type Outcome } from "./outcome.js";
import { messageOf, textContent } from "./text.js";
import { isToolResult, type MarkedResult } from "./tool-result.js";

const NOTHING = "Done. The tool returned nothing.";

/** The outcome of an execution that returned: its value checked, copied and put into words. */
export function fromReturned(
  value: unknown,
  entry: ToolEntry,
  classification: Classification,
  durationMs: number,
): Outcome {
  try {
    return isToolResult(value)
      ? fromParts(value, entry, classification, durationMs)
      : fromValue(value, entry, durationMs);
  } catch (error) {
    return failure(
      {
        phase: "result",
        code: "invalid-output",
        message: `${entry.tool.name} ran, but what it returned cannot be used: ${messageOf(error)}`,
        effect: effectAfter(classification, "landed"),
      },
      { durationMs },
    );
  }
}

/** A call that changes nothing has no effect, however it ended. */
export function effectAfter(classification: Classification, effect: Effect): Effect {
  return classification.isReadOnly ? "none" : effect;
}

/** Nothing is no output; a text says all in its content. */
function fromValue(value: unknown, entry: ToolEntry, durationMs: number): Outcome {
  const isOutputDue = value !== undefined || entry.tool.output !== undefined;
  const output = isOutputDue ? validOutput(value, entry) : undefined;
  const isPlainText = typeof output === "string" && entry.tool.output === undefined;
  return {
    content: textContent(output === undefined ? NOTHING : textOf(output)),
    isError: false,
    ...(output !== undefined && !isPlainText && { output }),
    durationMs,
  };
}

function fromParts(parts: MarkedResult, entry: ToolEntry, classification: Classification, durationMs: number): Outcome {
  const { isError = false, details, terminate } = parts;
  const content = parts.content === undefined ? undefined : toContent(parts.content);
  if (isError) {
    const effect = effectAfter(classification, parts.effect ?? "unknown");
    const words = content ?? textContent(`${entry.tool.name} failed and did not say why.`);
    const message = words.flatMap((block) => ("text" in block ? (block.text ?? []) : [])).join("\n");
    return failure({ phase: "execute", code: "tool-error", message, effect }, { durationMs, content: words, details });
  }
  const isOutputDue = parts.output !== undefined || entry.tool.output !== undefined;
  const output = isOutputDue ? validOutput(parts.output, entry) : undefined;
  return {
    content: content ?? textContent(output === undefined ? NOTHING : textOf(output)),
    isError: false,
    ...(output !== undefined && { output }),
    ...(details !== undefined && { details }),
    ...(terminate === true && { terminate }),
    durationMs,
  };
}

/** A copy of the output that is JSON and fits the tool's `output` schema. */
function validOutput(value: unknown, entry: ToolEntry): JsonValue {
  if (value === undefined) throw new TypeError("its spec declares an output, and there is none");
  const output = copyJson(value);
  const verdict = entry.tool.validateOutput?.(output);
  if (verdict !== undefined && !verdict.valid) {
    throw new TypeError(
      `it does not fit the declared output:\n${verdict.errors.map((error) => `- ${error.message}`).join("\n")}`,
    );
  }
  return deepFreeze(output);
}

function textOf(output: JsonValue): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}
