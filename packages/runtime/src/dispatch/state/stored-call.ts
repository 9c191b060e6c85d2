import type { JsonValue } from "@hasp/schema";
import type { Question } from "../../calls/call-store.js";
import type { Refusal } from "../../results/call-errors.js";
import type { Outcome } from "../../results/outcome.js";
import type { CallState } from "./call-state.js";
import type { Engine } from "./engine.js";
import type { ToolEntry } from "./tool-snapshot.js";
import type { TurnState } from "./turn-state.js";

/** A call that a call store keeps, as the phases of dispatch see it. */
export interface StoredCall {
  /** Set if an earlier run prepared the call; its hooks do not run again. */
  readonly earlier:
    | {
        readonly toolName: string;
        readonly input: JsonValue;
        readonly inputDigest: string | undefined;
        readonly toolDigest: string | undefined;
        readonly notes: readonly string[];
      }
    | undefined;
  readonly outcome: Outcome | undefined;
  readonly isDuplicate: boolean;
  /** True if the next call may begin while this result is being stored: its reservation is never stored earlier. */
  readonly isStoredInOrder: boolean;
  /** The question for which this run leaves the call open. */
  readonly question: Question | undefined;
  toolDigest(entry: ToolEntry): string;
  /** Applies an earlier decision once the call is judged. Throws its refusal. */
  recall(call: CallState): void;
  /** Opens the question, and asks the person if one is there. Throws {@link Departed} if the call stays open. */
  ask(about: StoredCase): Promise<void>;
  /** Reserves the call before it executes. Throws {@link Departed} if another process executed it. */
  reserve(about: StoredCase): Promise<void>;
  /** Stores the result, or takes that of a process that was first. */
  settle(call: CallState): Promise<void>;
  explain(refusal: Refusal): Outcome;
}

export interface StoredCase {
  readonly engine: Engine;
  readonly turn: TurnState;
  readonly call: CallState;
  readonly entry: ToolEntry;
}

/** Ends a call's way through a run that must not answer it, or has its answer already. */
export class Departed {
  readonly code = "departed";
}
