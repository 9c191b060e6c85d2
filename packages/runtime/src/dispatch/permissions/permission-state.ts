import { canonicalText, copyJson } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import { answerBoolean } from "../../tool/callback.js";
import type { PermissionRequest } from "../../tool/definition.js";
import { FLOW_TOPIC } from "../../tool/flow-setting.js";
import { VERSION } from "../../tool/version.js";
import { createLimiter, type Limiter } from "../scheduling/concurrency.js";
import { InputDigests } from "./input-digests.js";
import { allowNamesTool, digestDefinition, hasWildcard, type NamedTool, namesTool } from "./tool-pattern.js";
import type {
  AllowedCalls,
  PermissionMode,
  PermissionRule,
  Permissions,
  StandingPermission,
  ToolPattern,
} from "./permission-types.js";

/** The place of a call. A person speaks for themselves, in one conversation. */
export interface CallPlace {
  /** The turn of the call, or of the call whose handler made it. */
  readonly turn: object;
  readonly conversation: string;
  readonly principal: string | undefined;
}

interface Standing {
  readonly shown: StandingPermission;
  /** The topics of the concerns that it waives. */
  readonly topics: readonly string[];
  /** For a remembered answer: the only place where it holds, in any turn or in one. */
  readonly place?: Omit<CallPlace, "turn"> & { readonly turn: object | undefined };
  readonly names: (entry: NamedTool) => boolean;
  /** True if an allow covers this call. May throw what the host's condition throws. */
  readonly covers?: (about: AllowableCall, inputText: () => string) => boolean;
}

export interface AllowableCall extends CallPlace {
  readonly entry: NamedTool;
  readonly request: PermissionRequest;
  readonly isDestructive: boolean;
  /** Returns what a remembered answer about a topic covers, beside the input itself. */
  readonly scope: (topic: string) => JsonValue | undefined;
}

interface ToolPermissions {
  readonly version: number;
  readonly rules: readonly PermissionRule[];
  readonly denials: readonly Standing[];
  readonly allows: readonly Standing[];
}

/** The host's rules and everything currently in force beside them. */
export class PermissionState {
  /** The version of the package, since copies of several versions may meet. */
  readonly madeBy: string = VERSION;
  readonly rules: readonly PermissionRule[];
  readonly check: Permissions["check"];
  readonly ask: Permissions["ask"];
  /** Limits questions that are open at once. */
  readonly questions: Limiter;
  readonly previewPrograms: boolean;
  readonly digests: InputDigests = new InputDigests();
  /** Grows with every change, so that earlier decisions can be repeated. */
  version = 0;
  readonly onChange: Set<() => void> = new Set();
  #mode: PermissionMode;
  #standing: Standing[] = [];
  #count = 0;
  readonly #byTool = new WeakMap<NamedTool, ToolPermissions>();

  constructor({
    deny = [],
    rules = [],
    mode = "ask",
    check,
    ask,
    maxOpenQuestions = 1,
    previewPrograms = false,
  }: Permissions) {
    this.questions = createLimiter(maxOpenQuestions);
    this.previewPrograms = previewPrograms;
    this.rules = [...rules];
    this.check = check;
    this.ask = ask;
    this.#mode = mode;
    for (const pattern of deny) this.deny(pattern);
  }

  get mode(): PermissionMode {
    return this.#mode;
  }

  set mode(mode: PermissionMode) {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#changed();
  }

  deny(pattern: ToolPattern, details: { readonly reason?: string; readonly by?: string } = {}): string {
    const { tool, server } = typeof pattern === "string" ? { tool: pattern, server: undefined } : pattern;
    const shown = this.#shown("deny", { tool, server, ...details });
    return this.#add({ shown, topics: [], names: (entry) => namesTool(pattern, entry) });
  }

  allow(
    calls: AllowedCalls,
    { until, reason, by }: { readonly until: "session" | Date; readonly reason: string; readonly by: string },
  ): string {
    const { tool, server, when, flow } = calls;
    const input = calls.input === undefined ? undefined : canonicalText(copyJson(calls.input));
    // A copy: the caller can change a date.
    const shown = this.#shown("allow", {
      tool,
      server,
      until: until === "session" ? until : new Date(until),
      reason,
      by,
      flow,
    });
    const isPattern = hasWildcard(calls);
    return this.#add({
      shown,
      topics: flow === true ? [FLOW_TOPIC] : [],
      names: (entry) => allowNamesTool(calls, entry),
      covers: ({ request, isDestructive }, inputText) =>
        !(isDestructive && isPattern) &&
        (input === undefined || inputText() === input) &&
        (when === undefined || answerBoolean(when(request.input as never, request))),
    });
  }

  remember(
    decision: "allow" | "deny",
    scope: "turn" | "session",
    { entry, request, isDestructive, turn, conversation, principal, scope: scopeOf }: AllowableCall,
    {
      reason,
      topics,
      isExact = false,
    }: {
      readonly reason: string | undefined;
      /** The topics of the concerns that the person was told of. */
      readonly topics: readonly string[];
      /** True if the person changed the input: the answer is about no other. */
      readonly isExact?: boolean;
    },
  ): void {
    const { name } = entry.tool;
    const server = entry.server?.name;
    const digest = digestDefinition(entry);
    const { inputDigest } = request;
    const waived = decision === "allow" ? topics : [];
    const printScope = (topic: string, { scope }: Pick<AllowableCall, "scope">): string | undefined => {
      const covered = scope(topic);
      return covered === undefined ? undefined : canonicalText(covered);
    };
    const scopes = waived.map((topic) => [topic, printScope(topic, { scope: scopeOf })] as const);
    const coversTopics = (about: AllowableCall): boolean =>
      about.request.inputDigest === inputDigest ||
      (!isDestructive &&
        !isExact &&
        !about.isDestructive &&
        scopes.every(([topic, covered]) => covered !== undefined && printScope(topic, about) === covered));
    const destination = waived.includes(FLOW_TOPIC) ? scopeOf(FLOW_TOPIC) : undefined;
    this.#add({
      shown: this.#shown(decision, {
        tool: name,
        server,
        until: scope,
        reason,
        ...(waived.length > 0 && { conversation, destination }),
        ...(waived.includes(FLOW_TOPIC) && { flow: true }),
      }),
      topics: waived,
      place: { turn: scope === "turn" ? turn : undefined, conversation, principal },
      names: (other) =>
        other.tool.name === name &&
        other.server?.name === server &&
        // The person allowed the tool they saw, not whatever has its name later.
        (decision === "deny" || digestDefinition(other) === digest),
      covers: (about) =>
        waived.length > 0
          ? coversTopics(about)
          : isDestructive || isExact
            ? about.request.inputDigest === inputDigest
            : !about.isDestructive,
    });
  }

  /** Forgets the answers remembered in a conversation. */
  endConversation(id: string): void {
    this.#remove(({ place }) => place?.conversation === id);
  }

  /** Forgets the answers remembered for a turn that has ended. */
  endTurn(turn: object): void {
    this.#remove(({ place }) => place?.turn === turn);
  }

  revoke(id: string): boolean {
    return this.#remove(({ shown }) => shown.id === id);
  }

  list(): readonly StandingPermission[] {
    return Object.freeze(this.#standing.filter((standing) => !isOver(standing)).map(({ shown }) => shown));
  }

  /** Returns why no call of a tool may run, or `undefined`. Without a place: anywhere. */
  denialOf(entry: NamedTool, place?: CallPlace): string | undefined {
    if (this.#standing.length === 0) return undefined;
    const { denials } = this.#of(entry);
    const denial = denials.find((standing) => holdsAt(standing, place));
    if (denial === undefined) return undefined;
    const { reason, until } = denial.shown;
    if (reason !== undefined) return reason;
    return until === undefined
      ? `${entry.tool.name} is denied by the host's settings.`
      : `The user refused ${entry.tool.name} for the rest of the ${until === "turn" ? "turn" : "session"}.`;
  }

  rulesFor(entry: NamedTool): readonly PermissionRule[] {
    return this.rules.length === 0 ? this.rules : this.#of(entry).rules;
  }

  hasAllows(entry: NamedTool): boolean {
    return this.#standing.length > 0 && this.#of(entry).allows.length > 0;
  }

  /** Finds an allow that covers a call; with a topic, one that also waives the concerns of that topic. */
  allowFor(call: AllowableCall, topic?: string): StandingPermission | undefined {
    let text: string | undefined;
    const inputText = (): string => (text ??= canonicalText(call.request.input as JsonValue));
    return this.#of(call.entry).allows.find(
      (standing) =>
        !isOver(standing) &&
        (topic === undefined || standing.topics.includes(topic)) &&
        holdsAt(standing, call) &&
        standing.covers?.(call, inputText) === true,
    )?.shown;
  }

  #of(entry: NamedTool): ToolPermissions {
    const known = this.#byTool.get(entry);
    if (known?.version === this.version) return known;
    const standing = this.#standing.filter(({ names }) => names(entry));
    const found: ToolPermissions = {
      version: this.version,
      rules: known?.rules ?? this.rules.filter((rule) => ruleNamesTool(rule, entry)),
      denials: standing.filter(({ shown }) => shown.decision === "deny"),
      allows: standing.filter(({ shown }) => shown.decision === "allow"),
    };
    this.#byTool.set(entry, found);
    return found;
  }

  #shown(
    decision: "allow" | "deny",
    details: { readonly [part in Exclude<keyof StandingPermission, "id" | "decision" | "since">]?: unknown },
  ): StandingPermission {
    this.#count += 1;
    const stated = Object.entries(details).filter(([, value]) => value !== undefined);
    const since = new Date().toISOString();
    const shown = { id: `${decision}-${this.#count}`, decision, ...Object.fromEntries(stated), since };
    return Object.freeze(shown) as StandingPermission;
  }

  #add(standing: Standing): string {
    this.#standing = [...this.#standing.filter((other) => !isOver(other)), standing];
    this.#changed();
    return standing.shown.id;
  }

  #remove(isMeant: (standing: Standing) => boolean): boolean {
    if (this.#standing.length === 0) return false;
    const rest = this.#standing.filter((standing) => !isMeant(standing));
    if (rest.length === this.#standing.length) return false;
    this.#standing = rest;
    this.#changed();
    return true;
  }

  #changed(): void {
    this.version += 1;
    for (const tell of this.#listeners()) tell();
  }

  /** Copies the listeners: one may leave while the others are called. */
  #listeners(): readonly (() => void)[] {
    return [...this.onChange];
  }
}

function holdsAt({ place }: Standing, at: CallPlace | undefined): boolean {
  return (
    place === undefined ||
    (place.conversation === at?.conversation &&
      place.principal === at.principal &&
      (place.turn === undefined || place.turn === at.turn))
  );
}

function isOver({ shown: { until } }: Standing): boolean {
  return until instanceof Date && until.getTime() <= Date.now();
}

/** True if a rule names a tool. An allow names it by its own name only; a deny or an ask also by an alias. */
function ruleNamesTool(rule: PermissionRule, entry: NamedTool): boolean {
  if (rule.decision === "allow") return allowNamesTool(rule, entry);
  const { tool, server } = rule;
  return namesTool(server === undefined ? tool : { server, tool }, entry);
}
