import type { DialectId } from "@hasp/schema";
import { estimateTokenCount } from "tokenx";
import type { LoweredList, LoweredTool } from "../model/lowered.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { exactTokenCount } from "./exact-token-count.js";

/** The settings that decide how tokens are counted. */
export type TokenPlan = Pick<CompilePlan, "budgets">;

/**
 * Returns the tokens that a tool costs in every request that lists it: its name, description and input schema as JSON.
 * Estimates, or counts with the o200k tokenizer if the budgets say so. Providers add their own framing.
 */
export function promptTokens(tool: FlatTool, plan: TokenPlan): number {
  return promptCost(tool, plan).tokens;
}

/** Returns the tokens that a list costs in every request. Deferred tools cost nothing until they are searched for. */
export function listTokens({ dialect, tools }: LoweredList, plan: TokenPlan): number {
  return tools
    .filter(({ tool }) => !tool.metadata.visibility.shouldDefer)
    .reduce((sum, entry) => sum + entryTokens(dialect, entry, plan), 0);
}

/**
 * Returns the tokens of a tool's entry in the list of a configured dialect. An estimate scales the estimate for the tool
 * by the length of the entry: estimating takes longer than anything else that a check does with an entry.
 */
export function entryTokens(dialect: DialectId, entry: LoweredTool, plan: TokenPlan): number {
  const { tool, strict, wireName } = entry;
  const count = (): number => {
    const json = JSON.stringify(entry.definition);
    if (plan.budgets.exact === true) return exactTokenCount(json);
    const { tokens, characters } = promptCost(tool, plan);
    return Math.round((tokens * json.length) / characters);
  };
  return tool.facts.of(`entry tokens ${dialect}`, count, `${strict} ${wireName} ${settingsOf(plan)}`);
}

interface PromptCost {
  readonly tokens: number;
  /** Length of the JSON that the tokens are counted in. */
  readonly characters: number;
}

function promptCost(tool: FlatTool, plan: TokenPlan): PromptCost {
  const count = (): PromptCost => {
    // Of a tool whose cost is known, the input is not asked for: asking flattens it.
    const json = JSON.stringify({
      name: tool.name,
      description: tool.spec.description,
      input_schema: tool.input.schema,
    });
    const tokens = plan.budgets.exact === true ? exactTokenCount(json) : estimateTokenCount(json);
    return { tokens, characters: json.length };
  };
  return tool.facts.of("prompt cost", count, settingsOf(plan));
}

function settingsOf({ budgets }: TokenPlan): string {
  return budgets.exact === true ? "exact" : "estimated";
}
