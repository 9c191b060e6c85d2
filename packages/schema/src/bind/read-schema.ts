import type { Origin, SchemaDiagnostic } from "../diagnostic.js";
import type { JsonValue } from "../json.js";
import type { TypeName } from "../json-schema.js";
import { closest } from "./closest.js";
import { bindDiagnostics } from "./diagnostics.js";
import { isPlainObject, whyNotJson } from "./json-value.js";
import { childPointer } from "./pointer.js";
import { ANY_TYPE, TYPE_NAMES, isTypeName, maskOfTypes, maskOfValues } from "./type-mask.js";
import { FAMILY, type Bound, type Keywords, type Place } from "./types.js";
import { isForeignWord, vocabulary } from "./vocabulary.js";

/** What reading one schema needs from its surroundings. */
export interface ReadContext {
  readonly unknownKeywords: "error" | "keep";
  child(parent: Place, pointer: string, value: unknown): Place;
  origin(place: Place, pointer?: string): Origin;
  report(diagnostic: SchemaDiagnostic): void;
}

/** The mutable side of a {@link Bound} while it is read. */
interface Reading {
  readonly place: Place;
  readonly context: ReadContext;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly keywords: Keywords;
  readonly annotations: Map<string, JsonValue>;
  readonly conjuncts: Place[];
  readonly children: Place[];
  families: number;
}

const NO_ANNOTATIONS: ReadonlyMap<string, JsonValue> = new Map();
const NO_PLACES: readonly Place[] = [];

function constant(place: Place, value: boolean): Bound {
  return { id: place.id, place, constant: value, keywords: {}, families: 0, annotations: NO_ANNOTATIONS, conjuncts: NO_PLACES, children: NO_PLACES };
}

/**
 * Checks one place and reads it into 2020-12 words, one level deep. A keyword whose value cannot be used is reported
 * and left out; the error says that the result is not to be used either.
 */
export function readSchema(place: Place, context: ReadContext): Bound {
  const { value } = place;
  if (typeof value === "boolean") return constant(place, value);
  if (!isPlainObject(value)) {
    context.report(bindDiagnostics.notASchema(context.origin(place), value));
    return constant(place, true);
  }
  const reading: Reading = { place, context, raw: value, keywords: {}, annotations: new Map(), conjuncts: [], children: [], families: 0 };
  const reference = typeof value["$ref"] === "string" ? value["$ref"] : undefined;
  if (reference !== undefined && place.resource.draft === "draft-07") {
    // Draft-07 ignores everything beside "$ref"; definitions may still be referred to from elsewhere.
    for (const keyword of ["$defs", "definitions"]) if (Object.hasOwn(value, keyword)) readSchemaMap(reading, keyword, value[keyword]);
    return { id: place.id, place, keywords: {}, families: 0, annotations: NO_ANNOTATIONS, conjuncts: NO_PLACES, children: reading.children, reference };
  }
  for (const keyword of Object.keys(value)) readKeyword(reading, keyword, value[keyword]);
  finish(reading);
  const dynamicReference = place.resource.draft === "2020-12" && typeof value["$dynamicRef"] === "string" ? value["$dynamicRef"] : undefined;
  const anchors = place.resource.draft === "2020-12";
  if (anchors && typeof value["$anchor"] === "string") place.resource.anchors.set(value["$anchor"], place);
  if (anchors && typeof value["$dynamicAnchor"] === "string") {
    place.resource.anchors.set(value["$dynamicAnchor"], place);
    place.resource.dynamicAnchors.set(value["$dynamicAnchor"], place);
  }
  return {
    id: place.id,
    place,
    keywords: reading.keywords,
    families: reading.families,
    annotations: reading.annotations,
    conjuncts: reading.conjuncts,
    children: reading.children,
    ...(reference !== undefined && { reference }),
    ...(dynamicReference !== undefined && { dynamicReference }),
  };
}

/** Reports something at a place below the schema. */
function complain({ context, place }: Reading, pointer: string, finding: (origin: Origin) => SchemaDiagnostic): void {
  context.report(finding(context.origin(place, pointer)));
}

function at({ place }: Reading, keyword: string): string {
  return childPointer(place.pointer, keyword);
}

function wrong(reading: Reading, keyword: string, expected: string, value: unknown): void {
  complain(reading, at(reading, keyword), (origin) => bindDiagnostics.invalidKeyword(origin, keyword, expected, value));
}

function child(reading: Reading, pointer: string, value: unknown): Place {
  const place = reading.context.child(reading.place, pointer, value);
  reading.children.push(place);
  return place;
}

function schemaAt(reading: Reading, keyword: string): Place {
  return child(reading, at(reading, keyword), reading.raw[keyword]);
}

function readSchemaMap(reading: Reading, keyword: string, value: unknown): Map<string, Place> | undefined {
  if (!isPlainObject(value)) {
    wrong(reading, keyword, "an object whose values are schemas", value);
    return undefined;
  }
  const base = at(reading, keyword);
  const places = new Map<string, Place>();
  for (const name of Object.keys(value)) {
    const schema = value[name];
    if (schema === undefined) continue;
    const pointer = childPointer(base, name);
    if (name === "$ref" && typeof schema === "string") complain(reading, pointer, (origin) => bindDiagnostics.referenceAsMap(origin, keyword));
    else places.set(name, child(reading, pointer, schema));
  }
  return places;
}

function readSchemaList(reading: Reading, keyword: string, value: unknown): readonly Place[] | undefined {
  if (!Array.isArray(value) || value.length === 0) {
    wrong(reading, keyword, "a list of schemas with at least one member", value);
    return undefined;
  }
  const base = at(reading, keyword);
  return Array.from(value, (schema: unknown, index) => child(reading, childPointer(base, index), schema));
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

/** Data is copied to the result or compared with: it has to be JSON through and through. */
function isJson(reading: Reading, keyword: string, value: unknown): value is JsonValue {
  const why = whyNotJson(value);
  if (why === undefined) return true;
  complain(reading, why.keys.reduce(childPointer, at(reading, keyword)), (origin) => bindDiagnostics.notJson(origin, why.what));
  return false;
}

function isPattern(reading: Reading, pointer: string, pattern: string): boolean {
  try {
    void new RegExp(pattern, "u");
    return true;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const reason = text.slice(text.lastIndexOf(": ") + 1).trim();
    complain(reading, pointer, (origin) => bindDiagnostics.invalidPattern(origin, pattern, reason));
    return false;
  }
}

function readKeyword(reading: Reading, keyword: string, value: unknown): void {
  // As in JSON.stringify, a key whose value is undefined is not there.
  if (value === undefined) return;
  const { keywords, place } = reading;
  const shape = vocabulary(place.resource.draft).get(keyword);
  switch (shape) {
    case undefined:
      return readUnknown(reading, keyword, value);
    case "ignored":
      return;
    case "uri":
    case "text":
      if (typeof value !== "string") return wrong(reading, keyword, "a string", value);
      if (keyword === "format") {
        keywords.format = value;
        reading.families |= FAMILY.strings;
      }
      return;
    case "type": {
      const names: readonly unknown[] = Array.isArray(value) ? value : [value];
      if (names.length === 0) return wrong(reading, keyword, "a type or a list of types with at least one member", value);
      const bad = names.find((name) => !isTypeName(name));
      if (bad !== undefined) {
        const nearest = typeof bad === "string" ? closest(bad, TYPE_NAMES) : undefined;
        return complain(reading, at(reading, keyword), (origin) => bindDiagnostics.unknownType(origin, bad, nearest));
      }
      keywords.type = names.filter((name) => isTypeName(name));
      reading.families |= FAMILY.values;
      return;
    }
    case "values":
      if (!Array.isArray(value)) return wrong(reading, keyword, "a list of values", value);
      if (!isJson(reading, keyword, value)) return;
      keywords.enum = value as readonly JsonValue[];
      reading.families |= FAMILY.values;
      return;
    case "value":
      if (!isJson(reading, keyword, value)) return;
      keywords.const = value;
      reading.families |= FAMILY.values;
      return;
    case "number":
    case "positive":
      if (typeof value === "boolean" && keyword.startsWith("exclusive")) {
        return complain(reading, at(reading, keyword), (origin) => bindDiagnostics.booleanBound(origin, keyword));
      }
      if (typeof value !== "number" || !Number.isFinite(value) || (shape === "positive" && value <= 0)) {
        return wrong(reading, keyword, shape === "positive" ? "a number above 0" : "a number", value);
      }
      keywords[keyword as "minimum"] = value;
      reading.families |= FAMILY.numbers;
      return;
    case "count":
      if (typeof value !== "number" || !Number.isInteger(value) || value < 0) return wrong(reading, keyword, "a whole number, 0 or more", value);
      if (keyword === "minContains" || keyword === "maxContains") return;
      keywords[keyword as "minItems"] = value;
      reading.families |= keyword.endsWith("Length") ? FAMILY.strings : keyword.endsWith("Items") ? FAMILY.arrays : FAMILY.objects;
      return;
    case "flag":
      if (typeof value !== "boolean") return wrong(reading, keyword, "true or false", value);
      if (!value) return;
      keywords.uniqueItems = true;
      reading.families |= FAMILY.arrays;
      return;
    case "pattern":
      if (typeof value !== "string") return wrong(reading, keyword, "a string", value);
      if (!isPattern(reading, at(reading, keyword), value)) return;
      keywords.pattern = value;
      reading.families |= FAMILY.strings;
      return;
    case "names":
      if (!isNameList(value)) return wrong(reading, keyword, "a list of property names", value);
      keywords.required = value;
      reading.families |= FAMILY.objects;
      return;
    case "nameLists":
    case "dependencies":
      return readDependencies(reading, keyword, value, shape === "dependencies");
    case "schema":
      return readSubschema(reading, keyword);
    case "schemaOrSchemas":
      if (!Array.isArray(value)) {
        keywords.items = schemaAt(reading, keyword);
        reading.families |= FAMILY.arrays;
      } else if (place.resource.draft === "draft-07") {
        const base = at(reading, keyword);
        keywords.prefixItems = Array.from(value, (schema: unknown, index) => child(reading, childPointer(base, index), schema));
        reading.families |= FAMILY.arrays;
      } else {
        complain(reading, at(reading, keyword), bindDiagnostics.listOfItems);
      }
      return;
    case "schemas":
      return readSchemas(reading, keyword, value);
    case "schemaMap": {
      const places = readSchemaMap(reading, keyword, value);
      if (places === undefined || keyword === "$defs" || keyword === "definitions") return;
      return readMap(reading, keyword, places);
    }
    case "noteText":
      if (typeof value !== "string") return wrong(reading, keyword, "a string", value);
      reading.annotations.set(keyword, value);
      return;
    case "noteFlag":
      if (typeof value !== "boolean") return wrong(reading, keyword, "true or false", value);
      reading.annotations.set(keyword, value);
      return;
    case "noteList":
      if (!Array.isArray(value)) return wrong(reading, keyword, "a list", value);
      if (isJson(reading, keyword, value)) reading.annotations.set(keyword, value);
      return;
    case "note":
      if (isJson(reading, keyword, value)) reading.annotations.set(keyword, value);
  }
}

function readUnknown(reading: Reading, keyword: string, value: unknown): void {
  const { context, place } = reading;
  const strict = context.unknownKeywords === "error";
  if (isForeignWord(keyword)) {
    // It would come alive in the result, which is always 2020-12.
    complain(reading, at(reading, keyword), (origin) => bindDiagnostics.foreignWord(origin, keyword, place.resource.draft, strict ? "error" : "warning"));
  } else if (strict && !keyword.startsWith("x-")) {
    const nearest = closest(keyword, vocabulary(place.resource.draft).keys());
    complain(reading, at(reading, keyword), (origin) => bindDiagnostics.unknownKeyword(origin, keyword, nearest));
  } else if (isJson(reading, keyword, value)) {
    reading.annotations.set(keyword, value);
  }
}

function readSubschema(reading: Reading, keyword: string): void {
  const { keywords } = reading;
  const place = schemaAt(reading, keyword);
  switch (keyword) {
    case "additionalProperties":
    case "propertyNames":
    case "unevaluatedProperties":
      keywords[keyword] = place;
      reading.families |= keyword === "unevaluatedProperties" ? FAMILY.objects | FAMILY.unevaluated : FAMILY.objects;
      return;
    case "unevaluatedItems":
      keywords.unevaluatedItems = place;
      reading.families |= FAMILY.arrays | FAMILY.unevaluated;
      return;
    case "contains": {
      const { minContains, maxContains } = reading.raw;
      const counts = reading.place.resource.draft === "2020-12";
      keywords.contains = {
        schema: place,
        minimum: counts && typeof minContains === "number" ? minContains : undefined,
        maximum: counts && typeof maxContains === "number" ? maxContains : undefined,
      };
      reading.families |= FAMILY.arrays;
      return;
    }
    case "not":
      keywords.not = place;
      reading.families |= FAMILY.conditions;
      return;
    case "contentSchema":
      // It asserts nothing, but it is a schema and may recur: the string family writes it, the other says that it nests.
      keywords.contentSchema = place;
      reading.families |= FAMILY.strings | FAMILY.conditions;
  }
}

function readSchemas(reading: Reading, keyword: string, value: unknown): void {
  const places = readSchemaList(reading, keyword, value);
  if (places === undefined) return;
  if (keyword === "prefixItems") {
    reading.keywords.prefixItems = places;
    reading.families |= FAMILY.arrays;
  } else if (keyword === "allOf" || places.length === 1) {
    // A union of one branch is that branch.
    for (const place of places) reading.conjuncts.push(place);
  } else {
    reading.keywords[keyword as "anyOf"] = places;
    reading.families |= FAMILY.unions;
  }
}

function readMap(reading: Reading, keyword: string, places: Map<string, Place>): void {
  const { keywords } = reading;
  if (keyword === "dependentSchemas") {
    keywords.dependentSchemas = new Map([...(keywords.dependentSchemas ?? []), ...places]);
    reading.families |= FAMILY.conditions;
    return;
  }
  if (keyword === "patternProperties") {
    const base = at(reading, keyword);
    for (const pattern of places.keys()) if (!isPattern(reading, childPointer(base, pattern), pattern)) places.delete(pattern);
  }
  keywords[keyword as "properties"] = places;
  reading.families |= FAMILY.objects;
}

/** `dependentRequired`, and draft-07's `dependencies`, which mixes lists of names with schemas. */
function readDependencies(reading: Reading, keyword: string, value: unknown, schemasToo: boolean): void {
  if (!isPlainObject(value)) return wrong(reading, keyword, "an object", value);
  const base = at(reading, keyword);
  const lists = new Map(reading.keywords.dependentRequired);
  const schemas = new Map(reading.keywords.dependentSchemas);
  for (const name of Object.keys(value)) {
    const dependency = value[name];
    if (dependency === undefined) continue;
    if (isNameList(dependency)) lists.set(name, [...(lists.get(name) ?? []), ...dependency]);
    else if (schemasToo && !Array.isArray(dependency)) schemas.set(name, child(reading, childPointer(base, name), dependency));
    else wrong(reading, keyword, "an object whose values are lists of property names", dependency);
  }
  if (lists.size > 0) {
    reading.keywords.dependentRequired = lists;
    reading.families |= FAMILY.objects;
  }
  if (schemas.size > 0) {
    reading.keywords.dependentSchemas = schemas;
    reading.families |= FAMILY.conditions;
  }
}

/** What can only be said once every keyword has been seen. */
function finish(reading: Reading): void {
  const { keywords, raw, place } = reading;
  if (place.resource.draft === "draft-07" && Object.hasOwn(raw, "items") && Array.isArray(raw["items"])) {
    // `items` held a list: what follows it is `additionalItems`.
    if (Object.hasOwn(raw, "additionalItems")) keywords.items = schemaAt(reading, "additionalItems");
    if (keywords.prefixItems?.length === 0) delete keywords.prefixItems;
  }
  if (raw["if"] !== undefined) {
    const test = schemaAt(reading, "if");
    const consequent = raw["then"] === undefined ? undefined : schemaAt(reading, "then");
    const alternative = raw["else"] === undefined ? undefined : schemaAt(reading, "else");
    keywords.conditional = { test, consequent, alternative };
    reading.families |= FAMILY.conditions;
  }
  let types = keywords.type === undefined ? ANY_TYPE : maskOfTypes(keywords.type as readonly TypeName[]);
  if (keywords.enum !== undefined) types &= maskOfValues(keywords.enum);
  if (keywords.const !== undefined) types &= maskOfValues([keywords.const]);
  if (types !== ANY_TYPE) keywords.types = types;
}
