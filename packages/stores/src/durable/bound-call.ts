import { canonicalText, sha256, deepFreeze, type JsonValue, dropUndefined } from "@hasp/base/json";
import type { Classification } from "@hasp/runtime";
import { previewProgram, showCall, type ToolEntry, FLOW_TOPIC } from "@hasp/runtime/internal/durable";
import type { CallFacts } from "@hasp/runtime/extension";
import type { CallRecord, Question } from "@hasp/runtime/call-store";
import type { StoredTurn } from "./stored-turn.js";

interface BoundCall {
  readonly toolName: string;
  readonly input: JsonValue;
  readonly inputDigest: string;
  readonly toolDigest: string;
  readonly notes: readonly string[] | null;
}

export class CallBinding {
  readonly #turn: StoredTurn;
  readonly #callId: string;
  readonly call: CallFacts;
  #digested: { readonly input: unknown; readonly digest: string } | undefined;
  #key: { readonly digest: string; readonly key: string } | undefined;

  constructor(turn: StoredTurn, callId: string, call: CallFacts) {
    this.#turn = turn;
    this.#callId = callId;
    this.call = call;
  }

  bind(record: CallRecord): BoundCall {
    const { toolName, input, notes, entry } = this.call;
    return {
      toolName,
      input: input as JsonValue,
      inputDigest: this.#digest(record),
      toolDigest: this.#turn.toolDigest(entry as ToolEntry),
      notes: notes.length > 0 ? notes : null,
    };
  }

  /** Returns the idempotency key, which is the same in every process. */
  key(record: CallRecord): string {
    const digest = this.#digest(record);
    if (this.#key?.digest !== digest) {
      // None of the parts contains a line break.
      const key = sha256([this.#turn.turnId, this.#callId, this.call.toolName, digest].join("\n"));
      this.#key = { digest, key };
    }
    return this.#key.key;
  }

  /**
   * Returns the digest of the input. If the tool declares secrets, it has a key that nobody keeps, and is the stored one
   * as long as the record has this input: a digest that outlives its input must not give a short secret away.
   */
  #digest(record: CallRecord): string {
    const { input, entry } = this.call;
    const { inputDigests } = this.#turn.settings;
    const judged = findJudgedDigest(record) ?? NO_DIGEST;
    if (judged !== NO_DIGEST && inputDigests.isKeyed(entry?.tool) && isSame(record.input, input)) return judged;
    const known = this.#digested;
    if (known !== undefined && known.input === input) return known.digest;
    const digest = inputDigests.digest(this.call, crypto.randomUUID());
    this.#digested = { input, digest };
    return digest;
  }
}

/** Stands for the digest of an input that nobody has judged. */
export const NO_DIGEST = "";

/** Returns the digest of the input that was asked about or run; an edit is judged only later. */
export function findJudgedDigest({ edit, question, inputDigest }: CallRecord): string | undefined {
  return edit === undefined ? inputDigest : question?.inputDigest;
}

export function isSame(stored: JsonValue | undefined, input: unknown): boolean {
  return stored !== undefined && canonicalText(stored) === canonicalText(input as JsonValue);
}

/** Returns how a call that a dead run left reserved may be repeated. */
export function decideRepeatability({ isReadOnly, isIdempotent }: Classification): "reads" | "with-key" | "no" {
  if (isReadOnly) return "reads";
  return isIdempotent === false ? "no" : "with-key";
}

/** Creates the question about a call, bound to everything it asks about; its id cannot be guessed. */
export function createQuestion(
  { questionTurnId: turnId, principal, settings }: StoredTurn,
  callId: string,
  call: CallFacts,
  { inputDigest, toolDigest }: BoundCall,
): Question {
  const now = Date.now();
  const askedAt = new Date(now).toISOString();
  const topics = call.concerns.flatMap(({ topic }) => (topic === FLOW_TOPIC ? [] : [topic]));
  return deepFreeze({
    id: sha256(JSON.stringify([turnId, callId, toolDigest, inputDigest, principal ?? null, crypto.randomUUID()])),
    turnId,
    callId,
    ...showCall(call, settings.allowUnseenInput),
    inputDigest,
    toolDigest,
    ...(topics.length > 0 && { topics }),
    ...previewProgram(call),
    ...dropUndefined({ principal }),
    askedAt,
    expiresAt: new Date(now + settings.questionTtlMs).toISOString(),
  });
}

/** Lists the topics of the concerns that a question names. */
export function findTopics(question: Question | undefined): readonly string[] {
  return [...(question?.flow === undefined ? [] : [FLOW_TOPIC]), ...(question?.topics ?? [])];
}

/** True if no answer counts any more. A call without its question cannot be answered either. */
export function isExpired(question: Question | undefined): boolean {
  return question === undefined || new Date(question.expiresAt).getTime() <= Date.now();
}
