import type { Keyword } from "../dialects/keyword-table.js";
import type { JsonValue } from "../json.js";
import type { SchemaObject } from "../json-schema.js";

const LONGEST_QUOTE = 300;

/** JSON text short enough for a description, or `undefined`. */
export function quoted(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text === undefined || text.length > LONGEST_QUOTE ? undefined : text;
}

/** "a", "a and b", "a, b and c". */
export function listed(parts: readonly string[], conjunction: "and" | "or"): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

function counted(count: number, singular: string, plural: string): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

function sentence(start: string, value: unknown): string | undefined {
  const text = quoted(value);
  return text === undefined ? undefined : `${start} ${text}.`;
}

/** One sentence that says a constraint to a model; `undefined` where a sentence would not help or would be too long. */
export function wordsFor(keyword: Keyword, schema: SchemaObject): string | undefined {
  switch (keyword) {
    case "minimum":
      return `At least ${schema.minimum}.`;
    case "maximum":
      return `At most ${schema.maximum}.`;
    case "exclusiveMinimum":
      return `Greater than ${schema.exclusiveMinimum}.`;
    case "exclusiveMaximum":
      return `Less than ${schema.exclusiveMaximum}.`;
    case "multipleOf":
      return schema.multipleOf === 1 ? "A whole number." : `A multiple of ${schema.multipleOf}.`;
    case "minLength":
      return `At least ${counted(schema.minLength ?? 0, "character", "characters")}.`;
    case "maxLength":
      return `At most ${counted(schema.maxLength ?? 0, "character", "characters")}.`;
    case "pattern":
      return `Matches the regular expression ${schema.pattern}`;
    case "format":
      return `Format: ${schema.format}.`;
    case "minItems":
      return `At least ${counted(schema.minItems ?? 0, "item", "items")}.`;
    case "maxItems":
      return `At most ${counted(schema.maxItems ?? 0, "item", "items")}.`;
    case "uniqueItems":
      return schema.uniqueItems === true ? "No item twice." : undefined;
    case "minProperties":
      return `At least ${counted(schema.minProperties ?? 0, "property", "properties")}.`;
    case "maxProperties":
      return `At most ${counted(schema.maxProperties ?? 0, "property", "properties")}.`;
    case "contains":
      return sentence("Holds an item that this JSON Schema accepts:", schema.contains);
    case "minContains":
      return `At least ${schema.minContains} such items.`;
    case "maxContains":
      return `At most ${schema.maxContains} such items.`;
    case "const":
      return sentence("Always", schema.const);
    case "enum":
      return wordsForValues(schema.enum ?? []);
    case "required":
      return `Required: ${listed(schema.required ?? [], "and")}.`;
    case "dependentRequired":
      return Object.entries(schema.dependentRequired ?? {})
        .map(([name, others]) => `If ${name} is given, ${listed(others, "and")} must be given too.`)
        .join(" ");
    case "patternProperties":
      return sentence("Keys that match these regular expressions hold:", schema.patternProperties);
    case "propertyNames":
      return sentence("Each key fits this JSON Schema:", schema.propertyNames);
    case "prefixItems":
      return sentence("The items in order:", schema.prefixItems);
    case "oneOf":
      return "Exactly one of the forms fits.";
    case "anyOf":
      return sentence("At least one of these JSON Schemas fits:", schema.anyOf);
    case "allOf":
      return sentence("Each of these JSON Schemas fits:", schema.allOf);
    case "not":
      return sentence("Not a value that this JSON Schema accepts:", schema.not);
    case "if":
      return wordsForCondition(schema);
    case "dependentSchemas":
      return sentence("For each of these keys that is given, its JSON Schema fits:", schema.dependentSchemas);
    default:
      return undefined;
  }
}

/** The values of an enum in words. */
export function wordsForValues(values: readonly JsonValue[]): string | undefined {
  const texts = values.map((value) => quoted(value));
  if (texts.some((text) => text === undefined) || texts.join().length > LONGEST_QUOTE) return undefined;
  return `One of ${texts.join(", ")}.`;
}

function wordsForCondition(schema: SchemaObject): string | undefined {
  const condition = quoted(schema.if);
  if (condition === undefined) return undefined;
  const consequences = [
    schema.then === undefined ? undefined : `then ${quoted(schema.then)}`,
    schema.else === undefined ? undefined : `otherwise ${quoted(schema.else)}`,
  ].filter((part) => part !== undefined);
  return consequences.length === 0 ? undefined : `If ${condition} fits, ${consequences.join(", ")} does.`;
}

/** A description with sentences added to it. */
export function described(description: string | undefined, sentences: readonly (string | undefined)[]): string | undefined {
  const parts = [description, ...sentences].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? undefined : parts.join(" ");
}
