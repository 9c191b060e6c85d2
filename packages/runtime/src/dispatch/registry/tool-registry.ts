import type { JsonObject } from "@hasp/schema";
import { canonicalText, deepFreeze, isObject, sha256 } from "@hasp/base/json";
import { messageOf } from "../../results/text.js";
import { answerBoolean, answerNow, isThenable } from "../../tool/callback.js";
import type { AnyTool } from "../../tool/definition.js";
import { withTimeout } from "../scheduling/with-timeout.js";
import { checkNames } from "../permissions/check-permissions.js";
import { findPermissionState } from "../permissions/create-permissions.js";
import type { Permissions } from "../permissions/permission-types.js";
import type { DispatcherOptions } from "../state/dispatcher-types.js";
import { reportProblem } from "../state/call-state.js";
import type { Engine, ToolSnapshot } from "../state/engine.js";
import { assemble, hasDialect, isEnabled, isGateOpen, mapAliases, narrowToShown } from "./assemble.js";

type DispatcherEnvironment = DispatcherOptions["env"];

const MAX_REPORTED = 10_000;

/** Limits the kept variants of one list. */
const MAX_VARIANTS = 100;

/**
 * The tools of a dispatcher over time: assembled again as a turn ends. A model calls the tools that it was shown, so a
 * turn keeps to the last list before it.
 */
export class ToolRegistry {
  readonly #options: DispatcherOptions<never>;
  readonly #engine: Engine;
  readonly #env: DispatcherEnvironment;
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #digests = new WeakMap<object, string>();
  readonly #variants = new WeakMap<object, Map<string, readonly JsonObject[]>>();
  readonly #reported = new Set<string>();
  /** Enabled tools with open gates, asked once per renewal. No other change of the list brings a tool in. */
  #on = new Map<AnyTool, boolean>();
  #source: readonly AnyTool[];
  /** The tools of the last list for a model. */
  #shown: ToolSnapshot | undefined;
  /** False until `refreshTools` has been asked for the first time. */
  #isRefreshed: boolean;
  #tools: ToolSnapshot;
  /** The version of the permissions at the last assembly; `undefined` if it is time for another. */
  #seen: number | undefined;
  #refreshing: Promise<void> | undefined;
  #refreshingNext: Promise<void> | undefined;

  constructor(options: DispatcherOptions<never>, engine: Engine, env: DispatcherEnvironment) {
    this.#options = options;
    this.#engine = engine;
    this.#env = env;
    const { features, dialect, permissions } = options;
    const tools = readTools(options.tools, "createDispatcher needs `tools`: a list of built tools, or a registry.");
    this.#source = tools;
    this.#aliases = mapAliases(tools);
    this.#isRefreshed = !this.#isSupplied;
    // Live permissions may serve several dispatchers, and `refreshTools` may bring the tool that a rule waits for.
    if (this.#isRefreshed && findPermissionState(permissions) === undefined) {
      checkNames((permissions ?? {}) as Permissions<never>, tools, readLeftOut(options.tools));
    }
    // A tool behind a closed gate needs nothing yet, and without handlers no tool does.
    checkNeeds(
      tools.filter((tool) => !engine.extensions.isStandIn && isGateOpen(tool, features)),
      env,
    );
    if (dialect !== undefined && !hasDialect(dialect, tools)) {
      throw new TypeError(`\`dialect\`: no dialect is called "${dialect}", and no tool was compiled for it.`);
    }
    this.#tools = this.#assemble();
  }

  /** Returns the tools as they are now. If they cannot be assembled, the old ones stay. */
  current(): ToolSnapshot {
    if (this.#seen === this.#engine.permissions.version) return this.#tools;
    try {
      this.#tools = this.#assemble(this.#tools);
    } catch (error) {
      this.#reportStale(error);
    }
    return this.#tools;
  }

  /** Returns the tools of the next turn; `renewed` replaces them where no list was shown and they are being refreshed. */
  forTurn(): { readonly tools: ToolSnapshot; readonly renewed?: Promise<ToolSnapshot> } {
    const refreshing = this.#isRefreshed ? this.#refreshing : this.refresh();
    if (refreshing === undefined || this.#shown !== undefined) return { tools: this.shown() };
    return { tools: this.current(), renewed: refreshing.then(() => this.shown()) };
  }

  /** Returns the tools that a model was shown, as far as they are still there. */
  shown(): ToolSnapshot {
    const now = this.current();
    const shown = this.#shown ?? now;
    const off = this.#isStatic() ? [] : shown.entries.filter(({ tool }) => !this.#isOnNow(tool));
    if (off.length === 0 && shown === now) return now;
    return narrowToShown(now, shown, {
      aliases: this.#aliases,
      extensions: this.#engine.extensions,
      off: new Set(off.map(({ tool }) => tool.name)),
    });
  }

  /** Offers what the turn has changed. Returns a promise if the tools are taken from their sources again. */
  afterTurn(): Promise<void> | undefined {
    this.#takeOver();
    return this.#isStatic() ? undefined : this.refresh();
  }

  #takeOver(): void {
    try {
      const renewed = this.#engine.extensions.ofTools("renew", (door) => door.renew?.(), answerBoolean);
      if (renewed.includes(true)) this.#seen = undefined;
    } catch (error) {
      this.#reportStale(error);
    }
  }

  /**
   * Refreshes one at a time; a request during one begins another, which takes what has changed since. If the new tools
   * cannot be loaded, the old ones stay.
   */
  refresh(): Promise<void> {
    this.#isRefreshed = true;
    if (this.#refreshing === undefined) return this.#beginRefresh();
    this.#refreshingNext ??= this.#refreshing.then(() => {
      this.#refreshingNext = undefined;
      return this.#beginRefresh();
    });
    return this.#refreshingNext;
  }

  #beginRefresh(): Promise<void> {
    this.#refreshing = this.#renew()
      .catch((error: unknown) => this.#reportStale(error))
      .finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  #reportStale(error: unknown): void {
    reportProblem(this.#engine, "", "refresh-failed", `The tools were not refreshed: ${messageOf(error)}`);
  }

  /** Returns a list that the program sends, to which turns keep if it is shown to a model. */
  listFor(
    dialect: string,
    {
      isFixed = false,
      isShown = true,
      context,
    }: { readonly isFixed?: boolean; readonly isShown?: boolean; readonly context?: unknown },
  ): readonly JsonObject[] {
    if (!this.#isRefreshed) void this.refresh();
    const { extensions } = this.#engine;
    extensions.pass("listed", this.current(), { isFixed, isShown });
    if (isFixed) this.#takeOver();
    const tools = this.current();
    const list = tools.definitions(dialect, isFixed);
    if (isShown) this.#shown = tools;
    return context === undefined ? list : this.#describe(list, context, tools);
  }

  /** Replaces the descriptions that vary. Equal texts give the same list, and other entries stay the same objects. */
  #describe(list: readonly JsonObject[], context: unknown, { findListed }: ToolSnapshot): readonly JsonObject[] {
    const described = list.map((entry) => {
      const tool = findListed(entry);
      const text = tool && describeTool(tool, context, this.#engine);
      return tool === undefined || text === undefined ? entry : withDescription(entry, tool.description, text);
    });
    const changed = described.filter((entry, index) => entry !== list[index]);
    if (changed.length === 0) return list;
    const variants = this.#variants.get(list) ?? new Map<string, readonly JsonObject[]>();
    this.#variants.set(list, variants);
    const key = JSON.stringify(changed);
    const known = variants.get(key);
    if (known !== undefined) return known;
    if (variants.size >= MAX_VARIANTS) variants.clear();
    variants.set(key, deepFreeze(described));
    return described;
  }

  /** True if nobody in this process executes the calls of a listed tool. */
  isAwaited(entry: JsonObject): boolean {
    return this.#engine.external === undefined && this.current().findListed(entry)?.external === true;
  }

  digest(dialect: string): string {
    const list = this.current().definitions(dialect);
    let digest = this.#digests.get(list);
    if (digest === undefined) this.#digests.set(list, (digest = sha256(canonicalText(list))));
    return digest;
  }

  /** True if the tools can change only through permissions and the versions of extensions. */
  #isStatic(): boolean {
    return (
      !this.#isSupplied && this.#source.every((tool) => tool.isEnabled === undefined && tool.featureGate === undefined)
    );
  }

  /** True if the host or an extension supplies other tools later. */
  get #isSupplied(): boolean {
    const { parts } = this.#engine.extensions;
    return this.#options.refreshTools !== undefined || parts.some(({ tools }) => tools?.refresh !== undefined);
  }

  #isOnNow(tool: AnyTool): boolean {
    return isEnabled(tool) && isGateOpen(tool, this.#options.features);
  }

  #isOn(tool: AnyTool): boolean {
    const answer = this.#on.get(tool) ?? this.#isOnNow(tool);
    this.#on.set(tool, answer);
    return answer;
  }

  #assemble(previous?: ToolSnapshot): ToolSnapshot {
    const { permissions, extensions, external } = this.#engine;
    this.#seen = permissions.version;
    const isOn = (tool: AnyTool): boolean => this.#isOn(tool);
    const isExecuted = external !== undefined || extensions.isStandIn || extensions.owns.includes("keep");
    const lacksExecutor = (tool: AnyTool): boolean => tool.external === true && !isExecuted;
    const aliases = this.#aliases;
    const made = assemble(this.#source, { isOn, lacksExecutor, permissions, extensions, aliases }, previous);
    for (const { toolName, code, message } of made.excluded) {
      const key = `${code} ${toolName}`;
      if (this.#reported.has(key)) continue;
      // A server can invent names without end.
      if (this.#reported.size >= MAX_REPORTED) this.#reported.clear();
      this.#reported.add(key);
      reportProblem(this.#engine, toolName, code, message);
    }
    return made;
  }

  async #renew(): Promise<void> {
    this.#on = new Map();
    const { hookTimeoutMs: milliseconds, extensions } = this.#engine;
    let refreshed: unknown = this.#options.refreshTools?.();
    const renewing = extensions.refreshTools();
    // Without a promise, the list is renewed at once.
    if (renewing !== undefined || isThenable(refreshed)) {
      const given = isThenable(refreshed) ? withTimeout(refreshed, { milliseconds }) : refreshed;
      [refreshed] = await Promise.all([given, renewing]);
    }
    const before = this.#source;
    if (refreshed !== undefined) {
      const renewed = readTools(refreshed, "`refreshTools` must return a list of tools, or a registry.");
      checkNeeds(renewed, this.#env);
      this.#source = renewed;
    }
    try {
      this.#tools = this.#assemble(this.#tools);
    } catch (error) {
      this.#source = before;
      throw error;
    }
  }
}

/** Returns a tool's own description for a context; `undefined` if it has none, or fails. */
function describeTool(tool: AnyTool, context: unknown, engine: Engine): string | undefined {
  if (tool.describe === undefined) return undefined;
  try {
    const text = answerNow(tool.describe(pickMembers(context, tool.needs.context) as never));
    if (typeof text !== "string" || text === "") throw new TypeError("it must return a text");
    return text;
  } catch (error) {
    const message = `\`describe\` failed, so the model reads \`description\`: ${messageOf(error)}`;
    reportProblem(engine, tool.name, "describe-failed", message);
    return undefined;
  }
}

/** Copies the members of a context that a tool has declared, and no others. */
function pickMembers(context: unknown, paths: readonly string[]): object {
  const picked = Object.create(null) as Record<string, unknown>;
  for (const path of paths) {
    // A longer path below a member that is picked whole would write into the host's own object.
    if (paths.some((other) => path.startsWith(`${other}.`))) continue;
    const names = path.split(".");
    const last = names.pop() ?? "";
    let [from, to] = [context, picked];
    for (const name of names) {
      from = memberOf(from, name);
      to = (to[name] ??= Object.create(null)) as Record<string, unknown>;
    }
    to[last] = memberOf(from, last);
  }
  return picked;
}

function memberOf(value: unknown, name: string): unknown {
  return (Object(value) as Record<string, unknown>)[name];
}

/** Returns an entry with another description; text that a dialect has added after it stays. */
function withDescription(entry: JsonObject, before: string, now: string): JsonObject {
  if (before === now) return entry;
  const members = Object.entries(entry).map(([key, value]) => {
    if (key === "description" && typeof value === "string" && value.startsWith(before)) {
      return [key, now + value.slice(before.length)];
    }
    // Some APIs wrap a tool in a member.
    return [key, WRAPPERS.includes(key) && isObject(value) ? withDescription(value, before, now) : value];
  });
  return Object.fromEntries(members) as JsonObject;
}

const WRAPPERS: readonly string[] = ["function", "toolSpec"];

function checkNeeds(tools: readonly AnyTool[], env: DispatcherEnvironment): void {
  const faults = tools.flatMap((tool) => {
    const missing = tool.needs.env.filter((name) => env === undefined || !Object.hasOwn(env, name) || env[name] === "");
    return missing.length === 0 ? [] : [`${tool.name} needs ${missing.join(", ")}`];
  });
  if (faults.length === 0) return;
  throw new TypeError(
    `The environment lacks what some tools need: ${faults.join("; ")}. Set it, give createDispatcher \`env\`, or leave these tools out.`,
  );
}

function readLeftOut(tools: DispatcherOptions<never>["tools"]): readonly string[] {
  return "leftOut" in tools && Array.isArray(tools.leftOut) ? tools.leftOut : [];
}

function readTools(tools: unknown, remedy: string): readonly AnyTool[] {
  const list: unknown = Array.isArray(tools) ? tools : (Object(tools) as { readonly tools?: unknown }).tools;
  if (!Array.isArray(list)) throw new TypeError(remedy);
  for (const [index, tool] of list.entries()) {
    const { classify, validateInput } = (tool ?? {}) as Partial<AnyTool>;
    if (typeof classify !== "function" || typeof validateInput !== "function") {
      throw new TypeError(`\`tools[${index}]\` is not a built tool; pass it through buildTool first.`);
    }
  }
  return [...(list as readonly AnyTool[])];
}
