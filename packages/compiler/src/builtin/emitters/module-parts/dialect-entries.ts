import { dialects, type DialectId, type JsonObject, type JsonValue } from "@hasp/schema";
import { isObject } from "../../../model/json-kind.js";
import type { LoweredTool } from "../../../model/lowered.js";
import { isSameJsonText } from "../../../model/same-json.js";
import type { FlatTool } from "../../../model/tool.js";
import { code, type Code, type Data, docComment, literal, name } from "../../../typescript/code.js";
import { dialectName, entryType } from "../base/dialect-constants.js";
import type { EmitPlan } from "../base/emitter.js";
import { type ListedForm, outputKey, type SentSchemas } from "../base/sent-schemas.js";
import type { SchemaPrinter } from "./shared-constants.js";

/**
 * Prints the function that makes the tool's entry in one dialect's list. A program loads the module for the tool and
 * asks for one list, or for none.
 */
export function entryConstant(
  tool: FlatTool,
  { dialect, lowered }: ListedForm,
  sent: SentSchemas,
  plan: EmitPlan,
  printer: SchemaPrinter,
): Code {
  const { use } = dialects[dialect].entry;
  const type = entryType(plan.dialects.find(({ id }) => id === dialect) ?? { id: dialect });
  const entry = literal(entryData(tool, lowered, sent, printer));
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
function entryData(
  tool: FlatTool,
  { definition, lowering, output: outputLowering, hoisted }: LoweredTool,
  { input, output }: SentSchemas,
  printer: SchemaPrinter,
): Data {
  const isInput = isSameJsonText(lowering.schema as JsonValue, input);
  const named = (key: string, value: JsonValue): Data => {
    const found = hoisted.find(({ schema }) => schema === value);
    if (found !== undefined) {
      const { whole } = found;
      const inner = (): Data => {
        const known = named(key, whole as JsonValue);
        return known === whole ? printer.print(whole as JsonValue) : known;
      };
      return printer.printHoisted(found, inner);
    }
    if (isInput && value === lowering.schema) return name("input");
    if (key === "description" && value === tool.spec.description) return name("description");
    if (key === outputKey && output !== undefined && isSameJsonText(value, output)) return name("output");
    return value;
  };
  const withNames = (entry: JsonObject, depth: number): Data =>
    Object.fromEntries(
      Object.entries(entry).map(([key, value]) => {
        const found = named(key, value);
        if (found !== value) return [key, found];
        const isSchema = value === lowering.schema || value === outputLowering?.schema;
        const isWrapper = depth > 0 && isObject(value) && !isSchema;
        return [key, isWrapper ? withNames(value, depth - 1) : printer.print(value)];
      }),
    );
  return withNames(definition, wrapperDepth);
}

/** The greatest depth of a schema in an entry (`toolSpec.inputSchema.json`). */
const wrapperDepth = 3;
