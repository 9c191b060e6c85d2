import type { JsonObject, JsonValue } from "@hasp/schema";
import { mapMembers, toObject, toList, isList, isObject, parsePointer } from "@hasp/base/json";

/** A change to a schema that no build accepts. It never narrows the schema, and it is always reported. */
export type Remedy = "union" | "bare" | "undescribed" | "pattern" | "default" | "example";

/** Each returns a replacement; `detail` is the index of an example or the name of a property. */
const REMEDIES: { readonly [name in Remedy]: (schema: JsonObject, detail: string) => JsonObject } = {
  union({ oneOf = [], ...rest }) {
    const comment = rest["$comment"] === undefined ? { $comment: "The source says oneOf; its branches overlap." } : {};
    if (rest["anyOf"] === undefined) return { ...comment, ...rest, anyOf: oneOf };
    const { allOf, ...others } = rest;
    return { ...comment, ...others, allOf: [...toList(allOf), { anyOf: oneOf }] };
  },
  bare(schema) {
    return { ...schema, additionalProperties: true };
  },
  undescribed({ properties = {}, ...rest }, name) {
    const description = "The source requires this but does not describe it.";
    return { ...rest, properties: { ...toObject(properties), [name]: { description } } };
  },
  pattern({ pattern = "", ...rest }) {
    return { ...rest, "x-imported-pattern": pattern };
  },
  default({ default: preset = null, ...rest }) {
    return { ...rest, "x-imported-default": preset };
  },
  example(schema, index) {
    const { examples, "x-imported-examples": aside, ...rest } = schema;
    const all = toList(examples);
    const kept = all.filter((_example, at) => String(at) !== index);
    return {
      ...rest,
      ...(kept.length === 0 ? {} : { examples: kept }),
      "x-imported-examples": [...toList(aside), ...all.filter((_example, at) => String(at) === index)],
    };
  },
};

export function applyRemedy(value: JsonValue, pointer: string, remedy: Remedy, detail: string): JsonValue {
  return changeAt(value, parsePointer(pointer), (schema) =>
    isObject(schema) ? REMEDIES[remedy](schema, detail) : schema,
  );
}

function changeAt(
  value: JsonValue,
  [token, ...rest]: readonly string[],
  change: (inner: JsonValue) => JsonValue,
): JsonValue {
  if (token === undefined) return change(value);
  if (isList(value)) return value.map((item, at) => (String(at) === token ? changeAt(item, rest, change) : item));
  if (!isObject(value) || !Object.hasOwn(value, token)) return value;
  const inner = changeAt(value[token] ?? null, rest, change);
  return mapMembers(value, (old, key) => (key === token ? inner : old));
}
