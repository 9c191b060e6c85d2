import { attempt, type Location } from "@hasp/base/diagnostics";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { isAnnotation, keywordRow } from "@hasp/schema/vocabulary";
import { isList } from "@hasp/base/json";
import type { MakeImportDiagnostic } from "../source/diagnostics.js";
import type { SchemaDialect } from "./schema-dialect.js";
import { FOREIGN_TYPES, sortKeywords, TYPE_NAMES } from "./schema-words.js";

export interface TranslatedNode {
  readonly source: JsonObject;
  readonly result: Map<string, JsonValue>;
  readonly pointer: string;
}

export interface WordSettings {
  readonly tool: string;
  readonly dialect: SchemaDialect;
  readonly note: MakeImportDiagnostic;
  locate(pointer: string): Location;
}

/** Translates `type`: foreign names for the same types; an ambiguous name refuses the tool. */
export function translateType({ source, result, pointer }: TranslatedNode, { tool, note, locate }: WordSettings): void {
  const { type: written } = source;
  const at = `${pointer}/type`;
  const types: string[] = [];
  let isAny = false;
  for (const word of isList(written) ? written : [written]) {
    if (typeof word === "string" && TYPE_NAMES.has(word)) types.push(word);
    else if (typeof word === "string" && FOREIGN_TYPES.has(word)) {
      const type = FOREIGN_TYPES.get(word);
      note("type-word", locate(at), type === undefined ? { variant: "any", word } : { variant: "type", word, type });
      if (type === undefined) isAny = true;
      else types.push(type);
    } else {
      note("unknown-type", locate(at), { tool, word: JSON.stringify(word) });
      return;
    }
  }
  if (isAny) return;
  const once = [...new Set(types)];
  const only = once[0];
  result.set("type", !isList(written) && only !== undefined ? only : once);
}

/** True for a bound beyond 2^53, where numbers of JavaScript are rounded: nothing is checked by it. */
export function isRoundedBound(keyword: string, operand: JsonValue): boolean {
  const shape = keywordRow(keyword)?.value ?? "";
  const isBound = ["number", "positiveNumber", "count"].includes(shape);
  return isBound && typeof operand === "number" && Math.abs(operand) > Number.MAX_SAFE_INTEGER;
}

/** Translates draft-04's `exclusiveMinimum: true` next to a `minimum` into a single number. */
export function translateExclusiveBound(
  { source, result, pointer }: TranslatedNode,
  keyword: "exclusiveMinimum" | "exclusiveMaximum",
  { note, locate }: WordSettings,
): void {
  const written = source[keyword];
  if (written === undefined) return;
  if (typeof written !== "boolean") {
    result.set(keyword, written);
    return;
  }
  const bound = source[keyword === "exclusiveMinimum" ? "minimum" : "maximum"];
  if (!written || bound === undefined || isRoundedBound(keyword, bound)) return;
  note("boolean-bound", locate(`${pointer}/${keyword}`), { keyword });
  result.set(keyword, bound);
}

export function isTranslatableNullable(source: JsonObject, dialect: SchemaDialect): boolean {
  if (dialect.nullable === "unknown") return false;
  // `false` is the default. `true` has a meaning only next to `type`.
  return (
    source["nullable"] === false ||
    (source["nullable"] === true && source["type"] !== undefined && source["const"] === undefined)
  );
}

export function applyNullable(
  { source, result, pointer }: TranslatedNode,
  { dialect, note, locate }: WordSettings,
): void {
  if (source["nullable"] !== true || !isTranslatableNullable(source, dialect)) return;
  const type = result.get("type");
  if (type === undefined) return;
  const types = isList(type) ? type : [type];
  note("nullable", locate(`${pointer}/nullable`), undefined);
  result.set("type", types.includes("null") ? types : [...types, "null"]);
  const values = result.get("enum");
  if (isList(values) && !values.includes(null)) {
    if (dialect.nullable === "type-and-enum") result.set("enum", [...values, null]);
    else note("nullable-enum", locate(`${pointer}/enum`), undefined);
  }
}

const SCHEMAS_IN_PLACE = ["$ref", "allOf", "anyOf", "oneOf"];

/** True for `nullable: true` that adds null without a `type` beside it. */
export function isNullableWithoutType(source: JsonObject, dialect: SchemaDialect): boolean {
  return (
    dialect.isNullableWithoutType &&
    source["nullable"] === true &&
    source["type"] === undefined &&
    SCHEMAS_IN_PLACE.some((keyword) => Object.hasOwn(source, keyword))
  );
}

/** Adds null as an alternative to all that a schema asserts. Annotations stay where they are. */
export function addNullBranch({ result, pointer }: TranslatedNode, { note, locate }: WordSettings): void {
  const asserted = [...result].filter(([keyword]) => !isAnnotation(keyword));
  for (const [keyword] of asserted) result.delete(keyword);
  result.set("anyOf", [sortKeywords(asserted), { type: "null" }]);
  note("nullable-without-type", locate(`${pointer}/nullable`), undefined);
}

/** Needless backslashes, which are errors under the u flag that patterns use. */
const NEEDLESS_ESCAPE = /\\([^\n\r\u2028\u2029])/gu;

export function translatePattern({ source, result, pointer }: TranslatedNode, { note, locate }: WordSettings): void {
  const { pattern } = source;
  if (pattern === undefined) return;
  result.set("pattern", pattern);
  if (typeof pattern !== "string" || isPattern(pattern, "u") || !isPattern(pattern, "")) return;
  // Letters, digits and syntax characters have a meaning after a backslash; in brackets, so does "-".
  const plain = [/[A-Za-z0-9^$\\.*+?()[\]{}|/-]/u, ...(pattern.includes("[") ? [] : [/[A-Za-z0-9^$\\.*+?()\]{}|/]/u])]
    .map((meaningful) =>
      pattern.replaceAll(NEEDLESS_ESCAPE, (escape, character: string) =>
        meaningful.test(character) ? escape : character,
      ),
    )
    .find((candidate) => isPattern(candidate, "u"));
  if (plain === undefined) return;
  note("needless-escapes", locate(`${pointer}/pattern`), undefined);
  result.set("pattern", plain);
}

function isPattern(text: string, flags: string): boolean {
  return attempt(() => new RegExp(text, flags) instanceof RegExp) ?? false;
}

const COUNTS: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
]);
const OTHER_SPELLINGS: ReadonlyMap<string, string> = new Map(
  [...COUNTS, "anyOf", "additionalProperties", "propertyOrdering"].map((word) => [
    word.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
    word,
  ]),
);

/**
 * Converts strings of a Gemini schema in protocol buffer JSON to numbers: counts are 64-bit integers that may be
 * strings (protobuf.dev, ProtoJSON format), and `enum` is a list of strings regardless of the type.
 */
export function fromProtocolBuffer(schema: JsonObject): JsonObject {
  const type = typeof schema["type"] === "string" ? schema["type"].toLowerCase() : "";
  const entries = Object.entries(schema).map(([written, value]): [string, JsonValue] => {
    const word = OTHER_SPELLINGS.get(written) ?? written;
    if (COUNTS.has(word)) return [word, numberIn(value, /^\d{1,15}$/u)];
    if (word === "enum" && isList(value) && (type === "integer" || type === "number")) {
      return [word, value.map((item) => numberIn(item, /^-?\d{1,15}$/u))];
    }
    return [word, value];
  });
  return Object.fromEntries(entries.filter(([word, value]) => word !== "format" || value !== "enum"));
}

function numberIn(value: JsonValue, pattern: RegExp): JsonValue {
  return typeof value === "string" && pattern.test(value) ? Number(value) : value;
}
