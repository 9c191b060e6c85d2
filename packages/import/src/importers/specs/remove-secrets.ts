import type { JsonObject, JsonValue } from "@hasp/schema";
import { keywordRow } from "@hasp/schema/vocabulary";
import { mapMembers, isStructured, isList, isObject } from "@hasp/base/json";
import { findSecret, redactSecrets } from "@hasp/compiler/model";

/**
 * Removes apparent secrets from a value and counts the affected texts: removes examples and defaults, and blanks
 * secrets in other texts. Keeps values that are compared.
 */
export function removeSecrets(value: JsonObject): { readonly value: JsonObject; readonly removed: number } {
  let removed = 0;
  const clean = (inner: JsonValue): JsonValue => {
    if (typeof inner === "string") {
      if (findSecret(inner) === undefined) return inner;
      removed += 1;
      return redactSecrets(inner, () => "[removed]");
    }
    if (isList(inner)) return inner.map(clean);
    return isObject(inner) ? cleanObject(inner) : inner;
  };
  const cleanObject = (object: JsonObject): JsonObject => {
    const entries = Object.entries(object).flatMap(([key, inner]): readonly (readonly [string, JsonValue])[] => {
      const row = keywordRow(key);
      if (row?.role === "assertion") return [[key, inner]];
      if (row?.value === "schemaMap" && isObject(inner)) return [[key, mapMembers(inner, clean)]];
      if (!SHOWN.test(key) || !holdsSecret(inner)) return [[key, clean(inner)]];
      removed += 1;
      const rest = isList(inner) ? inner.filter((item) => !holdsSecret(item)) : [];
      return rest.length === 0 ? [] : [[key, rest]];
    });
    return Object.fromEntries(entries);
  };
  return { value: cleanObject(value), removed };
}

/** Keywords that show a value, and extensions, which an import only keeps. */
const SHOWN = /^(?:examples?|default|x-.*)$/u;

function holdsSecret(value: JsonValue): boolean {
  if (typeof value === "string") return findSecret(value) !== undefined;
  if (!isStructured(value)) return false;
  return Object.values(value).some(holdsSecret);
}
