import type { JsonObject, JsonValue } from "@hasp/schema";
import { isObject } from "../../../../compiler/src/model/json-kind.js";
import { unescapeToken } from "../../../../compiler/src/model/json-pointer.js";
import { own } from "../../../../compiler/src/model/own.js";

/** Keywords that make a schema reachable other than by a pointer from its root. */
const NAMING = ["$id", "$anchor", "$dynamicAnchor", "$dynamicRef"];

/**
 * Removes and counts unreferenced definitions, since servers often attach all their definitions to each tool. Keeps all
 * if one might be reachable other than by `#/$defs/…`.
 */
export function pruneDefinitions(schema: JsonObject): { readonly schema: JsonObject; readonly removed: number } {
  const stock = ["$defs", "definitions"].filter((keyword) => isObject(schema[keyword]));
  if (stock.length === 0) return { schema, removed: 0 };
  const found = new Set<string>();
  const root = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !stock.includes(keyword)));
  const waiting: JsonValue[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const references = referencesIn(next);
    if (references === undefined) return { schema, removed: 0 };
    for (const reference of references) {
      const target = definitionOf(reference, schema, stock);
      // A reference to the root, to another document or to nothing: keep everything.
      if (target === undefined) return { schema, removed: 0 };
      if (found.has(target.path)) continue;
      found.add(target.path);
      waiting.push(target.definition);
    }
  }
  let removed = 0;
  const entries = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, JsonValue])[] => {
    if (!stock.includes(keyword) || !isObject(value)) return [[keyword, value]];
    const kept = Object.entries(value).filter(([name]) => found.has(`${keyword}/${name}`));
    removed += Object.keys(value).length - kept.length;
    return kept.length === 0 ? [] : [[keyword, Object.fromEntries(kept)]];
  });
  return { schema: Object.fromEntries(entries), removed };
}

/**
 * Returns every `$ref` in a value; `undefined` if something in it is reachable by name. Treats data as schemas: extra
 * references do no harm.
 */
function referencesIn(value: JsonValue): readonly string[] | undefined {
  const references: string[] = [];
  const waiting: JsonValue[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const object: object = next;
    if (NAMING.some((keyword) => Object.hasOwn(object, keyword))) return undefined;
    for (const [key, inner] of Object.entries(next) as [string, JsonValue][]) {
      if (key === "$ref" && typeof inner === "string") references.push(inner);
      else waiting.push(inner);
    }
  }
  return references;
}

function definitionOf(
  reference: string,
  schema: JsonObject,
  stock: readonly string[],
): { readonly path: string; readonly definition: JsonValue } | undefined {
  const [, keyword = "", token = ""] = /^#\/(\$defs|definitions)\/([^/]+)/.exec(reference) ?? [];
  const definitions = stock.includes(keyword) ? schema[keyword] : undefined;
  if (!isObject(definitions)) return undefined;
  let name: string;
  try {
    name = unescapeToken(decodeURIComponent(token));
  } catch {
    return undefined;
  }
  const definition = own(definitions, name);
  return definition === undefined ? undefined : { path: `${keyword}/${name}`, definition };
}
