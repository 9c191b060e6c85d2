import { canonicalText } from "@hasp/schema/vocabulary";
import { sha256 } from "../../json/sha256.js";
import { messageOf } from "../../results/text.js";
import { isThenable } from "../../tool/callback.js";
import { READ_RESULT, TOOL_SEARCH } from "../../tool/tool-names.js";
import type { AnyTool } from "../../tool/tool.js";
import { withTimeout } from "../scheduling/with-timeout.js";
import { checkNames } from "../permissions/check-names.js";
import { stateOf } from "../permissions/create-permissions.js";
import type { Permissions } from "../permissions/permission-types.js";
import type { DispatcherOptions } from "../state/dispatcher-types.js";
import type { Engine } from "../state/engine.js";
import type { ToolSnapshot } from "../state/tool-snapshot.js";
import { aliasesOf, assemble, isEnabled, isGateOpen, type ToolSources } from "./assemble.js";
import { hasDialect } from "./list-tools.js";
import type { McpEntryCache } from "./mcp-entry.js";

type Environment = DispatcherOptions["env"];

/** The tools of a dispatcher over time: fixed within a turn, assembled again between turns. */
export interface ToolRegistry {
  current(): ToolSnapshot;
  /** The tools of a turn that begins now, and newer ones that are being assembled. */
  forTurn(): { readonly tools: ToolSnapshot; readonly renewed?: Promise<ToolSnapshot> };
  afterTurn(): Promise<void>;
  refresh(): Promise<void>;
  digest(dialect: string): string;
}

/** The most `excluded` reports that are remembered, so that each is an event once. */
const MAX_REPORTED = 10_000;

/** Assembles the tools for the first time; throws a `TypeError` for what the program got wrong. */
export function createToolRegistry(options: DispatcherOptions<never>, engine: Engine, env: Environment): ToolRegistry {
  const loaded = new Set<string>();
  /** Tools that a running turn has found: callable, and therefore listed, from the next turn on. */
  const found = new Set<string>();
  let isReaderOffered = engine.stored.isUsed;
  /** Enabled tools with open gates, asked once per renewal: nothing else that changes the list brings a tool in. */
  let on = new Map<AnyTool, boolean>();
  const digests = new WeakMap<object, string>();
  const reported = new Set<string>();
  const mcpCache: McpEntryCache = new WeakMap();
  let sources: ToolSources = { tools: listOf(options.tools), mcp: [...(options.mcp ?? [])] };
  const aliases = aliasesOf(sources.tools);
  // Live permissions may serve several dispatchers, and `refreshTools` may bring what a rule waits for.
  if (options.refreshTools === undefined && stateOf(options.permissions) === undefined) {
    checkNames((options.permissions ?? {}) as Permissions<never>, sources.tools, leftOutOf(options.tools));
  }
  const { permissions, resultStore } = engine;
  // A tool behind a shut gate needs nothing yet.
  checkNeeds(
    sources.tools.filter((tool) => isGateOpen(tool, options.features)),
    env,
  );
  if (options.dialect !== undefined && !hasDialect(options.dialect, sources.tools)) {
    throw new TypeError(`\`dialect\`: no dialect is called "${options.dialect}", and no tool was compiled for it.`);
  }
  const { deferral = "search" } = options;
  const overTokens = typeof deferral === "object" ? deferral.overTokens : Infinity;
  /** Once the list costs too much, tools stay deferred, so that it does not change back and forth. */
  let isTooLong = false;
  let tools = assembled();
  /** What the tools were assembled from, beside the sources: without a change there they stay as they are. */
  let seen = "";
  seen = state();
  let refreshing: Promise<void> | undefined;
  // Without any of these the tools of a dispatcher can change by themselves only.
  const isStatic = (): boolean =>
    options.refreshTools === undefined &&
    sources.tools.every((tool) => tool.isEnabled === undefined && tool.featureGate === undefined);

  function state(): string {
    return `${permissions.version} ${loaded.size} ${String(isReaderOffered)}`;
  }

  function isOn(tool: AnyTool): boolean {
    const answer = on.get(tool) ?? (isEnabled(tool) && isGateOpen(tool, options.features));
    on.set(tool, answer);
    return answer;
  }

  function assembled(previous?: ToolSnapshot): ToolSnapshot {
    const { interactive } = engine;
    const load = (names: readonly string[]): void => {
      for (const name of names) found.add(name);
    };
    const make = (before: ToolSnapshot | undefined): ToolSnapshot =>
      assemble(
        sources,
        {
          isOn,
          interactive,
          permissions,
          deferral: deferral === "provider" ? deferral : "search",
          isDeferred: ({ name, metadata: { visibility } }) =>
            visibility.shouldDefer ||
            (isTooLong && !visibility.alwaysLoad && name !== TOOL_SEARCH && name !== READ_RESULT),
          loaded,
          load,
          mcpCache,
          aliases,
          reader: resultStore?.readTool,
          isReaderOffered,
        },
        before,
      );
    let made = make(previous);
    if (!isTooLong && tokensOf(made) > overTokens) {
      isTooLong = true;
      // What was listed before may have been seen: it stays.
      for (const { tool, unavailable } of previous?.entries ?? []) if (unavailable === undefined) loaded.add(tool.name);
      made = make(previous);
    }
    for (const { toolName, code, message } of made.excluded) {
      const key = `${code} ${toolName}`;
      if (reported.has(key)) continue;
      // A server can invent names without end.
      if (reported.size >= MAX_REPORTED) reported.clear();
      reported.add(key);
      engine.emit?.({ type: "problem", callId: "", toolName, code, message });
    }
    return made;
  }

  /** The tools as they are now, after what has changed by itself: permissions, loaded tools, the first stored result. */
  function current(): ToolSnapshot {
    if (seen !== state()) {
      tools = assembled(tools);
      seen = state();
    }
    return tools;
  }

  async function renew(): Promise<void> {
    on = new Map();
    let refreshed: unknown = options.refreshTools?.();
    if (isThenable(refreshed)) refreshed = await withTimeout(refreshed, { milliseconds: engine.hookTimeoutMs });
    const before = sources;
    if (refreshed !== undefined) {
      const renewed = toSources(refreshed, before);
      checkNeeds(renewed.tools, env);
      sources = renewed;
    }
    try {
      tools = assembled(tools);
    } catch (error) {
      sources = before;
      throw error;
    }
    for (const name of loaded) if (tools.find(name, undefined) === undefined) loaded.delete(name);
  }

  /** One refresh at a time. If the new tools cannot be loaded, the old ones stay. */
  function renewOnce(): Promise<void> {
    refreshing ??= renew()
      .catch((error: unknown) => reportFailure(engine, error))
      .finally(() => (refreshing = undefined));
    return refreshing;
  }

  return {
    current,
    forTurn: () => (isStatic() ? { tools: current() } : { tools: current(), renewed: renewOnce().then(current) }),
    async afterTurn() {
      for (const name of found) loaded.add(name);
      found.clear();
      isReaderOffered = engine.stored.isUsed;
      if (!isStatic()) await renewOnce();
    },
    refresh: renewOnce,
    digest(dialect) {
      const list = current().definitions(dialect);
      let digest = digests.get(list);
      if (digest === undefined) digests.set(list, (digest = sha256(canonicalText(list))));
      return digest;
    },
  };
}

/** What the list would cost in every request, estimated at four characters a token. */
function tokensOf({ entries }: ToolSnapshot): number {
  let characters = 0;
  for (const { tool, unavailable } of entries) {
    if (unavailable !== undefined) continue;
    const { name, description, input } = tool;
    characters += JSON.stringify({ name, description, input }).length;
  }
  return characters / 4;
}

/** What `refreshTools` answered, beside what stays. Throws a `TypeError` for anything but tools and servers. */
function toSources(refreshed: unknown, before: ToolSources): ToolSources {
  if (Array.isArray(refreshed)) return { tools: listOf(refreshed), mcp: before.mcp };
  const { tools = before.tools, mcp = before.mcp } = Object(refreshed) as { tools?: unknown; mcp?: unknown };
  if (typeof refreshed !== "object" || !Array.isArray(mcp)) {
    throw new TypeError("`refreshTools` must return a list of tools, or { tools, mcp }.");
  }
  return { tools: listOf(tools), mcp: [...(mcp as ToolSources["mcp"])] };
}

/** Throws a `TypeError` that names every environment variable that some tool needs and nobody set. */
function checkNeeds(tools: readonly AnyTool[], env: Environment): void {
  const faults = tools.flatMap((tool) => {
    const missing = tool.needs.env.filter((name) => env === undefined || !Object.hasOwn(env, name) || env[name] === "");
    return missing.length === 0 ? [] : [`${tool.name} needs ${missing.join(", ")}`];
  });
  if (faults.length === 0) return;
  throw new TypeError(
    `The environment lacks what some tools need: ${faults.join("; ")}. Set it, give createDispatcher \`env\`, or leave these tools out.`,
  );
}

/** The names that a registry knows without having their tools. */
function leftOutOf(tools: DispatcherOptions<never>["tools"]): readonly string[] {
  return "leftOut" in tools && Array.isArray(tools.leftOut) ? tools.leftOut : [];
}

function reportFailure({ emit }: Engine, error: unknown): void {
  emit?.({
    type: "problem",
    callId: "",
    toolName: "",
    code: "refresh-failed",
    message: `The tools were not refreshed: ${messageOf(error)}`,
  });
}

function listOf(tools: unknown): readonly AnyTool[] {
  const list: unknown = Array.isArray(tools) ? tools : (tools as { readonly tools?: unknown } | undefined)?.tools;
  if (!Array.isArray(list)) {
    throw new TypeError("createDispatcher needs `tools`: a list of built tools, or a registry.");
  }
  for (const [index, tool] of list.entries()) {
    const { classify, validateInput } = (tool ?? {}) as Partial<AnyTool>;
    if (typeof classify !== "function" || typeof validateInput !== "function") {
      throw new TypeError(`\`tools[${index}]\` is not a built tool; pass it through buildTool first.`);
    }
  }
  return [...(list as readonly AnyTool[])];
}
