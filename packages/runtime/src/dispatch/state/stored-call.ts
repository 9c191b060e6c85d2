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
  /** It was prepared by an earlier run: exactly this input was asked about or ran, and its hooks do not run again. */
  readonly earlier:
    | {
        readonly toolName: string;
        readonly input: JsonValue;
        readonly inputDigest: string | undefined;
        readonly toolDigest: string | undefined;
        readonly notes: readonly string[];
      }
    | undefined;
  /** The outcome that is known before anything runs. */
  readonly outcome: Outcome | undefined;
  readonly isDuplicate: boolean;
  /** The next call may begin while the result is on its way: its reservation is never stored before that. */
  readonly isStoredInOrder: boolean;
  /** The question for which this run leaves the call open. */
  readonly question: Question | undefined;
  /** Digest of a tool's definition. */
  toolDigest(entry: ToolEntry): string;
  /** Applies the decision that an earlier run or an answer made, once the call is judged. Throws its refusal. */
  recall(call: CallState): void;
  /** Opens the question, and asks the person if one is there. Throws {@link Departed} where the call stays open. */
  ask(about: StoredCase): Promise<void>;
  /** Reserves the call before it executes. Throws {@link Departed} where another process executed it. */
  reserve(about: StoredCase): Promise<void>;
  /** Stores the result of a call; sets another where another process was first. */
  settle(call: CallState): Promise<void>;
  /** A refusal in the words for a call that is judged again, and what it means for the effect. */
  explain(refusal: Refusal): Outcome;
}

/** A call to decide about. */
export interface StoredCase {
  readonly engine: Engine;
  readonly turn: TurnState;
  readonly call: CallState;
  readonly entry: ToolEntry;
}

/** Ends the way of a call through a run that is not to answer it, or has its answer already. */
export class Departed {
  readonly code = "departed";
}
