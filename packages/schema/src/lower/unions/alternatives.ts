import { resolveReference } from "../context/references.js";
import type { Keyword } from "../../dialects/definition/keyword-table.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { conjoin } from "./conjoin.js";
import { arePairwiseDisjoint } from "./union-codec.js";
import { areDisjoint, listedValues } from "../../vocabulary/disjoint.js";
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
  valuesOfType,
} from "../context/schema-facts.js";
import { joinDescription } from "../context/sentences.js";

const MOST_ALTERNATIVES = 64;

/**
 * Expands a node into alternatives: references, and flat schemas of one type without unions. Together they accept at
 * least what the node accepts. Returns `undefined` if there are too many, or if one accepts any value.
 */
export function alternativesOf(context: LoweringContext, node: SchemaObject): readonly SchemaObject[] | undefined {
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
    const inner = joined.$ref === undefined ? alternativesOf(context, joined) : [joined];
    if (inner === undefined) return undefined;
    found.push(...withBranchDescription(context, joined, inner));
    if (found.length > MOST_ALTERNATIVES) return undefined;
  }
  return node.unevaluatedProperties === undefined ? found : closeTogether(context, node, found);
}

/** Moves the description of a nested union to its first alternative. */
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
  const values = listedValues(node);
  const types =
    declaredTypes(node) ?? (values === undefined ? undefined : [...new Set(values.map((value) => typeOfValue(value)))]);
  if (types === undefined) return containersAndOthers(context, node);
  const [only] = types;
  if (types.length === 1 && only !== undefined) {
    return [node.type === only ? node : withOrigin(context, { ...node, type: only }, node)];
  }
  const wanted = types.includes("number") ? types.filter((type) => type !== "integer") : types;
  return wanted.flatMap((type) => {
    const ofType = values === undefined ? undefined : valuesOfType(values, type);
    if (ofType?.length === 0) return [];
    const kept = pick(node, (keyword) => !isAnnotation(keyword) && isKeyword(keyword) && concerns(keyword, type));
    const { const: _const, enum: _enum, ...others } = kept;
    if (type === "null") return [withOrigin(context, { type }, node)];
    return [withOrigin(context, { ...others, type, ...(ofType === undefined ? {} : { enum: ofType }) }, node)];
  });
}

const allTypes = ["string", "number", "boolean", "null", "object", "array"] as const;

/**
 * Expands a node without a type that constrains objects or arrays. These keep their form. All other types become one
 * alternative, which is sent as JSON text.
 */
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

/**
 * Closes the objects of a union that is closed as a whole. An alternative also allows the keys of every other
 * alternative that a value may fit at the same time.
 */
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
    const further = anyOfThese(context, [closing, ...unnamed], schema);
    if (unnamed.some((each) => each !== false)) reportLoss(context, node, "unevaluatedProperties");
    const properties = Object.fromEntries([
      ...own,
      ...[...borrowed].map(([name, schemas]) => [name, anyOfThese(context, [...schemas, further], schema)] as const),
    ]);
    return withOrigin(context, { ...schema, properties, additionalProperties: further }, schema);
  });
}

export function anyOfThese(context: LoweringContext, schemas: readonly JsonSchema[], from: object): JsonSchema {
  if (schemas.some((schema) => schema === true)) return true;
  const distinct = new Map(
    schemas.filter((schema) => schema !== false).map((schema) => [JSON.stringify(schema), schema]),
  );
  const [first] = distinct.values();
  if (first === undefined) return false;
  return distinct.size === 1 ? first : withOrigin(context, { anyOf: [...distinct.values()] }, from);
}
