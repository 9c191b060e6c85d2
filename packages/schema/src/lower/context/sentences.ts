import type { Keyword } from "../../dialects/definition/keyword-table.js";
import { joinList } from "@hasp/base/diagnostics";
import type { JsonValue } from "@hasp/base/json";
import type { SchemaObject } from "../../vocabulary/json-schema.js";
import { describePattern } from "./known-patterns.js";
import { printQuantity } from "../../validate/checks/describe.js";

const LONGEST_QUOTE = 300;

/** Returns JSON text that is short enough for a description, or `undefined`. */
export function quoteJson(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text === undefined || text.length > LONGEST_QUOTE ? undefined : text;
}

type Say = (value: unknown, schema: SchemaObject) => string | undefined;

const after =
  (start: string): Say =>
  (value) => {
    const text = quoteJson(value);
    return text === undefined ? undefined : `${start} ${text}.`;
  };

const pluralize =
  (start: string, noun: string): Say =>
  (value) =>
    `${start} ${printQuantity(Number(value), noun)}.`;

const SENTENCES: { readonly [keyword in Keyword]?: Say } = {
  minimum: (value) => `At least ${value}.`,
  maximum: (value) => `At most ${value}.`,
  exclusiveMinimum: (value) => `Greater than ${value}.`,
  exclusiveMaximum: (value) => `Less than ${value}.`,
  multipleOf: (value) => (value === 1 ? "A whole number." : `A multiple of ${value}.`),
  minLength: pluralize("At least", "character"),
  maxLength: pluralize("At most", "character"),
  pattern: (value, schema) => describePattern(String(value), schema),
  format: (value) => `Format: ${value}.`,
  minItems: pluralize("At least", "item"),
  maxItems: pluralize("At most", "item"),
  uniqueItems: (value) => (value === true ? "No item twice." : undefined),
  minProperties: pluralize("At least", "property"),
  maxProperties: pluralize("At most", "property"),
  contains: after("Holds an item that this JSON Schema accepts:"),
  minContains: (value) => `At least ${value} such items.`,
  maxContains: (value) => `At most ${value} such items.`,
  const: after("Always"),
  enum: (_, schema) => printValuesSentence(schema.enum ?? []),
  required: (_, schema) => `Required: ${joinList(schema.required ?? [])}.`,
  dependentRequired: (_, schema) =>
    Object.entries(schema.dependentRequired ?? {})
      .map(([name, others]) => `If ${name} is given, ${joinList(others)} must be given too.`)
      .join(" "),
  patternProperties: after("Keys that match these regular expressions hold:"),
  propertyNames: after("Each key fits this JSON Schema:"),
  prefixItems: after("The items in order:"),
  oneOf: () => "Exactly one of the forms fits.",
  anyOf: after("At least one of these JSON Schemas fits:"),
  allOf: after("Each of these JSON Schemas fits:"),
  not: after("Not a value that this JSON Schema accepts:"),
  if: (_, schema) => sentenceForCondition(schema),
  dependentSchemas: after("For each of these keys that is given, its JSON Schema fits:"),
};

/** Returns a sentence about a constraint for the model, or `undefined` if it would not help or would be too long. */
export function printSentence(keyword: Keyword, schema: SchemaObject): string | undefined {
  return schema[keyword] === undefined ? undefined : SENTENCES[keyword]?.(schema[keyword], schema);
}

export function printValuesSentence(values: readonly JsonValue[]): string | undefined {
  const texts = values.map((value) => quoteJson(value));
  if (texts.some((text) => text === undefined) || texts.join().length > LONGEST_QUOTE) return undefined;
  return `One of ${texts.join(", ")}.`;
}

function sentenceForCondition(schema: SchemaObject): string | undefined {
  const condition = quoteJson(schema.if);
  if (condition === undefined) return undefined;
  const consequences = [
    schema.then === undefined ? undefined : `then ${quoteJson(schema.then)}`,
    schema.else === undefined ? undefined : `otherwise ${quoteJson(schema.else)}`,
  ].filter((part) => part !== undefined);
  return consequences.length === 0 ? undefined : `If ${condition} fits, ${consequences.join(", ")} does.`;
}

export function joinDescription(
  description: string | undefined,
  sentences: readonly (string | undefined)[],
): string | undefined {
  const parts = [description, ...sentences].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? undefined : parts.join(" ");
}
