import { resolveReference } from "../context/references.js";
import { type JsonObject, type JsonValue, isObject } from "@hasp/base/json";
import type { JsonSchema, SchemaMap, SchemaObject } from "../../vocabulary/json-schema.js";
import { propertyOf } from "../../vocabulary/disjoint.js";
import { declaredTypes } from "../context/schema-facts.js";

const DEEPEST = 12;
const LONGEST = 2000;
/** Limits the values that one sample is made of: recursive definitions would multiply them. */
const MOST_PARTS = 2000;

const formatSamples: { readonly [format: string]: string } = {
  "date-time": "2020-01-01T00:00:00Z",
  date: "2020-01-01",
  time: "00:00:00Z",
  duration: "P1D",
  email: "a@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** Returns a small value that is likely valid; callers validate it. */
export type Sampler = (schema: JsonSchema) => JsonValue;

export function createSampler(definitions: SchemaMap): Sampler {
  const samples = new Map<JsonSchema, JsonValue>();
  return (schema) => {
    const known = samples.get(schema);
    if (known !== undefined) return known;
    const sample = sampleOf(schema, { definitions, parts: MOST_PARTS }, 0);
    samples.set(schema, sample);
    return sample;
  };
}

interface Making {
  readonly definitions: SchemaMap;
  parts: number;
}

function sampleOf(schema: JsonSchema, making: Making, depth: number): JsonValue {
  const node = resolveReference(schema, making.definitions);
  if (typeof node === "boolean" || depth > DEEPEST || --making.parts < 0) return null;
  if (node.const !== undefined) return node.const;
  const [listed] = node.enum ?? [];
  if (listed !== undefined) return listed;
  const [branch] = node.anyOf ?? node.oneOf ?? [];
  if (branch !== undefined) {
    const { anyOf: _anyOf, oneOf: _oneOf, ...base } = node;
    const chosen = sampleOf(branch, making, depth + 1);
    const around =
      base.type === undefined && base.properties === undefined ? undefined : sampleOf(base, making, depth + 1);
    return isObject(chosen) && isObject(around) ? { ...around, ...chosen } : chosen;
  }
  switch (declaredTypes(node)?.[0] ?? (node.properties === undefined ? "null" : "object")) {
    case "string":
      return sampleText(node);
    case "integer":
    case "number":
      return sampleNumber(node);
    case "boolean":
      return true;
    case "array":
      return Array.from({ length: Math.min(node.minItems ?? 0, 100) }, (_, index) =>
        sampleOf(findItemAt(node, index), making, depth + 1),
      );
    case "object":
      return sampleObject(node, making, depth);
    case "null":
      return null;
  }
}

export function findItemAt(node: SchemaObject, index: number): JsonSchema {
  return node.prefixItems?.[index] ?? (node.items as JsonSchema | undefined) ?? true;
}

export function toObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function findPropertyAt(node: SchemaObject, name: string): JsonSchema {
  return propertyOf(node, name) ?? node.additionalProperties ?? true;
}

function sampleText(node: SchemaObject): string {
  const text = node.format === undefined ? undefined : formatSamples[node.format];
  return text ?? "a".repeat(Math.min(node.minLength ?? 1, LONGEST));
}

function sampleNumber(node: SchemaObject): number {
  const least = node.minimum ?? (node.exclusiveMinimum === undefined ? undefined : node.exclusiveMinimum + 1);
  const most = node.maximum ?? (node.exclusiveMaximum === undefined ? undefined : node.exclusiveMaximum - 1);
  const start = least ?? Math.min(0, most ?? 0);
  const step = node.multipleOf ?? 1;
  return Math.ceil(start / step) * step;
}

function sampleObject(node: SchemaObject, making: Making, depth: number): JsonObject {
  return Object.fromEntries(
    (node.required ?? []).map((name) => [name, sampleOf(findPropertyAt(node, name), making, depth + 1)] as const),
  );
}

/** Builds a value of the whole schema with `value` at a pointer's place; `undefined` if there is no such place. */
export function sampleAround(
  schema: JsonSchema,
  steps: readonly string[],
  value: JsonValue,
  sample: Sampler,
): JsonValue | undefined {
  const [keyword, name = "", ...rest] = steps;
  if (keyword === undefined) return value;
  if (typeof schema === "boolean") return undefined;
  const held: unknown = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  const isNamed = keyword === "properties" || keyword === "prefixItems" || keyword === "anyOf" || keyword === "oneOf";
  const below: unknown =
    isNamed && Object.hasOwn(Object(held), name) ? (held as { readonly [step: string]: unknown })[name] : held;
  if (typeof below !== "object" || below === null || (isNamed && below === held)) return undefined;
  const inner = sampleAround(below as SchemaObject, isNamed ? rest : steps.slice(1), value, sample);
  if (inner === undefined) return undefined;
  const itemsWith = (place: number): JsonValue => {
    const length = Math.max(place + 1, Math.min(schema.minItems ?? 0, 100));
    return Array.from({ length }, (_, index) => (index === place ? inner : sample(findItemAt(schema, index))));
  };
  switch (keyword) {
    case "properties":
    case "additionalProperties": {
      const key = keyword === "properties" ? name : "further";
      const { [key]: _there, ...others } = toObject(sample(schema));
      return { ...others, [key]: inner };
    }
    case "items":
      return itemsWith(schema.prefixItems?.length ?? 0);
    case "prefixItems":
      return itemsWith(Number(name));
    case "anyOf":
    case "oneOf": {
      const { anyOf: _anyOf, oneOf: _oneOf, ...base } = schema;
      const around = sample(base);
      return isObject(inner) && isObject(around)
        ? Object.fromEntries([...Object.entries(around), ...Object.entries(inner)])
        : inner;
    }
    default:
      return undefined;
  }
}
