import { defineSchemaDiagnostics, type SchemaDiagnosticFactory } from "../diagnostics/define-diagnostics.js";

const definitions = {
  "not-json": "This is not JSON: {what}. Use only JSON values.",
  "invalid-schema": "A schema must be an object, true or false, not {value:value}.",
  "invalid-keyword": {
    message: {
      value: '"{keyword}" must be {expected}, not {value:value}.',
      referenceAsMap:
        '"$ref" cannot replace a whole "{keyword}" map: JSON Schema would read it as a name in the map. Put the map in a schema and refer to that schema with "$ref" or "allOf".',
      listOfItems:
        'A list under "items" is draft-07. Write "prefixItems", or set "$schema" to "http://json-schema.org/draft-07/schema#".',
      booleanBound: '"{keyword}" must be a number (draft-04 had true here); write the bound itself under "{keyword}".',
    },
  },
  "unknown-type": {
    message: {
      unknown:
        "{value:value} is not a JSON Schema type; use null, boolean, object, array, string, number or integer.{nearest:suggestion}",
      foreign: "{value:value} is not a JSON Schema type; write {instead}.",
      any: '{value:value} is not a JSON Schema type; leave "type" out.',
    },
  },
  "invalid-pattern":
    "{pattern:value} is not a valid regular expression under the u flag ({reason}). Correct it; escape only what needs it.",
  "slow-pattern":
    "The pattern {pattern:value} cannot be matched in linear time, so one long string could block the process. Write it without back references, and with smaller counts.",
  "unknown-keyword": {
    message: {
      unknown:
        '"{keyword}" is not a JSON Schema keyword.{nearest:suggestion} Remove it, or name it "x-…" if it is a note.',
      nullable: '"nullable" is not a JSON Schema keyword. Add "null" to "type" instead.',
      example: '"example" is not a JSON Schema keyword. Write a list under "examples" instead.',
      discriminator:
        '"discriminator" is not a JSON Schema keyword. Give each branch a required property with its own "const" instead.',
      optional:
        '"optional" is not a JSON Schema keyword. List the required properties of the object under "required" instead.',
      id: '"id" is not a JSON Schema keyword. Write "$id" instead.',
    },
  },
  "ignored-keyword":
    '"{keyword}" has no meaning in {draft}, so it is ignored. Set "$schema" to the draft it belongs to, or remove it.',
  "unsupported-draft":
    '"$schema": {uri:value} is not supported; the schema is read as {draft}. Convert it to 2020-12 or draft-07 and say so in "$schema".',
  "reference-not-found": {
    message: {
      definition: "Nothing is defined at {reference:value}.{nearest:suggestion}",
      malformed:
        'The percent escapes of {reference:value} are broken. Write "%" as "%25" in a reference.{nearest:suggestion}',
      document:
        'The document {uri:value}, which {reference:value} refers to, is unknown. Provide it through "resolve", or move the definition into "$defs".',
    },
  },
  "reference-loop":
    "This schema refers back to itself for the same value, so validating it would never end. Break the loop: put the recursion under a property or an item.",
} as const;

export const resolveDiagnostics: SchemaDiagnosticFactory<typeof definitions> = defineSchemaDiagnostics(definitions);

export const PART_OF_LOOP = "part of the loop";

/** JSON Schema's words for the types of other systems. */
export const FOREIGN_TYPES: ReadonlyMap<string, string> = new Map([
  ["dict", `"object"`],
  ["map", `"object"`],
  ["hash", `"object"`],
  ["hashmap", `"object"`],
  ["record", `"object"`],
  ["struct", `"object"`],
  ["list", `"array"`],
  ["tuple", `"array" with "prefixItems"`],
  ["set", `"array" with "uniqueItems"`],
  ["arraylist", `"array"`],
  ["float", `"number"`],
  ["double", `"number"`],
  ["decimal", `"number"`],
  ["int", `"integer"`],
  ["long", `"integer"`],
  ["bool", `"boolean"`],
  ["str", `"string"`],
  ["text", `"string"`],
  ["char", `"string"`],
  ["date", `"string" with a "format"`],
  ["datetime", `"string" with "format": "date-time"`],
  ["file", `"string"`],
  ["none", `"null"`],
]);

const FOREIGN_KEYWORDS = ["nullable", "example", "discriminator", "optional", "id"] as const;

/** Finds a keyword that other dialects put into schemas. */
export function findForeignKeyword(keyword: string): (typeof FOREIGN_KEYWORDS)[number] | undefined {
  return FOREIGN_KEYWORDS.find((known) => known === keyword);
}
