import type { SchemaObject } from "@hasp/schema";
import { keywordRow } from "@hasp/schema/vocabulary";
import { findOrAdd, parsePointer } from "@hasp/base/json";
import type { FlatTool } from "@hasp/compiler";
import { CARRIERS, namesLocation, namesPrograms, findProgramWord, saysProgram, splitName } from "./program-words.js";

/** An input string that is a program: its author decides what the tool does. */
interface ProgramField {
  readonly name: string;
  readonly pointer: string;
  /** JSON Pointer into instances. `*` is any key or index; a leading `/**` any path into a recursive schema. */
  readonly instance: string;
}

const PROGRAM_TYPES =
  /^(?:application|text)\/(?:x-|vnd\.)?(?:[\w-]+[.-])?(?:sql|sh|shellscript|bash|csh|ksh|zsh|powershell|bat|batch|msdos-program|javascript|ecmascript|typescript|python|perl|ruby|lua|tcl|php|httpd-php|groovy|awk|jq|graphql|cypher(?:-query)?|sparql-(?:query|update)|xquery|wasm)(?:[+;].*)?$/iu;
const DATA_TYPES =
  /^(?:(?:image|audio|video|font)\/.*|(?:text\/(?:plain|markdown|csv|tab-separated-values|calendar|vcard)|application\/(?:json|pdf|xml|yaml|[\w.-]+\+json))(?:;.*)?)$/iu;

/** Words before `code` that make it an identifier: `zipCode`, `error_code`. */
const MARK_WORDS =
  /\b(?:iso|iata|icao|zip|postal|country|currency|language|airport|promo\w*|discount|coupon|verification|confirmation|status|error|exit|product|reference|digits?|letters?)\b/iu;
/** Names that may also mean search words, a sentence or an identifier; their neighbours decide. */
const AMBIGUOUS_NAMES = new Set(["query", "expression", "statement", "code"]);
const SEARCH_WORDS =
  /\b(?:search|find|look(?:s|ed|ing)? ?up|keywords?|filter|match(?:es|ing)?|substring|autocomplete)\b/iu;
const LANGUAGE_WORDS =
  /\b(?:sql|cypher|graphql|promql|logql|kql|sparql|mql|jq|xpath|aggregation|postgres\w*|mysql|sqlite|bigquery|shell|bash)\b/iu;

/** Finds input fields that hold programs. `named` takes names literally; `likely` omits those of search words. */
export function listProgramFields(tool: FlatTool, certainty: "named" | "likely"): readonly ProgramField[] {
  const fields = findProgramFields(tool);
  return certainty === "named" ? fields : fields.filter(({ isLikely }) => isLikely);
}

interface RatedField extends ProgramField {
  readonly isLikely: boolean;
}

function findProgramFields(tool: FlatTool): readonly RatedField[] {
  const nodes = tool.input.nodes;
  const byPointer = new Map(nodes.map((node) => [node.pointer, node.schema]));
  // A field is read together with the description of the object around it.
  const said = new Map<string, boolean>();
  const isSaid = (description: string): boolean => {
    return findOrAdd(said, description, () => saysProgram(description));
  };
  return nodes.flatMap(({ schema, pointer }) => {
    const text = findFreeText(schema);
    if (text === undefined) return [];
    const location = findInstanceLocation(pointer);
    const [holder] = location.holders;
    if (holder === undefined) return [];
    const typeSays = mediaTypeSays(text.contentMediaType ?? schema.contentMediaType);
    if (typeSays === false) return [];
    const descriptions = [text, schema, ...location.holders.map((each) => byPointer.get(each.pointer))];
    const sentences = descriptions.flatMap((each) => each?.description ?? []);
    const says = (): boolean => sentences.some(isSaid);
    if (typeSays !== true && !isNamedOrSaid(location.words, says)) return [];
    const isProgramLikely = typeSays === true || isLikely(location.words, sentences.join("\n"), says, tool);
    return [{ name: holder.name, pointer, instance: location.instance, isLikely: isProgramLikely }];
  });
}

export function createDataFinder(tool: FlatTool): (pointer: string) => boolean {
  const patterns = tool.input.nodes.flatMap(({ schema, pointer }) => {
    const text = findFreeText(schema);
    const isData = text !== undefined && mediaTypeSays(text.contentMediaType ?? schema.contentMediaType) === false;
    return isData ? [parsePointer(findInstanceLocation(pointer).instance)] : [];
  });
  return (pointer) => patterns.some((pattern) => isAt(pattern, parsePointer(pointer)));
}

export function createProgramFinder(fields: readonly ProgramField[]): (pointer: string) => string | undefined {
  const patterns = fields.map(({ name, instance }) => ({ name, tokens: parsePointer(instance) }));
  return (pointer) => {
    const tokens = parsePointer(pointer);
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
  return !namesLocation(words) && (findProgramWord(words) !== undefined || isSaid());
}

function isLikely(words: readonly string[], description: string, isSaid: () => boolean, tool: FlatTool): boolean {
  const word = findProgramWord(words);
  if (word === undefined || !AMBIGUOUS_NAMES.has(word) || isSaid()) return true;
  if (word === "code") return !MARK_WORDS.test(description);
  const texts = [tool.name.replaceAll("_", " "), tool.spec.description, description].join(" ");
  return LANGUAGE_WORDS.test(texts) || (word !== "statement" && !SEARCH_WORDS.test(texts));
}

/** Returns the schema of a value's free text: its own, or that of a list's items. */
export function findFreeText(schema: SchemaObject): SchemaObject | undefined {
  if (schema.enum !== undefined || Object.hasOwn(schema, "const")) return undefined;
  // One type or a list of them: no name of a type is part of another.
  const { type, items, prefixItems = [] } = schema;
  if (type === undefined || type.includes("string")) return schema;
  if (!type.includes("array")) return undefined;
  for (const item of [items, ...prefixItems]) {
    // Items without a type are judged where they are.
    const text = typeof item === "object" && "type" in item ? findFreeText(item) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

interface InstanceLocation {
  readonly instance: string;
  readonly holders: readonly { readonly name: string; readonly pointer: string }[];
  /** For a part such as `script.body`, includes the words of the whole. */
  readonly words: readonly string[];
}

function findInstanceLocation(pointer: string): InstanceLocation {
  const tokens = parsePointer(pointer);
  const raw = pointer.split("/").slice(1);
  let instance: string[] = [];
  let holders: { name: string; pointer: string }[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const keyword = tokens[index] ?? "";
    const { value, applies } = keywordRow(keyword) ?? {};
    // A schema that only tests a value does not describe it.
    if (applies === "test") return { instance: "", holders: [], words: [] };
    if (value === "schemaMap") {
      index += 1;
      const name = tokens[index] ?? "";
      if (applies === undefined) [instance, holders] = [["**"], []];
      else if (applies === "child") {
        instance.push(keyword === "properties" ? (raw[index] ?? "") : "*");
        // A pattern may name what it matches.
        if (keyword === "properties" || findProgramWord(splitName(name)) !== undefined) {
          holders.unshift({ name, pointer: `/${raw.slice(0, index + 1).join("/")}` });
        }
      }
    } else {
      if (value === "schemas") index += 1;
      if (applies === "child") instance.push("*");
    }
  }
  const [own, whole] = holders.slice(0, 2).map(({ name }) => splitName(name));
  const isPart = own?.length === 1 && whole !== undefined && CARRIERS.has(own[0] ?? "");
  // The properties of `scripts` are scripts, like the values of a map of that name.
  const isEntry = own !== undefined && whole !== undefined && namesPrograms(whole) && !namesLocation(own);
  const words = isPart ? [...whole, ...own] : isEntry ? whole : (own ?? []);
  return { instance: instance.map((token) => `/${token}`).join(""), holders, words };
}
