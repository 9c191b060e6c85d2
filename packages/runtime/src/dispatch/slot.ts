import type { Classification, PermissionRequest, ToolCall } from "../contract/definition.js";
import { STRICT } from "../contract/classifier.js";
import { canonicalText } from "@hasp/schema/validate";
import { sha256 } from "../json/sha256.js";
import type { JsonValue } from "@hasp/schema";
import type { Outcome } from "../results/outcome.js";
import type { ToolEntry } from "./tool-entry.js";

/** The place of one call in its turn, reserved before anything runs. Phases fill it; exactly one outcome ends it. */
export interface Slot {
  readonly call: ToolCall;
  readonly callId: string;
  /** An earlier call of the turn has the same id. */
  isDuplicate: boolean;
  /** The tool's own name; the called one as long as no tool is known. */
  toolName: string;
  entry: ToolEntry | undefined;
  /** Decoded, mended, coerced, with defaults, frozen; `undefined` until all of that has happened. */
  input: unknown;
  classification: Classification;
  stage: "pushed" | "parsed" | "ready" | "executed";
  /** The very input that was permitted; nothing else may be executed. */
  permitted: unknown;
  notes: string[];
  outcome: Outcome | undefined;
  attempts: number;
  /** Made with the first attempt, the same for all. */
  idempotencyKey: string | undefined;
}

/** An empty slot for a call, whatever the caller handed over. */
export function createSlot(call: ToolCall): Slot {
  const { id, name } = (typeof call === "object" && call !== null ? call : {}) as Partial<ToolCall>;
  return {
    call,
    callId: typeof id === "string" ? id : "",
    isDuplicate: false,
    toolName: typeof name === "string" ? name : "",
    entry: undefined,
    input: undefined,
    classification: STRICT,
    stage: "pushed",
    permitted: undefined,
    notes: [],
    outcome: undefined,
    attempts: 0,
    idempotencyKey: undefined,
  };
}

/** Digest of tool and input: what an approval is bound to. */
export function inputDigest(slot: Slot): string {
  return sha256(`${slot.toolName}\n${slot.input === undefined ? "" : canonicalText(slot.input as JsonValue)}`);
}

/** What a permission function is asked about a slot. The digest is worked out only if somebody reads it. */
export function permissionRequest(slot: Slot, context: unknown): PermissionRequest {
  let digest: string | undefined;
  const server = slot.entry?.server?.name;
  return Object.freeze({
    callId: slot.callId,
    toolName: slot.toolName,
    input: slot.input,
    context,
    ...slot.classification,
    ...(server !== undefined && { server }),
    get inputDigest(): string {
      return (digest ??= inputDigest(slot));
    },
  });
}
