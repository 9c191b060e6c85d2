import { callError, quotingRefusal, refusal, Refusal } from "../../results/call-errors.js";
import { messageOf } from "../../results/text.js";
import type { JsonValue } from "@hasp/schema";
import { copyJson } from "@hasp/base/json";
import { isThenable } from "../../tool/callback.js";
import type { Permissions } from "../permissions/permission-types.js";
import { runWithinLimit } from "../scheduling/concurrency.js";
import { Stopped, withTimeout } from "../scheduling/with-timeout.js";
import type { BatchState } from "../state/batch-state.js";
import { type Case, createPermissionRequest, explainQuestion } from "../state/call-state.js";
import type { ToolEntry } from "../state/engine.js";
import { readMembers, reportProblem } from "./answers.js";
import { changeInput } from "./change-input.js";
import { createAllowableCall, decide, denied } from "./permission.js";
import { withoutSecrets } from "./quoted-secrets.js";

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
    await runWithinLimit(engine.questions, turn, async () => {
      batch.questions.pass(member);
      // A change during the wait may have decided it.
      if (decide(about) !== "ask") return;
      await (call.stored === undefined ? askPerson(about) : call.stored.ask(about));
    });
  }
}

/** Asks the tool's own `permit`, which can only tighten: its `allow` is not a vote. */
export async function applyPermit(about: Case, permit: PermissionFunction): Promise<void> {
  const { call, entry } = about;
  const { decision, reason: said } = await answerOf(about, "permit", permit, about.engine.hookTimeoutMs);
  const reason = withoutSecrets(said, call.input as JsonValue, entry.tool.input);
  if (decision === "allow") return;
  if (decision !== "ask") {
    const words = reason ?? `${call.toolName} refuses this call.`;
    throw said === undefined ? denied(words) : quotingRefusal("permission/denied", { reason: words });
  }
  call.votes = { ...call.votes, permit: { reason } };
}

/** Asks the host's `check`, and judges the input that it may answer. */
export async function consultCheck(about: Case): Promise<void> {
  const { engine, turn, call } = about;
  const { check } = engine.permissions;
  if (check === undefined) return;
  const answer = await runWithinLimit(engine.checks, turn, () => answerOf(about, "check", check, engine.hookTimeoutMs));
  const { decision, reason } = answer;
  if (decision !== "allow" && decision !== "ask") {
    throw denied(reason ?? `The host refuses this call of ${call.toolName}.`);
  }
  // Outside the limit: the judgement may need a place in it.
  if (answer.changed !== undefined) await changeInput(about, answer.changed.input, "check");
  const vote = {
    decision,
    reason: reason ?? (decision === "allow" ? "the host's check allows it" : undefined),
  } as const;
  call.votes = { ...call.votes, check: vote };
}

export function assertSomebodyToAsk({ engine, call, entry }: Case): void {
  const canAsk = call.stored !== undefined || engine.interactive;
  if (canAsk && engine.permissions.mode !== "unattended") return;
  if (call.flow !== undefined) {
    throw new Refusal(callError("permission/flow", { tool: call.toolName }), { remedy: flowRemedyFor(entry) });
  }
  const reason = explainQuestion(call);
  const error = callError("permission/no-one-to-ask", { tool: call.toolName, reason });
  throw new Refusal(error, { remedy: remedyFor(entry), quotesTool: call.votes.permit?.reason !== undefined });
}

/** Asks a person once; a permission change may decide first. Throws the `Refusal` unless the call is allowed. */
export async function askPerson(about: Case): Promise<void> {
  const { engine, call } = about;
  assertSomebodyToAsk(about);
  const { flow } = call;
  const { ask } = engine.permissions;
  const overtaken = listenForDecision(about);
  let answer: CheckedAnswer | undefined;
  try {
    answer = await Promise.race([answerOf(about, "ask", ask as PermissionFunction, Infinity), overtaken.decided]);
  } finally {
    overtaken.stopListening();
  }
  if (answer === undefined) return;
  const { decision, reason, remember } = answer;
  if (decision === "later") throw refusal("permission/answered-later", { tool: call.toolName });
  const isChanged = answer.changed !== undefined && (await changeInput(about, answer.changed.input, "ask"));
  if (remember !== undefined && (decision === "allow" || decision === "deny")) {
    const allowable = createAllowableCall(about);
    engine.permissions.remember(decision, remember, allowable, {
      reason,
      flow: flow !== undefined,
      isExact: isChanged,
    });
  }
  if (decision !== "allow") {
    const { error } = denied(reason ?? `The user refused this call of ${call.toolName}.`);
    throw new Refusal(error, flow === undefined ? {} : { remedy: flowRemedyFor(about.entry) });
  }
  call.votes = { ...call.votes, person: { reason: reason ?? "a person allowed it", flow: flow !== undefined } };
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

function namesOf({ tool, server }: ToolEntry): string {
  return server === undefined ? `tool: "${tool.name}"` : `server: "${server.name}", tool: "${server.toolName}"`;
}

/** Advises the developer how a call may carry what its conversation holds to the outside. */
function flowRemedyFor(entry: ToolEntry): string {
  return (
    "State `behavior.isOpenWorld: false` in its spec if its input reaches nobody outside. Or have a person asked, by `permissions.ask` or a client that can. " +
    `Or let it send anything, by \`permissions.allow({ ${namesOf(entry)}, flow: true }, …)\` or \`flow: allow\` on a rule. Or set \`flow: note\`, so that nobody is asked.`
  );
}

/** Advises the developer who wonders why nothing runs. */
function remedyFor(entry: ToolEntry): string {
  return (
    `Allow it by a rule in \`permissions.rules\`: { ${namesOf(entry)}, decision: "allow" }. Or pass \`permissions.ask\`, and ` +
    "neither `interactive: false` nor the mode `unattended`."
  );
}

type PermissionFunction = NonNullable<Permissions["check"] | Permissions["ask"]>;

interface CheckedAnswer {
  readonly decision: unknown;
  readonly reason?: string | undefined;
  readonly remember?: "turn" | "session" | undefined;
  /** Present if the call is allowed with this input. */
  readonly changed?: { readonly input: JsonValue } | undefined;
}

/** The answers of each permission function. */
const ANSWERS = {
  permit: { decisions: ["allow", "deny", "ask"], members: ["decision", "reason"] },
  check: { decisions: ["allow", "deny", "ask"], members: ["decision", "reason", "input"] },
  ask: { decisions: ["allow", "deny", "later"], members: ["decision", "reason", "remember", "input"] },
} as const;

/** Returns the answer of a permission function. A throw, a timeout and a malformed answer are a denial, and a problem. */
async function answerOf(
  { engine, turn, call }: Case,
  name: keyof typeof ANSWERS,
  ask: PermissionFunction,
  milliseconds: number,
): Promise<CheckedAnswer> {
  try {
    const answer: unknown = ask(createPermissionRequest(call, turn));
    return toAnswer(isThenable(answer) ? await withTimeout(answer, { turn, milliseconds }) : answer, name);
  } catch (error) {
    call.request?.withdraw(new Error(messageOf(error)));
    if (error instanceof Stopped) throw error;
    const reason = `Permission could not be decided, so the call is refused: ${messageOf(error)}`;
    reportProblem(engine, call, "permission-failed", reason);
    return { decision: "deny", reason };
  }
}

function toAnswer(answer: unknown, name: keyof typeof ANSWERS): CheckedAnswer {
  const { decisions, members } = ANSWERS[name];
  const isMembers = typeof answer === "object" && answer !== null;
  const parts: { readonly [part in (typeof ANSWERS)["ask"]["members"][number]]?: unknown } = isMembers
    ? readMembers(answer, members, `\`${name}\` answered`)
    : { decision: answer };
  const { decision, reason, remember, input } = parts;
  if (!decisions.some((each) => each === decision)) {
    throw new TypeError(`\`${name}\` must answer one of ${decisions.join(", ")}, not ${String(decision)}`);
  }
  if (reason !== undefined && typeof reason !== "string") throw new TypeError("`reason` must be a string");
  if (remember !== undefined && remember !== "turn" && remember !== "session") {
    throw new TypeError('`remember` must be "turn" or "session"');
  }
  if (input !== undefined && decision !== "allow") throw new TypeError('`input` needs the decision "allow"');
  return { decision, reason, remember, ...(input !== undefined && { changed: { input: toJson(input) } }) };
}

function toJson(input: unknown): JsonValue {
  try {
    return copyJson(input);
  } catch (error) {
    throw new TypeError(`\`input\` is not JSON: ${messageOf(error)}`, { cause: error });
  }
}
