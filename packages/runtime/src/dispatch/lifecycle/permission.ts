import type { PermissionDecision } from "../../contract/definition.js";
import type { PermissionRule, Permissions, ToolPattern } from "../../contract/dispatcher.js";
import { messageOf } from "../../results/text.js";
import { Refusal } from "../../results/outcome.js";
import { Stopped, bounded, isThenable } from "../bounded.js";
import type { Engine } from "../engine.js";
import { inputDigest, permissionRequest, type Slot } from "../slot.js";
import type { ToolEntry } from "../tool-entry.js";
import { matchesPattern } from "../tool-pattern.js";
import type { TurnState } from "../turn-state.js";

/** The host's permissions. */
export interface PermissionPolicy {
  /** Whether a `deny` pattern names the tool: by its name, or by an alias. A pattern that throws denies. */
  isDenied(entry: ToolEntry): boolean;
  readonly rules: readonly PermissionRule[];
  readonly check: Permissions["check"];
  readonly ask: Permissions["ask"];
}

/** What the host allows, as it stands now: the caller's lists may change afterwards. Their form was checked before. */
export function permissionPolicy<Context>({ deny = [], rules = [], check, ask }: Permissions<Context> = {}): PermissionPolicy {
  const denied = [...deny];
  return {
    isDenied: (entry) => denied.some((pattern) => denies(pattern, entry)),
    rules: [...rules],
    check: check as Permissions["check"],
    ask: ask as Permissions["ask"],
  };
}

function denies(pattern: ToolPattern, { tool, server }: ToolEntry): boolean {
  if (typeof pattern === "string") return [tool.name, ...tool.aliases].some((name) => matchesPattern(pattern, name));
  return (
    server !== undefined &&
    matchesPattern(pattern.server, server.name) &&
    namesMcpTool(pattern.tool, tool.name, server.toolName)
  );
}

/** A rule for a server may name its tool as the server does, or as the model does. */
function namesMcpTool(pattern: string, name: string, toolName: string): boolean {
  return matchesPattern(pattern, toolName) || matchesPattern(pattern, name);
}

type Verdict = { readonly decision: "allow" | "deny"; readonly code: string; readonly reason: string };

/** What a decision is about. */
interface Case {
  readonly engine: Engine;
  readonly turn: TurnState;
  readonly slot: Slot;
  readonly entry: ToolEntry;
}

/**
 * Whether a call may run: the tool's own `permit`, rules, what needs no permission, the host's `check`, a person. Only an
 * explicit allow allows; a throw, a wrong answer and silence deny. Answers at once where nobody must be waited for.
 */
export function permit(engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry): void | Promise<void> {
  // The first step, the deny patterns, was taken when the tools were assembled: a denied tool never comes this far.
  const verdict = afterDeny({ engine, turn, slot, entry });
  if (verdict instanceof Promise) return verdict.then((late) => apply(engine, slot, late));
  apply(engine, slot, verdict);
}

function apply({ emit }: Engine, slot: Slot, { decision, code, reason }: Verdict): void {
  if (decision === "deny") throw new Refusal("permission", code, reason);
  slot.permitted = slot.input;
  const { callId, toolName } = slot;
  emit?.({ type: "permitted", callId, toolName, inputDigest: inputDigest(slot), reason });
}

function afterDeny(about: Case): Verdict | Promise<Verdict> {
  const { permit: ownPermit } = about.entry.tool;
  if (ownPermit === undefined) return afterPermit(about, false);
  return answerOf(about, ownPermit as Asked).then((own) => {
    if (own.decision === "deny") return deny(own.reason ?? `${about.slot.toolName} refuses this call.`);
    return afterPermit(about, own.decision === "ask");
  });
}

function afterPermit(about: Case, mustAsk: boolean): Verdict | Promise<Verdict> {
  const { engine, slot, entry } = about;
  const { check, rules } = engine.permissions;
  // A stranger's hints never grant permission: for this question a live MCP tool is always destructive and unpermitted.
  const needsPermission = entry.server !== undefined || slot.classification.requiresPermission;
  const isDestructive = entry.server !== undefined || slot.classification.isDestructive;
  let rule: PermissionRule | undefined;
  try {
    if (rules.length > 0) rule = rules.find((candidate) => ruleMatches(candidate, about, isDestructive));
  } catch (error) {
    return deny(`The rules could not be evaluated, so ${slot.toolName} is refused: ${messageOf(error)}`);
  }
  if (rule?.decision === "deny")
    return deny(rule.reason ?? `A rule of the host refuses this call of ${slot.toolName}.`);
  if (mustAsk || rule?.decision === "ask") return question(about, rule?.reason);
  if (rule?.decision === "allow") return allow(rule.reason ?? "a rule allows it");
  if (!needsPermission && !isDestructive) return allow("it needs no permission");
  if (check === undefined) return question(about, undefined);
  return answerOf(about, check).then((answer) => {
    if (answer.decision === "ask") return question(about, answer.reason);
    return answer.decision === "allow"
      ? allow(answer.reason ?? "the host's check allows it")
      : deny(answer.reason ?? `The host refuses this call of ${slot.toolName}.`);
  });
}

function ruleMatches(rule: PermissionRule, { turn, slot, entry }: Case, isDestructive: boolean): boolean {
  const { tool, server } = entry;
  const isAllow = rule.decision === "allow";
  if (rule.server !== undefined) {
    if (server === undefined || !matchesPattern(rule.server, server.name)) return false;
    if (!namesMcpTool(rule.tool, tool.name, server.toolName)) return false;
  } else {
    if (isAllow && server !== undefined) return false;
    // An allow is for the name it names; a deny or a question that is written for an alias holds for the tool.
    const names = isAllow ? [tool.name] : [tool.name, ...tool.aliases];
    if (!names.some((name) => matchesPattern(rule.tool, name))) return false;
  }
  if (isAllow && isDestructive && (rule.tool.includes("*") || rule.server?.includes("*") === true)) return false;
  if (rule.when === undefined) return true;
  const answer: unknown = rule.when(slot.input as never, permissionRequest(slot, turn));
  // A promise, or `undefined` for want of a `return`, must not let a call slip past a rule that was to refuse it.
  if (typeof answer !== "boolean") throw new TypeError("`when` of a rule must answer true or false, at once");
  return answer;
}

function question(about: Case, reason: string | undefined): Verdict | Promise<Verdict> {
  const { engine, slot, entry } = about;
  const { ask } = engine.permissions;
  if (!engine.interactive || ask === undefined) {
    const why = reason === undefined ? "" : ` (${reason})`;
    // The model reads this too, and so does the developer who wonders why nothing runs.
    const { server } = entry;
    const rule = server === undefined ? `tool: "${slot.toolName}"` : `server: "${server.name}", tool: "${server.toolName}"`;
    return deny(
      `${slot.toolName} needs permission${why} and there is no one to ask. The host can allow it by a rule in ` +
        `\`permissions.rules\`, { ${rule}, decision: "allow" }, or set \`interactive: true\` and give \`permissions.ask\`. ` +
        "Do not try it again unchanged.",
      "no-one-to-ask",
    );
  }
  return answerOf(about, ask, "a person has time").then((answer) =>
    answer.decision === "allow"
      ? allow(answer.reason ?? "a person allowed it")
      : deny(answer.reason ?? `The user refused this call of ${slot.toolName}.`),
  );
}

type Asked = NonNullable<Permissions["check"]>;

interface Answer {
  readonly decision: PermissionDecision;
  readonly reason?: string;
}

/** What a permission function answered. A throw, a wait without end and anything that is no answer are a denial. */
async function answerOf({ engine, turn, slot }: Case, ask: Asked, patience?: "a person has time"): Promise<Answer> {
  try {
    const pending = ask(permissionRequest(slot, turn));
    if (!isThenable(pending)) return toAnswer(pending);
    return toAnswer(await bounded(pending, turn, patience === undefined ? { milliseconds: engine.hookTimeoutMs } : {}));
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return { decision: "deny", reason: `Permission could not be decided, so the call is refused: ${messageOf(error)}` };
  }
}

function toAnswer(answer: unknown): Answer {
  const { decision, reason } = (typeof answer === "string" ? { decision: answer } : (answer ?? {})) as {
    decision?: unknown;
    reason?: unknown;
  };
  if (decision !== "allow" && decision !== "deny" && decision !== "ask") return { decision: "deny" };
  return { decision, ...(typeof reason === "string" && { reason }) };
}

function allow(reason: string): Verdict {
  return { decision: "allow", code: "allowed", reason };
}

function deny(reason: string, code = "denied"): Verdict {
  return { decision: "deny", code, reason };
}
