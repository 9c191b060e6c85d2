import type { JsonValue } from "@hasp/schema";
import type { ToolForm } from "../../../model/lowered.js";
import { isSameJson } from "../../../model/same-json.js";
import type { FlatTool } from "../../../model/tool.js";

/** One tool in one configured dialect. */
export type ListedForm = Extract<ToolForm, { readonly kind: "listed" }>;

/** The schemas that a module holds as constants. */
export interface SentSchemas {
  readonly input: JsonValue;
  readonly output: JsonValue | undefined;
}

/** Chooses, among the orders in which the schemas can be written, the one that is sent. */
export function sentSchemas(tool: FlatTool, forms: readonly ListedForm[]): SentSchemas {
  const sentAs = (schema: JsonValue, sent: readonly (JsonValue | undefined)[]): JsonValue =>
    sent.find((each) => each !== undefined && isSameJson(each, schema)) ?? schema;
  const input = sentAs(
    tool.input.schema as JsonValue,
    forms.map(({ lowered }) => lowered.lowering.schema as JsonValue),
  );
  const output =
    tool.output === undefined
      ? undefined
      : sentAs(
          tool.output.schema as JsonValue,
          forms.map(({ lowered }) => lowered.output?.schema as JsonValue | undefined),
        );
  return { input, output };
}

/** The key under which an entry holds the schema of results, in the dialects that send one. */
export const outputKey = "outputSchema";
