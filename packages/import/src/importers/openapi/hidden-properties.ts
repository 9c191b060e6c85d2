import type { JsonObject, JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "../../../../compiler/src/model/document.js";
import { isList, isObject } from "../../../../compiler/src/model/json-kind.js";
import type { Role } from "../definitions/definition-stock.js";
import type { ImportSource } from "../source/import-source.js";
import { objectAt, schemasInPlace } from "./openapi-document.js";

/**
 * Returns the properties of a schema and its `allOf` that do not exist in one role: `readOnly` ones should not be sent,
 * `writeOnly` ones are not returned, and "required" applies to the other side only (OpenAPI 3.0.3, Schema Object).
 */
export function hiddenProperties(
  documents: ImportSource["documents"],
): (schema: JsonObject, document: LoadedDocument, role: Role) => ReadonlySet<string> {
  const known = {
    input: new WeakMap<JsonObject, ReadonlySet<string>>(),
    output: new WeakMap<JsonObject, ReadonlySet<string>>(),
  };

  function namesIn(schema: JsonObject, document: LoadedDocument, role: Role): ReadonlySet<string> {
    const remembered = known[role].get(schema);
    if (remembered !== undefined) return remembered;
    const names = new Set<string>();
    // Visit each part once: parts may be shared or recursive.
    const parts = new Map([[schema, document]]);
    for (const [part, home] of parts) {
      const { properties, allOf } = part;
      for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
        if (isHidden(property, home, role)) names.add(name);
      }
      for (const branch of isList(allOf) ? allOf : []) {
        const target = objectAt({ value: branch, document: home, pointer: "" }, documents);
        if (typeof target !== "string") parts.set(target.value, target.document);
      }
    }
    known[role].set(schema, names);
    return names;
  }

  function isHidden(property: JsonValue, document: LoadedDocument, role: Role): boolean {
    const flag = role === "input" ? "readOnly" : "writeOnly";
    // Beside a reference, the property's own flag counts too.
    if (isObject(property) && property[flag] === true) return true;
    return schemasInPlace({ value: property, document, pointer: "" }, documents).some(
      ({ value }) => value[flag] === true,
    );
  }

  return (schema, document, role) => namesIn(schema, document, role);
}
