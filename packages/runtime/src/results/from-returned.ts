import type { JsonValue } from "@hasp/schema";
import type { Classification, Effect, ToolContent } from "../tool/definition.js";
import type { ToolResultParts } from "../dispatch/dispatcher-types.js";
import { copyJson } from "../json/copy-json.js";
import { deepFreeze } from "../json/deep-freeze.js";
import type { ToolEntry } from "../dispatch/registry/tool-entry.js";
import { toContent } from "./content.js";
import { failure, type Outcome } from "./outcome.js";
import { messageOf, textContent } from "./text.js";
import { isToolResult } from "./tool-result.js";

const NOTHING = "Done. The tool returned nothing.";

/** The outcome of an execution that returned: its value checked, copied and put into words. */
export function fromReturned(
  value: unknown,
  entry: ToolEntry,
  classification: Classification,
  durationMs: number,
): Outcome {
  const { tool } = entry;
  try {
    const isMarked = isToolResult(value);
    const parts: ToolResultParts = isMarked ? value : { output: value };
    const { content: given, output: raw, details, terminate, isError = false, effect } = parts;
    const content = given === undefined ? undefined : toContent(given);
    if (isError) {
      return toolError(tool.name, content, details, effectAfter(classification, effect ?? "unknown"), durationMs);
    }
    const output = raw !== undefined || tool.output !== undefined ? validOutput(raw, entry) : undefined;
    // A text that a handler returned as it is says all in its content.
    const isPlainText = !isMarked && typeof output === "string" && tool.output === undefined;
    return {
      content: content ?? textContent(output === undefined ? NOTHING : textOf(output)),
      isError: false,
      ...(output !== undefined && !isPlainText && { output }),
      ...(details !== undefined && { details }),
      ...(terminate === true && { terminate }),
      durationMs,
    };
  } catch (error) {
    const message = `${tool.name} ran, but what it returned cannot be used: ${messageOf(error)}`;
    return failure(
      { phase: "result", code: "invalid-output", message, effect: effectAfter(classification, "landed") },
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
): Outcome {
  const words = content ?? textContent(`${name} failed and did not say why.`);
  const message = words.flatMap((block) => ("text" in block ? (block.text ?? []) : [])).join("\n");
  return failure({ phase: "execute", code: "tool-error", message, effect }, { durationMs, content: words, details });
}

/** A call that changes nothing has no effect, however it ended. */
export function effectAfter(classification: Classification, effect: Effect): Effect {
  return classification.isReadOnly ? "none" : effect;
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
