import type { JsonObject, JsonValue } from "../json.js";
import type { JsonSchema, SchemaMap, SchemaObject } from "../json-schema.js";
import { resolveReference } from "./references.js";
import { declaredTypes } from "./vocabulary.js";

const DEEPEST = 12;
const LONGEST = 2000;

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

/** A small value that is likely valid; whoever uses it validates it. */
export function sampleOf(schema: JsonSchema, definitions: SchemaMap, depth = 0): JsonValue {
  const node = resolveReference(schema, definitions);
  if (typeof node === "boolean" || depth > DEEPEST) return null;
  if (node.const !== undefined) return node.const;
  const [listed] = node.enum ?? [];
  if (listed !== undefined) return listed;
  const [branch] = node.anyOf ?? node.oneOf ?? [];
  if (branch !== undefined) {
    const { anyOf: _anyOf, oneOf: _oneOf, ...base } = node;
    const chosen = sampleOf(branch, definitions, depth + 1);
    const around = base.type === undefined && base.properties === undefined ? undefined : sampleOf(base, definitions, depth + 1);
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
      return Array.from({ length: Math.min(node.minItems ?? 0, 100) }, (_, index) => sampleOf(itemAt(node, index), definitions, depth + 1));
    case "object":
      return sampleObject(node, definitions, depth);
    case "null":
      return null;
  }
}

/** The schema of an item by its place. */
export function itemAt(node: SchemaObject, index: number): JsonSchema {
  return node.prefixItems?.[index] ?? (node.items as JsonSchema | undefined) ?? true;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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

function sampleObject(node: SchemaObject, definitions: SchemaMap, depth: number): JsonObject {
  const required = node.required ?? [];
  return Object.fromEntries(
    required.map((name) => {
      const declared = node.properties !== undefined && Object.hasOwn(node.properties, name) ? node.properties[name] : undefined;
      return [name, sampleOf(declared ?? node.additionalProperties ?? true, definitions, depth + 1)] as const;
    }),
  );
}

/**
 * A value of the whole schema with `value` at the place that a pointer into the schema names; `undefined` where the
 * pointer leads through something that is no place in a value.
 */
export function sampleAround(schema: JsonSchema, steps: readonly string[], value: JsonValue, definitions: SchemaMap): JsonValue | undefined {
  const [keyword, name, ...rest] = steps;
  if (keyword === undefined) return value;
  if (typeof schema === "boolean") return undefined;
  const whole = sampleOf(schema, definitions);
  const inside = (inner: unknown, further: readonly string[]): JsonValue | undefined =>
    typeof inner === "object" && inner !== null ? sampleAround(inner as SchemaObject, further, value, definitions) : undefined;
  switch (keyword) {
    case "properties": {
      const inner = name === undefined || schema.properties === undefined || !Object.hasOwn(schema.properties, name) ? undefined : inside(schema.properties[name], rest);
      if (inner === undefined || name === undefined) return undefined;
      return Object.fromEntries([...Object.entries(isObject(whole) ? whole : {}).filter(([key]) => key !== name), [name, inner]]);
    }
    case "additionalProperties": {
      const inner = inside(schema.additionalProperties, steps.slice(1));
      return inner === undefined ? undefined : Object.fromEntries([...Object.entries(isObject(whole) ? whole : {}), ["further", inner]]);
    }
    case "items": {
      const inner = inside(schema.items, steps.slice(1));
      if (inner === undefined) return undefined;
      const before = schema.prefixItems?.length ?? 0;
      const length = Math.max(before + 1, Math.min(schema.minItems ?? 0, 100));
      return Array.from({ length }, (_, index) => (index === before ? inner : sampleOf(itemAt(schema, index), definitions)));
    }
    case "prefixItems": {
      const place = Number(name);
      const inner = inside(schema.prefixItems?.[place], rest);
      if (inner === undefined) return undefined;
      const length = Math.max(place + 1, Math.min(schema.minItems ?? 0, 100));
      return Array.from({ length }, (_, index) => (index === place ? inner : sampleOf(itemAt(schema, index), definitions)));
    }
    case "anyOf":
    case "oneOf": {
      const inner = inside(schema[keyword]?.[Number(name)], rest);
      const { anyOf: _anyOf, oneOf: _oneOf, ...base } = schema;
      const around = sampleOf(base, definitions);
      return isObject(inner) && isObject(around) ? Object.fromEntries([...Object.entries(around), ...Object.entries(inner)]) : inner;
    }
    default:
      return undefined;
  }
}
