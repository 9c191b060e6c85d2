import { callError, refusal, type Refusal } from "../../results/call-errors.js";
import { messageOf } from "../../results/text.js";
import { answerBoolean } from "../../tool/callback.js";
import { FLOW_TOPIC } from "../../tool/flow-setting.js";
import { hasWildcard } from "../permissions/tool-pattern.js";
import type { AllowableCall, CallPlace } from "../permissions/permission-state.js";
import type { PermissionRule, StandingPermission } from "../permissions/permission-types.js";
import type { Concern, JudgedVote } from "../state/extension.js";
import {
  createEventSubject,
  reportProblem,
  isDestructive,
  createPermissionRequest,
  type Case,
} from "../state/call-state.js";
import { explainFailure } from "./quoted-secrets.js";

/** The vote to ask about a whole program. */
const PREVIEW = { reason: undefined };

const NO_TOPICS: readonly string[] = [];

type NextStep = "run" | "check" | "ask";

export function applyRules(about: Case): void {
  refuseDenied(about);
  const rule = findRule(about);
  if (rule === undefined) return;
  const { decision, reason, flow } = rule;
  if (decision === "deny") throw denied(reason ?? `A rule of the host refuses this call of ${about.call.toolName}.`);
  about.call.votes = {
    ...about.call.votes,
    rule: { decision, reason, waives: flow === "allow" ? [FLOW_TOPIC] : NO_TOPICS },
  };
}

/**
 * Combines the votes about a call with the present permissions. Throws the `Refusal` if they refuse it. The first step
 * that decides wins: denies and plan mode, questions (the concerns of extensions among them), allows, calls that need
 * no permission, the mode, `check`, a person.
 */
export function decide(about: Case): NextStep {
  const { engine, call, entry } = about;
  const { permissions } = engine;
  const { classification } = call;
  refuseDenied(about);
  if (permissions.mode === "plan" && classification.class !== "READ_ONLY" && entry.holds !== "nothing") {
    throw refusal("permission/plan-mode", { tool: call.toolName });
  }
  if (entry.tool.metadata.behavior.requiresUserInteraction && permissions.mode === "unattended") {
    throw refusal("permission/needs-interaction", { tool: call.toolName });
  }
  const waiver = takeVotes(about);
  const { votes } = call;
  const standing = waiver ?? standingAllow(about);
  const preview = permissions.previewPrograms && entry.holds === "nothing" ? PREVIEW : undefined;
  const mayBeAsked = votes.permit ?? (votes.rule?.decision === "ask" ? votes.rule : preview);
  const question = votes.guardAsks ?? call.concerns[0] ?? (standing === undefined ? mayBeAsked : undefined);
  if (question !== undefined && votes.person === undefined) return "ask";
  const news = votes.person && call.concerns.find(({ topic }) => votes.person?.topics.includes(topic) !== true);
  if (news !== undefined) {
    // The person who answered did not know of it.
    if (!call.isStored) return "ask";
    // The input may be secret.
    throw refusal("permission/policy-changed", { tool: call.toolName, reason: news.about().reason });
  }
  const isMild = !isDestructive(call);
  const allowed =
    votes.person ??
    standing ??
    (votes.rule?.decision === "allow" ? votes.rule : undefined) ??
    votes.guardAllows ??
    (votes.check?.decision === "allow" ? votes.check : undefined);
  if (allowed !== undefined) return allow(about, allowed.reason ?? "a rule allows it", standing?.until);
  if (isMild && !classification.requiresPermission) return allow(about, "it needs no permission");
  if (engine.nested?.isPreviewed === true && classification.class === "READ_ONLY" && entry.server === undefined) {
    return allow(about, "a person has seen the program");
  }
  if (permissions.mode === "accept-writes" && isMild && classification.class !== "UNSAFE") {
    return allow(about, "the mode accepts writes");
  }
  return permissions.check !== undefined && votes.check === undefined ? "check" : "ask";
}

/**
 * Takes the votes of extensions: sets the concerns that nothing waives. Returns an allow that waives some. Throws the
 * `Refusal` of a denial, and the failure of an extension.
 */
function takeVotes(about: Case): StandingPermission | undefined {
  const { engine, call } = about;
  const given = call.part?.vote() ?? NO_VOTES;
  if (given.length === 0 && !engine.isUnguarded) {
    call.concerns = NO_CONCERNS;
    return undefined;
  }
  const denial = given.find((vote) => vote.decision === "deny");
  if (denial !== undefined) throw denied(denial.reason);
  const concerns = given.flatMap((vote) => (vote.decision === "ask" ? vote.concern : []));
  if (engine.isUnguarded && call.classification.isOpenWorld) concerns.push(createUnguardedConcern(call.toolName));
  let waiver: StandingPermission | undefined;
  call.concerns = concerns.filter(({ topic }) => {
    if (call.votes.rule?.waives.includes(topic) === true) return false;
    const allow = standingAllow(about, topic);
    waiver ??= allow;
    return allow === undefined;
  });
  return waiver;
}

const NO_VOTES: readonly JudgedVote[] = [];
const NO_CONCERNS: readonly Concern[] = [];

/** Creates the concern of a dispatcher without information flow, where a conversation may hold anything. */
function createUnguardedConcern(tool: string): Concern {
  const remedy =
    "Give `createDispatcher` the extension `informationFlow` of `@hasp/runtime/flow`. Or set `flow: note`, so that nobody is asked.";
  const concern: Concern = {
    topic: FLOW_TOPIC,
    reason: "It leads outside, and nothing knows what this conversation holds",
    details: { untrusted: [], private: [] },
    refusal: { ...callError("permission/flow", { tool }), remedy },
    about: () => concern,
  };
  return concern;
}

/** True if the permission of a call still holds; decides again after a change. */
export function isStillPermitted(about: Case): boolean {
  const { permitted } = about.call;
  const isCurrent = permitted?.version === versionOf(about);
  if (isCurrent && (permitted.until === undefined || Date.now() < permitted.until)) return true;
  return decide(about) === "run";
}

/** Adds both versions. They only grow, so an unchanged sum means that neither has changed. */
function versionOf({ engine, call }: Case): number {
  return engine.permissions.version + (call.part?.version ?? 0);
}

function refuseDenied({ engine, turn, entry }: Case): void {
  const denial = engine.permissions.denialOf(entry, placeOf(turn));
  if (denial !== undefined) throw denied(denial);
}

function standingAllow(about: Case, topic?: string): StandingPermission | undefined {
  const { permissions } = about.engine;
  if (!permissions.hasAllows(about.entry)) return undefined;
  try {
    return permissions.allowFor(createAllowableCall(about), topic);
  } catch (error) {
    throw unevaluable(about, error);
  }
}

function placeOf({ outermost, conversation }: Case["turn"]): CallPlace {
  return { turn: outermost, conversation, principal: outermost.place.principal };
}

export function createAllowableCall(about: Case): AllowableCall {
  const { turn, call, entry } = about;
  return {
    entry,
    request: createPermissionRequest(about),
    isDestructive: isDestructive(call),
    ...placeOf(turn),
    scope: (topic) => call.part?.scope(topic),
  };
}

function findRule(about: Case): PermissionRule | undefined {
  try {
    for (const rule of about.engine.permissions.rulesFor(about.entry)) if (matches(rule, about)) return rule;
    return undefined;
  } catch (error) {
    throw unevaluable(about, error);
  }
}

function unevaluable(about: Case, error: unknown): Refusal {
  const { engine, call } = about;
  const words = explainFailure(about, messageOf(error));
  const reason = `The rules could not be evaluated, so ${call.toolName} is refused: ${words}`;
  reportProblem(engine, call, "permission-failed", reason);
  return denied(reason);
}

function matches(rule: PermissionRule, about: Case): boolean {
  const { call } = about;
  if (rule.decision === "allow" && isDestructive(call) && hasWildcard(rule)) return false;
  if (rule.when === undefined) return true;
  // A promise or `undefined` must not let a call slip past a rule that was to refuse it.
  return answerBoolean(rule.when(call.input as never, createPermissionRequest(about)));
}

function allow(about: Case, reason: string, until?: unknown): "run" {
  const { engine, call } = about;
  const { input, permitted } = call;
  const isNews = permitted === undefined || permitted.input !== input;
  call.permitted = {
    input,
    version: versionOf(about),
    reason: isNews ? reason : permitted.reason,
    until: until instanceof Date ? until.getTime() : undefined,
  };
  if (isNews && engine.emit !== undefined) {
    const inputDigest = engine.permissions.digests.digest(call);
    engine.emit({ type: "permitted", ...createEventSubject(call), inputDigest, reason });
  }
  return "run";
}

export function denied(reason: string): Refusal {
  return refusal("permission/denied", { reason });
}
