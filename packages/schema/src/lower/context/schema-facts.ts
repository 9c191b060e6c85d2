import { pickMembers, isStructured } from "@hasp/base/json";
import { isAnnotation as describes, keywordRow, findTypesConcerned } from "../../vocabulary/keywords.js";
import { keywordOrder, type Keyword } from "../../dialects/definition/keyword-table.js";
import type { JsonValue } from "@hasp/base/json";
import type { SchemaObject, TypeName } from "../../vocabulary/json-schema.js";
import { ANY_TYPE, TYPE_NAMES, maskOfTypes, maskOfValue, listTypes } from "../../json/type-mask.js";

/** True if a keyword does not affect which values are valid, such as `title`, `$defs` or `x-…`. */
export function isAnnotation(keyword: string): boolean {
  return keyword === "$defs" || keyword === "nullable" || describes(keyword);
}

const known: ReadonlySet<string> = new Set<string>(keywordOrder);

export function isKeyword(name: string): name is Keyword {
  return known.has(name);
}

/** The keywords that apply other schemas to the same value. */
const inPlaceApplicators: readonly Keyword[] = keywordOrder.filter((keyword) => {
  const applies = keywordRow(keyword)?.applies;
  return applies === "inPlace" || (applies === "test" && findTypesConcerned(keyword) === ANY_TYPE);
});

/** The keywords of {@link inPlaceApplicators} apart from references and unions. */
export const inPlaceKeywords: readonly Keyword[] = inPlaceApplicators.filter(
  (keyword) => keyword !== "$ref" && keyword !== "anyOf" && keyword !== "oneOf",
);

export function concerns(keyword: string, type: TypeName): boolean {
  return (findTypesConcerned(keyword) & maskOfTypes([type])) !== 0;
}

export function typeOfValue(value: JsonValue): TypeName {
  return listTypes(maskOfValue(value), TYPE_NAMES)[0] ?? "null";
}

export function declaredTypes(schema: SchemaObject): readonly TypeName[] | undefined {
  if (schema.type === undefined) return undefined;
  return typeof schema.type === "string" ? [schema.type] : schema.type;
}

export function isUnconstrained(schema: SchemaObject): boolean {
  for (const keyword in schema) if (constrains(keyword) && Object.hasOwn(schema, keyword)) return false;
  return true;
}

/** True if a keyword that lowering knows affects which values are valid. */
export function constrains(keyword: string): keyword is Keyword {
  return CONSTRAINING.has(keyword);
}

const CONSTRAINING: ReadonlySet<string> = new Set(keywordOrder.filter((keyword) => !isAnnotation(keyword)));

export function pick(schema: SchemaObject, keep: (keyword: string) => boolean): SchemaObject {
  return pickMembers(schema, keep);
}

/** True if other schemas apply to the same value, so that "unevaluated" means more than "additional". */
export function hasInPlaceApplicator(schema: SchemaObject): boolean {
  return inPlaceApplicators.some((keyword) => schema[keyword] !== undefined);
}

/** True if `unevaluated…` concerns other parts of one value than of another. */
export function isUnevaluatedDynamic(
  schema: SchemaObject,
  keyword: "unevaluatedProperties" | "unevaluatedItems",
): boolean {
  return hasInPlaceApplicator(schema) || (keyword === "unevaluatedItems" && schema.contains !== undefined);
}

export function filterByType(values: readonly JsonValue[], type: string): readonly JsonValue[] {
  return values.filter((value) => {
    const actual = typeOfValue(value);
    return actual === type || (type === "number" && actual === "integer");
  });
}

export function isScalar(value: JsonValue): boolean {
  return !isStructured(value);
}
