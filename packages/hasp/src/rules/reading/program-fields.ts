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

/** Words that end the names under which tools take programs. */
const PROGRAM_WORDS = new Set(
  (
    "query queries sql command commands cmd script scripts code expression expr program shell statement statements snippet " +
    "bash powershell javascript python lua argv graphql cypher sparql promql logql jql kql soql"
  ).split(" "),
);
/** Words that only say what form a program has: `sqlText`, `command_line`, `script-body`. */
const CARRIERS = new Set("text string line body source content snippet input".split(" "));
const PROGRAM_TYPES =
  /^(?:application\/(?:sql|x-sh|javascript|typescript|x-python|x-httpd-php|x-perl|graphql|wasm)|text\/(?:javascript|x-python|x-sh|x-shellscript|x-sql))$/iu;
/** Words before `code` that make it a mark out of a list: `zipCode`, `error_code`. */
const MARKS = new Set(
  (
    "access airline airport area auth authorization booking carrier city color colour confirmation country coupon course currency " +
    "department discount error exit hex iata icao iso item language locale otp pin post postal product promo promotion province " +
    "reason reference referral region security sku state station status stock time tracking unit verification zip zone"
  ).split(" "),
);
/** What ends the names of places and of languages: the text says where a program is, or in what it is written. */
const NO_PROGRAM = new Set(
  "path paths file filename files name names id ids dir directory folder url uri type language lang kind format version mode title".split(
    " ",
  ),
);
/** How descriptions say that a text is a program, whatever its name. */
const SAYS_PROGRAM =
  /\b(?:sql|cypher|graphql|promql|sparql) (?:query|statement|expression|code)|\b(?:shell|bash|powershell|command[- ]line|terminal) (?:command|script|snippet|instruction)|\b(?:javascript|typescript|python|lua|ruby|perl|php) (?:code|function|expression|snippet|program)|\b(?:code|script|function|expression) (?:to|that will) (?:be )?(?:run|execute|executed|evaluate|evaluated)\b|\) ?=> ?\{/iu;
/**
 * These names may also mean a few words to search for, a sentence, or a mark out of a list; their neighbours say which.
 */
const AMBIGUOUS_NAMES = new Set("query queries expression statement statements code codes".split(" "));
const SEARCH_WORDS =
  /\b(?:search|find|look(?:s|ed|ing)? ?up|keywords?|filter|match(?:es|ing)?|substring|autocomplete)\b/iu;
const LANGUAGE_WORDS =
  /\b(?:sql|cypher|graphql|promql|logql|kql|sparql|mql|jq|xpath|aggregation|postgres\w*|mysql|sqlite|bigquery|shell|bash)\b/iu;
const MARK_WORDS =
  /\b(?:iso|iata|icao|zip|postal|country|currency|language|airport|promo\w*|discount|coupon|verification|confirmation|status|error|exit|product|reference|digits?|letters?)\b/iu;

/**
 * The fields of a tool's input that hold programs, by their media type, their names or what their descriptions say.
 * `named` takes every such name at its word, as the law of relaxations does; `likely` leaves out what the texts around
 * it make look like words to search for. A `contentMediaType` settles it either way.
 */
export function programFieldsOf(tool: FlatTool, certainty: "named" | "likely"): readonly ProgramField[] {
  return tool.facts.live(`program fields ${certainty}`, () => findProgramFields(tool, certainty));
}

function findProgramFields(tool: FlatTool, certainty: "named" | "likely"): readonly ProgramField[] {
  const fields: ProgramField[] = [];
  for (const { schema, pointer, property } of schemaNodes(tool.input.schema)) {
    if (property === undefined || !mayBeFreeText(schema)) continue;
    const isProgram =
      hasProgramType(schema) ??
      (isNamedOrSaid(property, schema) && (certainty === "named" || isLikely(property, schema, tool)));
    if (isProgram) fields.push({ name: property, pointer, instance: instancePointer(pointer) });
  }
  return fields;
}

function hasProgramType({ contentMediaType }: SchemaObject): boolean | undefined {
  return contentMediaType === undefined ? undefined : PROGRAM_TYPES.test(contentMediaType);
}

function isNamedOrSaid(name: string, { description }: SchemaObject): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  if (NO_PROGRAM.has(last)) return false;
  return programWord(words) !== undefined || (description !== undefined && SAYS_PROGRAM.test(description));
}

/** The word of a name that says "program". */
function programWord(words: readonly string[]): string | undefined {
  const isCarried = words.length > 1 && CARRIERS.has(words.at(-1) ?? "") && !PROGRAM_WORDS.has(words.at(-1) ?? "");
  const word = words.at(isCarried ? -2 : -1) ?? "";
  const before = words.at(isCarried ? -3 : -2);
  if (!PROGRAM_WORDS.has(word) || (word === "code" && words.length > 1 && before !== undefined && MARKS.has(before))) {
    return undefined;
  }
  return word;
}

function isLikely(name: string, schema: SchemaObject, tool: FlatTool): boolean {
  const word = programWord(wordsOf(name));
  const own = schema.description ?? "";
  if (word === undefined || !AMBIGUOUS_NAMES.has(word) || SAYS_PROGRAM.test(own)) return true;
  if (word.startsWith("code")) return !MARK_WORDS.test(own);
  const texts = [tool.name.replaceAll("_", " "), tool.spec.description, own].join(" ");
  return LANGUAGE_WORDS.test(texts) || (!word.startsWith("statement") && !SEARCH_WORDS.test(texts));
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
    .toLowerCase()
    .split(/[_\W]+/u)
    .filter((word) => word !== "");
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
function instancePointer(pointer: string): string {
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
