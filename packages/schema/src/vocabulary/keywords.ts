import { isPlainObject } from "../json/json-value.js";
import { ANY_TYPE, ARRAY, NUMBER, OBJECT, STRING, type TypeMask } from "../json/type-mask.js";
import { FAMILY, type Draft } from "../resolve/types.js";

/** How a keyword's value is read. */
export type Shape =
  | "schema"
  | "schemas"
  | "schemaMap"
  | "items"
  | "dependencies"
  | "type"
  | "values"
  | "value"
  | "plain"
  | "pattern"
  /** By which a place is found, or finds another. */
  | "name"
  /** Copied to the result, never judged. */
  | "note";

/** A keyword of a draft. */
export interface Word {
  readonly shape: Shape;
  /** The families that it adds to its schema; see {@link FAMILY}. */
  readonly families: number;
  /** What its value must be, where the reader of its shape does not see to that. */
  readonly form: Form | undefined;
}

/** A test for a keyword's value, and what it asks for in words that follow "must be". */
export interface Form {
  readonly fits: (value: unknown) => boolean;
  readonly expected: string;
}

/** Whether a value is a list of property names. */
export function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function form(expected: string, fits: (value: unknown) => boolean): Form {
  return { fits, expected };
}

const TEXT = form("a string", (value) => typeof value === "string");
const FLAG = form("true or false", (value) => typeof value === "boolean");
const FINITE = form("a number", Number.isFinite);
const ABOVE_ZERO = form("a number above 0", (value) => Number.isFinite(value) && Number(value) > 0);
const COUNT = form("a whole number, 0 or more", (value) => Number.isInteger(value) && Number(value) >= 0);
const NAMES = form("a list of property names", isNameList);
const SCHEMAS = form("a list of schemas with at least one member", (value) => Array.isArray(value) && value.length > 0);
const SCHEMA_MAP = form("an object whose values are schemas", isPlainObject);

const { values, numbers, strings, objects, arrays, unions, conditions, unevaluated } = FAMILY;

type Row = readonly [names: string, shape: Shape, families: number, form?: Form];

const SHARED: readonly Row[] = [
  ["$schema $id $ref", "name", 0, TEXT],
  // Both containers are read in both drafts: schemas in the wild mix them, and a container asserts nothing.
  ["$defs definitions", "schemaMap", 0, SCHEMA_MAP],
  ["type", "type", values],
  ["enum", "values", values, form("a list of values", Array.isArray)],
  ["const", "value", values],
  ["minimum maximum exclusiveMinimum exclusiveMaximum", "plain", numbers, FINITE],
  ["multipleOf", "plain", numbers, ABOVE_ZERO],
  ["minLength maxLength", "plain", strings, COUNT],
  ["pattern", "pattern", strings, TEXT],
  ["format", "plain", strings, TEXT],
  ["contains", "schema", arrays],
  ["items", "items", arrays],
  ["minItems maxItems", "plain", arrays, COUNT],
  ["uniqueItems", "plain", arrays, FLAG],
  ["properties patternProperties", "schemaMap", objects, SCHEMA_MAP],
  ["additionalProperties propertyNames", "schema", objects],
  ["required", "plain", objects, NAMES],
  ["minProperties maxProperties", "plain", objects, COUNT],
  // Dropped from the vocabulary in 2019-09, but left to validators; Ajv and others still hold to it.
  ["dependencies", "dependencies", 0, form("an object", isPlainObject)],
  ["allOf", "schemas", 0, SCHEMAS],
  ["anyOf oneOf", "schemas", unions, SCHEMAS],
  ["not if", "schema", conditions],
  ["then else", "schema", 0],
  ["title description contentEncoding contentMediaType", "note", 0, TEXT],
  ["readOnly writeOnly deprecated", "note", 0, FLAG],
  ["examples", "note", 0, form("a list", Array.isArray)],
  ["default", "note", 0],
  ["$comment", "name", 0],
];

const DRAFT_2020: readonly Row[] = [
  ["$anchor $dynamicRef $dynamicAnchor", "name", 0, TEXT],
  ["$vocabulary", "name", 0],
  // It asserts nothing, but it is a schema and may recur: the string family writes it, the other says that it nests.
  ["contentSchema", "schema", strings | conditions],
  ["prefixItems", "schemas", arrays, SCHEMAS],
  ["minContains maxContains", "plain", arrays, COUNT],
  ["unevaluatedItems", "schema", arrays | unevaluated],
  ["unevaluatedProperties", "schema", objects | unevaluated],
  ["dependentRequired", "dependencies", objects, form("an object", isPlainObject)],
  ["dependentSchemas", "schemaMap", objects | conditions, SCHEMA_MAP],
];

function vocabularyOf(rows: readonly Row[]): ReadonlyMap<string, Word> {
  return new Map(
    rows.flatMap(([names, shape, families, asked]) =>
      names.split(" ").map((name) => [name, { shape, families, form: asked }] as const),
    ),
  );
}

const VOCABULARIES: Readonly<Record<Draft, ReadonlyMap<string, Word>>> = {
  "2020-12": vocabularyOf([...SHARED, ...DRAFT_2020]),
  "draft-07": vocabularyOf([...SHARED, ["additionalItems", "schema", 0]]),
};

/** The keywords of a draft, and how their values are read. */
export function vocabulary(draft: Draft): ReadonlyMap<string, Word> {
  return VOCABULARIES[draft];
}

/** The types about whose values a keyword says anything; all of them for a word that is no assertion. */
export function typesConcerned(keyword: string): TypeMask {
  if (keyword === "format") return STRING | NUMBER;
  const families = VOCABULARIES["2020-12"].get(keyword)?.families ?? 0;
  if ((families & strings) !== 0) return STRING;
  if ((families & numbers) !== 0) return NUMBER;
  if ((families & objects) !== 0) return OBJECT;
  return (families & arrays) === 0 ? ANY_TYPE : ARRAY;
}

const CONTENT = new Set(["contentEncoding", "contentMediaType", "contentSchema"]);

/** Whether a keyword only describes a value, whatever its type: `title`, `default` or `x-…`, but not `format`. */
export function describesAnyValue(keyword: string): boolean {
  if (keyword.startsWith("x-") || keyword === "$comment") return true;
  return VOCABULARIES["2020-12"].get(keyword)?.shape === "note" && !CONTENT.has(keyword);
}

/** Whether a word that one draft does not know means something in the other: passing it on would give it a meaning. */
export function isForeignWord(word: string): boolean {
  return VOCABULARIES["2020-12"].has(word) || VOCABULARIES["draft-07"].has(word);
}

/** The draft that a `$schema` names; `undefined` for one that is not read natively. */
export function draftOf(uri: string): Draft | undefined {
  const [, draft] = /^https?:\/\/json-schema\.org\/(draft-07|draft\/2020-12)\/schema#?$/.exec(uri) ?? [];
  return draft === undefined ? undefined : draft === "draft-07" ? draft : "2020-12";
}

/** The native draft that is nearest to another `$schema`. */
export function nearestDraft(uri: string): Draft {
  return /draft-0[3-7]/.test(uri) ? "draft-07" : "2020-12";
}
