import type { DispatcherOptions, RefreshedTools } from "../dispatcher-types.js";
import type { AnyTool } from "../../tool/tool.js";
import { canonicalText } from "@hasp/schema/canonical-text";
import { messageOf } from "../../results/text.js";
import { hasDialect } from "../../providers/dialect-names.js";
import { NEVER_STOPPED, bounded, isThenable } from "../scheduling/bounded.js";
import type { Engine } from "../engine.js";
import { checkNeeds } from "./needs.js";
import { partFor } from "../parts.js";
import { assemble, isGateOpen, type Toolset, type ToolSources } from "./toolset.js";

/** The tools of a dispatcher over time: fixed within a turn, assembled anew between turns. */
export interface Toolbox {
  current(): Toolset;
  /** The tools of a turn that begins now, and those that are on their way. */
  forTurn(): { readonly toolset: Toolset; readonly renewed?: Promise<Toolset> };
  afterTurn(): void | Promise<void>;
  refresh(): Promise<void>;
  digest(dialect: string): string;
}

/** Assembles the tools for the first time; throws a `TypeError` for what the program got wrong. */
export function createToolbox(
  options: DispatcherOptions<never>,
  engine: Engine,
  env: { readonly [name: string]: string | undefined } | undefined,
): Toolbox {
  const loaded = new Set<string>();
  const digests = new WeakMap<object, string>();
  const reported = new Set<string>();
  let sources: ToolSources = { tools: listOf(options.tools), mcp: [...(options.mcp ?? [])] };
  // A tool behind a shut gate needs nothing yet.
  checkNeeds(
    sources.tools.filter((tool) => isGateOpen(tool, options.features)),
    env,
  );
  if (options.dialect !== undefined && !hasDialect(options.dialect, sources.tools)) {
    throw new TypeError(`\`dialect\`: no dialect is called "${options.dialect}", and no tool was compiled for it.`);
  }
  let toolset = assembled();
  let refreshing: Promise<void> | undefined;
  // Without any of these the tools of a dispatcher can never change but by `tool_search`.
  const isStatic = (): boolean =>
    options.refreshTools === undefined &&
    sources.tools.every((tool) => tool.isEnabled === undefined && tool.featureGate === undefined);

  function assembled(previous?: Toolset): Toolset {
    const { features, deferral = "search" } = options;
    const { interactive, permissions, parts } = engine;
    const load = (names: readonly string[]): void => {
      for (const name of names) loaded.add(name);
    };
    const made = assemble(sources, { features, interactive, permissions, deferral, loaded, load, parts }, previous);
    for (const { toolName, code, message } of made.leftOut) {
      if (reported.has(`${code} ${toolName}`)) continue;
      reported.add(`${code} ${toolName}`);
      engine.emit?.({ type: "problem", callId: "", toolName, code, message });
    }
    return made;
  }

  function renew(): void | Promise<void> {
    const refreshed = options.refreshTools?.();
    if (isThenable(refreshed)) {
      return bounded(refreshed, NEVER_STOPPED, { milliseconds: engine.hookTimeoutMs }).then(take);
    }
    take(refreshed);
  }

  function take(refreshed: RefreshedTools | undefined): void {
    const before = sources;
    if (refreshed !== undefined) {
      const { tools = sources.tools, mcp = sources.mcp } = isList(refreshed) ? { tools: refreshed } : refreshed;
      checkNeeds(tools, env);
      sources = { tools: [...tools], mcp: [...mcp] };
    }
    try {
      toolset = assembled(toolset);
    } catch (error) {
      sources = before;
      throw error;
    }
  }

  /** New tools that cannot be had leave the old ones in place. */
  function renewSafely(): void | Promise<void> {
    try {
      return renew()?.catch((error: unknown) => reportFailure(engine, error));
    } catch (error) {
      return reportFailure(engine, error);
    }
  }

  /** One refresh at a time, whoever asks. */
  function renewOnce(): void | Promise<void> {
    if (refreshing !== undefined) return refreshing;
    const pending = renewSafely();
    if (pending === undefined) return;
    refreshing = pending.finally(() => (refreshing = undefined));
    return refreshing;
  }

  return {
    current: () => toolset,
    forTurn() {
      const renewing = isStatic() ? undefined : renewOnce();
      return renewing === undefined ? { toolset } : { toolset, renewed: renewing.then(() => toolset) };
    },
    afterTurn() {
      if (!isStatic()) return renewOnce();
      if (loaded.size > 0) toolset = assembled(toolset);
    },
    async refresh() {
      await renewOnce();
    },
    digest(dialect) {
      const list = toolset.definitions(dialect);
      let digest = digests.get(list);
      if (digest === undefined) {
        digests.set(list, (digest = partFor("`definitionsDigest`", engine.parts.sha256)(canonicalText(list))));
      }
      return digest;
    },
  };
}

function reportFailure({ emit }: Engine, error: unknown): void {
  emit?.({
    type: "problem",
    callId: "",
    toolName: "",
    code: "refresh-failed",
    message: `The tools stay as they were: ${messageOf(error)}`,
  });
}

function listOf(tools: DispatcherOptions<never>["tools"]): readonly AnyTool[] {
  const list: unknown = Array.isArray(tools) ? tools : (tools as { readonly tools?: unknown } | undefined)?.tools;
  if (!Array.isArray(list)) {
    throw new TypeError("createDispatcher needs `tools`: a list of built tools, or a registry.");
  }
  for (const [index, tool] of list.entries()) {
    const { classify, validateInput } = (tool ?? {}) as Partial<AnyTool>;
    if (typeof classify !== "function" || typeof validateInput !== "function") {
      throw new TypeError(`\`tools[${index}]\` is no built tool; pass it through buildTool first.`);
    }
  }
  return [...(list as readonly AnyTool[])];
}

function isList(refreshed: RefreshedTools): refreshed is readonly AnyTool[] {
  return Array.isArray(refreshed);
}
