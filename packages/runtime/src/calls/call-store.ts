import type { JsonValue } from "@hasp/schema";
import type { Effect, ToolResult } from "../tool/definition.js";
import type { ConcurrencyClass } from "../tool/fields.js";

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
  };
  /** As received while `proposed`, then exactly what was asked about or runs; absent once settled. */
  readonly input?: JsonValue;
  readonly inputDigest?: string;
  readonly toolDigest?: string;
  readonly question?: Question;
  /** Notes from hooks for the model. */
  readonly notes?: readonly string[];
  /** States if a call that may have run changed nothing, or may run again with the same key. */
  readonly repeatable?: "reads" | "with-key" | "no";
  readonly idempotencyKey?: string;
  readonly lease?: CallLease;
  /** The one who decided the question. */
  readonly decidedBy?: string;
  readonly reason?: string;
  /** The result, without `details`. */
  readonly result?: ToolResult;
}

/** A stored turn: the calls of one response of a model, in their order. */
export interface TurnRecord {
  readonly turnId: string;
  /** SHA-256 of the calls as received. */
  readonly callsDigest: string;
  readonly principal?: string;
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
  readonly toolDigest?: string;
  readonly questionId?: string;
  /** The process that executes the call. */
  readonly owner?: string;
  readonly idempotencyKey?: string;
  readonly effect?: Effect;
  /** The code of the error with which the call settled, or the reason why an answer was declined. */
  readonly code?: string;
}

/** One transition of a call. `from` equals `to` if an answer was declined or a dead run was replaced. */
export interface AuditRecord extends AuditDetails {
  readonly turnId: string;
  readonly callId: string;
  readonly toolName: string;
  /** Absent if the call was proposed. */
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

/**
 * The condition for a transition: the call's state, or its state and version. A whole record, exactly as the store has
 * it at that version, spares the store from reading it.
 */
export type ExpectedCall = CallStatus | Pick<CallRecord, "state" | "version"> | CallRecord;

/** The treatment of damaged items in a list. */
export interface DamageOptions {
  /**
   * Receives the error for each unreadable call, record or turn, which the list then leaves out. Without it, the whole
   * list rejects with that error.
   */
  readonly onDamage?: (error: Error) => void;
}

/** Limits a list of records to those that match every given part. */
export interface RecordFilter extends DamageOptions {
  readonly turnId?: string;
  /** ISO date of the first record. */
  readonly since?: string;
}

/** Limits a list of questions to those that match every given part. */
export interface QuestionFilter extends DamageOptions {
  readonly id?: string;
  readonly turnId?: string;
  readonly toolName?: string;
  readonly principal?: string;
  /** `true`: only those that wait for an answer, expired ones included. */
  readonly isOpen?: boolean;
}

/**
 * Keeps turns beyond the life of a process. It compares, sets and lists, and decides nothing. Each change is atomic,
 * and durable when its promise resolves; if the promise rejects, the change may or may not have been made. An
 * implementation must pass `callStoreConformance` of `@hasp/runtime/testing`.
 */
export interface CallStore {
  /**
   * True if changes of one turn are stored in the order in which they are requested from this object. A dispatcher then
   * starts the next call while the result of the previous one is still being stored.
   */
  readonly keepsOrder?: boolean;
  /** Creates what the store needs. May be called any number of times, by several processes at once. */
  setUp(): Promise<void>;
  /**
   * Stores a new turn, and one record per proposed call. Returns `false` and changes nothing if the turn id is taken.
   * It may become durable only with the first change of a call: before that, nothing has happened.
   */
  open(turn: TurnRecord): Promise<boolean>;
  /**
   * Reads a turn with its calls in order, as durably stored: after a power cut, a caller that acted on it finds the
   * same. Lists may show a change that is still being stored.
   */
  read(turnId: string): Promise<TurnRecord | undefined>;
  /**
   * Changes a call that is as expected: sets its state, applies the patch, raises its version, and records the
   * transition if the state changes or the patch has `audit`. Returns false if the call is not as expected; of several
   * attempts at once, one wins.
   */
  advance(turnId: string, callId: string, from: ExpectedCall, to: CallStatus, patch: CallPatch): Promise<boolean>;
  /** Lists questions, oldest first. */
  questions(filter: QuestionFilter): Promise<readonly Question[]>;
  /** Lists records in their order, of one turn or of all, from an ISO date on. */
  records(filter: RecordFilter): Promise<readonly AuditRecord[]>;
}
