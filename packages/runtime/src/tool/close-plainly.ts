import { followReference } from "@hasp/schema/internal/keywords";
import { walkSchema, describesAnyValue, keywordRow, mapSubschemas, listSubschemas } from "@hasp/schema/vocabulary";
import { pointerTo } from "@hasp/schema/internal/runtime";
import type { JsonSchema, SchemaObject } from "@hasp/schema";

interface PlainClosing {
  readonly root: JsonSchema;
  /** Throws. Takes the JSON Pointer of a place in the schema. */
  readonly refuse: (pointer: string, fault: string) => never;
  /** False where several schemas may describe one object: there, nothing is closed. */
  readonly mayClose: boolean;
  /** The closed definitions by `mayClose` and pointer. */
  readonly definitions: Map<string, JsonSchema>;
}

/** The keywords whose schemas describe the value itself. `allOf` never gets here: it is refused before. */
const IN_PLACE = ["anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "dependencies"] as const;

const UNCLOSED =
  "several schemas may describe the objects here, and nothing says if they accept other keys. Write `additionalProperties: false` or `unevaluatedProperties: false` there, or write a spec, which hasp closes.";

const DISGUISED =
  "this accepts any value, but the schema does not say so explicitly. Say what is accepted (`type`, `properties`, `items`), or write `true` there to accept anything.";

/**
 * Closes a schema wherever one schema alone declares the keys of an object and does not mention others. Where several
 * schemas may describe one object, refuses those that do not close themselves: only the compiler computes what closes
 * them together. Also refuses a schema that accepts anything without saying so. Returns a closed schema unchanged.
 */
export function closePlainly(root: JsonSchema, refuse: PlainClosing["refuse"]): JsonSchema {
  refuseReferencesInTests(root, refuse);
  const definitions = new Map<string, JsonSchema>([["true ", root]]);
  const closed = closePlace(root, "", { root, refuse, mayClose: true, definitions });
  return typeof closed === "boolean"
    ? closed
    : mapChanged(closed, (keyword, definition, step) =>
        keyword === "$defs" || keyword === "definitions"
          ? (definitions.get(`true ${pointerTo("", keyword, step)}`) ?? definition)
          : definition,
      );
}

/** Closes a schema that describes a place of the input: alone, or with `mayClose: false` perhaps beside others. */
function closePlace(schema: JsonSchema, pointer: string, closing: PlainClosing): JsonSchema {
  if (typeof schema === "boolean" || acceptsAll(schema)) return schema;
  const { refuse } = closing;
  if (schema.$ref !== undefined) return closeReference(schema, schema.$ref, pointer, closing);
  if (holdsItself(schema, closing)) refuse(pointer, DISGUISED);
  if (!IN_PLACE.some((keyword) => schema[keyword] !== undefined)) return closeAlone(schema, pointer, closing);
  const branches = readPureUnion(schema);
  const inWords = { ...closing, mayClose: false };
  if (branches === undefined) {
    if (takes(schema, "object") && !decidesKeys(schema)) refuse(pointer, UNCLOSED);
    closeBranches(schema, schema, pointer, inWords);
    return closeAlone(schema, pointer, inWords);
  }
  const isObject = branches.some((branch) => takes(findTarget(branch, closing.root) ?? { const: null }, "object"));
  if (branches.some(acceptsAll) || (schema.type !== undefined && takes(schema, "object") && !isObject)) {
    refuse(pointer, DISGUISED);
  }
  const within = haveDifferentTypes(branches, closing) ? closing : inWords;
  return mapChanged(schema, (keyword, inner, step) =>
    keyword === "anyOf" || keyword === "oneOf" ? closePlace(inner, pointerTo(pointer, keyword, step), within) : inner,
  );
}

/** Closes a schema by its own keywords. */
function closeAlone(schema: SchemaObject, pointer: string, closing: PlainClosing): JsonSchema {
  const { refuse, mayClose } = closing;
  const isObject = takes(schema, "object");
  const declaresKeys = (schema.properties ?? schema.patternProperties) !== undefined;
  const isUnclosed = isObject && declaresKeys && !decidesKeys(schema);
  if (isUnclosed && !mayClose) refuse(pointer, UNCLOSED);
  const isAnyObject = isObject && !declaresKeys && !decidesKeys(schema) && schema.maxProperties !== 0;
  const isAnyArray = takes(schema, "array") && !boundsItems(schema);
  if ((isAnyObject || isAnyArray) && schema.const === undefined && schema.enum === undefined) {
    const place = !isAnyArray ? "/additionalProperties" : isAnyObject ? "" : "/items";
    refuse(`${pointer}${place}`, DISGUISED);
  }
  const { properties, patternProperties = {} } = schema;
  const isSole = Object.keys(patternProperties).length < (properties === undefined ? 2 : 1);
  const within = { ...closing, mayClose: mayClose && isSole };
  const closed = mapChanged(schema, (keyword, inner, step) =>
    keywordRow(keyword)?.applies === "child" ? closePlace(inner, pointerTo(pointer, keyword, step), within) : inner,
  );
  return isUnclosed ? { ...closed, additionalProperties: false } : closed;
}

/** Refuses, in schemas beside others, parts that are not closed. */
function closeBranches(whole: SchemaObject, node: SchemaObject, pointer: string, closing: PlainClosing): void {
  for (const { schema, keyword, step } of listSubschemas(node)) {
    const at = pointerTo(pointer, keyword, step);
    if (node !== whole && keywordRow(keyword)?.applies === "child") closePlace(schema, at, closing);
    if (typeof schema === "boolean" || !isInPlace(keyword)) continue;
    const isStranger = schema.$ref !== undefined || (!takes(whole, "object") && schema.type !== undefined);
    if (isStranger) closing.refuse(at, UNCLOSED);
    closeBranches(whole, schema, at, closing);
  }
}

function closeReference(schema: SchemaObject, reference: string, pointer: string, closing: PlainClosing): JsonSchema {
  const { refuse, root, mayClose, definitions } = closing;
  const { $ref: _reference, $defs: _defs, definitions: _definitions, ...others } = schema;
  const found = followReference(root, reference);
  if (!acceptsAll(others) || found === undefined || !/^(?:\/(?:\$defs|definitions)\/[^/]*)?$/u.test(found.pointer)) {
    return refuse(
      pointer,
      "a `$ref` must lead to `#` or into `$defs`, with no other keyword beside it. Move what it refers to there, or write it out.",
    );
  }
  const definition = found.value as JsonSchema;
  if (findTarget(schema, root) === undefined || acceptsAll(definition)) refuse(pointer, DISGUISED);
  const key = `${mayClose} ${found.pointer}`;
  if (!definitions.has(key)) {
    definitions.set(key, definition);
    definitions.set(key, closePlace(definition, found.pointer, closing));
  }
  return schema;
}

/** Refuses references where only a verdict counts: what they lead to is closed, which could widen the whole. */
function refuseReferencesInTests(root: JsonSchema, refuse: PlainClosing["refuse"]): void {
  walkSchema(root, ({ held, schema, pointer }) => {
    if (held === undefined || keywordRow(held.keyword)?.applies !== "test") return;
    const place = findReference(schema);
    if (place === undefined) return;
    refuse(`${pointer}${place}`, `\`${held.keyword}\` must not hold a \`$ref\`. Write out what it refers to.`);
  });
}

/** True if a schema accepts itself, or objects and arrays of values that may be of its own kind, and so anything. */
function holdsItself(schema: SchemaObject, { root }: PlainClosing): boolean {
  const nodes = new Set<SchemaObject>([schema]);
  for (const node of nodes) {
    for (const { schema: inner, keyword } of listSubschemas(node)) {
      const target = isInPlace(keyword) ? findTarget(inner, root) : undefined;
      if (target === schema) return true;
      if (target !== undefined) nodes.add(target);
    }
  }
  const refers = (keywords: readonly string[]): boolean =>
    [...nodes].some((node) =>
      listSubschemas(node).some(
        ({ schema: inner, keyword }) => keywords.includes(keyword) && findReference(inner) !== undefined,
      ),
    );
  return (
    refers(["items", "unevaluatedItems", "additionalItems"]) &&
    refers(["additionalProperties", "unevaluatedProperties", "patternProperties"])
  );
}

function findReference(root: JsonSchema): string | undefined {
  let place: string | undefined;
  walkSchema(root, ({ schema, pointer }) => {
    if (typeof schema === "object" && schema.$ref !== undefined) place ??= pointer;
  });
  return place;
}

/** Follows the references of a schema; `undefined` for a boolean, and for what leads nowhere. */
function findTarget(schema: JsonSchema, root: JsonSchema): SchemaObject | undefined {
  const seen = new Set<JsonSchema | undefined>();
  let target: JsonSchema | undefined = schema;
  while (typeof target === "object" && target.$ref !== undefined && !seen.has(target)) {
    seen.add(target);
    target = followReference(root, target.$ref)?.value as JsonSchema | undefined;
  }
  return typeof target === "object" && !seen.has(target) ? target : undefined;
}

/** Returns the branches of a schema that is nothing but one union. */
function readPureUnion(schema: SchemaObject): readonly JsonSchema[] | undefined {
  const { anyOf, oneOf, type: _type, $defs: _defs, definitions: _definitions, ...others } = schema;
  return (anyOf === undefined) === (oneOf === undefined) || !acceptsAll(others) ? undefined : (anyOf ?? oneOf);
}

/** True if no two branches take values of one type. */
function haveDifferentTypes(branches: readonly JsonSchema[], { root }: PlainClosing): boolean {
  const types = branches.flatMap((branch) => listTypes(findTarget(branch, root) ?? {}) ?? ["any", "any"]);
  return new Set(types).size === types.length;
}

/** Lists the types that a schema takes; `undefined` if it names neither types nor values. */
function listTypes({ type, const: constant, enum: values }: SchemaObject): readonly string[] | undefined {
  const named = constant === undefined ? (values?.map(nameType) ?? type) : nameType(constant);
  return named === undefined
    ? undefined
    : [...new Set([named].flat().map((each) => (each === "integer" ? "number" : each)))];
}

function nameType(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

function takes(schema: SchemaObject, type: "object" | "array"): boolean {
  return listTypes(schema)?.includes(type) ?? true;
}

function decidesKeys({ additionalProperties, unevaluatedProperties }: SchemaObject): boolean {
  return (additionalProperties ?? unevaluatedProperties) !== undefined;
}

function boundsItems(schema: SchemaObject): boolean {
  const { items, prefixItems = [], additionalItems, unevaluatedItems, contains, maxItems = Infinity } = schema;
  const [tuple, rest] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items];
  // `unevaluatedItems` does not bound items that a schema beside this one has evaluated.
  const isSole = contains === undefined && IN_PLACE.every((keyword) => schema[keyword] === undefined);
  return (rest ?? (isSole ? unevaluatedItems : undefined)) !== undefined || maxItems <= tuple.length;
}

/** True if a schema plainly accepts anything. */
function acceptsAll(schema: JsonSchema): boolean {
  return typeof schema === "boolean" ? schema : Object.keys(schema).every(describesAnyValue);
}

function isInPlace(keyword: string): boolean {
  return (IN_PLACE as readonly string[]).includes(keyword);
}

/** Replaces the subschemas of a schema; returns the schema itself if none changes. */
function mapChanged(
  schema: SchemaObject,
  map: (keyword: string, inner: JsonSchema, step: string | undefined) => JsonSchema,
): SchemaObject {
  let isChanged = false;
  const entries = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    mapSubschemas(keyword, value, (inner, step) => {
      const closed = map(keyword, inner, step);
      isChanged ||= closed !== inner;
      return closed;
    }),
  ]);
  return isChanged ? (Object.fromEntries(entries) as SchemaObject) : schema;
}
