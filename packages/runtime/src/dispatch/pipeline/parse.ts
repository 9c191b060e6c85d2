import type { JsonValue } from "@hasp/schema";
import { copyJson } from "../../json/copy-json.js";
import { deepFreeze } from "../../json/deep-freeze.js";
import { Refusal } from "../../results/outcome.js";
import { cut, messageOf } from "../../results/text.js";
import { isThenable } from "../scheduling/bounded.js";
import type { Engine } from "../engine.js";
import { hasDialect } from "../../providers/dialect-names.js";
import { idsOf, inputDigest, type Slot } from "../slot.js";
import type { ToolEntry } from "../registry/tool-entry.js";
import type { Toolset } from "../registry/toolset.js";

/**
 * Decode → prepare → coerce and fill defaults (on a copy) → validate against the schema → classify. All of it at once,
 * so that a turn can be parted into batches before anything runs. Throws a {@link Refusal}.
 */
export function parseCall(engine: Engine, toolset: Toolset, slot: Slot): void {
  if (slot.isDuplicate) {
    throw new Refusal(
      "lookup",
      "duplicate-call-id",
      `A call with the id "${cut(slot.callId, 80)}" came before in this turn; this second one was not run.`,
    );
  }
  slot.entry = lookUp(engine, toolset, slot);
  // Whoever marks a call as cut off in another way than by `true` still means that it is.
  if (slot.call.truncated !== undefined && (slot.call.truncated as unknown) !== false) {
    throw new Refusal(
      "decode",
      "truncated",
      "The response was cut off before this call was complete, so it was not run. Send it again, with a shorter input.",
    );
  }
  setInput(engine, slot, slot.entry, received(engine, slot, slot.entry));
}

/** Takes an input for a slot: coerced, valid, frozen; and judges what the call may do with it. */
export function setInput(engine: Engine, slot: Slot, entry: ToolEntry, candidate: JsonValue): void {
  const { valid, errors, value } = entry.tool.validateInput(candidate);
  if (!valid || typeof value !== "object" || value === null || Array.isArray(value)) {
    const faults = errors.map((error) => `- ${error.message}`);
    const list = faults.length > 0 ? faults.join("\n") : "- The input must be an object.";
    throw new Refusal(
      "schema",
      "invalid-input",
      `The input does not fit ${slot.toolName}; nothing was run. Correct it and call again:\n${list}`,
    );
  }
  slot.input = deepFreeze(value);
  slot.request = undefined;
  slot.classification = entry.tool.classify(value);
  engine.emit?.({ type: "classified", ...idsOf(slot), classification: slot.classification });
  engine.emit?.({ type: "validated", ...idsOf(slot), inputDigest: inputDigest(engine, slot) });
}

function lookUp({ dialect }: Engine, toolset: Toolset, slot: Slot): ToolEntry {
  if (slot.callId === "" || slot.toolName === "") {
    throw new Refusal("lookup", "malformed-call", "A call needs an `id` and a `name`, both texts that are not empty.");
  }
  if (
    slot.call.dialect !== undefined &&
    !hasDialect(
      slot.call.dialect,
      toolset.entries.map(({ tool }) => tool),
    )
  ) {
    throw new Refusal(
      "decode",
      "unknown-dialect",
      `No list was made for a dialect called "${cut(String(slot.call.dialect), 80)}", so nothing was run.`,
    );
  }
  const entry = toolset.find(slot.toolName, slot.call.dialect ?? dialect);
  if (entry === undefined) {
    throw new Refusal(
      "lookup",
      "unknown-tool",
      `There is no tool called "${cut(slot.toolName, 80)}". ${listed(toolset)}`,
    );
  }
  slot.toolName = entry.tool.name;
  const { unavailable } = entry;
  if (unavailable !== undefined) throw new Refusal(unavailable.phase, unavailable.code, unavailable.message);
  return entry;
}

/** Names that a model can choose from; never those that are denied or not loaded. */
function listed({ entries }: Toolset): string {
  const names = entries.filter((entry) => entry.unavailable === undefined).map((entry) => entry.tool.name);
  if (names.length === 0) return "There are no tools at all.";
  const more = names.length > MOST_NAMES ? ", …" : "";
  return `The tools are: ${names.slice(0, MOST_NAMES).join(", ")}${more}.`;
}

const MOST_NAMES = 20;

/** The input as the handler's schema knows it: JSON text read, the dialect's shape undone, mended by the tool. */
function received(engine: Engine, { call, toolName }: Slot, { tool }: ToolEntry): JsonValue {
  const dialect = call.dialect ?? engine.dialect;
  const raw = typeof call.input === "string" ? parseText(call.input) : copied(call.input, "decode", "input-not-json");
  const decoded = dialect === undefined ? raw : tool.decodeInput(dialect, raw);
  if (tool.prepare === undefined) return decoded;
  let prepared: unknown;
  try {
    prepared = tool.prepare(decoded);
  } catch (error) {
    throw new Refusal(
      "prepare",
      "prepare-failed",
      `The input of ${toolName} could not be prepared: ${messageOf(error)}`,
    );
  }
  if (isThenable(prepared)) {
    throw new Refusal(
      "prepare",
      "prepare-failed",
      `\`prepare\` of ${toolName} must answer at once, not with a promise.`,
    );
  }
  return copied(prepared, "prepare", "prepare-failed");
}

function parseText(text: string): JsonValue {
  if (text === "") return {};
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new Refusal(
      "decode",
      "invalid-json",
      `The arguments are not valid JSON, so nothing was run: ${cut(messageOf(error), 300)}. Send them again as one JSON object.`,
    );
  }
  const inexact = inexactInteger(text);
  if (inexact !== undefined) {
    throw new Refusal(
      "decode",
      "inexact-number",
      `The number ${cut(inexact, 60)} has more digits than can be kept exactly, so nothing was run. If it is an identifier, send it as a text.`,
    );
  }
  return value;
}

/**
 * A whole number of valid JSON text that `JSON.parse` had to round: a handler would act on another record than was
 * meant.
 */
function inexactInteger(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)) {
    if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) return token;
  }
  return undefined;
}

/** A copy of our own: the caller's value stays as it is, and nobody can change it under us. No input at all is `{}`. */
function copied(value: unknown, phase: "decode" | "prepare", code: string): JsonValue {
  try {
    return value === undefined ? {} : copyJson(value);
  } catch (error) {
    throw new Refusal(phase, code, `The input is not JSON: ${messageOf(error)}`);
  }
}
