import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { keywordRow } from "@hasp/schema/vocabulary";
import { escapeToken } from "../../model/json.js";
import { propertyOf } from "../../model/schemas.js";
import type { Alternative } from "./alternatives.js";

export interface SubSchema {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

/** Lists the schemas for the value of a property: its own, or those for undeclared names. */
export function schemaOfName(schema: SchemaObject, name: string, pointer: string): readonly SubSchema[] {
  const { patternProperties, additionalProperties } = schema;
  const own = propertyOf(schema, name);
  if (own !== undefined) return [{ schema: own, pointer: `${pointer}/properties/${escapeToken(name)}` }];
  // A pattern might match the name with a schema of its own; knowing less about the value is sound.
  if (additionalProperties === undefined || patternProperties !== undefined) return [];
  return [{ schema: additionalProperties, pointer: `${pointer}/additionalProperties` }];
}

/** True if `unevaluatedProperties: false` around a union forbids the name. */
export function isForbiddenByUnion(inner: Alternative, name: string): boolean {
  if (!inner.some(({ schema }) => schema.unevaluatedProperties === false) || !knowsItsNames(inner)) return false;
  return inner.every(
    ({ schema, otherNames }) => !Object.hasOwn(schema.properties ?? {}, name) && otherNames?.has(name) !== true,
  );
}

function evaluatesNames(keyword: string): boolean {
  return keyword === "patternProperties" || keyword === "if" || keywordRow(keyword)?.applies === "inPlace";
}

/** True if `unevaluatedProperties` counts nothing but the parts' `properties` as evaluated. */
export function knowsItsNames(inner: Alternative): boolean {
  return inner.every(({ schema }) => {
    if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) return false;
    return !Object.keys(schema).some(evaluatesNames);
  });
}
