import type { PermissionDecision } from "../../tool/definition.js";
import type { PermissionRule, Permissions, ToolPattern } from "../dispatcher-types.js";
import { messageOf } from "../../results/text.js";
import { Refusal } from "../../results/outcome.js";
import { Stopped, bounded, isThenable } from "../scheduling/bounded.js";
import type { Engine } from "../engine.js";
import { idsOf, inputDigest, permissionRequest, type Slot } from "../slot.js";
import type { ToolEntry } from "../registry/tool-entry.js";
import { matchesPattern } from "../registry/tool-pattern.js";
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
export function permissionPolicy<Context>({
  deny = [],
  rules = [],
  check,
  ask,
}: Permissions<Context> = {}): PermissionPolicy {
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

/** What a decision is about. */
interface Case {
  readonly engine: Engine;
  readonly turn: TurnState;
  readonly slot: Slot;
  readonly entry: ToolEntry;
}

/**
 * Lets a call run, or throws the {@link Refusal}: the tool's own `permit`, rules, what needs no permission, the host's
 * `check`, a person. Only an explicit allow allows; a throw, a wrong answer and silence deny. Answers at once where
 * nobody must be waited for.
 */
export function permit(engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry): void | Promise<void> {
  // The first step, the deny patterns, was taken when the tools were assembled: a denied tool never comes this far.
  const about: Case = { engine, turn, slot, entry };
  const { permit: ownPermit } = entry.tool;
  if (ownPermit === undefined) return afterPermit(about, false);
  return answerOf(about, ownPermit as Asked).then(({ decision, reason }) => {
    if (decision === "deny") deny(reason ?? `${slot.toolName} refuses this call.`);
    return afterPermit(about, decision === "ask");
  });
}

function afterPermit(about: Case, mustAsk: boolean): void | Promise<void> {
  const { engine, slot, entry } = about;
  const { check, rules } = engine.permissions;
  // A stranger's hints never grant permission: for this question a live MCP tool is always destructive and unpermitted.
  const isForeign = entry.server !== undefined;
  const isDestructive = isForeign || slot.classification.isDestructive;
  let rule: PermissionRule | undefined;
  try {
    rule = rules.find((candidate) => ruleMatches(candidate, about, isDestructive));
  } catch (error) {
    deny(`The rules could not be evaluated, so ${slot.toolName} is refused: ${messageOf(error)}`);
  }
  const decision = rule?.decision;
  if (decision === "deny") deny(rule?.reason ?? `A rule of the host refuses this call of ${slot.toolName}.`);
  if (mustAsk || decision === "ask") return question(about, rule?.reason);
  if (decision === "allow") return allow(about, rule?.reason ?? "a rule allows it");
  if (!isDestructive && !slot.classification.requiresPermission) return allow(about, "it needs no permission");
  if (check === undefined) return question(about, undefined);
  return answerOf(about, check).then((answer) =>
    answer.decision === "ask"
      ? question(about, answer.reason)
      : take(about, answer, "the host's check allows it", "The host refuses"),
  );
}

function ruleMatches(rule: PermissionRule, { engine, turn, slot, entry }: Case, isDestructive: boolean): boolean {
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
  const answer: unknown = rule.when(slot.input as never, permissionRequest(engine, slot, turn));
  // A promise, or `undefined` for want of a `return`, must not let a call slip past a rule that was to refuse it.
  if (typeof answer !== "boolean") throw new TypeError("`when` of a rule must answer true or false, at once");
  return answer;
}

function question(about: Case, reason: string | undefined): void | Promise<void> {
  const { engine, slot, entry } = about;
  const { ask } = engine.permissions;
  if (!engine.interactive || ask === undefined) {
    const why = reason === undefined ? "" : ` (${reason})`;
    // The model reads this too, and so does the developer who wonders why nothing runs.
    const { server } = entry;
    const rule =
      server === undefined ? `tool: "${slot.toolName}"` : `server: "${server.name}", tool: "${server.toolName}"`;
    deny(
      `${slot.toolName} needs permission${why} and there is no one to ask. The host can allow it by a rule in ` +
        `\`permissions.rules\`, { ${rule}, decision: "allow" }, or set \`interactive: true\` and give \`permissions.ask\`. ` +
        "Do not try it again unchanged.",
      "no-one-to-ask",
    );
  }
  return answerOf(about, ask, "a person has time").then((answer) =>
    take(about, answer, "a person allowed it", "The user refused"),
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
    const pending = ask(permissionRequest(engine, slot, turn));
    if (!isThenable(pending)) return toAnswer(pending);
    return toAnswer(await bounded(pending, turn, patience === undefined ? { milliseconds: engine.hookTimeoutMs } : {}));
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

/** Does what somebody answered; a question has been asked by now, so that everything but an allow is a denial. */
function take(about: Case, { decision, reason }: Answer, allowedBy: string, refusedBy: string): void {
  if (decision !== "allow") deny(reason ?? `${refusedBy} this call of ${about.slot.toolName}.`);
  allow(about, reason ?? allowedBy);
}

function allow({ engine, slot }: Case, reason: string): void {
  slot.permitted = slot.input;
  engine.emit?.({ type: "permitted", ...idsOf(slot), inputDigest: inputDigest(engine, slot), reason });
}

function deny(reason: string, code = "denied"): never {
  throw new Refusal("permission", code, reason);
}
