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
const PROGRAM_NAMES = /^(?:query|sql|command|cmd|script|code|expression|program|shell|statement|statements|commands|queries)$/u;
const PROGRAM_TYPES = /^(?:application\/(?:sql|x-sh|javascript|typescript|x-python|x-httpd-php|x-perl|graphql|wasm)|text\/(?:javascript|x-python|x-sh|x-shellscript|x-sql))$/iu;
/** A query may also be a few words to search for; its neighbours say which. */
const SEARCH_WORDS = /\b(?:search|find|look(?:s|ed|ing)? ?up|keywords?|filter|match(?:es|ing)?|substring|autocomplete)\b/iu;
const LANGUAGE_WORDS = /\b(?:sql|cypher|graphql|promql|logql|kql|sparql|mql|aggregation|statement|database|script|shell)\b/iu;

/** The fields of a tool's input that hold programs, by their media type or by their names. */
export function programFieldsOf(tool: FlatTool): readonly ProgramField[] {
  const fields: ProgramField[] = [];
  for (const { schema, pointer, property } of schemaNodes(tool.input.schema)) {
    if (property === undefined || !mayBeFreeText(schema) || !isProgram(property, schema, tool)) continue;
    fields.push({ name: property, pointer, instance: instancePointer(pointer) });
  }
  return fields;
}

function isProgram(name: string, schema: SchemaObject, tool: FlatTool): boolean {
  const { contentMediaType } = schema;
  if (contentMediaType !== undefined) return PROGRAM_TYPES.test(contentMediaType);
  const word = name.replaceAll(/([a-z])([A-Z])/gu, "$1_$2").toLowerCase().split(/[_-]/u).at(-1) ?? "";
  if (!PROGRAM_NAMES.test(word)) return false;
  if (word !== "query" && word !== "queries" && word !== "expression") return true;
  const texts = [tool.name.replaceAll("_", " "), tool.spec.description, schema.description ?? ""].join(" ");
  return LANGUAGE_WORDS.test(texts) || !SEARCH_WORDS.test(texts);
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
