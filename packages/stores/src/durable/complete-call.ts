import { copyJson, dropUndefined, escapeToken, unescapeToken } from "@hasp/base/json";
import type { CallRecord, RunOutcome, StoredTurns } from "@hasp/runtime/call-store";
import { cut } from "@hasp/runtime/internal";
import { readMembers } from "@hasp/runtime/internal/durable";
import { MOST_INPUT, MOST_REASON, within } from "./answer-question.js";
import type { DurableSettings } from "./stored-turn.js";

export type ExternalCall = NonNullable<Extract<RunOutcome, { readonly status: "waiting" }>["externals"]>[number];
type CallCompletion = NonNullable<CallRecord["completion"]>;
type CompletionOutcome = Awaited<ReturnType<StoredTurns["complete"]>>;

/** Creates the id by which somebody else completes a call; it cannot be guessed. */
export function createExternalId(turnId: string, callId: string, awaited = ""): string {
  return [turnId, callId, awaited].map(escapeToken).join("/");
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
    const audit = dropUndefined({ by: principal, reason: "somebody else executed it" });
    const advanced = store.advance(turnId, call.callId, call, "reserved", { completion, audit });
    if (await within(settings, advanced)) return Object.freeze({ accepted: true });
  }
}

function declined(reason: Extract<CompletionOutcome, { readonly accepted: false }>["reason"]): CompletionOutcome {
  return Object.freeze({ accepted: false, reason });
}

function readCompletion(given: CallCompletion): CallCompletion {
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
  throw new TypeError(`The \`output\` of a completion may have at most ${MOST_INPUT} characters of JSON.`);
}
