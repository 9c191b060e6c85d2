import type { JsonSchema, JsonValue } from "@hasp/schema";
import { capitalize, excerpt } from "@hasp/base/diagnostics";
import { type Code, printDocComment } from "@hasp/compiler/code";

/** Prints a schema's title, description, and constraints that a type cannot express. */
export function printSchemaComment(schema: JsonSchema): Code {
  if (typeof schema === "boolean") return printDocComment([]);
  const { title, description } = schema;
  const prose = [title, description].filter((text) => typeof text === "string");
  return printDocComment(
    [...prose, constraintsOf(schema).join(" ")],
    schema.deprecated === true ? ["@deprecated"] : [],
  );
}

function constraintsOf(schema: Exclude<JsonSchema, boolean>): readonly string[] {
  const sentences: (string | undefined)[] = [
    typeof schema.format === "string" ? `Format: ${schema.format}.` : undefined,
    typeof schema.contentMediaType === "string" ? `Content: ${schema.contentMediaType}.` : undefined,
    typeof schema.pattern === "string" ? `Matches ${quoted(schema.pattern)}.` : undefined,
    counted(schema.minLength, schema.maxLength, "character"),
    numberRange(schema),
    schema.multipleOf === undefined ? undefined : `A multiple of ${String(schema.multipleOf)}.`,
    counted(schema.minItems, schema.maxItems, "item"),
    schema.uniqueItems === true ? "No duplicate items." : undefined,
    counted(schema.minProperties, schema.maxProperties, "key"),
    schema.default === undefined ? undefined : `Default: ${quoted(shortJson(schema.default))}.`,
  ];
  return sentences.filter((sentence) => sentence !== undefined);
}

function numberRange(schema: Exclude<JsonSchema, boolean>): string | undefined {
  const kind = schema.type === "integer" ? "An integer" : "";
  const bounds = [
    schema.minimum === undefined ? undefined : `at least ${String(schema.minimum)}`,
    schema.exclusiveMinimum === undefined ? undefined : `more than ${String(schema.exclusiveMinimum)}`,
    schema.maximum === undefined ? undefined : `at most ${String(schema.maximum)}`,
    schema.exclusiveMaximum === undefined ? undefined : `less than ${String(schema.exclusiveMaximum)}`,
  ].filter((bound) => bound !== undefined);
  if (bounds.length === 0) return kind === "" ? undefined : `${kind}.`;
  return capitalize(`${kind === "" ? "" : `${kind}, `}${bounds.join(" and ")}.`);
}

function counted(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const units = (count: number): string => `${String(count)} ${unit}${count === 1 ? "" : "s"}`;
  if (least !== undefined && least > 0 && most !== undefined) {
    return least === most ? `Exactly ${units(most)}.` : `${String(least)} to ${units(most)}.`;
  }
  if (most !== undefined) return `At most ${units(most)}.`;
  return least !== undefined && least > 0 ? `At least ${units(least)}.` : undefined;
}

function quoted(text: string): string {
  return text.includes("`") ? text : `\`${text}\``;
}

function shortJson(value: JsonValue): string {
  return excerpt(JSON.stringify(value), 60);
}
