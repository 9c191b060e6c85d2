import { resolveReference } from "../context/references.js";
import type { Keyword } from "../../dialects/definition/keyword-table.js";
import type { JsonSchema, SchemaObject, SchemaMap, TypeName } from "../../vocabulary/json-schema.js";
import { arePairwiseDisjoint } from "./union-codec.js";
import { areDisjoint, readListedValues } from "../../vocabulary/disjoint.js";
import { reportLoss, withOrigin, type LoweringContext } from "../context/context.js";
import {
  isAnnotation,
  concerns,
  declaredTypes,
  isKeyword,
  isUnconstrained,
  pick,
  typeOfValue,
  hasInPlaceApplicator,
  filterByType,
} from "../context/schema-facts.js";
import { joinDescription } from "../context/sentences.js";
import { dropUndefined, type JsonArray, type JsonValue, isEqualJson } from "@hasp/base/json";

const MOST_ALTERNATIVES = 64;

/** Expands a node into alternatives that accept at least its values; `undefined` for too many, or if one takes any value. */
export function listAlternatives(context: LoweringContext, node: SchemaObject): readonly SchemaObject[] | undefined {
  const union: Keyword | undefined =
    node.anyOf === undefined ? (node.oneOf === undefined ? undefined : "oneOf") : "anyOf";
  if (union === undefined) return byType(context, node);
  const branches = node[union] ?? [];
  if (branches.length > MOST_ALTERNATIVES) return undefined;
  const base = withOrigin(
    context,
    pick(node, (keyword) => keyword !== union && keyword !== "unevaluatedProperties"),
    node,
  );
  const found: SchemaObject[] = [];
  for (const branch of branches) {
    const joined = joinBranch(context, base, branch, node);
    if (joined === false) continue;
    if (joined === true || isUnconstrained(joined)) return undefined;
    if (joined.anyOf === undefined && joined.oneOf !== undefined && !arePairwiseDisjoint(context, joined.oneOf)) {
      reportLoss(context, joined, "oneOf");
    }
    const inner = joined.$ref === undefined ? listAlternatives(context, joined) : [joined];
    if (inner === undefined) return undefined;
    found.push(...withBranchDescription(context, joined, inner));
    if (found.length > MOST_ALTERNATIVES) return undefined;
  }
  return node.unevaluatedProperties === undefined ? found : closeTogether(context, node, found);
}

function withBranchDescription(
  context: LoweringContext,
  branch: SchemaObject,
  inner: readonly SchemaObject[],
): readonly SchemaObject[] {
  const [first, ...others] = inner;
  if (
    first === undefined ||
    branch.description === undefined ||
    (branch.anyOf === undefined && branch.oneOf === undefined)
  ) {
    return inner;
  }
  if (first.description?.startsWith(branch.description) === true) return inner;
  return [
    withOrigin(
      context,
      { ...first, description: joinDescription(branch.description, [first.description]) ?? "" },
      first,
    ),
    ...others,
  ];
}

function joinBranch(context: LoweringContext, base: SchemaObject, branch: JsonSchema, node: SchemaObject): JsonSchema {
  const constraints = pick(base, (keyword) => !isAnnotation(keyword));
  if (isUnconstrained(constraints)) return branch;
  const target =
    typeof branch === "object" && branch.$ref !== undefined ? resolveReference(branch, context.definitions) : branch;
  const { schema, dropped } = conjoin(constraints, target);
  for (const keyword of new Set(dropped)) reportLoss(context, node, keyword);
  return typeof schema === "object" ? withOrigin(context, schema, typeof branch === "object" ? branch : node) : schema;
}

function byType(context: LoweringContext, node: SchemaObject): readonly SchemaObject[] | undefined {
  const values = readListedValues(node);
  const types = declaredTypes(node) ?? (values && [...new Set(values.map((value) => typeOfValue(value)))]);
  if (types === undefined) return containersAndOthers(context, node);
  const [only] = types;
  if (types.length === 1 && only !== undefined) {
    return [node.type === only ? node : withOrigin(context, { ...node, type: only }, node)];
  }
  const wanted = types.includes("number") ? types.filter((type) => type !== "integer") : types;
  return wanted.flatMap((type) => {
    const ofType = values && filterByType(values, type);
    if (ofType?.length === 0) return [];
    const kept = pick(node, (keyword) => !isAnnotation(keyword) && isKeyword(keyword) && concerns(keyword, type));
    const { const: _const, enum: _enum, ...others } = kept;
    if (type === "null") return [withOrigin(context, { type }, node)];
    return [withOrigin(context, { ...others, type, ...dropUndefined({ enum: ofType }) }, node)];
  });
}

const allTypes = ["string", "number", "boolean", "null", "object", "array"] as const;

/** Expands a node without a type into objects, arrays, and all other types as one, sent as JSON text. */
function containersAndOthers(context: LoweringContext, node: SchemaObject): readonly SchemaObject[] | undefined {
  const spoken = Object.keys(node).filter((keyword) => isKeyword(keyword) && !isAnnotation(keyword));
  const containers = (["object", "array"] as const).filter((type) =>
    spoken.some((keyword) => concerns(keyword, type) && !concerns(keyword, "string")),
  );
  if (
    spoken.length === 0 ||
    spoken.some((keyword) => !containers.some((type) => concerns(keyword, type) && !concerns(keyword, "string")))
  ) {
    return undefined;
  }
  reportLoss(context, node, "type");
  const others = allTypes.filter((type) => !containers.some((container) => container === type));
  return [
    ...containers.map((type) =>
      withOrigin(
        context,
        { ...pick(node, (keyword) => concerns(keyword, type) && !isAnnotation(keyword)), type },
        node,
      ),
    ),
    withOrigin(context, { type: others }, node),
  ];
}

/** Closes the objects of a union that is closed as a whole. An alternative also allows its rivals' keys. */
function closeTogether(
  context: LoweringContext,
  node: SchemaObject,
  found: readonly SchemaObject[],
): readonly SchemaObject[] {
  const closing = node.unevaluatedProperties;
  const others = pick(node, (keyword) => keyword !== "anyOf" && keyword !== "oneOf");
  if (
    closing === undefined ||
    hasInPlaceApplicator(others) ||
    found.some((schema) => schema.$ref !== undefined || hasInPlaceApplicator(schema))
  ) {
    reportLoss(context, node, "unevaluatedProperties");
    return found;
  }
  return found.map((schema) => {
    if (schema.type !== "object" || schema.additionalProperties !== undefined) return schema;
    const rivals = found.filter(
      (other) => other !== schema && other.type === "object" && !areDisjoint(schema, other, context.resolve),
    );
    const own = Object.entries(schema.properties ?? {});
    const names = new Set(own.map(([name]) => name));
    const borrowed = new Map<string, JsonSchema[]>();
    /** Schemas for keys that a rival does not name. Patterns decide which keys it takes, so every key may hold them. */
    const unnamed: JsonSchema[] = [];
    for (const rival of rivals) {
      unnamed.push(...Object.values(rival.patternProperties ?? {}), rival.additionalProperties ?? false);
      for (const [name, property] of Object.entries(rival.properties ?? {})) {
        if (!names.has(name)) borrowed.set(name, [...(borrowed.get(name) ?? []), property]);
      }
    }
    const further = joinAlternatives(context, [closing, ...unnamed], schema);
    if (unnamed.some((each) => each !== false)) reportLoss(context, node, "unevaluatedProperties");
    const properties = Object.fromEntries([
      ...own,
      ...[...borrowed].map(
        ([name, schemas]) => [name, joinAlternatives(context, [...schemas, further], schema)] as const,
      ),
    ]);
    return withOrigin(context, { ...schema, properties, additionalProperties: further }, schema);
  });
}

export function joinAlternatives(context: LoweringContext, schemas: readonly JsonSchema[], from: object): JsonSchema {
  if (schemas.some((schema) => schema === true)) return true;
  const distinct = new Map(
    schemas.filter((schema) => schema !== false).map((schema) => [JSON.stringify(schema), schema]),
  );
  const [first] = distinct.values();
  if (first === undefined) return false;
  return distinct.size === 1 ? first : withOrigin(context, { anyOf: [...distinct.values()] }, from);
}

/** A conjunction, and the keywords for which only the second schema's value was kept, which widens. */
interface JoinedSchema {
  readonly schema: JsonSchema;
  readonly dropped: readonly string[];
}

/** Joins the constraints beside a union with one of its branches. `flatten` has merged all it can. */
export function conjoin(base: JsonSchema, branch: JsonSchema): JoinedSchema {
  if (base === false || branch === false) return { schema: false, dropped: [] };
  if (base === true) return { schema: branch, dropped: [] };
  if (branch === true) return { schema: base, dropped: [] };
  const dropped: string[] = [];
  const result = new Map<string, unknown>(Object.entries(base));
  for (const [keyword, value] of Object.entries(branch)) {
    const present = result.get(keyword);
    if (
      present === undefined ||
      isAnnotation(keyword) ||
      !isKeyword(keyword) ||
      isEqualJson(present as JsonValue, value as JsonValue)
    ) {
      result.set(keyword, value);
      continue;
    }
    const joined = joinKeyword(keyword, present, value);
    if (joined === false) return { schema: false, dropped };
    if (joined === undefined) dropped.push(keyword);
    result.set(keyword, joined ?? value);
  }
  if (base.type !== undefined && branch.type !== undefined && result.get("type") === undefined) {
    return { schema: false, dropped };
  }
  joinObjects(base, branch, result, dropped);
  joinArrays(base, branch, result, dropped);
  const schema: SchemaObject = Object.fromEntries(result);
  return { schema: listsNothing(schema) ? false : schema, dropped };
}

function listsNothing({ type, enum: values, const: only }: SchemaObject): boolean {
  const listed =
    only === undefined
      ? values
      : values === undefined || values.some((value) => isEqualJson(value, only))
        ? [only]
        : [];
  if (listed === undefined) return false;
  const types = declaredTypes(type === undefined ? {} : { type });
  return types === undefined ? listed.length === 0 : types.every((each) => filterByType(listed, each).length === 0);
}

/** Joins one keyword. Returns `false` if no value is left, and `undefined` if there is no rule. */
function joinKeyword(keyword: string, a: unknown, b: unknown): unknown {
  switch (keyword) {
    case "type":
      return joinTypes(a as TypeName | readonly TypeName[], b as TypeName | readonly TypeName[]) ?? false;
    case "enum": {
      const common = (b as JsonArray).filter((value) => (a as JsonArray).some((other) => isEqualJson(value, other)));
      return common.length === 0 ? false : common;
    }
    case "const":
      return false;
    case "minimum":
    case "exclusiveMinimum":
    case "minLength":
    case "minItems":
    case "minProperties":
      return Math.max(a as number, b as number);
    case "maximum":
    case "exclusiveMaximum":
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return Math.min(a as number, b as number);
    case "uniqueItems":
      return true;
    case "required":
      return [...new Set([...(a as readonly string[]), ...(b as readonly string[])])];
    case "properties":
    case "additionalProperties":
      return a; // joinObjects does both at once
    default:
      return undefined;
  }
}

function joinTypes(
  a: TypeName | readonly TypeName[],
  b: TypeName | readonly TypeName[],
): TypeName | readonly TypeName[] | undefined {
  const left = declaredTypes({ type: a }) ?? [];
  const right = declaredTypes({ type: b }) ?? [];
  const common = left.flatMap((type): readonly TypeName[] => {
    if (right.includes(type)) return [type];
    if (type === "number" && right.includes("integer")) return ["integer"];
    return type === "integer" && right.includes("number") ? ["integer"] : [];
  });
  const [first] = common;
  return common.length > 1 ? common : first;
}

/** Joins properties. One schema's `additionalProperties` applies to those that only the other declares. */
function joinObjects(a: SchemaObject, b: SchemaObject, result: Map<string, unknown>, dropped: string[]): void {
  if (a.properties === undefined && b.properties === undefined && a.additionalProperties === undefined) return;
  const names = new Set([...Object.keys(a.properties ?? {}), ...Object.keys(b.properties ?? {})]);
  const properties: (readonly [string, JsonSchema])[] = [];
  for (const name of names) {
    const joined = conjoin(schemaOfKey(a, name), schemaOfKey(b, name));
    dropped.push(...joined.dropped);
    properties.push([name, joined.schema]);
  }
  if (properties.length > 0) result.set("properties", Object.fromEntries(properties) satisfies SchemaMap);
  if (a.additionalProperties !== undefined && b.additionalProperties !== undefined) {
    const joined = conjoin(a.additionalProperties, b.additionalProperties);
    dropped.push(...joined.dropped);
    result.set("additionalProperties", joined.schema);
  }
}

/** Returns a schema's constraint on one key. A key that only a pattern covers counts as unconstrained, which widens. */
function schemaOfKey(schema: SchemaObject, name: string): JsonSchema {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) return schema.properties[name] ?? true;
  return schema.patternProperties === undefined ? (schema.additionalProperties ?? true) : true;
}

/** Joins items. The position of `items` depends on `prefixItems`, so the two are never combined. */
function joinArrays(a: SchemaObject, b: SchemaObject, result: Map<string, unknown>, dropped: string[]): void {
  if (a.items !== undefined && b.prefixItems !== undefined && a.prefixItems === undefined && b.items === undefined) {
    result.delete("items");
    dropped.push("items");
  } else if (b.items !== undefined && a.prefixItems !== undefined && b.prefixItems === undefined) {
    result.delete("prefixItems");
    dropped.push("prefixItems");
  } else if (
    a.items !== undefined &&
    b.items !== undefined &&
    a.prefixItems === undefined &&
    b.prefixItems === undefined
  ) {
    const joined = conjoin(a.items as JsonSchema, b.items as JsonSchema);
    result.set("items", joined.schema);
  }
}
