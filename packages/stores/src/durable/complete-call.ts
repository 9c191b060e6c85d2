import { copyJson, dropUndefined, escapeToken, findOrAdd, unescapeToken } from "@hasp/base/json";
import type { CallStore, DamageOptions, RunOutcome, StoredTurns } from "@hasp/runtime/call-store";
import { guard } from "@hasp/runtime/contract";
import { cut } from "@hasp/runtime/internal";
import { type CallCompletion, readMembers } from "@hasp/runtime/internal/durable";
import { InvalidAnswer, MOST_INPUT, MOST_REASON, within } from "./answer-question.js";
import type { DurableSettings } from "./stored-turn.js";

export type ExternalCall = NonNullable<Extract<RunOutcome, { readonly status: "waiting" }>["externals"]>[number];
export type CompletionOutcome = Awaited<ReturnType<StoredTurns["complete"]>>;

/** Creates the id by which somebody else completes a call; it cannot be guessed. */
export function createExternalId(turnId: string, callId: string, awaited = ""): string {
  return [turnId, callId, awaited].map(escapeToken).join("/");
}

/** A call of a store that waits for somebody who executes it. */
export interface StoredExternal extends Omit<ExternalCall, "input"> {
  readonly turnId: string;
  readonly principal?: string;
}

/** Lists the calls that wait for somebody who executes them, expired ones too; without inputs, which may be secret. */
export async function listExternals(store: CallStore, options: DamageOptions = {}): Promise<readonly StoredExternal[]> {
  const onDamage = guard(options.onDamage);
  const reserved = new Map<string, Set<string>>();
  for (const { turnId, callId, to } of await store.records(dropUndefined({ onDamage }))) {
    const calls = findOrAdd(reserved, turnId, () => new Set());
    if (to === "reserved") calls.add(callId);
    else calls.delete(callId);
  }
  const skip = (error: Error): undefined => {
    if (onDamage === undefined) throw error;
    onDamage(error);
  };
  const found: StoredExternal[] = [];
  for (const [turnId, calls] of reserved) {
    const turn = calls.size === 0 ? undefined : await store.read(turnId).catch(skip);
    for (const { callId, toolName, state, awaited, awaitedUntil: expiresAt, completion } of turn?.calls ?? []) {
      if (state !== "reserved" || awaited === undefined || completion !== undefined) continue;
      const id = createExternalId(turnId, callId, awaited);
      found.push(dropUndefined({ id, turnId, callId, toolName, expiresAt, principal: turn?.principal }));
    }
  }
  return found;
}

/** Stores the completion of an external call, once. */
export async function completeCall(
  settings: DurableSettings,
  id: string,
  given: CallCompletion,
  principal: string | undefined,
): Promise<CompletionOutcome> {
  const completion = readCompletion(given);
  const { store } = settings;
  const [turnId = ""] = String(id).split("/").map(unescapeToken);
  for (;;) {
    const turn = await within(settings, store.read(turnId));
    const call = turn?.calls.find((each) => createExternalId(turnId, each.callId, each.awaited) === id);
    if (call?.awaited === undefined) return declined("unknown-call");
    if (turn?.principal !== principal) return declined("not-permitted");
    if (call.state !== "reserved" || call.completion !== undefined) return declined("too-late");
    if (isOver(call.awaitedUntil)) return declined("expired");
    const audit = dropUndefined({ by: principal, reason: "somebody else executed it" });
    const advanced = store.advance(turnId, call.callId, call, "reserved", { completion, audit });
    if (await within(settings, advanced)) return Object.freeze({ accepted: true });
  }
}

/** True if the time has come; `undefined` stands for none. */
export function isOver(until: string | undefined): boolean {
  return until !== undefined && Date.parse(until) <= Date.now();
}

export function declined(
  reason: Extract<CompletionOutcome, { readonly accepted: false }>["reason"],
): CompletionOutcome {
  return Object.freeze({ accepted: false, reason });
}

export function readCompletion(given: CallCompletion): CallCompletion {
  const { output, error } = readMembers(Object(given) as object, ["output", "error"], "The completion has");
  if ((output === undefined) === (error === undefined)) {
    throw new TypeError("A completion has either an `output` or an `error`.");
  }
  if (error !== undefined) {
    if (typeof error !== "string") throw new TypeError("The `error` of a completion must be a string.");
    return { error: cut(error, MOST_REASON) };
  }
  const copy = copyJson(output);
  if (JSON.stringify(copy).length <= MOST_INPUT) return { output: copy };
  throw new InvalidAnswer(`The \`output\` of a completion may have at most ${MOST_INPUT} characters of JSON.`);
}
