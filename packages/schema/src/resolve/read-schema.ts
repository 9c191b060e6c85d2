import { linearPattern } from "../patterns/linear-pattern.js";
import { type Origin, type SchemaDiagnostic, findNearestWord } from "@hasp/base/diagnostics";
import { type JsonValue, isPlainObject, explainNotJson, appendToPointer } from "@hasp/base/json";
import { FOREIGN_TYPES, findForeignKeyword, resolveDiagnostics } from "./diagnostics.js";
import { TYPE_NAMES, isTypeName, maskOfTypes, maskOfValues } from "../json/type-mask.js";
import { FAMILIES_OF, FAMILY, Keywords, type BoundSchema, type SchemaNode } from "./types.js";
import {
  isKeyword,
  keywordIn,
  keywordNames,
  type Draft,
  type Keyword,
  type KeywordRow,
  type KeywordValue,
} from "../vocabulary/keywords.js";

export interface ReadContext {
  readonly unknownKeywords: "error" | "keep";
  child(parent: SchemaNode, pointer: string, value: unknown): SchemaNode;
  origin(node: SchemaNode, pointer?: string): Origin;
  report(diagnostic: SchemaDiagnostic): void;
}

interface SchemaReading {
  readonly node: SchemaNode;
  readonly context: ReadContext;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly bound: { -readonly [Key in keyof BoundSchema]: BoundSchema[Key] };
}

/** A test for a keyword's value, and the words that follow "must be". */
interface ValueForm {
  readonly fits: (value: unknown) => boolean;
  readonly expected: string;
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

const TEXT: ValueForm = { expected: "a string", fits: (value) => typeof value === "string" };

const FORMS: { readonly [value in KeywordValue]: ValueForm | undefined } = {
  uri: TEXT,
  anchor: TEXT,
  string: TEXT,
  pattern: TEXT,
  boolean: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  number: { expected: "a number", fits: Number.isFinite },
  positiveNumber: { expected: "a number above 0", fits: (value) => Number.isFinite(value) && Number(value) > 0 },
  count: { expected: "a whole number, 0 or more", fits: (value) => Number.isInteger(value) && Number(value) >= 0 },
  names: { expected: "a list of property names", fits: isNameList },
  values: { expected: "a list of values", fits: Array.isArray },
  schemas: {
    expected: "a list of schemas with at least one member",
    fits: (value) => Array.isArray(value) && value.length > 0,
  },
  schemaMap: { expected: "an object whose values are schemas", fits: isPlainObject },
  namesMap: { expected: "an object", fits: isPlainObject },
  schemaOrNamesMap: { expected: "an object", fits: isPlainObject },
  schema: undefined,
  schemaOrSchemas: undefined,
  types: undefined,
  value: undefined,
  anything: undefined,
};

const NONE: readonly never[] = [];

/** Appends an item. A list of its own grows in place; most hold one item, and an empty one is shared. */
function appended<Item>(list: readonly Item[], item: Item): readonly Item[] {
  if (list.length === 0) return [item];
  (list as Item[]).push(item);
  return list;
}

/** Checks one node and reads it into 2020-12 words. A keyword whose value cannot be used is reported and left out. */
export function readSchema(node: SchemaNode, context: ReadContext): BoundSchema {
  const { value } = node;
  const bound: SchemaReading["bound"] = {
    id: node.id,
    node,
    constant: typeof value === "boolean" ? value : undefined,
    keywords: new Keywords(),
    families: 0,
    annotations: NONE,
    conjuncts: NONE,
    reference: undefined,
    dynamicReference: undefined,
    children: NONE,
    synthetic: false,
  };
  if (isPlainObject(value)) {
    readKeywords({ node, context, raw: value, bound });
  } else if (bound.constant === undefined) {
    context.report(resolveDiagnostics("invalid-schema", context.origin(node), { value }));
    bound.constant = true;
  }
  return bound;
}

/** Draft-07 ignores everything else beside "$ref"; definitions may still be referred to from elsewhere. */
const OUTLASTS_REFERENCE = new Set(["$ref", "$defs", "definitions"]);

function readKeywords(reading: SchemaReading): void {
  const { bound, raw, node } = reading;
  const { draft } = node.resource;
  const isOnlyReference = draft === "draft-07" && typeof raw["$ref"] === "string";
  for (const keyword of Object.keys(raw)) {
    if (isOnlyReference && !OUTLASTS_REFERENCE.has(keyword)) continue;
    const value = raw[keyword];
    // As in JSON.stringify, a key whose value is undefined is not there.
    if (value === undefined) continue;
    const row = keywordIn(draft, keyword);
    const form = row && FORMS[row.value];
    if (row === undefined || !isKeyword(keyword)) readUnknown(reading, keyword, value);
    else if (form?.fits(value) === false) complainOfValue(reading, keyword, form.expected, value);
    else readKeyword(reading, keyword, value, row);
  }
  const { keywords } = bound;
  if (keywords.type !== undefined) keywords.types &= maskOfTypes(keywords.type);
  if (keywords.enum !== undefined) keywords.types &= maskOfValues(keywords.enum);
  if (keywords.const !== undefined) keywords.types &= maskOfValues([keywords.const]);
}

function readName({ bound, node }: SchemaReading, keyword: string, value: string): void {
  const { anchors, dynamicAnchors } = node.resource;
  switch (keyword) {
    case "$ref":
      bound.reference = value;
      return;
    case "$dynamicRef":
      bound.dynamicReference = value;
      return;
    case "$dynamicAnchor":
      dynamicAnchors.set(value, node);
      anchors.set(value, node);
      return;
    case "$anchor":
      anchors.set(value, node);
  }
}

function complain(
  { context, node }: SchemaReading,
  pointer: string,
  finding: (origin: Origin) => SchemaDiagnostic,
): void {
  context.report(finding(context.origin(node, pointer)));
}

function complainOfValue(reading: SchemaReading, keyword: string, expected: string, value: unknown): void {
  const isOld = typeof value === "boolean" && keyword.startsWith("exclusive");
  complain(reading, at(reading, keyword), (origin) =>
    isOld
      ? resolveDiagnostics("invalid-keyword", origin, { variant: "booleanBound", keyword })
      : resolveDiagnostics("invalid-keyword", origin, { variant: "value", keyword, expected, value }),
  );
}

function at({ node }: SchemaReading, keyword: string): string {
  return appendToPointer(node.pointer, keyword);
}

function child(reading: SchemaReading, pointer: string, value: unknown): SchemaNode {
  const node = reading.context.child(reading.node, pointer, value);
  reading.bound.children = appended(reading.bound.children, node);
  return node;
}

function readList(reading: SchemaReading, keyword: string, value: readonly unknown[]): readonly SchemaNode[] {
  const base = at(reading, keyword);
  return Array.from(value, (schema, index) => child(reading, appendToPointer(base, index), schema));
}

/** Reports data that is not JSON through and through: it is copied to the result or compared with. */
function isJson(reading: SchemaReading, keyword: string, value: unknown): value is JsonValue {
  const why = explainNotJson(value);
  if (why === undefined) return true;
  complain(reading, why.keys.reduce(appendToPointer, at(reading, keyword)), (origin) =>
    resolveDiagnostics("not-json", origin, { what: why.what }),
  );
  return false;
}

function isPattern(reading: SchemaReading, pointer: string, pattern: string): boolean {
  try {
    if (linearPattern(pattern) !== undefined) return true;
    complain(reading, pointer, (origin) => resolveDiagnostics("slow-pattern", origin, { pattern }));
    return false;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const text = String(error);
    const reason = text.slice(text.lastIndexOf(": ") + 1).trim();
    complain(reading, pointer, (origin) => resolveDiagnostics("invalid-pattern", origin, { pattern, reason }));
    return false;
  }
}

function readKeyword(reading: SchemaReading, keyword: Keyword, value: unknown, row: KeywordRow): void {
  const { bound, node } = reading;
  const families = familiesOf(keyword);
  let read: unknown = value;
  if (row.role === "annotation" && families === 0) {
    if (row.value !== "anything" && isJson(reading, keyword, value)) {
      bound.annotations = appended(bound.annotations, [keyword, value]);
    }
    return;
  }
  switch (row.value) {
    case "uri":
    case "anchor":
    case "anything":
      readName(reading, keyword, String(value));
      return;
    case "boolean":
      if (value === false) return;
      break;
    case "string":
    case "number":
    case "positiveNumber":
    case "count":
    case "names":
      break;
    case "values":
    case "value":
      if (!isJson(reading, keyword, value)) return;
      break;
    case "pattern":
      if (!isPattern(reading, at(reading, keyword), String(value))) return;
      break;
    case "types":
      read = readTypes(reading, value);
      break;
    case "schema":
      read = child(reading, at(reading, keyword), value);
      if (keyword !== "additionalItems") break;
      // Beside a list, draft-07 means the items after it; elsewhere the keyword says nothing.
      if (Array.isArray(reading.raw["items"])) setKeyword(bound, "items", read, FAMILY.arrays);
      return;
    case "schemaOrSchemas":
      if (!Array.isArray(value)) {
        read = child(reading, at(reading, keyword), value);
      } else if (node.resource.draft === "draft-07") {
        if (value.length > 0) setKeyword(bound, "prefixItems", readList(reading, keyword, value), families);
        return;
      } else {
        complain(reading, at(reading, keyword), (origin) =>
          resolveDiagnostics("invalid-keyword", origin, { variant: "listOfItems" }),
        );
        return;
      }
      break;
    case "schemas":
      read = readList(reading, keyword, value as readonly unknown[]);
      if (keyword === "allOf" || (keyword !== "prefixItems" && (read as readonly SchemaNode[]).length === 1)) {
        // A union of one branch is that branch.
        bound.conjuncts = bound.conjuncts.concat(read as readonly SchemaNode[]);
        return;
      }
      break;
    case "schemaMap":
      read = readMap(reading, keyword, value as Readonly<Record<string, unknown>>);
      if (families === 0) return;
      break;
    case "namesMap":
    case "schemaOrNamesMap":
      readDependencies(reading, keyword, value as Readonly<Record<string, unknown>>);
      return;
  }
  if (read !== undefined) setKeyword(bound, keyword, read, families);
}

function familiesOf(keyword: Keyword): number {
  return (FAMILIES_OF as { readonly [keyword in Keyword]?: number })[keyword] ?? 0;
}

function setKeyword(bound: SchemaReading["bound"], keyword: string, value: unknown, families: number): void {
  (bound.keywords as unknown as { [keyword: string]: unknown })[keyword] = value;
  bound.families |= families;
}

function readTypes(reading: SchemaReading, value: unknown): Keywords["type"] {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (names.every(isTypeName) && names.length > 0) return names;
  if (names.length === 0) {
    complainOfValue(reading, "type", "a type or a list of types with at least one member", value);
  } else {
    const bad = names.find((name) => !isTypeName(name));
    complain(reading, at(reading, "type"), (origin) => unknownType(origin, bad));
  }
  return undefined;
}

function unknownType(origin: Origin, value: unknown): SchemaDiagnostic {
  const word = typeof value === "string" ? value : "";
  if (word.toLowerCase() === "any") return resolveDiagnostics("unknown-type", origin, { variant: "any", value });
  const instead = FOREIGN_TYPES.get(word.toLowerCase());
  if (instead !== undefined) return resolveDiagnostics("unknown-type", origin, { variant: "foreign", value, instead });
  const nearest = findNearestWord(word, TYPE_NAMES);
  return resolveDiagnostics("unknown-type", origin, {
    variant: "unknown",
    value,
    nearest: nearest === undefined ? [] : [nearest],
  });
}

function readUnknown(reading: SchemaReading, keyword: string, value: unknown): void {
  const { context, node } = reading;
  const { draft } = node.resource;
  const strict = context.unknownKeywords === "error";
  if (isKeyword(keyword)) {
    // The keyword would take effect in the result, which is always 2020-12.
    complain(reading, at(reading, keyword), (origin) =>
      resolveDiagnostics("ignored-keyword", origin, { keyword, draft }, { severity: strict ? "error" : "warning" }),
    );
  } else if (strict && !keyword.startsWith("x-")) {
    complain(reading, at(reading, keyword), (origin) => unknownKeyword(origin, keyword, draft));
  } else if (isJson(reading, keyword, value)) {
    reading.bound.annotations = appended(reading.bound.annotations, [keyword, value]);
  }
}

function unknownKeyword(origin: Origin, keyword: string, draft: Draft): SchemaDiagnostic {
  const variant = findForeignKeyword(keyword);
  if (variant !== undefined) return resolveDiagnostics("unknown-keyword", origin, { variant });
  const known = keywordNames.filter((name) => keywordIn(draft, name) !== undefined);
  const nearest = findNearestWord(keyword, known);
  return resolveDiagnostics("unknown-keyword", origin, {
    variant: "unknown",
    keyword,
    nearest: nearest === undefined ? [] : [nearest],
  });
}

function readMap(
  reading: SchemaReading,
  keyword: string,
  value: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, SchemaNode> {
  const base = at(reading, keyword);
  // Draft-07's `dependencies` may have put some there.
  const nodes = new Map(keyword === "dependentSchemas" ? reading.bound.keywords.dependentSchemas : undefined);
  for (const name of Object.keys(value)) {
    const schema = value[name];
    if (schema === undefined) continue;
    const pointer = appendToPointer(base, name);
    if (name === "$ref" && typeof schema === "string") {
      complain(reading, pointer, (origin) =>
        resolveDiagnostics("invalid-keyword", origin, { variant: "referenceAsMap", keyword }),
      );
    } else {
      const node = child(reading, pointer, schema);
      if (keyword !== "patternProperties" || isPattern(reading, pointer, name)) nodes.set(name, node);
    }
  }
  return nodes;
}

function readDependencies(reading: SchemaReading, keyword: string, value: Readonly<Record<string, unknown>>): void {
  const { bound } = reading;
  const base = at(reading, keyword);
  const lists = new Map(bound.keywords.dependentRequired);
  const schemas = new Map(bound.keywords.dependentSchemas);
  for (const name of Object.keys(value)) {
    const dependency = value[name];
    if (dependency === undefined) continue;
    if (isNameList(dependency)) lists.set(name, [...(lists.get(name) ?? []), ...dependency]);
    else if (keyword === "dependencies" && !Array.isArray(dependency)) {
      schemas.set(name, child(reading, appendToPointer(base, name), dependency));
    } else complainOfValue(reading, keyword, "an object whose values are lists of property names", dependency);
  }
  if (lists.size > 0) setKeyword(bound, "dependentRequired", lists, FAMILY.objects);
  if (schemas.size > 0) setKeyword(bound, "dependentSchemas", schemas, FAMILY.conditions);
}
