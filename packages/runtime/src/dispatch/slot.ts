import type { Classification, PermissionRequest, ToolCall, ToolResult } from "../tool/definition.js";
import { STRICT } from "../tool/classifier.js";
import { canonicalText } from "@hasp/schema/canonical-text";
import type { JsonValue } from "@hasp/schema";
import type { Outcome } from "../results/outcome.js";
import type { Engine } from "./engine.js";
import { partFor } from "./parts.js";
import type { ToolEntry } from "./registry/tool-entry.js";

/** The place of one call in its turn, reserved before anything runs. Phases fill it; exactly one outcome ends it. */
export interface Slot {
  readonly call: ToolCall;
  readonly callId: string;
  /** An earlier call of the turn has the same id. */
  isDuplicate: boolean;
  /** The name that the model used. */
  readonly calledAs: string;
  /** The tool's own name; the called one as long as no tool is known. */
  toolName: string;
  entry: ToolEntry | undefined;
  /** Decoded, mended, coerced, with defaults, frozen; `undefined` until all of that has happened. */
  input: unknown;
  classification: Classification;
  stage: "pushed" | "parsed" | "ready" | "executed";
  /** What permission functions are asked about this input, once one is asked. */
  request: PermissionRequest | undefined;
  /** The very input that was permitted; nothing else may be executed. */
  permitted: unknown;
  /** What hooks wrote down for the model. */
  notes: readonly string[];
  outcome: Outcome | undefined;
  /** Set at the end of the call's batch. */
  result: ToolResult | undefined;
  attempts: number;
  /** Made with the first attempt, the same for all. */
  idempotencyKey: string | undefined;
}

const NO_NOTES: readonly string[] = [];

/** An empty slot for a call, whatever the caller handed over. */
export function createSlot(call: ToolCall): Slot {
  const calledAs = textAt(call, "name");
  return {
    call,
    callId: callIdOf(call),
    calledAs,
    isDuplicate: false,
    toolName: calledAs,
    entry: undefined,
    input: undefined,
    classification: STRICT,
    stage: "pushed",
    request: undefined,
    permitted: undefined,
    notes: NO_NOTES,
    outcome: undefined,
    result: undefined,
    attempts: 0,
    idempotencyKey: undefined,
  };
}

/** The id under which a call is answered, whatever the caller handed over; `""` where it has none. */
export function callIdOf(call: unknown): string {
  return textAt(call, "id");
}

/** A text that a call holds; `""` where there is none, or reading it throws. */
function textAt(call: unknown, key: "id" | "name"): string {
  try {
    const text: unknown = typeof call === "object" && call !== null ? (call as Partial<ToolCall>)[key] : undefined;
    return typeof text === "string" ? text : "";
  } catch {
    return "";
  }
}

/** What every event about a call begins with. */
export function idsOf({ callId, toolName }: Slot): { readonly callId: string; readonly toolName: string } {
  return { callId, toolName };
}

/** Digest of tool and input: what an approval is bound to. Throws where the dispatcher has no part for digests. */
export function inputDigest({ parts }: Engine, slot: Slot): string {
  return partFor(
    "`inputDigest`",
    parts.sha256,
  )(`${slot.toolName}\n${slot.input === undefined ? "" : canonicalText(slot.input as JsonValue)}`);
}

/** What of a turn a permission function is told. */
interface AskingTurn {
  readonly context: unknown;
  readonly signal: AbortSignal;
}

/** What a permission function is asked about a slot: one object an input, whoever is asked. */
export function permissionRequest(engine: Engine, slot: Slot, turn: AskingTurn): PermissionRequest {
  return (slot.request ??= newRequest(engine, slot, turn));
}

/** Digest and signal are made only if somebody reads them. */
function newRequest(engine: Engine, slot: Slot, turn: AskingTurn): PermissionRequest {
  let digest: string | undefined;
  const server = slot.entry?.server?.name;
  return Object.freeze({
    callId: slot.callId,
    toolName: slot.toolName,
    input: slot.input,
    context: turn.context,
    ...slot.classification,
    ...(server !== undefined && { server }),
    get inputDigest(): string {
      return (digest ??= inputDigest(engine, slot));
    },
    get signal(): AbortSignal {
      return turn.signal;
    },
  });
}
