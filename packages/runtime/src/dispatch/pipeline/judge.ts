import { quotingRefusal, refusal, type Refusal } from "../../results/call-errors.js";
import { messageOf } from "../../results/text.js";
import { answerBoolean, isThenable } from "../../tool/callback.js";
import type { SemanticCheck, AnyTool } from "../../tool/definition.js";
import { isSameResource } from "../../tool/resource-key.js";
import { Stopped, withTimeout } from "../scheduling/with-timeout.js";
import { runWithinLimit } from "../scheduling/concurrency.js";
import type { Case } from "../state/call-state.js";
import { applyPermit } from "./answers.js";
import { applyRules } from "./permission.js";
import { explainFailure, leaveOutQuotes } from "./quoted-secrets.js";

type AnyCheck = SemanticCheck<unknown, unknown>;
type SemanticPredicate = Exclude<AnyCheck, (...parameters: never) => unknown>;
type CheckFunction = Exclude<AnyCheck, SemanticPredicate>;

/** Judges a valid input. Returns a promise only if the tool has functions to ask; a `Refusal` ends the call. */
export function judge(about: Case): Promise<void> | undefined {
  const { engine, turn, call, entry } = about;
  const { tool } = entry;
  const resource = engine.nested?.resource;
  // Other writers run beside a keyed one.
  if (resource !== undefined && !isSameResource(resource, call.resource)) {
    throw refusal("permission/nested-call-elsewhere", { tool: call.toolName });
  }
  // A reader shares the gate with other readers; a writer inside it would run in parallel with them.
  if (engine.nested?.readersOnly === true && call.classification.class !== "READ_ONLY") {
    throw refusal("permission/nested-call-not-read-only", { tool: call.toolName });
  }
  // Without a handler, nothing needs the context that a host leaves out.
  if (turn.context !== undefined || !engine.extensions.isStandIn) {
    if (tool.needs.context.length > 0) checkContext(turn.context, tool);
    if (tool.bound !== undefined) checkBound(turn.context, call.input, tool.name, tool.bound);
  }
  let objections: Objection[] | undefined;
  let hasFunctions = tool.permit !== undefined;
  for (let index = 0; index < tool.validate.length; index += 1) {
    const check = tool.validate[index] as AnyCheck;
    const answer = typeof check === "function" ? true : judgeBy(check, call.input);
    hasFunctions ||= typeof check === "function";
    if (answer !== true) (objections ??= []).push(answer);
  }
  if (objections !== undefined) throw refusalFor(about, objections);
  if (hasFunctions) return judgeByFunctions(about);
  applyRules(about);
  return undefined;
}

function judgeByFunctions(about: Case): Promise<void> {
  return runWithinLimit(about.engine.checks, about.turn, () => askFunctions(about));
}

async function askFunctions(about: Case): Promise<void> {
  const { tool } = about.entry;
  const objections: Objection[] = [];
  for (const check of tool.validate as readonly AnyCheck[]) {
    if (typeof check === "function") objections.push(...(await askCheckFunction(check, about)));
  }
  if (objections.length > 0) throw refusalFor(about, objections);
  applyRules(about);
  if (tool.permit !== undefined) await applyPermit(about, tool.permit as never);
}

const UNMET = "A check of the tool did not hold.";

/** `isOwn`: no function chose the message. */
type Objection = { readonly fault: string; readonly isOwn: boolean } | { readonly failure: string };

/**
 * Lists all objections. The model is told to correct its input only if some check faulted it. What functions say is
 * kept in events and records, so it is left out if it quotes a secret.
 */
function refusalFor(about: Case, said: readonly Objection[]): Refusal {
  const { toolName: tool } = about.call;
  const objections = said.map((each): Objection =>
    "failure" in each
      ? { failure: explainFailure(about, each.failure) }
      : each.isOwn
        ? each
        : { fault: leaveOutQuotes(about, each.fault) ?? UNMET, isOwn: false },
  );
  if (objections.some((objection) => "fault" in objection)) {
    const faults = objections.map((each) => ("fault" in each ? each.fault : `A check failed: ${each.failure}`));
    const isOwn = objections.every((each) => "fault" in each && each.isOwn);
    return (isOwn ? refusal : quotingRefusal)("semantic/invalid-input", { tool, faults });
  }
  const reasons = objections.map((each) => ("failure" in each ? each.failure : ""));
  return quotingRefusal("semantic/check-failed", { tool, reasons });
}

function judgeBy({ that, message }: SemanticPredicate, input: unknown): Objection | true {
  try {
    return answerBoolean(that(input)) ? true : { fault: message, isOwn: true };
  } catch (error) {
    return { failure: `${message}: ${messageOf(error)}` };
  }
}

async function askCheckFunction(check: CheckFunction, { engine, turn, call }: Case): Promise<readonly Objection[]> {
  let answer: unknown;
  try {
    answer = check(call.input, { context: turn.context, signal: turn.signal });
    if (isThenable(answer)) answer = await withTimeout(answer, { turn, milliseconds: engine.hookTimeoutMs });
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return [{ failure: messageOf(error) }];
  }
  if (answer === true) return [];
  return [answer]
    .flat()
    .map((fault: unknown) =>
      typeof fault === "string" && fault !== "" ? { fault, isOwn: false } : { fault: UNMET, isOwn: true },
    );
}

function checkContext(context: unknown, { name, needs }: AnyTool): void {
  const missing = needs.context.filter((member) =>
    [undefined, null].includes(memberAt(context, member.split(".")) as undefined),
  );
  if (missing.length > 0) throw refusal("semantic/missing-context", { tool: name, missing });
}

/** Compares the host's bound values with the declared properties. The model learns neither these nor the values. */
function checkBound(context: unknown, input: unknown, tool: string, bound: NonNullable<AnyTool["bound"]>): void {
  const members = Object.entries(bound.from);
  const filled = members.map(([name, member]) => [name, memberAt(context, member.split(".").slice(1))] as const);
  const { errors } = bound.validate({ ...(input as object), ...Object.fromEntries(filled) });
  if (errors.length === 0) return;
  const faults = errors.map(({ pointer, keyword }) => {
    const [, property = ""] = pointer.split("/");
    const concerned = members.filter(([name]) => name === property);
    const places = (concerned.length > 0 ? concerned : members).map(([, member]) => member);
    return `${places.join(" or ")} breaks \`${keyword}\``;
  });
  throw refusal("semantic/invalid-context", { tool, faults });
}

function memberAt(context: unknown, path: readonly string[]): unknown {
  let value = context;
  for (const name of path) {
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value;
}
