import type { Draft } from "./types.js";

/** What a keyword's value has to be. */
export type Shape =
  | "schema"
  | "schemas"
  | "schemaMap"
  | "schemaOrSchemas"
  | "dependencies"
  | "type"
  | "values"
  | "value"
  | "number"
  | "positive"
  | "count"
  | "flag"
  | "text"
  | "pattern"
  | "names"
  | "nameLists"
  | "uri"
  | "ignored"
  /** Annotations: copied to the result, never judged. */
  | "note"
  | "noteText"
  | "noteFlag"
  | "noteList";

const SHARED: readonly (readonly [string, Shape])[] = [
  ["$schema", "uri"],
  ["$id", "uri"],
  ["$ref", "uri"],
  ["$comment", "ignored"],
  // Both containers are read in both drafts: schemas in the wild mix them, and a container asserts nothing.
  ["$defs", "schemaMap"],
  ["definitions", "schemaMap"],
  ["type", "type"],
  ["enum", "values"],
  ["const", "value"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["exclusiveMinimum", "number"],
  ["exclusiveMaximum", "number"],
  ["multipleOf", "positive"],
  ["minLength", "count"],
  ["maxLength", "count"],
  ["pattern", "pattern"],
  ["format", "text"],
  ["contentEncoding", "noteText"],
  ["contentMediaType", "noteText"],
  ["items", "schemaOrSchemas"],
  ["contains", "schema"],
  ["minItems", "count"],
  ["maxItems", "count"],
  ["uniqueItems", "flag"],
  ["properties", "schemaMap"],
  ["patternProperties", "schemaMap"],
  ["additionalProperties", "schema"],
  ["propertyNames", "schema"],
  ["required", "names"],
  ["minProperties", "count"],
  ["maxProperties", "count"],
  // Dropped from the vocabulary in 2019-09, but left to validators; Ajv and others still hold to it.
  ["dependencies", "dependencies"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["title", "noteText"],
  ["description", "noteText"],
  ["default", "note"],
  ["examples", "noteList"],
  ["readOnly", "noteFlag"],
  ["writeOnly", "noteFlag"],
];

const VOCABULARIES: Readonly<Record<Draft, ReadonlyMap<string, Shape>>> = {
  "2020-12": new Map<string, Shape>([
    ...SHARED,
    ["$anchor", "text"],
    ["$dynamicRef", "uri"],
    ["$dynamicAnchor", "text"],
    ["$vocabulary", "ignored"],
    ["contentSchema", "schema"],
    ["deprecated", "noteFlag"],
    ["prefixItems", "schemas"],
    ["minContains", "count"],
    ["maxContains", "count"],
    ["unevaluatedItems", "schema"],
    ["dependentRequired", "nameLists"],
    ["dependentSchemas", "schemaMap"],
    ["unevaluatedProperties", "schema"],
  ]),
  "draft-07": new Map<string, Shape>([...SHARED, ["additionalItems", "schema"], ["deprecated", "noteFlag"]]),
};

/** The keywords of a draft and the shape of their values. */
export function vocabulary(draft: Draft): ReadonlyMap<string, Shape> {
  return VOCABULARIES[draft];
}

/** Whether a word that one draft does not know means something in the other: passing it on would give it a meaning. */
export function isForeignWord(word: string): boolean {
  return VOCABULARIES["2020-12"].has(word) || VOCABULARIES["draft-07"].has(word);
}

/** Where a step of a JSON Pointer leads, seen from a schema: into a subschema, or a container of subschemas, or elsewhere. */
export function containerOf(draft: Draft, keyword: string): "schema" | "container" | undefined {
  switch (VOCABULARIES[draft].get(keyword)) {
    case "schema":
      return "schema";
    case "schemas":
    case "schemaMap":
    case "dependencies":
      return "container";
    default:
      return undefined;
  }
}

/** The draft that a `$schema` names; `undefined` for one that is not read natively. */
export function draftOf(uri: string): Draft | undefined {
  const plain = uri.replace(/#$/, "");
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema$/.test(plain)) return "2020-12";
  if (/^https?:\/\/json-schema\.org\/draft-07\/schema$/.test(plain)) return "draft-07";
  return undefined;
}

/** The native draft that is nearest to another `$schema`. */
export function nearestDraft(uri: string): Draft {
  return /draft-0[3-7]/.test(uri) ? "draft-07" : "2020-12";
}
