import { sha256, deepFreeze, type JsonValue } from "@hasp/base/json";
import type { Classification } from "@hasp/runtime";
import { inputDigest, previewProgram, showCall, type ToolEntry, FLOW_TOPIC } from "@hasp/runtime/internal/durable";
import type { CallFacts } from "@hasp/runtime/extension";
import type { Question } from "@hasp/runtime/call-store";
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
  #key: string | undefined;

  constructor(turn: StoredTurn, callId: string, call: CallFacts) {
    this.#turn = turn;
    this.#callId = callId;
    this.call = call;
  }

  bind(): BoundCall {
    const { toolName, input, notes, entry } = this.call;
    return {
      toolName,
      input: input as JsonValue,
      inputDigest: this.#digest,
      toolDigest: this.#turn.toolDigest(entry as ToolEntry),
      notes: notes.length > 0 ? notes : null,
    };
  }

  /** The idempotency key, which is the same in every process. */
  get key(): string {
    const digest = this.#digest;
    // None of the parts contains a line break.
    return (this.#key ??= sha256([this.#turn.turnId, this.#callId, this.call.toolName, digest].join("\n")));
  }

  get #digest(): string {
    const { input } = this.call;
    if (this.#digested?.input !== input) {
      this.#digested = { input, digest: inputDigest(this.call) };
      this.#key = undefined;
    }
    return this.#digested?.digest ?? "";
  }
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
    ...(principal !== undefined && { principal }),
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
