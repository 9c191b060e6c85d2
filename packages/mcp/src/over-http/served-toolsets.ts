import type { AnyTool, Dispatcher, FlowSetting, PermissionMode, PermissionPolicy, PermissionRule } from "@hasp/runtime";
import { strictestFlow } from "@hasp/runtime/contract";
import { createReadyLists, type ReadyLists } from "./ready-lists.js";
import { isList } from "@hasp/base/json";
import type { McpToolset } from "./mcp-handler-options.js";
import { hasWildcard, namesTool, BUILT_IN_TOOLS } from "@hasp/runtime/contract";
import { MCP_PREFIX } from "@hasp/runtime/internal";

export interface Served<Context> {
  readonly dispatcher: Dispatcher<Context>;
  readonly lists: ReadyLists;
}

interface ServedToolsets<Context> {
  of(toolsets: readonly string[] | undefined): Served<Context> | undefined;
  all(): readonly Served<Context>[];
}

export interface ToolsetOnOffer {
  readonly tools: readonly AnyTool[];
  readonly policy?: PermissionPolicy | undefined;
  readonly flow?: FlowSetting | undefined;
}

/**
 * Keeps one dispatcher for each combination of toolsets. Creates the first ones at once, so that a mistake fails at
 * start-up.
 */
export function createServedToolsets<Context>(
  all: readonly AnyTool[],
  toolsets: ReadonlyMap<string, ToolsetOnOffer> | undefined,
  create: (offer: ToolsetOnOffer) => Dispatcher<Context>,
): ServedToolsets<Context> {
  const made = new Map<string, Served<Context>>();

  function of(wanted: readonly string[] | undefined): Served<Context> | undefined {
    if ((wanted === undefined) !== (toolsets === undefined)) return undefined;
    const names = new Set(wanted);
    const offers = [...(toolsets ?? [])].filter(([name]) => names.has(name));
    if (offers.length < names.size) return undefined;
    const key = JSON.stringify(offers.map(([name]) => name));
    const known = made.get(key);
    if (known !== undefined) return known;
    const parts = offers.map(([, { tools, policy, flow }]) => ({ tools, policy, flow }));
    const dispatcher = create(
      toolsets === undefined
        ? { tools: all }
        : {
            tools: all.filter((tool) => parts.some(({ tools }) => tools.includes(tool))),
            policy: joinPolicies(parts),
            flow: strictestFlow(parts.flatMap(({ flow }) => flow ?? [])),
          },
    );
    const served = { dispatcher, lists: createReadyLists(() => dispatcher.definitions("mcp", { isShown: false })) };
    made.set(key, served);
    return served;
  }

  if (toolsets === undefined) of(undefined);
  else for (const name of toolsets.keys()) of([name]);
  return { of, all: () => [...made.values()] };
}

type Toolsets = Readonly<Record<string, readonly string[] | McpToolset<string>>>;

/**
 * Returns the toolsets with their tools. A bundler dropped the tools in `leftOut`. Throws a `TypeError` for another
 * name without a tool.
 */
export function readOfferedToolsets(
  toolsets: Toolsets | undefined,
  all: readonly AnyTool[],
  leftOut: readonly string[],
): ReadonlyMap<string, ToolsetOnOffer> | undefined {
  if (toolsets === undefined) return undefined;
  const known = new Set([...all.map(({ name }) => name), ...leftOut]);
  return new Map(
    Object.entries(toolsets).map(([toolset, offer]) => {
      const { tools, policy, flow }: McpToolset = isList(offer) ? { tools: offer } : offer;
      const unknown = tools.find((name) => !known.has(name));
      if (unknown !== undefined) throw new TypeError(`createMcpHandler: \`toolsets\` names no tool: "${unknown}".`);
      const names = new Set(tools);
      const setting = flow ?? strictestFlow(all.flatMap(({ registration }) => registration?.flow ?? []));
      return [toolset, { tools: all.filter(({ name }) => names.has(name)), policy, flow: setting }];
    }),
  );
}

interface PolicyPart {
  readonly tools: readonly AnyTool[];
  readonly policy: PermissionPolicy | undefined;
}

/** The strictest first. */
const MODES: readonly PermissionMode[] = ["plan", "unattended", "ask", "accept-writes"];

/**
 * Joins the policies of several toolsets. A tool has the rules of its first toolset, and a live MCP tool, which is of none,
 * whatever any of them denies or asks about; the strictest mode holds.
 */
function joinPolicies(parts: readonly PolicyPart[]): PermissionPolicy {
  const policies = new Set(parts.map(({ policy }) => policy));
  const [only] = policies;
  if (policies.size <= 1) return only ?? {};
  const taken = new Set<AnyTool>();
  const own = parts.map(({ tools, policy = {} }) => {
    const first = tools.filter((tool) => !taken.has(tool));
    for (const tool of first) taken.add(tool);
    return { tools: first, policy };
  });
  const isStated = own.some(({ policy }) => policy.mode !== undefined);
  return {
    deny: own.flatMap(({ tools, policy }) => [...deniedNames(tools, policy), ...(policy.deny ?? []).flatMap(ofLive)]),
    rules: [
      ...["deny", "ask"].flatMap((decision) => own.flatMap(({ policy }) => rulesOfLive(policy, decision))),
      ...own.flatMap(({ tools, policy: { rules = [] } }) => {
        const names = new Set([...tools.map(({ name }) => name), ...BUILT_IN_TOOLS]);
        return rules.map((rule) => limitedTo(names, rule));
      }),
    ],
    mode: isStated ? strictestMode(own.map(({ policy }) => policy.mode ?? "ask")) : undefined,
  };
}

/** Returns the strictest mode; one that does not exist before all, since the dispatcher refuses that. */
export function strictestMode(modes: readonly (PermissionMode | undefined)[]): PermissionMode | undefined {
  const unknown = modes.find((mode) => mode !== undefined && !MODES.includes(mode));
  return unknown ?? MODES.find((mode) => modes.includes(mode));
}

function deniedNames(tools: readonly AnyTool[], { deny = [] }: PermissionPolicy): readonly string[] {
  const denied = tools.filter((tool) => deny.some((pattern) => namesTool(pattern, { tool })));
  return [...denied.map(({ name }) => name), ...BUILT_IN_TOOLS.filter((name) => deny.includes(name))];
}

type ToolPattern = NonNullable<PermissionPolicy["deny"]>[number];

/** Returns a pattern for the live MCP tools that a pattern may name, and for no others. */
function ofLive(pattern: ToolPattern): readonly Exclude<ToolPattern, string>[] {
  if (typeof pattern !== "string") return [pattern];
  const [start = ""] = pattern.split("*");
  const mayName = start.startsWith(MCP_PREFIX) || (start !== pattern && MCP_PREFIX.startsWith(start));
  return mayName ? [{ server: "*", tool: pattern }] : [];
}

function rulesOfLive({ rules = [] }: PermissionPolicy, decision: string): readonly PermissionRule[] {
  return rules.flatMap((rule) => {
    const { tool, server } = rule;
    if (rule.decision !== decision) return [];
    return ofLive(server === undefined ? tool : { tool, server }).map((names) => ({ ...rule, ...names }));
  });
}

/** Limits a rule to these tools; keeps a rule for a single tool if it is one of them. */
function limitedTo(names: ReadonlySet<string>, rule: PermissionRule): PermissionRule {
  if (!hasWildcard(rule) && names.has(rule.tool)) return rule;
  const { when } = rule;
  return {
    ...rule,
    when: (input, request) => names.has(request.toolName) && (when === undefined || when(input, request)),
  };
}
