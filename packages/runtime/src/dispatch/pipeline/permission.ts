import { callError, refusal, Refusal } from "../../results/call-errors.js";
import { messageOf } from "../../results/text.js";
import { answerBoolean, isThenable } from "../../tool/callback.js";
import { hasWildcard } from "../permissions/tool-pattern.js";
import type { AllowableCall } from "../permissions/permission-state.js";
import type { PermissionRule, Permissions } from "../permissions/permission-types.js";
import { Stopped, withTimeout } from "../scheduling/with-timeout.js";
import {
  idsOf,
  inputDigest,
  isDestructive,
  permissionRequest,
  questionReason,
  type CallState,
} from "../state/call-state.js";
import type { Engine } from "../state/engine.js";
import type { ToolEntry } from "../state/tool-snapshot.js";
import type { TurnState } from "../state/turn-state.js";

/** A call to decide about. */
export interface Case {
  readonly engine: Engine;
  readonly turn: TurnState;
  readonly call: CallState;
  readonly entry: ToolEntry;
}

/** What is left to do before a call may run: nothing, or to ask the host's `check`, or a person. */
export type Verdict = "run" | "check" | "ask";

/** Applies denied patterns and rules: throws the `Refusal` of a deny, otherwise records the vote of the first match. */
export function applyRules(about: Case): void {
  refuseDenied(about);
  const rule = findRule(about);
  if (rule === undefined) return;
  const { decision, reason } = rule;
  if (decision === "deny") throw denied(reason ?? `A rule of the host refuses this call of ${about.call.toolName}.`);
  about.call.votes = { ...about.call.votes, rule: { decision, reason } };
}

/** Asks the tool's own `permit`, which can only tighten: its `allow` is no vote. */
export async function applyPermit(about: Case, permit: PermissionFunction): Promise<void> {
  const { call } = about;
  const { decision, reason } = await answerOf(about, permit, about.engine.hookTimeoutMs);
  if (decision === "allow") return;
  if (decision !== "ask") throw denied(reason ?? `${call.toolName} refuses this call.`);
  call.votes = { ...call.votes, permit: { reason } };
}

/**
 * Combines the votes about a call with what the permissions say now. Throws the `Refusal` of whatever refuses it. The
 * first of these steps that decides, decides: denies and plan mode, questions, allows, calls that need no permission,
 * the mode, `check`, a person.
 */
export function decide(about: Case): Verdict {
  const { engine, call, entry } = about;
  const { permissions } = engine;
  const { classification, votes } = call;
  refuseDenied(about);
  if (permissions.mode === "plan" && classification.class !== "READ_ONLY") {
    throw refusal("permission/plan-mode", { tool: call.toolName });
  }
  if (entry.tool.metadata.behavior.requiresUserInteraction && permissions.mode === "unattended") {
    throw refusal("permission/needs-interaction", { tool: call.toolName });
  }
  const standing = standingAllow(about);
  const mayBeAsked = votes.permit ?? (votes.rule?.decision === "ask" ? votes.rule : undefined);
  const question = votes.guardAsks ?? (standing === undefined ? mayBeAsked : undefined);
  if (question !== undefined && votes.person === undefined) return "ask";
  const isMild = !isDestructive(call);
  const allowed =
    votes.person ??
    standing ??
    (votes.rule?.decision === "allow" ? votes.rule : undefined) ??
    votes.guardAllows ??
    (votes.check?.decision === "allow" ? votes.check : undefined);
  if (allowed !== undefined) return allow(about, allowed.reason ?? "a rule allows it", standing?.until);
  if (isMild && !classification.requiresPermission) return allow(about, "it needs no permission");
  if (permissions.mode === "accept-writes" && isMild && classification.class !== "UNSAFE") {
    return allow(about, "the mode accepts writes");
  }
  return permissions.check !== undefined && votes.check === undefined ? "check" : "ask";
}

/** Whether the permission of a call still holds; decides again if anything has changed. Throws as {@link decide}. */
export function isStillPermitted(about: Case): boolean {
  const { permittedVersion, permittedUntil } = about.call;
  const isCurrent = permittedVersion === about.engine.permissions.version;
  if (isCurrent && (permittedUntil === undefined || Date.now() < permittedUntil)) return true;
  return decide(about) === "run";
}

/** Asks the host's `check`. Throws the `Refusal` if it denies. */
export async function askCheck(about: Case): Promise<void> {
  const { engine, call } = about;
  const { check } = engine.permissions;
  if (check === undefined) return;
  const { decision, reason } = await answerOf(about, check, engine.hookTimeoutMs);
  if (decision !== "allow" && decision !== "ask") {
    throw denied(reason ?? `The host refuses this call of ${call.toolName}.`);
  }
  const vote = {
    decision,
    reason: reason ?? (decision === "allow" ? "the host's check allows it" : undefined),
  } as const;
  call.votes = { ...call.votes, check: vote };
}

/** Refuses a question that nobody can be asked. */
export function assertSomebodyToAsk({ engine, call, entry }: Case): void {
  if (engine.interactive && engine.ask !== undefined && engine.permissions.mode !== "unattended") return;
  const reason = questionReason(call.votes);
  throw new Refusal(callError("permission/no-one-to-ask", { tool: call.toolName, reason }), remedyFor(entry));
}

/**
 * Asks a person, once. A change of the permissions that refuses the call withdraws the question. Throws the `Refusal`
 * unless the person allows the call.
 */
export async function askPerson(about: Case): Promise<void> {
  const { engine, call } = about;
  assertSomebodyToAsk(about);
  const overtaken = listenForDecision(about);
  let answer: Answer | undefined;
  try {
    answer = await Promise.race([answerOf(about, engine.ask as PermissionFunction, Infinity), overtaken.decided]);
  } finally {
    overtaken.stopListening();
  }
  // Something else allowed it.
  if (answer === undefined) return;
  const { decision, reason, remember } = answer;
  if (decision === "later") throw refusal("permission/answered-later", { tool: call.toolName });
  if (remember !== undefined && (decision === "allow" || decision === "deny")) {
    engine.permissions.remember(decision, remember, allowable(about), reason);
  }
  if (decision !== "allow") throw denied(reason ?? `The user refused this call of ${call.toolName}.`);
  call.votes = { ...call.votes, person: { reason: reason ?? "a person allowed it" } };
}

/** Withdraws an open question as soon as the permissions decide the call without it: resolves, or rejects as they do. */
function listenForDecision(about: Case): { readonly decided: Promise<undefined>; stopListening(): void } {
  const { onChange } = about.engine.permissions;
  let listener = (): void => undefined;
  // A condition of the host may itself change the permissions; what it changes is seen when the call is to start.
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

function refuseDenied({ engine, turn, entry }: Case): void {
  const denial = engine.permissions.denialOf(entry, turn.outermost);
  if (denial !== undefined) throw denied(denial);
}

function standingAllow(about: Case): { readonly reason?: string; readonly until?: unknown } | undefined {
  try {
    return about.engine.permissions.allowFor(about.entry, () => allowable(about));
  } catch (error) {
    throw unevaluable(about, error);
  }
}

function allowable({ turn, call, entry }: Case): AllowableCall {
  return { entry, request: permissionRequest(call, turn), isDestructive: isDestructive(call), turn: turn.outermost };
}

function findRule(about: Case): PermissionRule | undefined {
  try {
    return about.engine.permissions.rulesFor(about.entry).find((rule) => matches(rule, about));
  } catch (error) {
    throw unevaluable(about, error);
  }
}

function unevaluable({ call }: Case, error: unknown): Refusal {
  return denied(`The rules could not be evaluated, so ${call.toolName} is refused: ${messageOf(error)}`);
}

function matches(rule: PermissionRule, { turn, call }: Case): boolean {
  if (rule.decision === "allow" && isDestructive(call) && hasWildcard(rule)) return false;
  if (rule.when === undefined) return true;
  // A promise or `undefined` must not let a call slip past a rule that was to refuse it.
  return answerBoolean(rule.when(call.input as never, permissionRequest(call, turn)));
}

/** For the developer who wonders why nothing runs. */
function remedyFor({ tool, server }: ToolEntry): string {
  const names = server === undefined ? `tool: "${tool.name}"` : `server: "${server.name}", tool: "${server.toolName}"`;
  return (
    `Allow it by a rule in \`permissions.rules\`: { ${names}, decision: "allow" }. Or pass \`permissions.ask\`, and ` +
    "neither `interactive: false` nor the mode `unattended`."
  );
}

type PermissionFunction = NonNullable<Permissions["check"] | Permissions["ask"]>;

interface Answer {
  readonly decision: unknown;
  readonly reason?: string | undefined;
  readonly remember?: "turn" | "session" | undefined;
}

/** The answer of a permission function. A throw, a timeout and a malformed answer are a denial. */
async function answerOf({ turn, call }: Case, ask: PermissionFunction, milliseconds: number): Promise<Answer> {
  try {
    const answer: unknown = ask(permissionRequest(call, turn));
    return toAnswer(isThenable(answer) ? await withTimeout(answer, { turn, milliseconds }) : answer);
  } catch (error) {
    call.request?.withdraw(new Error(messageOf(error)));
    if (error instanceof Stopped) throw error;
    return { decision: "deny", reason: `Permission could not be decided, so the call is refused: ${messageOf(error)}` };
  }
}

function toAnswer(answer: unknown): Answer {
  if (typeof answer === "string") return { decision: answer };
  const { decision, reason, remember } = Object(answer) as { readonly [part in keyof Answer]?: unknown };
  if (remember !== undefined && remember !== "turn" && remember !== "session") {
    throw new TypeError('`remember` must be "turn" or "session"');
  }
  return { decision, reason: typeof reason === "string" ? reason : undefined, remember };
}

function allow({ engine, call }: Case, reason: string, until?: unknown): "run" {
  const isNews = call.permitted !== call.input;
  call.permitted = call.input;
  call.permittedVersion = engine.permissions.version;
  call.permittedUntil = until instanceof Date ? until.getTime() : undefined;
  if (isNews) engine.emit?.({ type: "permitted", ...idsOf(call), inputDigest: inputDigest(call), reason });
  return "run";
}

function denied(reason: string): Refusal {
  return refusal("permission/denied", { reason });
}
