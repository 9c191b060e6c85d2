import { cloneJson, isObject, mapMembers, type JsonValue, appendToPointer } from "@hasp/base/json";
import type { JsonSchema } from "./json-schema.js";
import { holdsSchemas, keywordNames, keywordRow, type SchemaKeyword } from "./keywords.js";

/** A subschema, with the way to it from the schema that holds it. */
export interface Subschema {
  readonly schema: JsonSchema;
  readonly keyword: SchemaKeyword;
  /** The name or the index below the keyword; `undefined` where the keyword holds the schema itself. */
  readonly step: string | undefined;
}

export interface Visit {
  readonly schema: JsonSchema;
  /** JSON Pointer from the schema where the walk began. */
  readonly pointer: string;
  /** The keyword and step by which the schema around it holds it; `undefined` for the one where the walk began. */
  readonly held: Subschema | undefined;
  readonly parent: Visit | undefined;
}

const MAPS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ keywordNames.filter((name) =>
    ["schemaMap", "schemaOrNamesMap"].includes(keywordRow(name)?.value ?? ""),
  ),
);

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isObject(value);
}

/** Calls `see` for each subschema of a schema, in the author's order. */
export function eachSubschema(
  node: object,
  see: (schema: JsonSchema, keyword: SchemaKeyword, step?: string) => void,
): void {
  for (const keyword in node) {
    const value: unknown = node[keyword as never];
    // Most keywords hold a text or a number, and none of these is a schema.
    if ((typeof value !== "object" && typeof value !== "boolean") || !holdsSchemas(keyword)) continue;
    if (!Object.hasOwn(node, keyword)) continue;
    if (Array.isArray(value) || (MAPS.has(keyword) && isObject(value))) {
      for (const step of Object.keys(value)) {
        const inner: unknown = value[step as never];
        if (isSchema(inner)) see(inner, keyword, step);
      }
    } else if (isSchema(value)) see(value, keyword);
  }
}

/** Lists the subschemas of a schema, in the author's order. */
export function listSubschemas(node: object): readonly Subschema[] {
  const found: Subschema[] = [];
  eachSubschema(node, (schema, keyword, step) => found.push({ schema, keyword, step }));
  return found;
}

/** Builds the pointer to a subschema from the pointer to the schema that holds it. */
export function pointerTo(pointer: string, keyword: string, step: string | undefined): string {
  return step === undefined
    ? appendToPointer(pointer, keyword)
    : appendToPointer(appendToPointer(pointer, keyword), step);
}

/** Visits a schema and everything in it, outer ones first, without references; skips the inside on `false`. */
export function walkSchema(root: JsonSchema, visit: (visit: Visit) => unknown): void {
  const pending = [new PendingVisit(root, undefined, undefined, undefined)];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    const { schema } = current;
    if (visit(current) === false || typeof schema !== "object") continue;
    const parent = current;
    const inner: PendingVisit[] = [];
    eachSubschema(schema, (each, keyword, step) => inner.push(new PendingVisit(each, keyword, step, parent)));
    while (inner.length > 0) pending.push(inner.pop() as PendingVisit);
  }
}

/** A visit whose pointer is written when it is asked for: most visitors never ask. */
class PendingVisit implements Visit {
  readonly schema: JsonSchema;
  readonly keyword: SchemaKeyword | undefined;
  readonly step: string | undefined;
  readonly parent: PendingVisit | undefined;
  #pointer: string | undefined;

  constructor(
    schema: JsonSchema,
    keyword: SchemaKeyword | undefined,
    step: string | undefined,
    parent: PendingVisit | undefined,
  ) {
    this.schema = schema;
    this.keyword = keyword;
    this.step = step;
    this.parent = parent;
  }

  get held(): Subschema | undefined {
    return this.keyword === undefined ? undefined : (this as Subschema);
  }

  get pointer(): string {
    return this.#pointer ?? PendingVisit.#writePointer(this);
  }

  /** Writes the pointers on the way from the nearest visit that has one; without recursion, however deep that is. */
  static #writePointer(visit: PendingVisit): string {
    const way: PendingVisit[] = [];
    let at: PendingVisit | undefined = visit;
    while (at !== undefined && at.#pointer === undefined) {
      way.push(at);
      at = at.parent;
    }
    let pointer = at === undefined ? "" : (at.#pointer ?? "");
    for (const each of way.toReversed()) {
      if (each.keyword !== undefined) pointer = pointerTo(pointer, each.keyword, each.step);
      each.#pointer = pointer;
    }
    return pointer;
  }
}

/** Replaces each subschema in the value of a keyword. `step` is its name or index, if any. */
export function mapSubschemas(
  keyword: string,
  value: unknown,
  map: (schema: JsonSchema, step?: string) => unknown,
): unknown {
  if (!holdsSchemas(keyword)) return value;
  const one = (inner: unknown, step?: string): unknown =>
    isSchema(inner) ? map(inner, step) : cloneJson(inner as JsonValue);
  if (Array.isArray(value)) return value.map((inner, index) => one(inner, String(index)));
  if (!MAPS.has(keyword) || !isObject(value)) return one(value);
  return mapMembers(value, one);
}
