import type { SchemaObject } from "@hasp/schema";
import { keywordRow } from "@hasp/schema/vocabulary";
import { pointerTokens } from "../../../model/json-pointer.js";
import type { FlatTool } from "../../../model/tool.js";
import { CARRIERS, namesLocation, namesPrograms, programWord, saysProgram, wordsOf } from "./program-words.js";

/** A string of the input that is a program: its author decides what the tool does. */
interface ProgramField {
  readonly name: string;
  /** JSON Pointer into the flat input schema. */
  readonly pointer: string;
  /**
   * JSON Pointer into instances. `*` stands for any one key or index; a leading `/**` for any way into a part of a
   * recursive schema.
   */
  readonly instance: string;
}

/** Media types of programs, in any of their forms (`application/x-sh`, `text/x-python; charset=utf-8`). */
const PROGRAM_TYPES =
  /^(?:application|text)\/(?:x-|vnd\.)?(?:[\w-]+[.-])?(?:sql|sh|shellscript|bash|csh|ksh|zsh|powershell|bat|batch|msdos-program|javascript|ecmascript|typescript|python|perl|ruby|lua|tcl|php|httpd-php|groovy|awk|jq|graphql|cypher(?:-query)?|sparql-(?:query|update)|xquery|wasm)(?:[+;].*)?$/iu;
/** Media types of what nobody runs. */
const DATA_TYPES =
  /^(?:(?:image|audio|video|font)\/.*|text\/(?:plain|markdown|csv|tab-separated-values|calendar|vcard)|application\/(?:json|pdf|xml|yaml|[\w.-]+\+json))(?:;.*)?$/iu;

/** Words before `code` that make it a mark out of a list: `zipCode`, `error_code`. */
const MARK_WORDS =
  /\b(?:iso|iata|icao|zip|postal|country|currency|language|airport|promo\w*|discount|coupon|verification|confirmation|status|error|exit|product|reference|digits?|letters?)\b/iu;
/** These names may also mean words to search for, a sentence, or a mark out of a list; their neighbours say which. */
const AMBIGUOUS_NAMES = new Set(["query", "expression", "statement", "code"]);
const SEARCH_WORDS =
  /\b(?:search|find|look(?:s|ed|ing)? ?up|keywords?|filter|match(?:es|ing)?|substring|autocomplete)\b/iu;
const LANGUAGE_WORDS =
  /\b(?:sql|cypher|graphql|promql|logql|kql|sparql|mql|jq|xpath|aggregation|postgres\w*|mysql|sqlite|bigquery|shell|bash)\b/iu;

/**
 * The fields of a tool's input that hold programs, by their media type, their names or what their descriptions say. The
 * items of a list and the values of a map bear the name of the field that holds them. `named` takes every such name at
 * its word, as the law of relaxations does; `likely` leaves out what the words around it make look like words to search
 * for. A `contentMediaType` of a program or of plain data settles it.
 */
export function programFieldsOf(tool: FlatTool, certainty: "named" | "likely"): readonly ProgramField[] {
  const fields = findProgramFields(tool);
  return certainty === "named" ? fields : fields.filter(({ isLikely }) => isLikely);
}

function findProgramFields(tool: FlatTool): readonly (ProgramField & { readonly isLikely: boolean })[] {
  const nodes = tool.input.nodes;
  const byPointer = new Map(nodes.map((node) => [node.pointer, node.schema]));
  // Every field in an object is read together with the description of that object.
  const said = new Map<string, boolean>();
  const isSaid = (description: string): boolean => {
    const known = said.get(description) ?? saysProgram(description);
    said.set(description, known);
    return known;
  };
  return nodes.flatMap(({ schema, pointer }) => {
    const text = freeTextIn(schema);
    if (text === undefined) return [];
    const location = locationOf(pointer);
    const [holder] = location.holders;
    if (holder === undefined) return [];
    const typeSays = mediaTypeSays(text.contentMediaType ?? schema.contentMediaType);
    if (typeSays === false) return [];
    const descriptions = [text, schema, ...location.holders.map((each) => byPointer.get(each.pointer))];
    const sentences = [...new Set(descriptions.flatMap((each) => each?.description ?? []))];
    const says = (): boolean => sentences.some(isSaid);
    if (typeSays !== true && !isNamedOrSaid(location.words, says)) return [];
    const isProgramLikely = typeSays === true || isLikely(location.words, sentences.join("\n"), says, tool);
    return [{ name: holder.name, pointer, instance: location.instance, isLikely: isProgramLikely }];
  });
}

/** Tells which JSON Pointers into instances lead to texts that are declared to be plain data. */
export function dataFinder(tool: FlatTool): (pointer: string) => boolean {
  const patterns = tool.input.nodes.flatMap(({ schema, pointer }) => {
    const text = freeTextIn(schema);
    const isData = text !== undefined && mediaTypeSays(text.contentMediaType ?? schema.contentMediaType) === false;
    return isData ? [pointerTokens(locationOf(pointer).instance)] : [];
  });
  return (pointer) => patterns.some((pattern) => isAt(pattern, pointerTokens(pointer)));
}

/** Names the program at a JSON Pointer into instances, as predicates name what they read. */
export function programFinder(fields: readonly ProgramField[]): (pointer: string) => string | undefined {
  const patterns = fields.map(({ name, instance }) => ({ name, tokens: pointerTokens(instance) }));
  return (pointer) => {
    const tokens = pointerTokens(pointer);
    return patterns.find((pattern) => isAt(pattern.tokens, tokens))?.name;
  };
}

function isAt(pattern: readonly string[], tokens: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === "**") return tokens.length >= rest.length && isAt(rest, tokens.slice(tokens.length - rest.length));
  return pattern.length === tokens.length && pattern.every((token, index) => token === "*" || token === tokens[index]);
}

function mediaTypeSays(mediaType: string | undefined): boolean | undefined {
  if (mediaType === undefined) return undefined;
  if (PROGRAM_TYPES.test(mediaType)) return true;
  return DATA_TYPES.test(mediaType) ? false : undefined;
}

function isNamedOrSaid(words: readonly string[], isSaid: () => boolean): boolean {
  return !namesLocation(words) && (programWord(words) !== undefined || isSaid());
}

function isLikely(words: readonly string[], description: string, isSaid: () => boolean, tool: FlatTool): boolean {
  const word = programWord(words);
  if (word === undefined || !AMBIGUOUS_NAMES.has(word) || isSaid()) return true;
  if (word === "code") return !MARK_WORDS.test(description);
  const texts = [tool.name.replaceAll("_", " "), tool.spec.description, description].join(" ");
  return LANGUAGE_WORDS.test(texts) || (word !== "statement" && !SEARCH_WORDS.test(texts));
}

/**
 * The schema of the text that a value holds, where its possible values are not written out: its own schema, or that of
 * the items where it is a list.
 */
function freeTextIn(schema: SchemaObject): SchemaObject | undefined {
  if (schema.enum !== undefined || Object.hasOwn(schema, "const")) return undefined;
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (types === undefined || types.includes("string")) return schema;
  const { items, prefixItems = [] } = schema;
  if (!types.includes("array")) return undefined;
  for (const item of [items, ...prefixItems]) {
    // Of items without a type nothing is known: they are judged where they are.
    const text = typeof item === "object" && "type" in item ? freeTextIn(item) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

interface InstanceLocation {
  readonly instance: string;
  /** The fields by whose names a value goes, the innermost first. */
  readonly holders: readonly { readonly name: string; readonly pointer: string }[];
  /** The words of its name; of a part such as `script.body`, those of the whole as well. */
  readonly words: readonly string[];
}

/** Returns the place of a schema's values in instances, and their names. */
function locationOf(pointer: string): InstanceLocation {
  const tokens = pointerTokens(pointer);
  const raw = pointer.split("/").slice(1);
  let instance: string[] = [];
  let holders: { name: string; pointer: string }[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const keyword = tokens[index] ?? "";
    const { value, applies } = keywordRow(keyword) ?? {};
    // A schema that only tests a value describes none.
    if (applies === "test") return { instance: "", holders: [], words: [] };
    if (value === "schemaMap") {
      index += 1;
      const name = tokens[index] ?? "";
      if (applies === undefined) [instance, holders] = [["**"], []];
      else if (applies === "child") {
        instance.push(keyword === "properties" ? (raw[index] ?? "") : "*");
        // A pattern may name what it matches, and is not a name where it does not.
        if (keyword === "properties" || programWord(wordsOf(name)) !== undefined) {
          holders.unshift({ name, pointer: `/${raw.slice(0, index + 1).join("/")}` });
        }
      }
    } else {
      if (value === "schemas") index += 1;
      if (applies === "child") instance.push("*");
    }
  }
  const [own, whole] = holders.slice(0, 2).map(({ name }) => wordsOf(name));
  const isPart = own?.length === 1 && whole !== undefined && CARRIERS.has(own[0] ?? "");
  // The properties of `scripts` are scripts, like the values of a map of that name.
  const isEntry = own !== undefined && whole !== undefined && namesPrograms(whole) && !namesLocation(own);
  const words = isPart ? [...whole, ...own] : isEntry ? whole : (own ?? []);
  return { instance: instance.map((token) => `/${token}`).join(""), holders, words };
}
