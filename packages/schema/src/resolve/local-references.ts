import {
  isStructured,
  isObject,
  type JsonObject,
  type JsonValue,
  appendToPointer,
  writeReference,
} from "@hasp/base/json";
import { createBinder } from "./binder.js";

/** The names by which other schemas refer to one. */
const NAMES: ReadonlySet<string> = new Set(["$id", "$anchor", "$dynamicAnchor"]);

/**
 * Rewrites every reference as a JSON Pointer from the schema's root, and removes the names that nothing needs then: an
 * `$id` changes what the references below it mean. Returns the schema unchanged if a reference leads out of it or
 * nowhere, since it might mean something else then, and if a `$dynamicRef` goes by the names.
 */
export function localizeReferences(schema: JsonObject): JsonObject {
  const binder = createBinder(schema, {
    baseUri: "",
    pointer: "",
    resolve: undefined,
    draft: "2020-12",
    unknownKeywords: "keep",
    dynamicScopes: false,
  });
  const { nodes } = binder.root.document;
  if (!binder.isUsable()) return schema;
  const local = new Map<string, string>();
  for (const node of binder.joining) {
    const { reference, dynamicReference } = binder.open(node);
    const target = binder.target(node);
    if (dynamicReference !== undefined || (reference !== undefined && target === undefined)) return schema;
    if (target !== undefined) local.set(node.pointer, writeReference(target.pointer));
  }
  const rewrite = (value: JsonValue, pointer: string): JsonValue => {
    if (!isStructured(value)) return value;
    if (!isObject(value)) return value.map((item, index) => rewrite(item, appendToPointer(pointer, index)));
    const isSchema = nodes.has(pointer);
    const entries = Object.entries(value).flatMap(([key, inner]): readonly [string, JsonValue][] => {
      if (isSchema && NAMES.has(key) && typeof inner === "string") return [];
      if (isSchema && key === "$ref") return [[key, local.get(pointer) ?? inner]];
      return [[key, rewrite(inner, appendToPointer(pointer, key))]];
    });
    return Object.fromEntries(entries);
  };
  return rewrite(schema, "") as JsonObject;
}
