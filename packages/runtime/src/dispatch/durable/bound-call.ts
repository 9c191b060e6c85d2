import type { JsonValue } from "@hasp/schema";
import { sha256 } from "../../json/sha256.js";
import type { Classification } from "../../tool/definition.js";
import { inputDigest, type CallState } from "../state/call-state.js";
import type { ToolEntry } from "../state/tool-snapshot.js";
import type { StoredTurn } from "./stored-turn.js";

/** What a call is bound to once somebody is asked about it, or it is reserved: as parts of its record. */
export interface BoundCall {
  readonly toolName: string;
  readonly input: JsonValue;
  readonly inputDigest: string;
  readonly toolDigest: string;
  /** `null`: none. */
  readonly notes: readonly string[] | null;
}

/** Works out what a call is bound to, once per input. */
export class CallBinding {
  readonly #turn: StoredTurn;
  readonly #callId: string;
  #digested: { readonly input: unknown; readonly digest: string } | undefined;
  #key: string | undefined;

  constructor(turn: StoredTurn, callId: string) {
    this.#turn = turn;
    this.#callId = callId;
  }

  bind(call: CallState, entry: ToolEntry): BoundCall {
    return {
      toolName: call.toolName,
      input: call.input as JsonValue,
      inputDigest: this.#digestOf(call),
      toolDigest: this.#turn.toolDigest(entry),
      notes: call.notes.length > 0 ? call.notes : null,
    };
  }

  /** Every process computes the same key. */
  keyOf(call: CallState): string {
    const digest = this.#digestOf(call);
    // None of them has a line break.
    return (this.#key ??= sha256([this.#turn.turnId, this.#callId, call.toolName, digest].join("\n")));
  }

  #digestOf(call: CallState): string {
    if (this.#digested?.input !== call.input) {
      this.#digested = { input: call.input, digest: inputDigest(call) };
      this.#key = undefined;
    }
    return this.#digested?.digest ?? "";
  }
}

/** What may be done with a call that a dead run left reserved. */
export function repeatability({ isReadOnly, isIdempotent }: Classification): "reads" | "with-key" | "no" {
  if (isReadOnly) return "reads";
  return isIdempotent === false ? "no" : "with-key";
}
