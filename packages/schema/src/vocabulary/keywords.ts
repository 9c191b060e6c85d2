import { ANY_TYPE, maskOfTypes, type TypeMask } from "../json/type-mask.js";
import type { TypeName } from "./json-schema.js";

/** The two drafts that are read natively; the output is always 2020-12. */
export type Draft = "2020-12" | "draft-07";

export type KeywordValue =
  | "schema"
  | "schemas"
  | "schemaMap"
  | "schemaOrSchemas"
  | "schemaOrNamesMap"
  | "namesMap"
  | "names"
  | "types"
  | "values"
  | "value"
  | "number"
  | "positiveNumber"
  | "count"
  | "pattern"
  | "string"
  | "boolean"
  | "uri"
  | "anchor"
  | "anything";

export interface KeywordRow {
  /** The role of a keyword. `identifier`: by it a schema is found, or its language is known. */
  readonly role: "assertion" | "applicator" | "annotation" | "identifier";
  readonly value: KeywordValue;
  /** The place where its subschemas apply. `test`: only their verdict counts, so narrowing them may widen the whole. */
  readonly applies?: "child" | "inPlace" | "test";
  readonly types?: readonly TypeName[];
  /** The only draft that knows it; absent: both. */
  readonly draft?: Draft;
}

/**
 * Every keyword of JSON Schema, in the order in which hasp prints them. A new row is a type error wherever a keyword has
 * to be decided: in validation, in flattening, in lowering, in comparing.
 */
// prettier-ignore
export const KEYWORDS = {
  $schema: { role: "identifier", value: "uri" },
  $vocabulary: { role: "identifier", value: "anything", draft: "2020-12" },
  $id: { role: "identifier", value: "uri" },
  $anchor: { role: "identifier", value: "anchor", draft: "2020-12" },
  $dynamicAnchor: { role: "identifier", value: "anchor", draft: "2020-12" },
  $ref: { role: "applicator", value: "uri", applies: "inPlace" },
  $dynamicRef: { role: "applicator", value: "uri", applies: "inPlace", draft: "2020-12" },

  title: { role: "annotation", value: "string" },
  description: { role: "annotation", value: "string" },

  type: { role: "assertion", value: "types" },
  const: { role: "assertion", value: "value" },
  enum: { role: "assertion", value: "values" },

  format: { role: "assertion", value: "string", types: ["string", "number"] },
  pattern: { role: "assertion", value: "pattern", types: ["string"] },
  minLength: { role: "assertion", value: "count", types: ["string"] },
  maxLength: { role: "assertion", value: "count", types: ["string"] },
  contentEncoding: { role: "annotation", value: "string", types: ["string"] },
  contentMediaType: { role: "annotation", value: "string", types: ["string"] },
  contentSchema: { role: "annotation", value: "schema", types: ["string"], draft: "2020-12" },

  minimum: { role: "assertion", value: "number", types: ["number"] },
  maximum: { role: "assertion", value: "number", types: ["number"] },
  exclusiveMinimum: { role: "assertion", value: "number", types: ["number"] },
  exclusiveMaximum: { role: "assertion", value: "number", types: ["number"] },
  multipleOf: { role: "assertion", value: "positiveNumber", types: ["number"] },

  properties: { role: "applicator", value: "schemaMap", applies: "child", types: ["object"] },
  patternProperties: { role: "applicator", value: "schemaMap", applies: "child", types: ["object"] },
  propertyNames: { role: "applicator", value: "schema", applies: "test", types: ["object"] },
  required: { role: "assertion", value: "names", types: ["object"] },
  minProperties: { role: "assertion", value: "count", types: ["object"] },
  maxProperties: { role: "assertion", value: "count", types: ["object"] },
  dependentRequired: { role: "assertion", value: "namesMap", types: ["object"], draft: "2020-12" },
  dependentSchemas: { role: "applicator", value: "schemaMap", applies: "inPlace", types: ["object"], draft: "2020-12" },
  // Dropped from the vocabulary in 2019-09, but left to validators; Ajv and others still hold to it.
  dependencies: { role: "applicator", value: "schemaOrNamesMap", applies: "inPlace", types: ["object"] },
  additionalProperties: { role: "applicator", value: "schema", applies: "child", types: ["object"] },
  unevaluatedProperties: { role: "applicator", value: "schema", applies: "child", types: ["object"], draft: "2020-12" },

  prefixItems: { role: "applicator", value: "schemas", applies: "child", types: ["array"], draft: "2020-12" },
  items: { role: "applicator", value: "schemaOrSchemas", applies: "child", types: ["array"] },
  additionalItems: { role: "applicator", value: "schema", applies: "child", types: ["array"], draft: "draft-07" },
  contains: { role: "applicator", value: "schema", applies: "test", types: ["array"] },
  minContains: { role: "assertion", value: "count", types: ["array"], draft: "2020-12" },
  maxContains: { role: "assertion", value: "count", types: ["array"], draft: "2020-12" },
  minItems: { role: "assertion", value: "count", types: ["array"] },
  maxItems: { role: "assertion", value: "count", types: ["array"] },
  uniqueItems: { role: "assertion", value: "boolean", types: ["array"] },
  unevaluatedItems: { role: "applicator", value: "schema", applies: "child", types: ["array"], draft: "2020-12" },

  anyOf: { role: "applicator", value: "schemas", applies: "inPlace" },
  oneOf: { role: "applicator", value: "schemas", applies: "inPlace" },
  allOf: { role: "applicator", value: "schemas", applies: "inPlace" },
  not: { role: "applicator", value: "schema", applies: "test" },
  if: { role: "applicator", value: "schema", applies: "test" },
  then: { role: "applicator", value: "schema", applies: "inPlace" },
  else: { role: "applicator", value: "schema", applies: "inPlace" },

  default: { role: "annotation", value: "value" },
  examples: { role: "annotation", value: "values" },
  deprecated: { role: "annotation", value: "boolean" },
  readOnly: { role: "annotation", value: "boolean" },
  writeOnly: { role: "annotation", value: "boolean" },
  $comment: { role: "annotation", value: "anything" },
  // Both containers are read in both drafts: schemas in the wild mix them, and a container asserts nothing.
  $defs: { role: "identifier", value: "schemaMap" },
  definitions: { role: "identifier", value: "schemaMap" },
} as const;

const ROWS: { readonly [keyword in Keyword]: KeywordRow } = KEYWORDS;

/** A keyword of JSON Schema, of either draft. */
export type Keyword = keyof typeof KEYWORDS;

type KeywordWith<Part> = {
  [K in Keyword]: (typeof KEYWORDS)[K] extends Part ? K : never;
}[Keyword];

/** A keyword that refuses values by itself. */
type AssertionKeyword = KeywordWith<{ readonly role: "assertion" }>;

type ApplicatorKeyword = KeywordWith<{ readonly role: "applicator" }>;

/** A keyword by which a schema is found, or its language is known. */
export type IdentifierKeyword = KeywordWith<{ readonly role: "identifier" }>;

/** A keyword on which the verdict about a value depends. */
export type ValidationKeyword = AssertionKeyword | ApplicatorKeyword;

/** A keyword whose value is a schema or holds schemas. */
export type SchemaKeyword = KeywordWith<{
  readonly value: "schema" | "schemas" | "schemaMap" | "schemaOrSchemas" | "schemaOrNamesMap";
}>;

/** A keyword on which the verdict depends, for values of one type only. */
export type ValidationKeywordOf<Type extends "string" | "number" | "array" | "object"> = ValidationKeyword &
  KeywordWith<{ readonly types: readonly [Type, ...unknown[]] }>;

/** A keyword on which the verdict depends, for values of every type. */
export type UntypedKeyword = Exclude<ValidationKeyword, KeywordWith<{ readonly types: unknown }>>;

/** Every keyword, in the order in which hasp prints them. */
export const keywordNames: readonly Keyword[] = /* @__PURE__ */ Object.keys(KEYWORDS) as Keyword[];

const BY_NAME: ReadonlyMap<string, KeywordRow> = /* @__PURE__ */ new Map(/* @__PURE__ */ Object.entries(ROWS));

export function isKeyword(name: string): name is Keyword {
  return BY_NAME.has(name);
}

/** Returns the row of a keyword; `undefined` for a name that is none. */
export function keywordRow(name: string): KeywordRow | undefined {
  return BY_NAME.get(name);
}

export function keywordIn(draft: Draft, name: string): KeywordRow | undefined {
  const row = keywordRow(name);
  return row?.draft === undefined || row.draft === draft ? row : undefined;
}

const SCHEMA_VALUES: ReadonlySet<KeywordValue> = /* @__PURE__ */ new Set<KeywordValue>([
  "schema",
  "schemas",
  "schemaMap",
  "schemaOrSchemas",
  "schemaOrNamesMap",
]);

const HOLDS_SCHEMAS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ keywordNames.filter((name) => SCHEMA_VALUES.has(BY_NAME.get(name)?.value as KeywordValue)),
);

export function holdsSchemas(name: string): name is SchemaKeyword {
  return HOLDS_SCHEMAS.has(name);
}

const MASKS: ReadonlyMap<string, TypeMask> = /* @__PURE__ */ createMasks();

function createMasks(): ReadonlyMap<string, TypeMask> {
  return new Map(
    Object.entries(ROWS).map(([name, { types }]) => [name, types === undefined ? ANY_TYPE : maskOfTypes(types)]),
  );
}

/** Returns the types that a keyword concerns; all of them for a name that is not a keyword. */
export function findTypesConcerned(name: string): TypeMask {
  return MASKS.get(name) ?? ANY_TYPE;
}

/** True if a keyword only describes: it never changes which values are valid. */
export function isAnnotation(name: string): boolean {
  return name.startsWith("x-") || keywordRow(name)?.role === "annotation";
}

/** True if a keyword only describes, and values of every type: `title`, `default` or `x-…`, but not `contentEncoding`. */
export function describesAnyValue(name: string): boolean {
  return isAnnotation(name) && findTypesConcerned(name) === ANY_TYPE;
}

/** Reads the draft that a `$schema` names; `undefined` for one that is not read natively. */
export function readDraft(uri: string): Draft | undefined {
  const [, draft] = /^https?:\/\/json-schema\.org\/(draft-07|draft\/2020-12)\/schema#?$/.exec(uri) ?? [];
  return draft === undefined ? undefined : draft === "draft-07" ? draft : "2020-12";
}

/** Returns the native draft that is nearest to another `$schema`. */
export function findNearestDraft(uri: string): Draft {
  return /draft-0[3-7]/.test(uri) ? "draft-07" : "2020-12";
}
