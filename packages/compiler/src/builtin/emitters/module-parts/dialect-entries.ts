import { dialectOf, findDialectPlan, nameDialect } from "../../../model/dialect.js";
import { type DialectName, type JsonObject, type JsonValue } from "@hasp/schema";
import { isObject, isSameJsonText } from "../../../model/json.js";
import type { LoweredTool } from "../../../model/lowered.js";
import type { FlatTool } from "../../../model/tool.js";
import { code, type Code, type Data, literal, name } from "../../../typescript/code.js";
import { printEntryType } from "../base/names.js";
import type { GeneratedNames } from "../../../typescript/names.js";
import type { ToolToEmit } from "../base/emitter.js";
import { type ListedForm, outputKey, type SentSchemas, isConverted } from "../base/sent-schemas.js";
import { readConstant, type SchemaPrinter } from "./shared-constants.js";

/** Prints the function that returns the tool's entry in a dialect's list. A program asks for one list or none. */
export function printEntry(
  { tool, names, plan }: ToolToEmit,
  { dialect, lowered }: ListedForm,
  sent: SentSchemas,
  printer: SchemaPrinter,
): Code {
  const type = printEntryType(findDialectPlan(plan.dialects, dialect));
  const entry = literal(buildEntry(tool, names, lowered, sent, printer));
  return code`export const ${name(nameEntry(names, dialect))} = (): ${type} => (${entry});`;
}

export function nameEntry({ camel }: GeneratedNames, dialect: DialectName): string {
  const called = nameDialect(dialect);
  return `${camel}${called.charAt(0).toUpperCase()}${called.slice(1)}`;
}

/** Lists a tool's entry in each dialect, with the name and codec by which the dispatcher decodes calls. */
export function listDialects(toolName: string, names: GeneratedNames, forms: readonly ListedForm[]): Data {
  return Object.fromEntries(
    forms.map(({ dialect, lowered: { wireName, lowering } }) => [
      dialect,
      {
        name: wireName === toolName ? undefined : wireName,
        // A codec is plain JSON; its type only adds detail.
        codec: lowering.codec as unknown as JsonObject | undefined,
        definition: name(nameEntry(names, dialect)),
      },
    ]),
  );
}

export function listEntryTypes(
  forms: readonly { readonly dialect: DialectName }[],
  plans: ToolToEmit["plan"]["dialects"],
): ReadonlySet<string> {
  return new Set(forms.map(({ dialect }) => dialectOf(findDialectPlan(plans, dialect)).entry.type));
}

function buildEntry(
  tool: FlatTool,
  { camel }: GeneratedNames,
  lowered: LoweredTool,
  { input, output }: SentSchemas,
  printer: SchemaPrinter,
): Data {
  const { definition, lowering, output: outputLowering, hoisted } = lowered;
  const isGemini = isConverted(lowered, input);
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
    if (isInput && value === lowering.schema) return readConstant(`${camel}Input`);
    if (isGemini && key === "parameters") return code`geminiSchema(${readConstant(`${camel}Input`)})`;
    if (key === "description" && value === tool.spec.description) return name(`${camel}Description`);
    if (key === outputKey && output !== undefined && isSameJsonText(value, output)) {
      return readConstant(`${camel}Output`);
    }
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

/** Maximum depth of a schema in an entry (`toolSpec.inputSchema.json`). */
const wrapperDepth = 3;
