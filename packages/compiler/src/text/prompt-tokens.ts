import type { DialectName } from "@hasp/schema";
import { estimateTokenCount } from "tokenx";
import type { Steps } from "../context/context.js";
import { groupFormsByTool, type LoweredList, type LoweredTool, type LoweredToolset } from "../model/lowered.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { printThrown } from "@hasp/base/diagnostics";
import { loadOnDemand, sumBy } from "@hasp/base/json";

export type TokenPlan = Pick<CompilePlan, "budgets">;

/** Returns the tokens of a tool's name, description and input schema as JSON; providers add their own framing. */
export function countPromptTokens(tool: FlatTool, plan: TokenPlan): number {
  return promptCost(tool, plan).tokens;
}

/** Sums the tokens of a list. Deferred tools cost nothing until they are searched for. */
export function listTokens({ tools }: LoweredList, plan: TokenPlan): number {
  return sumBy(tools.filter(isInEveryRequest), (entry) => countEntryTokens(entry, plan));
}

function isInEveryRequest({ tool }: LoweredTool): boolean {
  return tool.metadata.visibility.load !== "deferred";
}

/** Tokens of the tool by itself, and of its entry in each dialect's list. */
export interface ToolTokens {
  readonly prompt: number;
  readonly entries: { readonly [dialect: string]: number };
}

/** Counts once per tool, as a step of the compilation whose `each` it is given. */
export function countTokensByTool(
  {
    tools,
    toolsets,
    each,
  }: Pick<Steps, "each"> & { readonly tools: readonly FlatTool[]; readonly toolsets: readonly LoweredToolset[] },
  plan: TokenPlan,
): ReadonlyMap<FlatTool, ToolTokens> {
  const forms = groupFormsByTool(toolsets);
  const listed = ({ name }: FlatTool): readonly (readonly [DialectName, LoweredTool])[] =>
    (forms.get(name) ?? []).flatMap((form) => (form.kind === "listed" ? [[form.dialect, form.lowered] as const] : []));
  const counted = each(
    "Counting tokens",
    tools,
    (tool): ToolTokens => {
      const cost = promptCost(tool, plan);
      const entries = listed(tool).map(([dialect, entry]) => [dialect, costOfEntry(entry, cost, plan)] as const);
      return { prompt: cost.tokens, entries: Object.fromEntries(entries) };
    },
    (tool) => [plan.budgets.exact, listed(tool).map(([dialect, entry]) => [dialect, entry.dialect, entry.wireName])],
  );
  return new Map(tools.flatMap((tool, index) => counted.slice(index, index + 1).map((cost) => [tool, cost] as const)));
}

export function sumTokens({ dialect, tools }: LoweredList, costs: ReadonlyMap<FlatTool, ToolTokens>): number {
  return sumBy(tools.filter(isInEveryRequest), ({ tool }) => costs.get(tool)?.entries[dialect] ?? 0);
}

/** Returns the tokens of a tool's entry. An estimate scales that of the tool by length, since estimating is slow. */
export function countEntryTokens(entry: LoweredTool, plan: TokenPlan): number {
  return costOfEntry(entry, promptCost(entry.tool, plan), plan);
}

function costOfEntry({ definition }: LoweredTool, { tokens, characters }: PromptCost, plan: TokenPlan): number {
  const json = JSON.stringify(definition);
  if (plan.budgets.exact === true) return countTokensExactly(json);
  return Math.round((tokens * json.length) / characters);
}

interface PromptCost {
  readonly tokens: number;
  /** The length of the counted JSON. */
  readonly characters: number;
}

function promptCost(tool: FlatTool, plan: TokenPlan): PromptCost {
  const json = JSON.stringify({
    name: tool.name,
    description: tool.spec.description,
    input_schema: tool.input.schema,
  });
  const tokens = plan.budgets.exact === true ? countTokensExactly(json) : estimateTokenCount(json);
  return { tokens, characters: json.length };
}

/** Projects install it for exact counts, since it is larger than all of hasp. */
export const TOKENIZER_PACKAGE = "gpt-tokenizer";

interface Tokenizer {
  countTokens(text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }): number;
}

/** Loads the tokenizer on first use: its vocabulary takes a tenth of a second. Throws if it is not installed. */
const tokenizer = loadOnDemand<Tokenizer>(`${TOKENIZER_PACKAGE}/encoding/o200k_base`);

/** Returns the reason why tokens cannot be counted, if there is one. */
export function findTokenizerProblem(): string | undefined {
  try {
    tokenizer();
    return undefined;
  } catch (error) {
    const [line = ""] = printThrown(error).split("\n");
    return line;
  }
}

/** Long runs are split: the tokenizer's time grows with their square. */
const LONG_RUN = /[\p{L}\p{M}]{200}|[^\s\p{L}\p{N}]{200}|\s{200}/gu;
/** Never occurs in JSON. */
const CUT = "\u0000";

/** Counts the o200k tokens of JSON; long words may add one per 200 letters. Throws on a {@link findTokenizerProblem}. */
export function countTokensExactly(json: string): number {
  const options = { disallowedSpecial: new Set<string>() };
  const parts = json.replaceAll(LONG_RUN, (run) => `${run}${CUT}`).split(CUT);
  return sumBy(parts, (part) => tokenizer().countTokens(part, options));
}
