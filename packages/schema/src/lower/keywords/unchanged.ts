import { findOrAdd, isStructured } from "@hasp/base/json";
import { ANY_TYPE, ARRAY, maskOfTypes, NULL, OBJECT } from "../../json/type-mask.js";
import { keywordOrder, type Keyword } from "../../dialects/definition/keyword-table.js";
import { readListedValues } from "../../vocabulary/disjoint.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { findTypesConcerned } from "../../vocabulary/keywords.js";
import { isCarriedBound } from "../context/node-builder.js";
import { type LoweringContext, findAction } from "../context/context.js";
import { declaredTypes, isKeyword } from "../context/schema-facts.js";
import { isFormatCarried, isPatternCarried } from "./scalars.js";
import { mapSubschemas } from "../../vocabulary/walk-schema.js";

/** Counts the nodes of a schema that lowering would copy as they are; 0 if it might change anything. */
export function countUnchanged(context: LoweringContext, schema: JsonSchema): number {
  if (typeof schema === "boolean") return 0;
  return findOrAdd(context.unchanged, schema, () => countNodes(context, schema));
}

const SCALARS = ANY_TYPE & ~(OBJECT | ARRAY);

const RANKS: ReadonlyMap<string, number> = new Map(keywordOrder.map((keyword, rank) => [keyword, rank]));

function countNodes(context: LoweringContext, node: SchemaObject): number {
  const { dialect } = context;
  const isList = readListedValues(node) !== undefined;
  const stated = maskOfTypes(declaredTypes(node) ?? []);
  const types = stated === 0 && isList && dialect.shapes.nodes === "free" ? SCALARS : stated;
  if (types === 0 || (isList && (types & ~SCALARS) !== 0) || !keepsForm(context, node, types)) return 0;
  let size = 1;
  let last = -1;
  for (const keyword in node) {
    const rank = RANKS.get(keyword) ?? -1;
    if (rank <= last || dialect.keywords[keyword as Keyword] !== "keep") return 0;
    if ((findTypesConcerned(keyword) & types) === 0) return 0;
    last = rank;
    const inner = countBelow(context, node, keyword as Keyword);
    if (inner === undefined) return 0;
    size += inner;
  }
  return size;
}

function keepsForm({ dialect }: LoweringContext, node: SchemaObject, types: number): boolean {
  const { shapes, propertyName } = dialect;
  if (shapes.nodes === "typed") return typeof node.type === "string" && (types & ~SCALARS) === 0 && types !== NULL;
  if ((types & ARRAY) !== 0 && shapes.items === "demanded" && node.items === undefined) return false;
  return (
    (types & OBJECT) === 0 ||
    (shapes.maps === "kept" &&
      shapes.optional === "omitted" &&
      shapes.closing === "kept" &&
      !shapes.someRequired &&
      propertyName?.scope !== "everywhere")
  );
}

/** Counts the nodes below one keyword that the dialect keeps; `undefined` if lowering might change its value. */
function countBelow(context: LoweringContext, node: SchemaObject, keyword: Keyword): number | undefined {
  const { dialect } = context;
  switch (keyword) {
    case "type":
    case "title":
      return node[keyword] === undefined ? undefined : 0;
    case "minLength":
    case "maxLength":
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
    case "multipleOf":
    case "minProperties":
    case "maxProperties":
    case "maxItems":
      return node[keyword] !== undefined && isCarriedBound(keyword, node[keyword]) ? 0 : undefined;
    case "default":
    case "examples":
    case "deprecated":
    case "readOnly":
    case "writeOnly":
    case "$comment":
      return node[keyword] === undefined ? undefined : 0;
    case "description":
      return node.description ? 0 : undefined;
    case "minItems":
      return dialect.largestMinItems === undefined ? 0 : undefined;
    case "uniqueItems":
      return node.uniqueItems === true ? 0 : undefined;
    case "const":
    case "enum":
      return isListKept(context, node) ? 0 : undefined;
    case "pattern":
      return isPatternCarried(node.pattern ?? "", dialect.patterns) ? 0 : undefined;
    case "format":
      return isFormatCarried(node.format ?? "", dialect.formats) ? 0 : undefined;
    case "required": {
      const { required = [], properties = {} } = node;
      return required.length > 0 && required.every((name) => Object.hasOwn(properties, name)) ? 0 : undefined;
    }
    case "additionalProperties":
      return typeof node.additionalProperties === "boolean" ? 0 : countAll(context, [node.additionalProperties]);
    case "items":
      return Array.isArray(node.items) ? undefined : countAll(context, [node.items as JsonSchema]);
    case "properties":
      return countAll(context, Object.values(node.properties ?? {}));
    default:
      return undefined;
  }
}

function isListKept({ dialect }: LoweringContext, node: SchemaObject): boolean {
  if (node.const !== undefined && node.enum !== undefined) return false;
  const values = readListedValues(node) ?? [];
  return (
    values.length > 0 &&
    (dialect.shapes.enums === "any" || values.every((value) => typeof value === "string" && value !== ""))
  );
}

/** Counts the nodes of several schemas; `undefined` if there are none, or one would be changed. */
function countAll(context: LoweringContext, schemas: readonly (JsonSchema | undefined)[]): number | undefined {
  let total = 0;
  for (const schema of schemas) {
    const size = schema === undefined ? 0 : countUnchanged(context, schema);
    if (size === 0) return undefined;
    total += size;
  }
  return total === 0 ? undefined : total;
}

/** True if a schema passes unchanged. References do not qualify, since their targets are lowered. */
export function isVerbatim(context: LoweringContext, schema: unknown): boolean {
  if (typeof schema === "boolean") return true;
  if (!isStructured(schema)) return false;
  const { formats, patterns, shapes } = context.dialect;
  if (formats !== "any" || patterns !== "any" || shapes.maps !== "kept" || shapes.nodes !== "free") return false;
  const node = schema as SchemaObject;
  if (shapes.items === "demanded" && declaredTypes(node)?.includes("array") === true && node.items === undefined) {
    return false;
  }
  return Object.entries(node).every(([keyword, value]) => {
    if (!isKeyword(keyword) || findAction(context, keyword, false) !== "keep") return false;
    if (keyword === "$ref" || keyword === "$defs") return false;
    const inner: JsonSchema[] = [];
    mapSubschemas(keyword, value, (each) => inner.push(each));
    const takesBooleans = keyword !== "properties" || shapes.booleanProperties;
    return inner.every((each) => (takesBooleans || typeof each === "object") && isVerbatim(context, each));
  });
}
