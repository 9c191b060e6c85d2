import type { JsonSchema, JsonValue, SchemaObject } from "@hasp/schema";
import { findMatch } from "@hasp/schema/vocabulary";
import { own } from "@hasp/base/json";
import { findSchemaAt } from "../../model/schemas.js";
import type { InputType } from "../check/input-type.js";

/** Values of the formats that specs use most; others are left to the schema's own examples. */
const FORMATS: { readonly [format: string]: string } = {
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  time: "12:00:00Z",
  duration: "P1D",
  email: "user@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  "uri-reference": "/path",
  uuid: "00000000-0000-4000-8000-000000000000",
  "json-pointer": "/path",
  regex: "^a$",
};

const DEEPEST = 12;
const MOST_SAMPLES = 16;

/** Lists small values that a flat schema probably accepts, its own first. The caller validates them. */
export function sampleValues(schema: JsonSchema, root: JsonSchema = schema, depth: number = 0): readonly JsonValue[] {
  if (schema === false || depth > DEEPEST) return [];
  if (schema === true) return ["x"];
  const known = knownValues(schema);
  if (known.length > 0) return known.slice(0, MOST_SAMPLES);
  const parts = [schema.$ref === undefined ? undefined : findSchemaAt(root, schema.$ref), ...(schema.allOf ?? [])];
  const together = parts.reduce<SchemaObject>(
    (merged, part) => (typeof part === "object" ? requireBoth(merged, part) : merged),
    schema,
  );
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) {
    const bare = without(together, ["anyOf", "oneOf", "allOf", "$ref"]);
    return union
      .flatMap((branch) =>
        typeof branch === "object" ? sampleValues(requireBoth(bare, branch), root, depth + 1).slice(0, 4) : [],
      )
      .slice(0, MOST_SAMPLES);
  }
  const types = together.type === undefined ? [impliedType(together)] : [together.type].flat();
  return types.flatMap((type) => valuesOfType(type, together, root, depth)).slice(0, MOST_SAMPLES);
}

/** Lists small values of a place in the input. */
export function sampleType({ alternatives, root }: InputType): readonly JsonValue[] {
  return alternatives
    .flatMap((parts) => {
      const whole = parts.reduce<SchemaObject>((merged, { schema }) => requireBoth(merged, schema), {});
      return sampleValues(without(whole, ["anyOf", "oneOf", "allOf", "$ref"]), root).slice(0, 4);
    })
    .slice(0, MOST_SAMPLES);
}

function knownValues(schema: SchemaObject): readonly JsonValue[] {
  const { const: constant, default: preset } = schema;
  if (Object.hasOwn(schema, "const") && constant !== undefined) return [constant];
  if (schema.enum !== undefined) return schema.enum;
  return [...(preset === undefined ? [] : [preset]), ...(schema.examples ?? [])];
}

function impliedType(schema: SchemaObject): string {
  if (schema.properties !== undefined || schema.required !== undefined) return "object";
  if (schema.items !== undefined || schema.prefixItems !== undefined) return "array";
  if (schema.minimum !== undefined || schema.maximum !== undefined) return "number";
  return "string";
}

function valuesOfType(type: string, schema: SchemaObject, root: JsonSchema, depth: number): readonly JsonValue[] {
  switch (type) {
    case "null":
      return [null];
    case "boolean":
      return [false, true];
    case "integer":
    case "number":
      return [numberIn(schema)];
    case "string":
      return [textIn(schema)];
    case "array":
      return listsIn(schema, root, depth);
    default:
      return objectsIn(schema, root, depth);
  }
}

function numberIn({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: SchemaObject): number {
  const lowest = Math.max(minimum ?? -Infinity, exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1);
  const highest = Math.min(maximum ?? Infinity, exclusiveMaximum === undefined ? Infinity : exclusiveMaximum - 1);
  const wanted = Math.min(Math.max(1, lowest), highest);
  return multipleOf === undefined ? wanted : Math.ceil(wanted / multipleOf) * multipleOf;
}

function textIn({ format, pattern, minLength = 0, maxLength = Infinity }: SchemaObject): string {
  const known = format === undefined ? undefined : own(FORMATS, format);
  if (known !== undefined) return known;
  const match = pattern === undefined ? undefined : findMatch(pattern, minLength);
  if (match !== undefined) return match;
  const length = Math.min(Math.max(1, minLength), maxLength, 10_000);
  return "x".repeat(length);
}

function listsIn(schema: SchemaObject, root: JsonSchema, depth: number): readonly JsonValue[] {
  const { items = true, minItems = 0, prefixItems = [] } = schema;
  const fixed = prefixItems.map((item) => sampleValues(item, root, depth + 1)[0] ?? null);
  const samples = Array.isArray(items) ? [] : sampleValues(items as JsonSchema, root, depth + 1);
  const full = Array.from(
    { length: Math.max(0, Math.min(minItems, 100) - fixed.length) },
    (_, index) => samples[index % samples.length] ?? null,
  );
  const [first] = samples;
  const least = [...fixed, ...full];
  return least.length === 0 && first !== undefined ? [least, [first]] : [least];
}

function objectsIn(schema: SchemaObject, root: JsonSchema, depth: number): readonly JsonValue[] {
  const { properties = {}, required = [] } = schema;
  const choices = required.map((name) => {
    const property = Object.hasOwn(properties, name) ? (properties[name] ?? true) : true;
    return { name, samples: sampleValues(property, root, depth + 1) };
  });
  if (choices.some(({ samples }) => samples.length === 0)) return [];
  const first = Object.fromEntries(choices.map(({ name, samples }) => [name, samples[0] ?? null]));
  const varied = choices.flatMap(({ name, samples }) =>
    samples.slice(1, 6).map((sample) => Object.fromEntries([...Object.entries(first), [name, sample]])),
  );
  return [first, ...varied];
}

/** Merges two schemas that both apply, as far as sampling needs: samples are validated afterwards. */
export function requireBoth(left: SchemaObject, right: SchemaObject): SchemaObject {
  return {
    ...left,
    ...right,
    ...(left.properties === undefined && right.properties === undefined
      ? {}
      : { properties: { ...left.properties, ...right.properties } }),
    ...(left.required === undefined && right.required === undefined
      ? {}
      : { required: [...new Set([...(left.required ?? []), ...(right.required ?? [])])] }),
  };
}

function without(schema: SchemaObject, keywords: readonly string[]): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}
