import { dialects, type DialectId, type JsonObject, type JsonValue } from "@hasp/schema";
import { isObject } from "../../model/json-kind.js";
import type { LoweredTool, ToolForm } from "../../model/lowered.js";
import type { FlatTool } from "../../model/tool.js";
import { type LiteralValue, variable } from "../../typescript/notation.js";
import { docComment } from "../../typescript/doc-comment.js";
import { makerConstant } from "../../typescript/object-text.js";
import { isSameJson, isSameJsonText } from "../../model/same-json.js";
import { dialectName, entryType } from "../dialect-constants.js";
import type { EmitPlan } from "../emitter.js";

/** One tool in one configured dialect. */
export type ListedForm = Extract<ToolForm, { readonly kind: "listed" }>;

/** The schemas that a module holds as constants. */
export interface SentSchemas {
  readonly input: JsonValue;
  readonly output: JsonValue | undefined;
}

/** Of what the schemas say in whichever order, the one in which it is sent. */
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
          forms.map(({ lowered }) => lowered.definition[outputKey]),
        );
  return { input, output };
}

/** Where an entry of a dialect that tells of results has their schema. */
const outputKey = "outputSchema";

/**
 * The function that makes the tool's entry in the list of one dialect: a program loads the module for the sake of the
 * tool, and asks for one list, or for none.
 */
export function entryConstant(
  tool: FlatTool,
  { dialect, lowered }: ListedForm,
  sent: SentSchemas,
  plan: EmitPlan,
): string {
  const { use } = dialects[dialect].entry;
  const name = dialectName(dialect);
  const type = entryType(plan.dialects.find(({ id }) => id === dialect) ?? { id: dialect });
  const comment = docComment([`For ${use}.`]).join("\n");
  return `${comment}\n${makerConstant(name, type, entryLiteral(tool, lowered, sent))}`;
}

/**
 * How each dialect names and shapes the tool, for the spec: what the dispatcher decodes calls by, and what makes the
 * entries.
 */
export function dialectsOf(tool: FlatTool, forms: readonly ListedForm[]): LiteralValue {
  return Object.fromEntries(
    forms.map(({ dialect, lowered: { wireName, lowering } }) => [
      dialect,
      {
        ...(wireName === tool.name ? {} : { name: wireName }),
        // A codec is plain JSON data; its type only says more.
        ...(lowering.codec === undefined ? {} : { codec: lowering.codec as unknown as JsonObject }),
        definition: variable(dialectName(dialect)),
      },
    ]),
  );
}

/** The types of `@hasp/runtime/codegen/v1` that the constants need. */
export function entryTypes(forms: readonly { readonly dialect: DialectId }[]): readonly string[] {
  return [...new Set(forms.map(({ dialect }) => `type ${dialects[dialect].entry.type}`))];
}

/**
 * What stands in the module already (the schemas, the description) is named, not repeated: most dialects take the input
 * as it is.
 */
function entryLiteral(
  tool: FlatTool,
  { definition, lowering }: LoweredTool,
  { input, output }: SentSchemas,
): LiteralValue {
  const isInput = isSameJsonText(lowering.schema as JsonValue, input);
  const named = (key: string, value: JsonValue): LiteralValue => {
    if (isInput && value === lowering.schema) return variable("input");
    if (key === "description" && value === tool.spec.description) return variable("description");
    if (key === outputKey && output !== undefined && isSameJsonText(value, output)) return variable("output");
    return value;
  };
  return withNames(definition, named, wrapperDepth);
}

/** How deep in an entry its schema stands at most (`toolSpec.inputSchema.json`). */
const wrapperDepth = 3;

function withNames(
  entry: JsonObject,
  named: (key: string, value: JsonValue) => LiteralValue,
  depth: number,
): LiteralValue {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => {
      const found = named(key, value);
      return [key, found === value && isObject(value) && depth > 0 ? withNames(value, named, depth - 1) : found];
    }),
  );
}
