import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import { findOrAdd, isObject, followReference, parsePointer } from "@hasp/base/json";
import type { Resolve } from "../vocabulary/disjoint.js";
import { holdsSchemas, keywordRow } from "../vocabulary/keywords.js";
import { listSubschemas, type Subschema } from "../vocabulary/walk-schema.js";

/** The way a subschema applies: to another location (`child`), to the same (`branch`), or unchangeable (`fixed`). */
type Application = "child" | "branch" | "fixed";

const APPLICATIONS = { child: "child", inPlace: "branch", test: "fixed" } as const;

/** Returns how a keyword's subschemas apply; `undefined` if it has none. */
export function findApplication(keyword: string): Application | undefined {
  if (!holdsSchemas(keyword)) return undefined;
  const applies = keywordRow(keyword)?.applies;
  return applies === undefined ? "fixed" : APPLICATIONS[applies];
}

export function listInnerSchemas(node: SchemaObject, kind: "child" | "branch"): readonly Subschema[] {
  return listSubschemas(node).filter(({ keyword }) => findApplication(keyword) === kind);
}

/** Lists the schemas that apply to the same location as `schema`: itself, its branches, and what those refer to. */
export function findInPlace(
  schema: JsonSchema,
  definitions: FindDefinition,
  listBranches = (node: SchemaObject): readonly JsonSchema[] =>
    listInnerSchemas(node, "branch").map((branch) => branch.schema),
): SchemaObject[] {
  const found = new Set<SchemaObject>();
  if (typeof schema === "object") found.add(schema);
  for (const node of found) {
    const target = typeof node.$ref === "string" ? definitions(node.$ref)?.schema : undefined;
    for (const inner of [target, ...listBranches(node)]) if (typeof inner === "object") found.add(inner);
  }
  return [...found];
}

/** True if an object can be valid at all, as far as the schema's own words say. */
export function mayBeObject(schema: JsonSchema, definitions: FindDefinition, depth = 0): boolean {
  if (typeof schema === "boolean") return schema;
  if (depth > 16) return true;
  const { type, enum: values, const: constant, $ref, anyOf, oneOf } = schema;
  if (type !== undefined && (Array.isArray(type) ? !type.includes("object") : type !== "object")) return false;
  if (values !== undefined && !values.some(isObject)) return false;
  if (constant !== undefined && !isObject(constant)) return false;
  const target = $ref === undefined ? undefined : definitions($ref)?.schema;
  if (target !== undefined && !mayBeObject(target, definitions, depth + 1)) return false;
  return [anyOf, oneOf].every(
    (branches) => branches === undefined || branches.some((branch) => mayBeObject(branch, definitions, depth + 1)),
  );
}

function namesKeys(node: SchemaObject): boolean {
  return node.properties !== undefined || node.patternProperties !== undefined;
}

/** True if a schema itself says which keys there may be, or that any may be. */
export function speaksOfKeys(node: SchemaObject): boolean {
  return (
    namesKeys(node) ||
    node.additionalProperties !== undefined ||
    node.unevaluatedProperties !== undefined ||
    node.propertyNames !== undefined ||
    node.const !== undefined ||
    node.enum !== undefined ||
    node.maxProperties === 0
  );
}

export function declares(schema: JsonSchema, definitions: FindDefinition): boolean {
  return findInPlace(schema, definitions).some(namesKeys);
}

/** True if the author said for every branch what happens to undeclared keys. */
export function decides(schema: JsonSchema, definitions: FindDefinition, depth = 0): boolean {
  if (typeof schema === "boolean") return !schema;
  if (schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined) return true;
  if (depth > 16) return false;
  const inner = (branch: JsonSchema): boolean => decides(branch, definitions, depth + 1);
  const target = schema.$ref === undefined ? undefined : definitions(schema.$ref)?.schema;
  if (target !== undefined && inner(target)) return true;
  if (schema.allOf?.some(inner)) return true;
  if (schema.then !== undefined && schema.else !== undefined && inner(schema.then) && inner(schema.else)) return true;
  return [schema.anyOf, schema.oneOf].some(
    (branches) =>
      branches !== undefined && branches.every((branch) => !mayBeObject(branch, definitions) || inner(branch)),
  );
}

/** Finds the one branch that makes a nullable object an object: closing it closes the location. */
export function findSoleObjectBranch(node: SchemaObject, definitions: FindDefinition): JsonSchema | undefined {
  const branches = node.anyOf ?? node.oneOf;
  if (branches === undefined || (node.anyOf !== undefined && node.oneOf !== undefined)) return undefined;
  if (speaksOfKeys(node) || node.$ref !== undefined) return undefined;
  const others = listInnerSchemas(node, "branch").filter(({ keyword }) => keyword !== "anyOf" && keyword !== "oneOf");
  if (others.some(({ schema }) => findInPlace(schema, definitions).some(speaksOfKeys))) return undefined;
  const objects = branches.filter((branch) => mayBeObject(branch, definitions));
  return objects.length === 1 ? objects[0] : undefined;
}

export interface NamedDefinition {
  /** `""` for the root, which `#` names. */
  readonly name: string;
  readonly pointer: string;
  readonly schema: JsonSchema;
}

export type FindDefinition = (reference: string) => NamedDefinition | undefined;

export function createLookup(definitions: FindDefinition): Resolve {
  return (reference) => definitions(reference)?.schema;
}

export function createDefinitions(root: JsonSchema): FindDefinition {
  const known = new Map<string, NamedDefinition | undefined>();
  const find: FindDefinition = (reference) => {
    if (typeof root === "boolean") return undefined;
    const found = followReference(root, reference);
    if (found === undefined) return undefined;
    const { pointer } = found;
    const [container, name = "", ...inside] = parsePointer(pointer);
    const isDefinition = (container === "$defs" || container === "definitions") && inside.length === 0;
    return pointer === "" || isDefinition ? { name, pointer, schema: found.value as JsonSchema } : undefined;
  };
  return (reference) => findOrAdd(known, reference, () => find(reference));
}
