import type { JsonObject, JsonValue } from "@hasp/schema";
import { localizeReferences } from "@hasp/schema/internal";
import { holdsSchemas, isAnnotation, isKeyword, keywordRow, mapSubschemas, walkSchema } from "@hasp/schema/vocabulary";
import type { Location } from "@hasp/base/diagnostics";
import {
  pickMembers,
  readOwnMember,
  isStructured,
  isList,
  isObject,
  parsePointer,
  readReference,
} from "@hasp/base/json";
import type { MakeImportDiagnostic } from "../source/diagnostics.js";
import { sortKeywords } from "./schema-words.js";

/** The `$schema` of a draft-07 schema in a spec; the default is 2020-12. */
const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

type DraftVerdict =
  | { readonly kind: "stated"; readonly draft: KnownDraft }
  /** No draft is stated, but a keyword implies draft-07. */
  | { readonly kind: "older-words"; readonly draft: KnownDraft; readonly word: string; readonly pointer: string }
  /** Another draft, equivalent to `draft` for the keywords used. */
  | { readonly kind: "near"; readonly draft: KnownDraft; readonly name: string }
  /** Draft 2019-09: all of 2020-12 that is used, but tuples are lists under `items`. */
  | { readonly kind: "2019-09" }
  /** No draft is stated, and keywords of both drafts are used. */
  | { readonly kind: "mixed"; readonly older: string; readonly newer: string; readonly pointer: string }
  | { readonly kind: "unknown"; readonly word: string };

type KnownDraft = "2020-12" | "draft-07";

const NAME = /^https?:\/\/json-schema\.org\/(?:draft\/)?(draft-\d\d|\d{4}-\d\d)\/schema#?$/;

/** Omits `$schema` if it states the default; adds draft-07 if only that draft has the keywords used. */
export function withDraft(
  translated: JsonValue,
  {
    tool,
    note,
    locate,
  }: { readonly tool: string; readonly note: MakeImportDiagnostic; readonly locate: (pointer: string) => Location },
): JsonValue {
  if (!isObject(translated)) return translated;
  const { $schema: written } = translated;
  const rest = pickMembers(translated, (keyword) => keyword !== "$schema");
  const verdict = findDraft(written, translated);
  switch (verdict.kind) {
    case "older-words":
      note("older-words", locate(verdict.pointer), { word: verdict.word });
      break;
    case "near":
      note("draft", locate("/$schema"), { from: verdict.name, to: verdict.draft });
      break;
    case "mixed":
      note("mixed-drafts", locate(verdict.pointer), { tool, older: verdict.older, newer: verdict.newer });
      return rest;
    case "unknown":
      note("unknown-draft", locate("/$schema"), { tool, draft: JSON.stringify(written), word: verdict.word });
      return rest;
    case "2019-09":
      note("draft", locate(written === undefined ? "" : "/$schema"), { from: "2019-09", to: "2020-12" });
      return convertTuples(rest) as JsonObject;
    default:
  }
  return verdict.draft === "draft-07" ? { $schema: DRAFT_07, ...rest } : rest;
}

function findDraft(written: JsonValue | undefined, schema: JsonObject): DraftVerdict {
  const older = firstLocation(schema, olderWord);
  if (written === undefined) {
    if (older === undefined) return { kind: "stated", draft: "2020-12" };
    const newer = firstLocation(schema, newerWord);
    if (newer !== undefined) {
      const isIn2019 = firstLocation(schema, newerKeyword) !== undefined && findWordNotIn2019(schema) === undefined;
      if (isIn2019) return { kind: "2019-09" };
      return { kind: "mixed", older: older.word, newer: newer.word, pointer: older.pointer };
    }
    return { kind: "older-words", draft: "draft-07", ...older };
  }
  const name = typeof written === "string" ? NAME.exec(written)?.[1] : undefined;
  if (name === "2020-12" || name === "draft-07") return { kind: "stated", draft: name };
  // Draft-07 includes all of draft-06, and draft-04 once its bounds are translated.
  if (name === "draft-06" || name === "draft-04") return { kind: "near", draft: "draft-07", name };
  const word = name === "2019-09" ? findWordNotIn2019(schema) : (older?.word ?? "$schema");
  return word === undefined ? { kind: "2019-09" } : { kind: "unknown", word };
}

/** Finds a keyword that 2019-09 lacks, or whose meaning 2020-12 changed beyond what {@link convertTuples} converts. */
function findWordNotIn2019(root: JsonObject): string | undefined {
  const used = new Set<string>();
  walkSchema(root, ({ schema }) => {
    for (const keyword of typeof schema === "object" ? Object.keys(schema) : []) used.add(keyword);
  });
  // Since 2020-12, what `contains` matches counts as evaluated.
  if (used.has("contains") && used.has("unevaluatedItems")) return "contains";
  return ["dependencies", "prefixItems", "$dynamicRef", "$dynamicAnchor"].find((word) => used.has(word));
}

/** Replaces lists under `items`, with the schema for the items after them, by the keywords of 2020-12. */
function convertTuples(schema: JsonValue): JsonValue {
  if (!isObject(schema)) return schema;
  const isTuple = isList(schema["items"]);
  return sortKeywords(
    Object.entries(schema).flatMap(([keyword, operand]): readonly [string, JsonValue][] => {
      const value = mapSubschemas(keyword, operand, (inner) => convertTuples(inner as JsonValue)) as JsonValue;
      if (keyword === "items" && isTuple) return [["prefixItems", value]];
      if (keyword !== "additionalItems") return [[keyword, value]];
      return isTuple ? [["items", value]] : [];
    }),
  );
}

/** Returns a keyword that 2020-12 lacks or redefined. */
function olderWord(schema: JsonObject): string | undefined {
  if (Array.isArray(schema["items"])) return "items";
  return Object.keys(schema).find((word) => word === "dependencies" || keywordRow(word)?.draft === "draft-07");
}

/** Returns a keyword that draft-07 lacks, or a `$ref` with a sibling that draft-07 would ignore. */
function newerWord(schema: JsonObject): string | undefined {
  const word = newerKeyword(schema);
  if (word !== undefined || !Object.hasOwn(schema, "$ref")) return word;
  const sibling = Object.keys(schema).find((keyword) => keyword !== "$ref" && isKeyword(keyword) && !isAside(keyword));
  return sibling === undefined ? undefined : `$ref beside ${sibling}`;
}

function newerKeyword(schema: JsonObject): string | undefined {
  return Object.keys(schema).find((keyword) => {
    const row = keywordRow(keyword);
    return row?.draft === "2020-12" && (row.role === "assertion" || row.role === "applicator");
  });
}

function isAside(keyword: string): boolean {
  return isAnnotation(keyword) || (keywordRow(keyword)?.role === "identifier" && holdsSchemas(keyword));
}

function firstLocation(
  root: JsonObject,
  find: (schema: JsonObject) => string | undefined,
): { readonly word: string; readonly pointer: string } | undefined {
  let first: { readonly word: string; readonly pointer: string } | undefined;
  walkSchema(root, ({ schema, pointer }) => {
    if (first !== undefined || !isObject(schema)) return false;
    const word = find(schema);
    if (word !== undefined) first = { word, pointer: Object.hasOwn(schema, word) ? `${pointer}/${word}` : pointer };
    return first === undefined;
  });
  return first;
}

/** Replaces references by `$id` with JSON Pointers: a spec is a file, from which they would lead to other files. */
export function withLocalReferences(schema: JsonObject): JsonObject {
  let [goesById, hasParts, isRecursive] = [false, false, false];
  walkSchema(schema, ({ schema: node, pointer }) => {
    if (typeof node !== "object") return;
    const { $id, $ref } = node;
    goesById ||= typeof $ref === "string" && !$ref.startsWith("#");
    hasParts ||= pointer !== "" && typeof $id === "string";
    isRecursive ||= Object.hasOwn(node, "$recursiveRef");
  });
  const local = goesById || hasParts ? localizeReferences(schema) : schema;
  return isRecursive && !hasParts ? (withoutRecursiveReferences(local) as JsonObject) : local;
}

/** Replaces the `$recursiveRef` of 2019-09, which means the root of a schema without parts that have an `$id`. */
function withoutRecursiveReferences(schema: JsonValue): JsonValue {
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([keyword, operand]): readonly [string, JsonValue][] => {
    if (keyword === "$recursiveAnchor") return [];
    if (keyword === "$recursiveRef" && operand === "#" && !Object.hasOwn(schema, "$ref")) return [["$ref", "#"]];
    return [
      [
        keyword,
        mapSubschemas(keyword, operand, (inner) => withoutRecursiveReferences(inner as JsonValue)) as JsonValue,
      ],
    ];
  });
  return Object.fromEntries(entries);
}

/** Keywords that make a schema reachable other than by a pointer from its root. */
const NAMING = ["$id", "$anchor", "$dynamicAnchor", "$dynamicRef"];

/**
 * Removes and counts unreferenced definitions, since servers often attach all their definitions to each tool. Keeps all
 * if one might be reachable other than by `#/$defs/…`.
 */
export function pruneDefinitions(schema: JsonObject): { readonly schema: JsonObject; readonly removed: number } {
  const stock = ["$defs", "definitions"].filter((keyword) => isObject(schema[keyword]));
  if (stock.length === 0) return { schema, removed: 0 };
  const found = new Set<string>();
  const root = pickMembers(schema, (keyword) => !stock.includes(keyword));
  const waiting: JsonValue[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const references = referencesIn(next);
    if (references === undefined) return { schema, removed: 0 };
    for (const reference of references) {
      const target = definitionOf(reference, schema, stock);
      // A reference to the root, to another document or to nothing: keep everything.
      if (target === undefined) return { schema, removed: 0 };
      if (found.has(target.path)) continue;
      found.add(target.path);
      waiting.push(target.definition);
    }
  }
  let removed = 0;
  const entries = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, JsonValue])[] => {
    if (!stock.includes(keyword) || !isObject(value)) return [[keyword, value]];
    const kept = Object.entries(value).filter(([name]) => found.has(`${keyword}/${name}`));
    removed += Object.keys(value).length - kept.length;
    return kept.length === 0 ? [] : [[keyword, Object.fromEntries(kept)]];
  });
  return { schema: Object.fromEntries(entries), removed };
}

/**
 * Returns every `$ref` in a value; `undefined` if something in it is reachable by name. Treats data as schemas: extra
 * references do no harm.
 */
function referencesIn(value: JsonValue): readonly string[] | undefined {
  const references: string[] = [];
  const waiting: JsonValue[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isStructured(next)) continue;
    const object: object = next;
    if (NAMING.some((keyword) => Object.hasOwn(object, keyword))) return undefined;
    for (const [key, inner] of Object.entries(next) as [string, JsonValue][]) {
      if (key === "$ref" && typeof inner === "string") references.push(inner);
      else waiting.push(inner);
    }
  }
  return references;
}

function definitionOf(
  reference: string,
  schema: JsonObject,
  stock: readonly string[],
): { readonly path: string; readonly definition: JsonValue } | undefined {
  const pointer = readReference(reference);
  const [keyword = "", name = ""] = pointer === undefined ? [] : parsePointer(pointer);
  const definitions = stock.includes(keyword) ? schema[keyword] : undefined;
  const definition = readOwnMember(definitions, name);
  return definition === undefined ? undefined : { path: `${keyword}/${name}`, definition };
}
