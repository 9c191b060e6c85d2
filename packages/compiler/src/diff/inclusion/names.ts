import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { keywordRow } from "@hasp/schema/vocabulary";
import { escapeToken } from "../../model/json-pointer.js";
import { propertyOf } from "../../model/schemas/schema-parts.js";
import type { Alternative } from "./alternatives.js";

/** A schema below another, and where it is. */
export interface SubSchema {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

/** Lists the schemas of the value under a name: its own property, or those for all other names. */
export function schemaOfName(schema: SchemaObject, name: string, pointer: string): readonly SubSchema[] {
  const { patternProperties, additionalProperties } = schema;
  const own = propertyOf(schema, name);
  if (own !== undefined) return [{ schema: own, pointer: `${pointer}/properties/${escapeToken(name)}` }];
  // A pattern might let the name in with a schema of its own; to know less of the value is sound.
  if (additionalProperties === undefined || patternProperties !== undefined) return [];
  return [{ schema: additionalProperties, pointer: `${pointer}/additionalProperties` }];
}

/** True if `unevaluatedProperties: false` around a union keeps the name out. */
export function isForbiddenByUnion(inner: Alternative, name: string): boolean {
  if (!inner.some(({ schema }) => schema.unevaluatedProperties === false) || !knowsItsNames(inner)) return false;
  return inner.every(
    ({ schema, otherNames }) => !Object.hasOwn(schema.properties ?? {}, name) && otherNames?.has(name) !== true,
  );
}

/** True if a keyword evaluates properties besides those of `properties`. */
function evaluatesNames(keyword: string): boolean {
  return keyword === "patternProperties" || keyword === "if" || keywordRow(keyword)?.applies === "inPlace";
}

/** True if the parts' `properties` are all that `unevaluatedProperties` counts as evaluated. */
export function knowsItsNames(inner: Alternative): boolean {
  return inner.every(({ schema }) => {
    if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) return false;
    return !Object.keys(schema).some(evaluatesNames);
  });
}
