import { type JsonObject, type JsonValue, createValidator } from "@hasp/schema";
import { holdsSchemas, keywordRow } from "@hasp/schema/vocabulary";
import type { Diagnostic, Found, Location } from "@hasp/base/diagnostics";
import { appendToPointer, pickMembers, isList, isObject } from "@hasp/base/json";
import { importDiagnostics, type MakeImportDiagnostic } from "../source/diagnostics.js";
import { omitKeys } from "../source/json-values.js";
import { pruneDefinitions, withDraft, withLocalReferences } from "./schema-root.js";
import { lacksObjectType } from "./object-type.js";
import {
  addNullBranch,
  applyNullable,
  isNullableWithoutType,
  isRoundedBound,
  fromProtocolBuffer,
  isTranslatableNullable,
  type TranslatedNode,
  translateExclusiveBound,
  translatePattern,
  translateType,
  type WordSettings,
} from "./translate-words.js";
import type { SchemaDialect } from "./schema-dialect.js";
import { sortKeywords } from "./schema-words.js";

const DEEPEST = 200;

/** The most schemas of which one may consist, by its `allOf`. */
export const MOST_PARTS = 500;

const NULLABLE: ReadonlySet<string> = new Set(["nullable"]);

interface TranslationSource {
  readonly tool: string;
  /** Open and bare objects are reported only for an input, which decides what a model may send. */
  readonly role: "input" | "output";
  /** True if inputs and outputs refer to the same translation. Default: false. */
  readonly isShared?: boolean;
  readonly dialect: SchemaDialect;
  locate(pointer: string): Location;
  /** Returns the spec's version of a `$ref`; returns `undefined` for a broken one, after reporting it. */
  reference(reference: string, pointer: string): string | undefined;
  readonly isWhole: boolean;
  /** Returns the properties of a schema that do not exist in this role; `undefined` for too many parts. Default: none. */
  readonly hidden?: ((schema: JsonObject) => ReadonlySet<string> | undefined) | undefined;
  /** Returns what else holds for each branch of a union, as keywords beside its reference. Default: nothing. */
  readonly tags?: ((schema: JsonObject) => readonly (JsonObject | undefined)[]) | undefined;
}

/**
 * Translates a foreign schema to JSON Schema: type names, `nullable`, `example` and draft-04 bounds, if unambiguous;
 * unknown keywords become `x-imported-…`. Adds a missing `type: object`, but closes, opens and guesses nothing else.
 * Reports the reason if a schema cannot be expressed exactly.
 */
export function translateSchema(source: JsonValue, settings: TranslationSource): Found<JsonValue | undefined> {
  const { tool, role, dialect, locate } = settings;
  const diagnostics: Diagnostic[] = [];
  const note: MakeImportDiagnostic = (name, location, parameters, details) => {
    const diagnostic = importDiagnostics(name, location, parameters, details);
    diagnostics.push(diagnostic);
    return diagnostic;
  };
  let isBound = true;
  const words: WordSettings = { tool, dialect, note, locate };
  const pruned = settings.isWhole && isObject(source) ? pruneDefinitions(withLocalReferences(source)) : undefined;
  if (pruned !== undefined && pruned.removed > 0) note("unused-definitions", locate(""), { count: pruned.removed });
  const root = pruned?.schema ?? source;
  const definitions = isObject(root) ? pickOwn(root, ["$defs", "definitions"]) : {};

  function schema(
    written: JsonValue,
    pointer: string,
    depth: number,
    { hidden: hiddenAround, isDescribed, isInPlace }: Surroundings,
  ): JsonValue {
    if (typeof written === "boolean") return written;
    if (!isObject(written)) {
      note("not-a-schema", locate(pointer), { tool });
      return true;
    }
    const value = dialect.isProtocolBuffer ? fromProtocolBuffer(written) : written;
    if (depth > DEEPEST) {
      note("too-deep", locate(pointer), { tool, levels: DEEPEST });
      return true;
    }
    const node: TranslatedNode = { source: value, result: new Map(), pointer };
    const hiddenHere = settings.hidden === undefined ? NOTHING_AROUND.hidden : settings.hidden(value);
    if (hiddenHere === undefined) note("too-many-parts", locate(pointer), { tool, most: MOST_PARTS });
    const hidden = union(hiddenAround, hiddenHere);
    const isReference = typeof value["$ref"] === "string" && dialect.besideReference === "prose";
    const isNullable = isNullableWithoutType(value, dialect);
    const asserted = isNullable ? omitKeys(value, NULLABLE) : value;
    for (const [keyword, operand] of Object.entries(asserted)) {
      if (isReference && keyword !== "$ref" && !PROSE.has(keyword)) keep(node, keyword, operand, "beside-reference");
      else {
        translateKeyword(node, keyword, operand, depth, {
          hidden,
          isDescribed:
            isDescribed || Object.hasOwn(value, "properties") || (isList(value["allOf"]) && value["allOf"].length > 1),
          isInPlace,
        });
      }
    }
    const decidesInput = role === "input" || settings.isShared === true;
    // The root of a tool's input gets its type without a warning.
    const isRoot = settings.isWhole && pointer === "";
    if (decidesInput && !isInPlace && !isRoot && lacksObjectType(asserted)) {
      note("implied-object", locate(pointer), undefined);
      node.result.set("type", "object");
    }
    if (isNullable) addNullBranch(node, words);
    else if (!isReference) applyNullable(node, words);
    checkValues(node);
    if (decidesInput) askAboutObject(node, isDescribed);
    return sortKeywords([...node.result]);
  }

  function keep(
    { result, pointer }: TranslatedNode,
    keyword: string,
    operand: JsonValue,
    reason: "keyword-kept" | "beside-reference",
  ): void {
    const kept = keyword.startsWith("x-") ? keyword : `x-imported-${keyword}`;
    if (kept !== keyword && !dialect.annotations.has(keyword)) {
      note(reason, locate(appendToPointer(pointer, keyword)), { keyword, kept });
    }
    result.set(kept, operand);
  }

  function translateKeyword(
    node: TranslatedNode,
    keyword: string,
    written: JsonValue,
    depth: number,
    { hidden, isDescribed }: Surroundings,
  ): void {
    const { source: parent, result, pointer } = node;
    const place = appendToPointer(pointer, keyword);
    let operand = written;
    if (isRoundedBound(keyword, operand)) {
      note("bound-dropped", locate(place), { keyword });
      // JSON has no infinity, which numbers beyond 10^308 become.
      if (Number.isFinite(operand)) result.set(`x-imported-${keyword}`, operand);
      return;
    }
    switch (keyword) {
      case "$ref": {
        const target = typeof operand === "string" ? settings.reference(operand, place) : operand;
        if (target === undefined) isBound = false;
        else result.set(keyword, target);
        return;
      }
      case "$id":
        // References from elsewhere go by place, and an `$id` would change what those inside mean.
        if (settings.isWhole) break;
        return;
      case "type":
        return translateType(node, words);
      case "pattern":
        return translatePattern(node, words);
      case "nullable":
        if (!isTranslatableNullable(parent, dialect)) keep(node, keyword, operand, "keyword-kept");
        return;
      case "example":
        if (Object.hasOwn(parent, "examples")) return keep(node, keyword, operand, "keyword-kept");
        note("example", locate(place), undefined);
        result.set("examples", [operand]);
        return;
      case "exclusiveMinimum":
      case "exclusiveMaximum":
        return translateExclusiveBound(node, keyword, words);
      case "minimum":
        if (parent["exclusiveMinimum"] === true) return;
        break;
      case "maximum":
        if (parent["exclusiveMaximum"] === true) return;
        break;
      case "required":
        // Draft-03, and many authors, write `required: true` on a property; it means nothing here.
        if (!isList(operand)) return keep(node, keyword, operand, "keyword-kept");
        operand = operand.filter((name) => typeof name !== "string" || !hidden.has(name));
        if (isList(operand) && operand.length === 0) return;
        break;
      case "properties":
        if (isObject(operand) && hidden.size > 0) {
          const all = Object.entries(operand);
          const shown = all.filter(([name]) => !hidden.has(name));
          if (shown.length < all.length) {
            note("hidden-properties", locate(place), { variant: role, count: all.length - shown.length });
          }
          operand = Object.fromEntries(shown);
        }
        break;
      default:
    }
    const row = keywordRow(keyword);
    const shape = row?.value;
    const isNameOrSchema = shape === "schemaOrNamesMap";
    // Properties hidden in the parent are hidden here too.
    const isInPlace = row?.applies === "inPlace" || keyword === "if";
    const around = isInPlace ? { hidden, isDescribed, isInPlace } : NOTHING_AROUND;
    const each = (value: JsonValue, inner: string): JsonValue => schema(value, inner, depth + 1, around);
    if (shape === undefined) keep(node, keyword, operand, "keyword-kept");
    else if (!holdsSchemas(keyword)) result.set(keyword, operand);
    else if (shape === "schemas" || (shape === "schemaOrSchemas" && isList(operand))) {
      if (!isList(operand) || (dialect.draft === "fixed" && keyword === "items")) {
        return void note("not-a-schema", locate(place), { tool });
      }
      const isTagged = keyword === "oneOf" || (keyword === "anyOf" && parent["oneOf"] === undefined);
      const tags = isTagged ? settings.tags?.(parent) : undefined;
      result.set(
        keyword,
        operand.map((item, index) => {
          const translated = each(item, `${place}/${index}`);
          return isObject(translated) ? withTag(translated, tags?.[index]) : translated;
        }),
      );
    } else if (shape === "schemaMap" || isNameOrSchema) {
      if (!isObject(operand)) return void note("not-a-schema", locate(place), { tool });
      if (typeof operand["$ref"] === "string") return void note("reference-for-map", locate(place), { tool, keyword });
      const entries = Object.entries(operand).map(([name, item]): [string, JsonValue] => [
        name,
        isNameOrSchema && isList(item) ? item : each(item, appendToPointer(place, name)),
      ]);
      result.set(keyword, Object.fromEntries(entries));
    } else {
      result.set(keyword, each(operand, place));
    }
  }

  /** Keeps a default or an example that does not match its own schema under a name without effect. */
  function checkValues({ result, pointer }: TranslatedNode): void {
    const { default: value, examples, ...rest } = Object.fromEntries(result);
    const fitting = hasValues(value, examples) ? fits({ ...definitions, ...rest }) : undefined;
    if (fitting === undefined) return;
    const setAside = (keyword: "default" | "examples", refused: JsonValue): void => {
      note("invalid-value", locate(`${pointer}/${keyword}`), { variant: keyword });
      result.set(`x-imported-${keyword}`, refused);
    };
    if (value !== undefined && !fitting(value)) {
      result.delete("default");
      setAside("default", value);
    }
    const refused = isList(examples) ? examples.filter((example) => !fitting(example)) : [];
    if (!isList(examples) || refused.length === 0) return;
    if (refused.length === examples.length) result.delete("examples");
    else {
      result.set(
        "examples",
        examples.filter((example) => !refused.includes(example)),
      );
    }
    setAside("examples", refused);
  }

  function askAboutObject({ source: written, result, pointer }: TranslatedNode, isDescribed: boolean): void {
    const type = result.get("type");
    const isObjectType = type === "object" || (isList(type) && type.includes("object"));
    const additional = result.get("additionalProperties");
    if (additional === true || (isObject(additional) && Object.keys(additional).length === 0)) {
      note("open-object", locate(`${pointer}/additionalProperties`), undefined);
    } else if (isObjectType && !isDescribed && !OBJECT_WORDS.some((word) => Object.hasOwn(written, word))) {
      note("bare-object", locate(pointer), undefined);
      result.set("additionalProperties", true);
    }
  }

  const translated = schema(root, "", 0, NOTHING_AROUND);
  const value = dialect.draft === "fixed" ? translated : withDraft(translated, { tool, note, locate });
  const isRefused = !isBound || diagnostics.some((diagnostic) => diagnostic.severity === "error");
  return { value: isRefused ? undefined : value, diagnostics };
}

/** Adds keywords to a branch. Those that it has itself stay: both hold. */
function withTag(branch: JsonObject, tag: JsonObject = {}): JsonObject {
  return Object.keys(tag).some((keyword) => Object.hasOwn(branch, keyword))
    ? { allOf: [branch, tag] }
    : { ...branch, ...tag };
}

interface Surroundings {
  readonly hidden: ReadonlySet<string>;
  readonly isDescribed: boolean;
  /** True if they judge the same value, and this schema is only a part of them. */
  readonly isInPlace: boolean;
}

const NOTHING_AROUND: Surroundings = { hidden: new Set(), isDescribed: false, isInPlace: false };

const PROSE: ReadonlySet<string> = new Set(["title", "description"]);

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

const hasValues = (value: JsonValue | undefined, examples: JsonValue | undefined): boolean =>
  value !== undefined || (isList(examples) && examples.length > 0);

/** Returns a check of values; `undefined` if the schema alone cannot decide. */
function fits(schema: JsonObject): ((value: JsonValue) => boolean) | undefined {
  try {
    // Untrusted patterns do not run: they may never terminate.
    const validate = createValidator(schema, { foreignPatterns: "skip" });
    return (value) => validate(value).valid;
  } catch {
    // An external reference or a broken keyword: `hasp check` reports it at its own location.
    return undefined;
  }
}

function union(left: ReadonlySet<string>, right: ReadonlySet<string> | undefined): ReadonlySet<string> {
  return right === undefined || right.size === 0 ? left : left.size === 0 ? right : new Set([...left, ...right]);
}

function pickOwn(source: JsonObject, keys: readonly string[]): JsonObject {
  return pickMembers(source, (key) => keys.includes(key));
}
