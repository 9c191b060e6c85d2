import { findOrAdd, isObject, isStructured, type JsonValue, toObject, own } from "@hasp/base/json";
import { createProposer } from "../../generate/sample-values.js";
import type { JsonSchema, SchemaMap, SchemaObject } from "../../vocabulary/json-schema.js";

/** Returns a small value that is likely valid; callers validate it. */
export type Sampler = (schema: JsonSchema) => JsonValue;

export function createSampler(definitions: SchemaMap): Sampler {
  const propose = createProposer({ $defs: definitions });
  const samples = new Map<JsonSchema, JsonValue>();
  return (schema) => findOrAdd(samples, schema, () => propose(schema));
}

export function findItemAt(node: SchemaObject, index: number): JsonSchema {
  return node.prefixItems?.[index] ?? (node.items as JsonSchema | undefined) ?? true;
}

export function findPropertyAt(node: SchemaObject, name: string): JsonSchema {
  return own(node.properties, name) ?? node.additionalProperties ?? true;
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
  const held: unknown = own(schema, keyword);
  const isNamed = keyword === "properties" || keyword === "prefixItems" || keyword === "anyOf" || keyword === "oneOf";
  const below: unknown =
    isNamed && Object.hasOwn(Object(held), name) ? (held as { readonly [step: string]: unknown })[name] : held;
  if (!isStructured(below) || (isNamed && below === held)) return undefined;
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
