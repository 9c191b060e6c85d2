import { estimateTokenCount } from "tokenx";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { exactTokenCount } from "./exact-token-count.js";

/**
 * Returns the tokens that a tool costs in every request that lists it: its name, description and input schema as JSON.
 * Estimates, or counts with the o200k tokenizer if the budgets say so. Providers add their own framing.
 */
export function promptTokens({ name, spec, input }: FlatTool, plan: Pick<CompilePlan, "budgets">): number {
  return countTokens(JSON.stringify({ name, description: spec.description, input_schema: input.schema }), plan);
}

/** Counts the tokens of a JSON string as the budgets say. */
export function countTokens(json: string, { budgets }: Pick<CompilePlan, "budgets">): number {
  return budgets.exact === true ? exactTokenCount(json) : estimateTokenCount(json);
}
