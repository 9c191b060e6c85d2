import { estimateTokenCount } from "tokenx";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { exactTokenCount } from "./exact-token-count.js";

/**
 * The tokens that a tool costs in every request that lists it: its name, description and input schema as JSON. An
 * estimate, or what the tokenizer o200k counts where the budgets ask for it. Providers add their own framing to either.
 */
export function promptTokens({ name, spec, input }: FlatTool, plan: Pick<CompilePlan, "budgets">): number {
  return countTokens(JSON.stringify({ name, description: spec.description, input_schema: input.schema }), plan);
}

/** The tokens of a JSON text, counted as the budgets ask. */
export function countTokens(json: string, { budgets }: Pick<CompilePlan, "budgets">): number {
  return budgets.exact === true ? exactTokenCount(json) : estimateTokenCount(json);
}
