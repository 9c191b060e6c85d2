import { sha256 } from "../../json/sha256.js";
import { deepFreeze } from "../../json/deep-freeze.js";
import type { Question } from "../../calls/call-store.js";
import { isDestructive, questionReason } from "../state/call-state.js";
import type { StoredCase } from "../state/stored-call.js";
import type { BoundCall } from "./bound-call.js";
import { withoutSecrets } from "./secrets.js";
import type { StoredTurn } from "./stored-turn.js";

/** The question about a call, bound to all that it is about; its id can be guessed from none of that. */
export function createQuestion(
  { turnId, principal, settings }: StoredTurn,
  callId: string,
  { call, entry }: StoredCase,
  { input, inputDigest, toolDigest }: BoundCall,
): Question {
  const now = Date.now();
  const askedAt = new Date(now).toISOString();
  const reason = questionReason(call.votes);
  const isDestructiveCall = isDestructive(call);
  // The schema of a live server is not ours: it must not decide what a person sees.
  const { value, hidden } =
    entry.server === undefined ? withoutSecrets(input, entry.tool.input) : { value: input, hidden: [] };
  return deepFreeze({
    id: sha256(JSON.stringify([turnId, callId, toolDigest, inputDigest, principal ?? null, crypto.randomUUID()])),
    turnId,
    callId,
    toolName: call.toolName,
    input: value,
    ...(hidden.length > 0 && { hidden }),
    ...(hidden.length > 0 && isDestructiveCall && !settings.allowUnseenInput && { refuseOnly: true as const }),
    inputDigest,
    toolDigest,
    class: call.classification.class,
    isDestructive: isDestructiveCall,
    ...(reason !== undefined && { reason }),
    ...(principal !== undefined && { principal }),
    askedAt,
    expiresAt: new Date(now + settings.questionTtlMs).toISOString(),
  });
}

/** Whether no answer counts any more. A call without its question cannot be answered either. */
export function isExpired(question: Question | undefined): boolean {
  return question === undefined || new Date(question.expiresAt).getTime() <= Date.now();
}
