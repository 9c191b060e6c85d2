import { estimateTokenCount } from "tokenx";
import type { FlatTool } from "../../model/tool.js";

/** An estimate of the tokens that a tool costs in every request that lists it: its name, description and input schema as JSON. */
export function promptTokens({ name, spec, input }: FlatTool): number {
  return estimateTokenCount(JSON.stringify({ name, description: spec.description, input_schema: input.schema }));
}
