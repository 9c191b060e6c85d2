import { resolveDialect, findDialectPlan, nameDialect, readFreeText } from "@hasp/compiler/model";
import { type DialectName, type JsonObject, type JsonValue } from "@hasp/schema";
import { mapMembers, isObject, isSameJsonText } from "@hasp/base/json";
import type { LoweredTool } from "@hasp/compiler";
import { code, type Code, type Data, literal, name, printCreator, printObjectLiteral } from "@hasp/compiler/code";
import { nameEntryType, printEntryType } from "../base/names.js";
import type { GeneratedNames } from "@hasp/compiler/layout";
import type { ToolToEmit } from "../base/emitter.js";
import type { JsonChanges, ListedForm } from "../base/sent-schemas.js";
import { isObjectSchema, readConstant, type SchemaPrinter } from "./shared-constants.js";

/**
 * Prints the functions that return the tool's entries in lists. An entry that follows from the listing needs none.
 */
export function printEntries(
  emitted: ToolToEmit,
  forms: readonly ListedForm[],
  printer: SchemaPrinter,
): readonly Code[] {
  const { tool, names, plan, entries } = emitted;
  const isText = readFreeText(tool.spec.input) !== undefined;
  return forms.flatMap(({ dialect, lowered }) => {
    const made = entries.made.get(dialect);
    if (made !== undefined && made.changes === undefined) return [];
    const type = printEntryType(findDialectPlan(plan.dialects, dialect), isText);
    const value =
      made?.changes === undefined
        ? literal(buildEntry(emitted, lowered, printer))
        : code`${name(made.maker)}(${readListing(names)}, ${literal(printChanges(made.changes, printer))})`;
    return [code`export const ${name(nameEntry(names, dialect))} = ${printCreator(type, value)};`];
  });
}

/** Prints the listing, which every list shares. */
export function printListing({ tool, names, entries: { sent } }: ToolToEmit, printer: SchemaPrinter): Code {
  const { title, description, outputCheck, examples } = tool.spec;
  const create = (schema: JsonValue): Code => printCreator(code`unknown`, literal(printer.print(schema)));
  const type = isObjectSchema(sent.input) ? code`Listing` : code`Listing<JsonSchema>`;
  const listing = printObjectLiteral({
    name: tool.name,
    title,
    description,
    input: create(sent.input),
    output: sent.output === undefined ? undefined : create(sent.output),
    outputCheck,
    examples: examples?.map(({ input }) => ({ input })),
  });
  return code`export const ${name(nameListing(names))}: Lazy<${type}> = /* @__PURE__ */ listTool(${listing});`;
}

export function nameListing({ camel }: GeneratedNames): string {
  return `${camel}Listing`;
}

function readListing(names: GeneratedNames): Code {
  return readConstant(nameListing(names));
}

function printChanges(changes: JsonChanges, printer: SchemaPrinter): Data {
  return mapMembers(changes, (value) =>
    value === undefined
      ? name("undefined")
      : isObject(value)
        ? printChanges(value, printer)
        : printer.print(value as JsonValue),
  );
}

export function nameEntry({ camel }: GeneratedNames, dialect: DialectName): string {
  const called = nameDialect(dialect);
  return `${camel}${called.charAt(0).toUpperCase()}${called.slice(1)}`;
}

/** Lists a tool's entry in each dialect, with the name and codec by which the dispatcher decodes calls. */
export function listDialects({ tool, names, entries }: ToolToEmit, forms: readonly ListedForm[]): Data {
  return Object.fromEntries(
    forms.map(({ dialect, lowered: { wireName, lowering } }) => {
      const made = entries.made.get(dialect);
      const isUsual = made !== undefined && made.changes === undefined;
      const definition = name(isUsual ? made.maker : nameEntry(names, dialect));
      if (wireName === tool.name && lowering.codec === undefined) return [dialect, definition];
      return [
        dialect,
        {
          name: wireName === tool.name ? undefined : wireName,
          // A codec is plain JSON; its type only adds detail.
          codec: lowering.codec as unknown as JsonObject | undefined,
          definition: isUsual ? code`() => ${definition}(${readListing(names)})` : definition,
        },
      ];
    }),
  );
}

/** Lists what the printed entries import from `@hasp/runtime/codegen/v1`. */
export function listEntryImports(
  { tool, plan, entries }: ToolToEmit,
  forms: readonly ListedForm[],
): { readonly types: readonly string[]; readonly makers: readonly string[] } {
  const isText = readFreeText(tool.spec.input) !== undefined;
  const usual = new Set(
    [...entries.made].flatMap(([dialect, { changes }]) => (changes === undefined ? [dialect] : [])),
  );
  return {
    types: forms.flatMap(({ dialect }) =>
      usual.has(dialect) ? [] : [nameEntryType(resolveDialect(findDialectPlan(plan.dialects, dialect)).entry, isText)],
    ),
    makers: [...entries.made.values()].map(({ maker }) => maker),
  };
}

function buildEntry(
  { tool, names, entries: { sent } }: ToolToEmit,
  { definition, lowering, output: outputLowering, hoisted }: LoweredTool,
  printer: SchemaPrinter,
): Data {
  const isInput = isSameJsonText(lowering.schema as JsonValue, sent.input);
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
    if (isInput && value === lowering.schema) return code`${readListing(names)}.input()`;
    if (key === "description" && value === tool.spec.description) return code`${readListing(names)}.description`;
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
