import { keywordIn, type Draft } from "../vocabulary/keywords.js";
import { isPlainObject } from "../json/json-value.js";
import { nearestWord } from "../json/nearest-name.js";
import { childPointer, pointerKeys } from "../json/pointer.js";
import type { SchemaResource } from "./types.js";

/** The place to which a step of a JSON Pointer leads: into a schema, into a container of schemas, or elsewhere. */
export type PointerTarget = "schema" | "container" | "elsewhere";

export function targetBelow(draft: Draft, keyword: string, value: unknown): PointerTarget {
  switch (keywordIn(draft, keyword)?.value) {
    case "schema":
      return "schema";
    case "schemaOrSchemas":
      return Array.isArray(value) ? "container" : "schema";
    case "schemas":
    case "schemaMap":
    case "schemaOrNamesMap":
      return "container";
    default:
      return "elsewhere";
  }
}

/** Finds the defined name that a broken fragment most likely meant. */
export function nearestDefinition(resource: SchemaResource, fragment: string): string | undefined {
  if (!fragment.startsWith("/")) {
    const name = nearestWord(fragment, resource.anchors.keys());
    return name === undefined ? undefined : `#${name}`;
  }
  const keys = pointerKeys(fragment);
  let value: unknown = resource.document.nodes.get(resource.pointer)?.value;
  let found = "#";
  for (const key of keys) {
    if (!isPlainObject(value)) return undefined;
    const name = Object.hasOwn(value, key) ? key : nearestWord(key, Object.keys(value));
    if (name === undefined) return undefined;
    found = childPointer(found, name);
    value = value[name];
  }
  return found;
}
