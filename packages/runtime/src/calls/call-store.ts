import type { JsonValue } from "@hasp/schema";
import type { Effect, FlowDetails, ProgramPreview, ToolCall, ToolResult } from "../tool/definition.js";
import { readProperty } from "../tool/callback.js";
import type { ConcurrencyClass } from "../tool/fields.js";
import type { Label } from "./labels.js";

/** A call that brought a label into a conversation. */
export interface LabelledCall {
  readonly callId: string;
  readonly toolName: string;
  /** The id of its turn, if a call store keeps it. */
  readonly turnId?: string | undefined;
}

/** The labels of a conversation with the calls that brought them in: untrusted first, and the oldest call first. */
export type ConversationLabels = readonly { readonly label: Label; readonly calls: readonly LabelledCall[] }[];

/** A label of a conversation, as a call store keeps it. */
export interface LabelEntry extends LabelledCall {
  readonly label: Label;
}

/**
 * The state of a call of a stored turn. `proposed`: nothing was decided. `asked`: a question is open. `allowed`,
 * `denied`, `expired`: how the question ended. `reserved`: it may have begun to run. `settled`: it has its result.
 */
export type CallStatus = "proposed" | "asked" | "allowed" | "denied" | "expired" | "reserved" | "settled";

/** A question to a person, bound to one call of one turn, with this tool, input and principal, until it expires. */
export interface Question {
  readonly id: string;
  readonly turnId: string;
  readonly callId: string;
  readonly toolName: string;
  /** The input that would run, without its secrets; `null` once the call is settled. */
  readonly input: JsonValue;
  /** JSON Pointers to the parts that `input` shows as `[secret]`. */
  readonly hidden?: readonly string[];
  /** Present if no person may allow the call: it may destroy data, and the question hides part of its input. */
  readonly refuseOnly?: true;
  readonly inputDigest: string;
  /** SHA-256 of the definition that the model saw. */
  readonly toolDigest: string;
  readonly class: ConcurrencyClass;
  readonly isDestructive: boolean;
  readonly reason?: string;
  /** Present if the call may carry private data outside because an outsider asked for it. */
  readonly flow?: FlowDetails;
  /** The topics of further concerns that `reason` names. */
  readonly topics?: readonly string[];
  /** Present for a program that a person sees before it runs. */
  readonly program?: ProgramPreview;
  /** The person for whom the turn runs. */
  readonly principal?: string;
  /** ISO date. */
  readonly askedAt: string;
  /** ISO date after which no answer is accepted. */
  readonly expiresAt: string;
}

/** The right of one process to run a reserved call. */
export interface CallLease {
  /** Names one run of a turn in one process. */
  readonly owner: string;
  /** ISO date. A run that has not renewed its lease by then counts as dead. */
  readonly until: string;
}

/** A call of a stored turn. Parts that do not apply are absent. */
export interface CallRecord {
  readonly turnId: string;
  /** The id of the model's call, or a new one if that is missing, repeated or unprintable. */
  readonly callId: string;
  /** The name that the model used, then the tool's own. */
  readonly toolName: string;
  readonly state: CallStatus;
  /** Grows by one with each change. */
  readonly version: number;
  /** The model's call without its input. */
  readonly received: {
    readonly id: string;
    readonly name: string;
    readonly dialect?: string;
    readonly truncated?: boolean;
    readonly origin?: NonNullable<ToolCall["origin"]>;
  };
  /** The received input while `proposed`, then exactly the input asked about or run; absent once settled. */
  readonly input?: JsonValue;
  readonly inputDigest?: string;
  readonly toolDigest?: string;
  readonly question?: Question;
  /** Notes from hooks for the model. */
  readonly notes?: readonly string[];
  /** Tells if a call that may have run changed nothing, or may run again with the same key. */
  readonly repeatable?: "reads" | "with-key" | "no";
  readonly idempotencyKey?: string;
  readonly lease?: CallLease;
  /** The input with which the answer allows the call, until it is reserved. */
  readonly edit?: JsonValue;
  /** Present while somebody else has to execute the call: a text that nobody can guess. */
  readonly awaited?: string;
  /** ISO date from which no completion is accepted. */
  readonly awaitedUntil?: string;
  /** The answer of somebody else, who executed the call. */
  readonly completion?: { readonly output: JsonValue } | { readonly error: string };
  /** The vote of a guard hook that allows the call, and how the call counted then: hooks do not run again. */
  readonly guard?: Pick<Question, "class" | "isDestructive"> & { readonly reason: string };
  /** The vote of a guard hook that asks a person, whatever else allows the call. */
  readonly guardAsks?: { readonly reason?: string };
  /** True if a person decided the question; false if the permissions came to allow the call meanwhile. */
  readonly answered?: boolean;
  /** The one who decided the question. */
  readonly decidedBy?: string;
  readonly reason?: string;
  readonly result?: ToolResult;
  /** The place of a program's call in the order of settling, from 1. */
  readonly order?: number;
}

/** The calls of one response of a model, in their order, as a call store keeps them. */
export interface TurnRecord {
  readonly turnId: string;
  /** A salted digest by which the turn knows its calls again: two turns with the same calls have different ones. */
  readonly callsDigest: string;
  readonly principal?: string;
  /** The conversation whose labels the turn reads and adds to. Default: the principal's. */
  readonly conversation?: string;
  /** ISO date. */
  readonly openedAt: string;
  readonly calls: readonly CallRecord[];
}

/** The contents of an audit record beside the transition itself. Never an input or an output. */
export interface AuditDetails {
  readonly by?: string;
  readonly reason?: string;
  readonly principal?: string;
  readonly inputDigest?: string;
  /** The digest of the input that was asked about, if the answer has changed it. */
  readonly changedFrom?: string;
  readonly toolDigest?: string;
  readonly questionId?: string;
  readonly owner?: string;
  readonly idempotencyKey?: string;
  readonly effect?: Effect;
  /** The labels that the result brought in. */
  readonly labels?: readonly Label[];
  /** The code of the error with which the call settled, or the reason why an answer was declined. */
  readonly code?: string;
}

/** One transition of a call. `from` equals `to` if an answer was declined or a dead run was replaced. */
export interface AuditRecord extends AuditDetails {
  readonly turnId: string;
  readonly callId: string;
  readonly toolName: string;
  readonly from?: CallStatus;
  readonly to: CallStatus;
  /** ISO date, by the clock of the store. */
  readonly at: string;
}

/** The changes of a transition; `null` removes. */
export type CallPatch = {
  readonly [Part in Exclude<keyof CallRecord, "turnId" | "callId" | "state" | "version" | "received">]?: NonNullable<
    CallRecord[Part]
  > | null;
} & {
  readonly audit?: AuditDetails;
};

/** The expected state of a call, or state and version. A whole record spares the store from reading it. */
export type ExpectedCall = CallStatus | Pick<CallRecord, "state" | "version"> | CallRecord;

export interface DamageOptions {
  /** Receives the error for each unreadable item, which the list leaves out. Without it, the list rejects. */
  readonly onDamage?: (error: Error) => void;
}

/** A filter of records; every given part must match. */
export interface RecordFilter extends DamageOptions {
  readonly turnId?: string;
  /** ISO date of the first record. */
  readonly since?: string;
}

/** A filter of questions; every given part must match. */
export interface QuestionFilter extends DamageOptions {
  readonly id?: string;
  readonly turnId?: string;
  /** The beginning of the turns' ids. If it ends with a space, a store need not read other turns. */
  readonly turnPrefix?: string;
  readonly toolName?: string;
  readonly principal?: string;
  /** `true`: only questions that wait for an answer, expired ones included. */
  readonly isOpen?: boolean;
}

/**
 * Keeps turns beyond the life of a process. It compares, sets and lists, and decides nothing. Each change is atomic,
 * and durable when its promise resolves; if the promise rejects, the change may or may not have been made. An
 * implementation must pass `callStoreConformance` of `@hasp/testing`.
 */
export interface CallStore {
  /** True if this object stores the changes of a turn in the order requested; the next call then starts sooner. */
  readonly keepsOrder?: boolean;
  /** Creates what the store needs. Several processes may call it repeatedly and at once. */
  setUp(): Promise<void>;
  /** Stores a new turn, durable at the latest with the first change of a call. Returns false if the id is taken. */
  open(turn: TurnRecord): Promise<boolean>;
  /** Reads a turn with its calls in order, as durably stored: a power cut must not undo what a caller acted on. */
  read(turnId: string): Promise<TurnRecord | undefined>;
  /**
   * Changes a call that is as expected: sets its state, applies the patch, raises its version, and records the
   * transition if the state changes or the patch has `audit`. Returns false if the call is not as expected; of several
   * attempts at once, one wins.
   */
  advance(turnId: string, callId: string, from: ExpectedCall, to: CallStatus, patch: CallPatch): Promise<boolean>;
  questions(filter: QuestionFilter): Promise<readonly Question[]>;
  /**
   * Adds labels to a conversation, durably; existing ones stay. The three methods about labels belong together: without
   * them, labels last as long as the process.
   */
  addLabels?(conversation: string, entries: readonly LabelEntry[]): Promise<void>;
  /** Lists the labels of a conversation, oldest first; none if it is unknown. */
  labels?(conversation: string): Promise<readonly LabelEntry[]>;
  /** Removes the labels of a conversation. Audit records stay. */
  forget?(conversation: string): Promise<void>;
  records(filter: RecordFilter): Promise<readonly AuditRecord[]>;
}

/** Thrown by `run` and `resume` if a turn of this id has other calls, another principal or another conversation. */
export class TurnConflict extends Error {
  override readonly name = "TurnConflict";
  readonly code = "turn-conflict";
  readonly turnId: string;

  constructor(turnId: string, what: "calls" | "principal" | "conversation") {
    super(`The turn "${turnId}" was opened with ${what === "calls" ? "other calls" : `another ${what}`}.`);
    this.turnId = turnId;
  }

  /** True for errors of other copies of the package, too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === TurnConflict ? readProperty(value, "code") === "turn-conflict" : super[Symbol.hasInstance](value);
  }
}

/** Thrown by `resume` if the call store has no such turn. */
export class UnknownTurn extends Error {
  override readonly name = "UnknownTurn";
  readonly code = "unknown-turn";
  readonly turnId: string;

  constructor(turnId: string) {
    super(`The call store has no turn "${turnId}".`);
    this.turnId = turnId;
  }
}

/** Thrown by a call store for data that it did not write: nothing that depends on it runs. */
export class DamagedStore extends Error {
  override readonly name = "DamagedStore";
  readonly code = "damaged-store";
  readonly place: string;

  constructor(place: string) {
    super(`${place}: the call store is damaged, or was changed by hand. Nothing that depends on it runs.`);
    this.place = place;
  }
}
