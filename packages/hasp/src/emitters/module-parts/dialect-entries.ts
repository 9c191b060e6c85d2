import { dialects, type DialectId, type JsonObject, type JsonValue } from "@hasp/schema";
import { isObject } from "../../model/json-kind.js";
import type { LoweredTool, ToolForm } from "../../model/lowered.js";
import { isSameJson, isSameJsonText } from "../../model/same-json.js";
import type { FlatTool } from "../../model/tool.js";
import { code, type Code, type Data, docComment, literal, name } from "../../typescript/code.js";
import { dialectName, entryType } from "../base/dialect-constants.js";
import type { EmitPlan } from "../base/emitter.js";

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
          forms.map(({ lowered }) => lowered.definition[outputKey]),
        );
  return { input, output };
}

/** The key under which an entry holds the schema of results, in the dialects that send one. */
const outputKey = "outputSchema";

/**
 * Prints the function that makes the tool's entry in one dialect's list. A program loads the module for the tool and
 * asks for one list, or for none.
 */
export function entryConstant(
  tool: FlatTool,
  { dialect, lowered }: ListedForm,
  sent: SentSchemas,
  plan: EmitPlan,
): Code {
  const { use } = dialects[dialect].entry;
  const type = entryType(plan.dialects.find(({ id }) => id === dialect) ?? { id: dialect });
  const entry = literal(entryData(tool, lowered, sent));
  return code`${docComment([`For ${use}.`])}export const ${name(dialectName(dialect))} = (): ${type} => (${entry});`;
}

/** Lists how each dialect names and shapes the tool: the dispatcher decodes calls by it, and it makes the entries. */
export function dialectsOf(toolName: string, forms: readonly ListedForm[]): Data {
  return Object.fromEntries(
    forms.map(({ dialect, lowered: { wireName, lowering } }) => [
      dialect,
      {
        name: wireName === toolName ? undefined : wireName,
        // A codec is plain JSON data; its type only says more.
        codec: lowering.codec as unknown as JsonObject | undefined,
        definition: name(dialectName(dialect)),
      },
    ]),
  );
}

/** Names the types of `@hasp/runtime/codegen/v1` that the entries need. */
export function entryTypes(forms: readonly { readonly dialect: DialectId }[]): ReadonlySet<string> {
  return new Set(forms.map(({ dialect }) => dialects[dialect].entry.type));
}

/** An entry, with the names of what the module holds already (the schemas, the description) in their places. */
function entryData(tool: FlatTool, { definition, lowering }: LoweredTool, { input, output }: SentSchemas): Data {
  const isInput = isSameJsonText(lowering.schema as JsonValue, input);
  const named = (key: string, value: JsonValue): Data => {
    if (isInput && value === lowering.schema) return name("input");
    if (key === "description" && value === tool.spec.description) return name("description");
    if (key === outputKey && output !== undefined && isSameJsonText(value, output)) return name("output");
    return value;
  };
  return withNames(definition, named, wrapperDepth);
}

/** How deep in an entry its schema is at most (`toolSpec.inputSchema.json`). */
const wrapperDepth = 3;

function withNames(entry: JsonObject, named: (key: string, value: JsonValue) => Data, depth: number): Data {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => {
      const found = named(key, value);
      return [key, found === value && isObject(value) && depth > 0 ? withNames(value, named, depth - 1) : found];
    }),
  );
}
