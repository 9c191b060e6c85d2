import { sumBy } from "@hasp/base/json";
import { FIELDS } from "@hasp/runtime/contract";
import type { CompileResult, LoweredList, FlatTool } from "@hasp/compiler";
import { WAITING, findToolsetFlows, listNotedSinks } from "@hasp/compiler/claims";
import type { ExclusionPlan, RuleFacts } from "@hasp/compiler/model";
import { listProjectRules } from "@hasp/compiler/plugins";
import { sumTokens, type TokenPlan, countTokensByTool, type ToolTokens } from "@hasp/compiler/tokens";

/** Figures about a build as plain data, so that they can be cached. */
export interface BuildFacts {
  readonly tools: number;
  readonly classes: readonly { readonly name: string; readonly tools: number }[];
  readonly milderForSomeInputs: number;
  readonly relaxations: { readonly claims: number; readonly tools: number; readonly waiting: number };
  readonly toolsets: readonly ToolsetFacts[];
  /** The toolsets by which private data may leave unasked, because their setting is `note`. */
  readonly flows: readonly { readonly toolset: string; readonly tool: string; readonly paths: number }[];
  readonly excluded: readonly ExclusionPlan[];
  /** The project's own rules. */
  readonly rules: readonly RuleFacts[];
  /** Cost of the tools in every request; absent unless asked for, since counting is slow. */
  readonly tokens?: {
    /** True if tokens are counted rather than estimated. */
    readonly counted: boolean;
    /** The most expensive tools of a request that lists them, the most expensive first. */
    readonly mostExpensive: readonly { readonly tool: string; readonly tokens: number }[];
  };
}

type ToolsetFacts = {
  readonly name: string;
  readonly tools: number;
  readonly dialects: readonly ListFacts[];
};

// A type, not an interface: reports print it as JSON.
export type ListFacts = {
  readonly dialect: string;
  readonly carried: number;
  /** Those of them that a first request leaves out, or marks as deferred. */
  readonly deferred: number;
  /** Those of them of which some call needs a person. */
  readonly asking: number;
  readonly strict: number;
  readonly excluded: readonly { readonly tool: string; readonly reason: string }[];
  readonly losses: number;
  /** Present if {@link BuildFacts.tokens} are. */
  readonly tokens?: number;
};

const NAMED_TOOLS = 5;

export function buildFacts(
  result: Pick<CompileResult, "tools" | "toolsets" | "policies" | "diagnostics" | "excluded" | "each">,
  plan: TokenPlan & Parameters<typeof listProjectRules>[0] & Parameters<typeof findToolsetFlows>[1],
  { tokens }: { readonly tokens: boolean },
): BuildFacts {
  const { tools, toolsets, policies, diagnostics, excluded } = result;
  const costs = tokens ? countTokensByTool(result, plan) : undefined;
  const loosened = tools.filter((tool) => tool.relaxations.length > 0);
  return {
    tools: tools.length,
    rules: listProjectRules(plan),
    classes: FIELDS.concurrency.class.values.toReversed().flatMap((name) => {
      const count = tools.filter((tool) => tool.worstCase.class === name).length;
      return count === 0 ? [] : [{ name, tools: count }];
    }),
    milderForSomeInputs: tools.filter(({ spec }) => (spec.concurrency?.rules ?? []).length > 0).length,
    relaxations: {
      claims: sumBy(loosened, (tool) => tool.relaxations.length),
      tools: loosened.length,
      waiting: diagnostics.filter(({ code }) => WAITING.has(code)).length,
    },
    flows: findToolsetFlows(tools, plan, policies).flatMap((flow) => {
      const [first, ...others] = listNotedSinks(flow);
      return first === undefined ? [] : [{ toolset: flow.toolset, tool: first.name, paths: others.length + 1 }];
    }),
    excluded,
    toolsets: toolsets.map(({ name, tools: selected, lists }) => ({
      name,
      tools: selected.length,
      dialects: lists.map((list) => ({
        ...listFacts(list),
        ...(costs && { tokens: sumTokens(list, costs) }),
      })),
    })),
    ...(costs && { tokens: { counted: plan.budgets.exact === true, mostExpensive: findMostExpensive(costs) } }),
  };
}

function findMostExpensive(
  costs: ReadonlyMap<FlatTool, ToolTokens>,
): NonNullable<BuildFacts["tokens"]>["mostExpensive"] {
  return Array.from(costs, ([tool, { prompt }]) => ({ tool: tool.name, tokens: prompt }))
    .toSorted((left, right) => right.tokens - left.tokens)
    .slice(0, NAMED_TOOLS);
}

function listFacts({ dialect, tools, excluded }: LoweredList): ListFacts {
  return {
    dialect,
    carried: tools.length,
    deferred: tools.filter(({ tool }) => tool.metadata.visibility.load === "deferred").length,
    asking: tools.filter(
      ({ tool: { metadata, worstCase } }) => worstCase.requiresPermission || metadata.behavior.requiresUserInteraction,
    ).length,
    strict: tools.filter((tool) => tool.strict).length,
    excluded: excluded.map(({ tool, reason }) => ({ tool: tool.name, reason })),
    losses: sumBy(tools, ({ lossCount }) => lossCount),
  };
}
