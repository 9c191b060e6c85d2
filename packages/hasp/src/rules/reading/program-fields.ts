import type { SchemaObject } from "@hasp/schema";
import type { FlatTool } from "../../model/tool.js";
import { schemaNodes } from "./schema-nodes.js";

/** A text of the input that is a program: whoever writes it decides what the tool does. */
export interface ProgramField {
  readonly name: string;
  /** JSON Pointer into the flat input schema. */
  readonly pointer: string;
  /** JSON Pointer into instances, `*` for any item, as predicates name what they read. */
  readonly instance: string;
}

/** Names under which tools take programs. */
const PROGRAM_NAMES = new Set(
  "query queries sql command commands cmd script scripts code expression program shell statement statements".split(" "),
);
const PROGRAM_TYPES =
  /^(?:application\/(?:sql|x-sh|javascript|typescript|x-python|x-httpd-php|x-perl|graphql|wasm)|text\/(?:javascript|x-python|x-sh|x-shellscript|x-sql))$/iu;
/** These names may also mean a few words to search for, or a sentence; their neighbours say which. */
const AMBIGUOUS_NAMES = new Set("query queries expression statement statements".split(" "));
const SEARCH_WORDS = /\b(?:search|find|look(?:s|ed|ing)? ?up|keywords?|filter|match(?:es|ing)?|substring|autocomplete)\b/iu;
const LANGUAGE_WORDS = /\b(?:sql|cypher|graphql|promql|logql|kql|sparql|mql|jq|xpath|aggregation|postgres\w*|mysql|sqlite|bigquery|shell|bash)\b/iu;

/**
 * The fields of a tool's input that hold programs, by their media type or by their names. `named` takes every such name at its
 * word, as the law of relaxations does; `likely` leaves out what the texts around it make look like words to search for. A
 * `contentMediaType` settles it either way.
 */
export function programFieldsOf(tool: FlatTool, certainty: "named" | "likely"): readonly ProgramField[] {
  const fields: ProgramField[] = [];
  for (const { schema, pointer, property } of schemaNodes(tool.input.schema)) {
    if (property === undefined || !mayBeFreeText(schema)) continue;
    const isProgram = hasProgramType(schema) ?? (hasProgramName(property) && (certainty === "named" || isLikely(property, schema, tool)));
    if (isProgram) fields.push({ name: property, pointer, instance: instancePointer(pointer) });
  }
  return fields;
}

function hasProgramType({ contentMediaType }: SchemaObject): boolean | undefined {
  return contentMediaType === undefined ? undefined : PROGRAM_TYPES.test(contentMediaType);
}

function hasProgramName(name: string): boolean {
  return PROGRAM_NAMES.has(lastWord(name));
}

function isLikely(name: string, schema: SchemaObject, tool: FlatTool): boolean {
  if (!AMBIGUOUS_NAMES.has(lastWord(name))) return true;
  const texts = [tool.name.replaceAll("_", " "), tool.spec.description, schema.description ?? ""].join(" ");
  return LANGUAGE_WORDS.test(texts) || (!lastWord(name).startsWith("statement") && !SEARCH_WORDS.test(texts));
}

function lastWord(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2").toLowerCase();
  return words.split(/[_-]/u).at(-1) ?? "";
}

/** A text whose possible values are not written out. */
function mayBeFreeText(schema: SchemaObject): boolean {
  if (schema.enum !== undefined || Object.hasOwn(schema, "const")) return false;
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  return types === undefined || types.includes("string") || (types.includes("array") && isListOfText(schema));
}

function isListOfText({ items }: SchemaObject): boolean {
  return typeof items === "object" && "type" in items && items.type === "string";
}

/** The pointer into instances of what a schema pointer describes. */
export function instancePointer(pointer: string): string {
  const tokens = pointer.split("/").slice(1);
  const instance: string[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? "";
    if (token === "properties" || token === "patternProperties") {
      index += 1;
      instance.push(tokens[index] ?? "");
    } else if (token === "items" || token === "additionalProperties") instance.push("*");
    else if (token === "prefixItems") {
      index += 1;
      instance.push("*");
    } else if (["anyOf", "oneOf", "allOf", "$defs"].includes(token)) index += 1;
  }
  return instance.map((token) => `/${token}`).join("");
}
