import { callError, refusal, Refusal } from "../../results/call-errors.js";
import { type NamedTool, printNames } from "../permissions/tool-pattern.js";
import { runWithinLimit } from "../scheduling/concurrency.js";
import { Stopped, withTimeout } from "../scheduling/with-timeout.js";
import type { BatchState } from "../state/batch-state.js";
import { type Case, explainQuestion } from "../state/call-state.js";
import type { PersonVote } from "../state/extension.js";
import { answerOf, type CheckedAnswer, type PermissionFunction } from "./answers.js";
import { changeInput } from "./change-input.js";
import { createAllowableCall, decide, denied } from "./permission.js";
import { leaveOutQuotes } from "./quoted-secrets.js";

/** Asks until a call may run: first the `check`, then a person. Throws the `Refusal` unless it may. */
export async function askUntilDecided(
  about: Case & { readonly batch: BatchState; readonly member: number },
): Promise<void> {
  const { engine, turn, call, batch, member } = about;
  for (let verdict = decide(about); verdict !== "run"; verdict = decide(about)) {
    if (turn.stopped !== undefined) throw new Stopped(turn.stopped);
    if (verdict === "check") {
      await consultCheck(about);
      continue;
    }
    assertSomebodyToAsk(about);
    const reached = batch.questions.reached(member);
    if (reached !== undefined) await withTimeout(reached, { turn });
    await runWithinLimit(engine.permissions.questions, turn, async () => {
      batch.questions.pass(member);
      // A change during the wait may have decided it.
      if (decide(about) !== "ask") return;
      const { keeping } = engine.extensions;
      await (!call.isStored || keeping === undefined
        ? askPerson(about)
        : keeping.advance(about, "ask", engine.permissions.ask && (() => askPerson(about))));
    });
  }
}

/** Asks the host's `check`, and judges the input that it may answer. */
export async function consultCheck(about: Case): Promise<void> {
  const { engine, turn, call } = about;
  const { check } = engine.permissions;
  if (check === undefined) return;
  const answer = await runWithinLimit(engine.checks, turn, () => answerOf(about, "check", check, engine.hookTimeoutMs));
  const { decision } = answer;
  let reason = leaveOutQuotes(about, answer.reason);
  if (decision !== "allow" && decision !== "ask") {
    throw denied(reason ?? `The host refuses this call of ${call.toolName}.`);
  }
  // Outside the limit: the judgement may need a place in it.
  if (answer.changed !== undefined && (await changeInput(about, answer.changed.input, "check"))) {
    // The other input may have other secrets.
    reason = leaveOutQuotes(about, reason);
  }
  const vote = {
    decision,
    reason: reason ?? (decision === "allow" ? "the host's check allows it" : undefined),
  } as const;
  call.votes = { ...call.votes, check: vote };
}

export function assertSomebodyToAsk({ engine, call, entry }: Case): void {
  const { mode, ask } = engine.permissions;
  if ((call.isStored || ask !== undefined) && mode !== "unattended") return;
  const [concern] = call.concerns;
  if (concern !== undefined) {
    const { code, message, remedy } = concern.refusal;
    throw new Refusal({ phase: "permission", code, message }, { remedy });
  }
  const reason = explainQuestion(call);
  const error = callError("permission/no-one-to-ask", { tool: call.toolName, reason });
  throw new Refusal(error, { remedy: remedyFor(entry), quotesTool: call.votes.permit?.reason !== undefined });
}

/** Asks a person once; a permission change may decide first. Throws the `Refusal` unless the call is allowed. */
async function askPerson(about: Case): Promise<PersonVote | undefined> {
  const { engine, call } = about;
  assertSomebodyToAsk(about);
  const { concerns } = call;
  const topics = concerns.map(({ topic }) => topic);
  const { ask } = engine.permissions;
  const overtaken = listenForDecision(about);
  let answer: CheckedAnswer | undefined;
  try {
    answer = await Promise.race([answerOf(about, "ask", ask as PermissionFunction, Infinity), overtaken.decided]);
  } finally {
    overtaken.stopListening();
  }
  if (answer === undefined) return undefined;
  const { decision, remember } = answer;
  if (decision === "later") throw refusal("permission/answered-later", { tool: call.toolName });
  const isChanged = answer.changed !== undefined && (await changeInput(about, answer.changed.input, "ask"));
  const reason = leaveOutQuotes(about, answer.reason);
  if (remember !== undefined && (decision === "allow" || decision === "deny")) {
    const allowable = createAllowableCall(about);
    engine.permissions.remember(decision, remember, allowable, {
      reason,
      topics,
      isExact: isChanged,
    });
  }
  if (decision !== "allow") {
    const { error } = denied(reason ?? `The user refused this call of ${call.toolName}.`);
    const [concern] = concerns;
    throw new Refusal(error, concern === undefined ? {} : { remedy: concern.refusal.remedy });
  }
  const person = { reason: reason ?? "a person allowed it", topics };
  call.votes = { ...call.votes, person };
  return person;
}

function listenForDecision(about: Case): { readonly decided: Promise<undefined>; stopListening(): void } {
  const { onChange } = about.engine.permissions;
  let listener = (): void => undefined;
  // The host's condition may itself change the permissions; that change is seen when the call is about to start.
  let isDeciding = false;
  const decided = new Promise<undefined>((resolve, reject) => {
    listener = () => {
      if (isDeciding) return;
      isDeciding = true;
      try {
        if (decide(about) === "run") resolve(undefined);
        else return assertSomebodyToAsk(about);
      } catch (error) {
        reject(error as Error);
      } finally {
        isDeciding = false;
      }
      about.call.request?.withdraw(new Error("the permissions changed, and the question is settled"));
    };
  });
  decided.catch(() => undefined);
  onChange.add(listener);
  return { decided, stopListening: () => onChange.delete(listener) };
}

/** Advises the developer who wonders why nothing runs. */
function remedyFor(entry: NamedTool): string {
  return (
    `Allow it by a rule in \`permissions.rules\`: { ${printNames(entry)}, decision: "allow" }. Or pass \`permissions.ask\`, and ` +
    "not the mode `unattended`."
  );
}
