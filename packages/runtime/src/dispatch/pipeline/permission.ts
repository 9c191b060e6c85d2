import { callError, refusal, Refusal } from "../../results/call-errors.js";
import { messageOf } from "../../results/text.js";
import { answerBoolean, isThenable } from "../../tool/callback.js";
import type { PermissionDecision } from "../../tool/definition.js";
import { matchesPattern, namesTool } from "../permissions/tool-pattern.js";
import { Stopped, withTimeout } from "../scheduling/with-timeout.js";
import { idsOf, inputDigest, permissionRequest, type CallState } from "../state/call-state.js";
import type { PermissionRule, Permissions } from "../permissions/permission-types.js";
import type { Engine } from "../state/engine.js";
import type { ToolEntry } from "../state/tool-snapshot.js";
import type { TurnState } from "../state/turn-state.js";

/** A call to decide about. */
interface Case {
  readonly engine: Engine;
  readonly turn: TurnState;
  readonly call: CallState;
  readonly entry: ToolEntry;
}

/** What nothing has decided yet, and why it is open. */
interface OpenQuestion {
  /** Whether the host's `check` may decide it; otherwise a person must. */
  readonly isCheckable: boolean;
  readonly reason: string | undefined;
}

/**
 * Lets a call run, or rejects with a `Refusal`: the tool's own `permit`, rules, calls that need no permission, the
 * host's `check`, a person. Only an explicit allow allows; a throw, a wrong answer and silence deny. Denied tools never
 * come this far: the registry makes them unavailable.
 */
export async function permit(about: Case): Promise<void> {
  const { permit: ownPermit } = about.entry.tool;
  const own = ownPermit === undefined ? undefined : await answerOf(about, ownPermit as PermissionFunction);
  const question = decide(about, own);
  if (question === undefined) return;
  const { check } = about.engine.permissions;
  if (!question.isCheckable || check === undefined) return askPerson(about, question.reason);
  const answer = await answerOf(about, check);
  if (answer.decision === "ask") return askPerson(about, answer.reason);
  take(about, answer, "the host's check allows it", "The host refuses");
}

/** Decides what can be decided without asking anybody. `undefined`: the call is permitted. */
function decide(about: Case, own: Answer | undefined): OpenQuestion | undefined {
  const { call, entry } = about;
  if (own?.decision === "deny") throw denied(own.reason ?? `${call.toolName} refuses this call.`);
  // The hints of a server never grant permission: a live MCP tool counts as destructive here.
  const isDestructive = entry.server !== undefined || call.classification.isDestructive;
  const rule = findRule(about, isDestructive);
  if (rule?.decision === "deny") {
    throw denied(rule.reason ?? `A rule of the host refuses this call of ${call.toolName}.`);
  }
  if (own?.decision === "ask" || rule?.decision === "ask") return { isCheckable: false, reason: rule?.reason };
  const needsNone = !isDestructive && !call.classification.requiresPermission;
  if (rule === undefined && !needsNone) return { isCheckable: true, reason: undefined };
  allow(about, rule === undefined ? "it needs no permission" : (rule.reason ?? "a rule allows it"));
  return undefined;
}

function findRule(about: Case, isDestructive: boolean): PermissionRule | undefined {
  try {
    return about.engine.permissions.rules.find((rule) => ruleMatches(rule, about, isDestructive));
  } catch (error) {
    const why = `The rules could not be evaluated, so ${about.call.toolName} is refused: ${messageOf(error)}`;
    throw denied(why);
  }
}

function ruleMatches(rule: PermissionRule, { turn, call, entry }: Case, isDestructive: boolean): boolean {
  const { tool, server } = rule;
  if (server !== undefined) {
    if (!namesTool({ server, tool }, entry)) return false;
  } else if (rule.decision === "allow") {
    // An allow is for the name it names. A deny or a question that is written for an alias holds for the tool.
    if (entry.server !== undefined || !matchesPattern(tool, entry.tool.name)) return false;
  } else if (!namesTool(rule.tool, entry)) return false;
  const hasWildcard = tool.includes("*") || server?.includes("*") === true;
  if (rule.decision === "allow" && isDestructive && hasWildcard) return false;
  if (rule.when === undefined) return true;
  // A promise or `undefined` must not let a call slip past a rule that was to refuse it.
  return answerBoolean(rule.when(call.input as never, permissionRequest(call, turn)));
}

async function askPerson(about: Case, reason: string | undefined): Promise<void> {
  const { engine, call, entry } = about;
  const { ask } = engine;
  if (!engine.interactive || ask === undefined) {
    throw new Refusal(callError("permission/no-one-to-ask", { tool: call.toolName, reason }), remedyFor(entry));
  }
  take(about, await answerOf(about, ask, "no limit"), "a person allowed it", "The user refused");
}

/** For the developer who wonders why nothing runs. */
function remedyFor({ tool, server }: ToolEntry): string {
  const names = server === undefined ? `tool: "${tool.name}"` : `server: "${server.name}", tool: "${server.toolName}"`;
  return (
    `Allow it by a rule in \`permissions.rules\`: { ${names}, decision: "allow" }. Or set \`interactive: true\` and ` +
    "pass `permissions.ask`."
  );
}

type PermissionFunction = NonNullable<Permissions["check"] | Permissions["ask"]>;

interface Answer {
  readonly decision: PermissionDecision;
  readonly reason?: string;
}

/** The answer of a permission function. A throw, a timeout and a malformed answer are a denial. */
async function answerOf(about: Case, ask: PermissionFunction, patience?: "no limit"): Promise<Answer> {
  const { engine, turn, call } = about;
  try {
    const answer: unknown = ask(permissionRequest(call, turn));
    if (!isThenable(answer)) return toAnswer(answer);
    const milliseconds = patience === undefined ? engine.hookTimeoutMs : Infinity;
    return toAnswer(await withTimeout(answer, { turn, milliseconds }));
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return { decision: "deny", reason: `Permission could not be decided, so the call is refused: ${messageOf(error)}` };
  }
}

function toAnswer(answer: unknown): Answer {
  const { decision, reason } = (typeof answer === "string" ? { decision: answer } : Object(answer)) as {
    readonly [part in keyof Answer]?: unknown;
  };
  if (decision !== "allow" && decision !== "deny" && decision !== "ask") return { decision: "deny" };
  return { decision, ...(typeof reason === "string" && { reason }) };
}

/** Applies a final answer: everything but an allow is a denial. */
function take(about: Case, { decision, reason }: Answer, allowedBy: string, refusedBy: string): void {
  if (decision !== "allow") throw denied(reason ?? `${refusedBy} this call of ${about.call.toolName}.`);
  allow(about, reason ?? allowedBy);
}

function allow({ engine, call }: Case, reason: string): void {
  call.permitted = call.input;
  engine.emit?.({ type: "permitted", ...idsOf(call), inputDigest: inputDigest(call), reason });
}

function denied(reason: string): Refusal {
  return refusal("permission/denied", { reason });
}
