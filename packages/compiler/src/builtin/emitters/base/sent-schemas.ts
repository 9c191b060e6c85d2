import { geminiSchema } from "@hasp/runtime/codegen/v1";
import type { JsonSchema, JsonValue } from "@hasp/schema";
import type { LoweredTool, ToolForm } from "../../../model/lowered.js";
import { isSameJson, isSameJsonText } from "../../../model/json.js";
import type { FlatTool } from "../../../model/tool.js";

export type ListedForm = Extract<ToolForm, { readonly kind: "listed" }>;

export interface SentSchemas {
  readonly input: JsonValue;
  readonly output: JsonValue | undefined;
}

/** Returns a tool's schemas with their keys in the order that a dialect sends, if one sends an equal schema. */
export function chooseSentSchemas(tool: FlatTool, forms: readonly ListedForm[]): SentSchemas {
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

export const outputKey = "outputSchema";

/** True if a function converts the sent schema to Gemini's form for this entry. */
export function isConverted(
  { dialect, definition }: Pick<LoweredTool, "dialect" | "definition">,
  input: JsonValue,
): boolean {
  const { parameters } = definition;
  const converted = dialect === "gemini" ? (geminiSchema(input as JsonSchema) as unknown as JsonValue) : undefined;
  return parameters !== undefined && converted !== undefined && isSameJsonText(parameters, converted);
}
