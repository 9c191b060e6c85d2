import type { JsonObject, JsonValue } from "@hasp/schema";
import { createValidator } from "@hasp/schema";
import type { Diagnostic, Found, Location } from "../diagnostics/diagnostic.js";
import { importDiagnostics, type MakeImportDiagnostic } from "./diagnostics.js";
import { DRAFT_07, draftOf } from "./draft-of-schema.js";
import { pruneDefinitions } from "./prune-definitions.js";
import { FOREIGN_TYPES, KEYWORDS, KEYWORD_RANK, TYPE_NAMES } from "./schema-words.js";
import { escapeToken } from "../model/json-pointer.js";

const DEEPEST = 200;

/** Where a schema to be translated comes from. */
export interface TranslationSource {
  /** The tool's name at the source, for messages. */
  readonly tool: string;
  /** Whether to ask about objects that are open or bare: only those of an input decide what a model may send. */
  readonly role: "input" | "output";
  /** The place of a JSON Pointer into the schema in the user's file. */
  locate(pointer: string): Location;
}

/**
 * Writes a schema of a stranger in the words of JSON Schema: type words of other languages, `nullable`, `example` and
 * draft-04's bounds where their meaning is certain; a keyword that nobody knows stays as `x-imported-…`. Nothing is
 * closed, opened or guessed. The value is `undefined` where the schema cannot be said exactly; an error tells why.
 */
export function translateSchema(source: JsonValue, { tool, role, locate }: TranslationSource): Found<JsonValue | undefined> {
  const diagnostics: Diagnostic[] = [];
  const note: MakeImportDiagnostic = (name, location, parameters, details) => {
    const diagnostic = importDiagnostics(name, location, parameters, details);
    diagnostics.push(diagnostic);
    return diagnostic;
  };
  const pruned = isObject(source) ? pruneDefinitions(source) : undefined;
  if (pruned !== undefined && pruned.removed > 0) note("unused-definitions", locate(""), { count: pruned.removed });
  const definitions = pruned === undefined ? {} : pickOwn(pruned.schema, ["$defs", "definitions"]);

  function schema(value: JsonValue, pointer: string, depth: number): JsonValue {
    if (typeof value === "boolean") return value;
    if (!isObject(value)) {
      note("not-a-schema", locate(pointer), { tool });
      return true;
    }
    if (depth > DEEPEST) {
      note("too-deep", locate(pointer), { tool, levels: DEEPEST });
      return true;
    }
    const result = new Map<string, JsonValue>();
    for (const [keyword, operand] of Object.entries(value)) keywordOf(result, value, keyword, operand, pointer, depth);
    applyNullable(result, value, pointer);
    checkDefault(result, pointer);
    if (role === "input") askAboutObject(result, pointer);
    return Object.fromEntries([...result].toSorted(byKeywordRank));
  }

  function keywordOf(
    result: Map<string, JsonValue>,
    parent: JsonObject,
    keyword: string,
    operand: JsonValue,
    pointer: string,
    depth: number,
  ): void {
    const place = `${pointer}/${escapeToken(keyword)}`;
    const keep = (): void => {
      note("keyword-kept", locate(place), { keyword, kept: `x-imported-${keyword}` });
      result.set(`x-imported-${keyword}`, operand);
    };
    const each = (value: JsonValue, inner: string): JsonValue => schema(value, inner, depth + 1);
    switch (keyword) {
      case "type":
        return typeOf(result, operand, place);
      case "nullable":
        // `true` is handled with the whole schema; `false` says what is so anyway.
        if (operand !== false && !(operand === true && canBeNullable(parent))) keep();
        return;
      case "example":
        if (Object.hasOwn(parent, "examples")) return keep();
        note("example", locate(place), undefined);
        result.set("examples", [operand]);
        return;
      case "exclusiveMinimum":
      case "exclusiveMaximum":
        return boundOf(result, parent, keyword, operand, place);
      case "minimum":
        if (parent["exclusiveMinimum"] === true) return;
        break;
      case "maximum":
        if (parent["exclusiveMaximum"] === true) return;
        break;
      case "required":
        // Draft-03 and many people write `required: true` on a property; here it would say nothing.
        if (!Array.isArray(operand)) return keep();
        if (operand.length === 0) return;
        break;
      default:
    }
    const shape = KEYWORDS.get(keyword);
    if (shape === undefined) {
      if (keyword.startsWith("x-")) result.set(keyword, operand);
      else keep();
      return;
    }
    if (shape === "schema" || (shape === "schema-or-schemas" && !Array.isArray(operand))) {
      result.set(keyword, each(operand, place));
    } else if (shape === "schemas" || shape === "schema-or-schemas") {
      if (!Array.isArray(operand)) return void note("not-a-schema", locate(place), { tool });
      result.set(keyword, operand.map((item: JsonValue, index) => each(item, `${place}/${index}`)));
    } else if (shape === "map" || shape === "map-of-schemas-or-names") {
      if (!isObject(operand)) return void note("not-a-schema", locate(place), { tool });
      const entries = Object.entries(operand).map(([name, item]): [string, JsonValue] => [
        name,
        shape === "map-of-schemas-or-names" && Array.isArray(item) ? item : each(item, `${place}/${escapeToken(name)}`),
      ]);
      result.set(keyword, Object.fromEntries(entries));
    } else {
      result.set(keyword, operand);
    }
  }

  function typeOf(result: Map<string, JsonValue>, operand: JsonValue, place: string): void {
    const words: readonly JsonValue[] = Array.isArray(operand) ? operand : [operand];
    const types: string[] = [];
    let isAny = false;
    for (const word of words) {
      if (typeof word === "string" && TYPE_NAMES.has(word)) types.push(word);
      else if (typeof word === "string" && FOREIGN_TYPES.has(word)) {
        const type = FOREIGN_TYPES.get(word);
        note("type-word", locate(place), { word, type: type ?? "" });
        if (type === undefined) isAny = true;
        else types.push(type);
      } else {
        note("unknown-type", locate(place), { tool, word: JSON.stringify(word) });
        return;
      }
    }
    if (isAny) return;
    const once = [...new Set(types)];
    const only = once[0];
    result.set("type", !Array.isArray(operand) && only !== undefined ? only : once);
  }

  function boundOf(
    result: Map<string, JsonValue>,
    parent: JsonObject,
    keyword: "exclusiveMinimum" | "exclusiveMaximum",
    operand: JsonValue,
    place: string,
  ): void {
    if (typeof operand !== "boolean") {
      result.set(keyword, operand);
      return;
    }
    const bound = parent[keyword === "exclusiveMinimum" ? "minimum" : "maximum"];
    if (!operand || bound === undefined) return;
    note("boolean-bound", locate(place), { keyword });
    result.set(keyword, bound);
  }

  function applyNullable(result: Map<string, JsonValue>, parent: JsonObject, pointer: string): void {
    if (parent["nullable"] !== true || !canBeNullable(parent)) return;
    const type = result.get("type");
    if (type === undefined) return;
    const types = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
    note("nullable", locate(`${pointer}/nullable`), undefined);
    result.set("type", types.includes("null") ? types : [...types, "null"]);
    const values = result.get("enum");
    if (Array.isArray(values) && !values.includes(null)) result.set("enum", [...(values as readonly JsonValue[]), null]);
  }

  function checkDefault(result: Map<string, JsonValue>, pointer: string): void {
    const value = result.get("default");
    if (value === undefined) return;
    const rest = Object.fromEntries([...Object.entries(definitions), ...result]);
    if (fits(value, rest) !== false) return;
    note("invalid-default", locate(`${pointer}/default`), undefined);
    result.delete("default");
    result.set("x-imported-default", value);
  }

  function askAboutObject(result: ReadonlyMap<string, JsonValue>, pointer: string): void {
    const type = result.get("type");
    const isObjectType = type === "object" || (Array.isArray(type) && type.includes("object"));
    const additional = result.get("additionalProperties");
    if (additional === true || (isObject(additional) && Object.keys(additional).length === 0)) {
      note("open-object", locate(`${pointer}/additionalProperties`), undefined);
    } else if (isObjectType && !OBJECT_WORDS.some((word) => result.has(word))) {
      note("bare-object", locate(pointer), undefined);
    }
  }

  /** Leaves out `$schema` where it says what is so anyway; puts draft-07 there where only that draft has the words used. */
  function withDraft(translated: JsonValue): JsonValue {
    if (!isObject(translated)) return translated;
    const { $schema: written } = translated;
    const rest = Object.fromEntries(Object.entries(translated).filter(([keyword]) => keyword !== "$schema"));
    const verdict = draftOf(written, translated);
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
      default:
    }
    return verdict.draft === "draft-07" ? { $schema: DRAFT_07, ...rest } : rest;
  }

  const translated = withDraft(schema(pruned?.schema ?? source, "", 0));
  const isRefused = diagnostics.some((diagnostic) => diagnostic.severity === "error");
  return { value: isRefused ? undefined : translated, diagnostics };
}

/** Words that say what an object holds, by themselves or through what they compose. */
const OBJECT_WORDS = [
  "properties",
  "additionalProperties",
  "unevaluatedProperties",
  "patternProperties",
  "propertyNames",
  "maxProperties",
  "$ref",
  "$dynamicRef",
  "allOf",
  "anyOf",
  "oneOf",
  "enum",
  "const",
];

/** OpenAPI 3.0 gives `nullable` a meaning only beside `type`. */
function canBeNullable(schema: JsonObject): boolean {
  return schema["type"] !== undefined && schema["const"] === undefined;
}

/** Whether the value is valid; `undefined` where the schema alone cannot tell. */
function fits(value: JsonValue, schema: JsonObject): boolean | undefined {
  try {
    return createValidator(schema)(value).valid;
  } catch {
    // A reference to elsewhere, or a broken keyword: `hasp check` reports it at its own place.
    return undefined;
  }
}

function byKeywordRank([a]: readonly [string, JsonValue], [b]: readonly [string, JsonValue]): number {
  return (KEYWORD_RANK.get(a) ?? KEYWORDS.size) - (KEYWORD_RANK.get(b) ?? KEYWORDS.size);
}

function pickOwn(source: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([key]) => keys.includes(key)));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
