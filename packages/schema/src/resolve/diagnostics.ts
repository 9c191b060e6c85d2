import type { Origin, SchemaDiagnostic } from "../diagnostics/diagnostic.js";

/** A value as a message shows it: its JSON, cut where it is long. */
export function shown(value: unknown): string {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") return `a ${typeof value}`;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

function error(code: string, origin: Origin, message: string): SchemaDiagnostic {
  return { code, severity: "error", message, origin };
}

/** Words of other type systems, and what JSON Schema says instead. */
const FOREIGN_TYPES: ReadonlyMap<string, string> = new Map([
  ["dict", `write "object"`],
  ["map", `write "object"`],
  ["hash", `write "object"`],
  ["hashmap", `write "object"`],
  ["record", `write "object"`],
  ["struct", `write "object"`],
  ["list", `write "array"`],
  ["tuple", `write "array" with "prefixItems"`],
  ["set", `write "array" with "uniqueItems"`],
  ["arraylist", `write "array"`],
  ["float", `write "number"`],
  ["double", `write "number"`],
  ["decimal", `write "number"`],
  ["int", `write "integer"`],
  ["long", `write "integer"`],
  ["bool", `write "boolean"`],
  ["str", `write "string"`],
  ["text", `write "string"`],
  ["char", `write "string"`],
  ["date", `write "string" with a "format"`],
  ["datetime", `write "string" with "format": "date-time"`],
  ["file", `write "string"`],
  ["none", `write "null"`],
  ["any", `leave "type" out`],
]);

/** Words that other dialects put into schemas, and what JSON Schema says instead. */
const FOREIGN_KEYWORDS: ReadonlyMap<string, string> = new Map([
  ["nullable", `Add "null" to "type" instead.`],
  ["example", `Write a list under "examples" instead.`],
  ["discriminator", `Give each branch a required property with its own "const" instead.`],
  ["optional", `List the required properties of the object under "required" instead.`],
  ["id", `Write "$id" instead.`],
]);

/** What binding finds wrong. Each says what is wrong and what to do; the place is the keyword's own. */
export const bindDiagnostics = {
  notJson: (origin: Origin, what: string): SchemaDiagnostic =>
    error("schema/not-json", origin, `This is not JSON: ${what}. Use only what JSON can say.`),

  tooDeep: (origin: Origin, limit: number): SchemaDiagnostic =>
    error(
      "schema/too-deep",
      origin,
      `The schema is nested deeper than ${limit} levels. Move inner parts to "$defs" or flatten the structure.`,
    ),

  notASchema: (origin: Origin, value: unknown): SchemaDiagnostic =>
    error("schema/invalid-schema", origin, `A schema must be an object, true or false; here is ${shown(value)}.`),

  referenceAsMap: (origin: Origin, keyword: string): SchemaDiagnostic =>
    error(
      "schema/invalid-keyword",
      origin,
      `"$ref" cannot stand for a whole "${keyword}" map: JSON Schema would read it as a name in the map. Put the map in a schema and refer to that schema with "$ref" or "allOf".`,
    ),

  listOfItems: (origin: Origin): SchemaDiagnostic =>
    error(
      "schema/invalid-keyword",
      origin,
      `A list under "items" is draft-07. Write "prefixItems", or set "$schema" to "http://json-schema.org/draft-07/schema#".`,
    ),

  booleanBound: (origin: Origin, keyword: string): SchemaDiagnostic =>
    error(
      "schema/invalid-keyword",
      origin,
      `"${keyword}" must be a number (draft-04 had true here); write the bound itself under "${keyword}".`,
    ),

  invalidKeyword: (origin: Origin, keyword: string, expected: string, value: unknown): SchemaDiagnostic =>
    error("schema/invalid-keyword", origin, `"${keyword}" must be ${expected}; here is ${shown(value)}.`),

  unknownType: (origin: Origin, value: unknown, nearest: string | undefined): SchemaDiagnostic => {
    const remedy = typeof value === "string" ? FOREIGN_TYPES.get(value.toLowerCase()) : undefined;
    return error(
      "schema/unknown-type",
      origin,
      remedy === undefined
        ? `${shown(value)} is no JSON Schema type; use null, boolean, object, array, string, number or integer.${didYouMean(nearest)}`
        : `${shown(value)} is no JSON Schema type; ${remedy}.`,
    );
  },

  invalidPattern: (origin: Origin, pattern: string, reason: string): SchemaDiagnostic =>
    error(
      "schema/invalid-pattern",
      origin,
      `${shown(pattern)} is no regular expression under the u flag (${reason}). Correct it; escape only what needs it.`,
    ),

  unknownKeyword: (origin: Origin, keyword: string, nearest: string | undefined): SchemaDiagnostic =>
    error(
      "schema/unknown-keyword",
      origin,
      `"${keyword}" is no JSON Schema keyword. ${FOREIGN_KEYWORDS.get(keyword) ?? `${didYouMean(nearest).trim()} Remove it, or name it "x-…" if it is a note.`.trim()}`,
    ),

  foreignWord: (origin: Origin, keyword: string, draft: string, severity: "error" | "warning"): SchemaDiagnostic => ({
    code: "schema/ignored-keyword",
    severity,
    message: `"${keyword}" means nothing in ${draft}, so it is ignored. Set "$schema" to the draft it belongs to, or remove it.`,
    origin,
  }),

  unsupportedDraft: (origin: Origin, uri: string, as: string, severity: "error" | "warning"): SchemaDiagnostic => ({
    code: "schema/unsupported-draft",
    severity,
    message: `"$schema": ${shown(uri)} is not read natively; the schema is taken as ${as}. Convert it to 2020-12 or draft-07 and say so in "$schema".`,
    origin,
  }),

  referenceNotFound: (origin: Origin, reference: string, nearest: string | undefined): SchemaDiagnostic =>
    error("schema/reference-not-found", origin, `Nothing is defined at ${shown(reference)}.${didYouMean(nearest)}`),

  documentNotFound: (origin: Origin, reference: string, uri: string): SchemaDiagnostic =>
    error(
      "schema/reference-not-found",
      origin,
      `No document is known as ${shown(uri)}, which ${shown(reference)} names. Give it through "resolve", or move the definition into "$defs".`,
    ),

  referenceLoop: (origin: Origin, related: readonly Origin[]): SchemaDiagnostic => ({
    ...error(
      "schema/reference-loop",
      origin,
      "This schema refers back to itself for the same value, so it never comes to a verdict. Break the loop: put the recursion under a property or an item.",
    ),
    related: related.map((place) => ({ origin: place, message: "part of the loop" })),
  }),
} as const;
