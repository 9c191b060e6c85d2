import { canonicalText } from "@hasp/schema/vocabulary";
import type { JsonValue } from "@hasp/schema";
import { STRICT } from "../../tool/classifier.js";
import { answerNow } from "../../tool/callback.js";
import type { Classification, Display, PermissionRequest, ToolCall, ToolResult } from "../../tool/definition.js";
import { sha256 } from "../../json/sha256.js";
import type { Outcome } from "../../results/outcome.js";
import type { ToolEntry } from "./tool-snapshot.js";

/** One call of a turn, from before anything runs. Phases fill it; exactly one outcome ends it. */
export interface CallState {
  readonly received: ToolCall;
  readonly callId: string;
  /** An earlier call of the turn has the same id. */
  isDuplicate: boolean;
  /** The name that the model used. */
  readonly calledAs: string;
  /** The tool's own name; the called one until the tool is known. */
  toolName: string;
  entry: ToolEntry | undefined;
  /** Decoded, prepared, coerced, with defaults, frozen; `undefined` until all of that has happened. */
  input: unknown;
  classification: Classification;
  stage: "pushed" | "parsed" | "ready" | "executed";
  /** What permission functions are given for this input. */
  request: PermissionRequest | undefined;
  /** The very input that was permitted; nothing else is executed. */
  permitted: unknown;
  /** What hooks noted for the model. */
  notes: readonly string[];
  outcome: Outcome | undefined;
  /** Set at the end of the call's batch. */
  result: ToolResult | undefined;
  attempts: number;
  /** Created with the first attempt, the same for all. */
  idempotencyKey: string | undefined;
}

const NO_NOTES: readonly string[] = Object.freeze([]);

/** The state of a call that was just received, which may be any value. */
export function createCallState(received: ToolCall): CallState {
  const calledAs = stringAt(received, "name");
  return {
    received,
    callId: callIdOf(received),
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

/** The id under which a call is answered, whatever the caller passed; `""` where it has none. */
export function callIdOf(call: unknown): string {
  return stringAt(call, "id");
}

/** A string member of a call; `""` where there is none, or reading it throws. */
function stringAt(call: unknown, key: "id" | "name"): string {
  try {
    const value: unknown = typeof call === "object" && call !== null ? (call as Partial<ToolCall>)[key] : undefined;
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}

/** What every event about a call begins with. */
export function idsOf({ callId, toolName }: CallState): { readonly callId: string; readonly toolName: string } {
  return { callId, toolName };
}

/**
 * The line of the tool's `display` for a call, as part of an event. Nothing where the tool has none, its function fails
 * or answers no string, or the input was never valid.
 */
export function displayLine({ entry, input }: CallState, state: keyof Display<never>): { readonly line?: string } {
  if (input === undefined) return {};
  try {
    const line = answerNow(entry?.tool.display[state]?.(input as never));
    return typeof line === "string" ? { line } : {};
  } catch {
    // A line for a screen must not fail the call.
    return {};
  }
}

/** Digest of tool and input: what an approval is bound to. */
export function inputDigest({ toolName, input }: CallState): string {
  return sha256(`${toolName}\n${input === undefined ? "" : canonicalText(input as JsonValue)}`);
}

/** What a permission function is told of its turn. */
interface AskingTurn {
  readonly context: unknown;
  readonly signal: AbortSignal;
}

/** What permission functions are given for a call: one object per input, whoever is asked. */
export function permissionRequest(call: CallState, turn: AskingTurn): PermissionRequest {
  return (call.request ??= newRequest(call, turn));
}

/** Digest and signal are computed only if somebody reads them. */
function newRequest(call: CallState, turn: AskingTurn): PermissionRequest {
  let digest: string | undefined;
  const server = call.entry?.server?.name;
  return Object.freeze({
    callId: call.callId,
    toolName: call.toolName,
    input: call.input,
    context: turn.context,
    ...call.classification,
    ...(server !== undefined && { server }),
    get inputDigest(): string {
      return (digest ??= inputDigest(call));
    },
    get signal(): AbortSignal {
      return turn.signal;
    },
  });
}
