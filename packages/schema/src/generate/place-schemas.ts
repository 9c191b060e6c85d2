import { canonicalText, toList, followReference, isList, own, type JsonValue } from "@hasp/base/json";
import { maskOfTypes, maskOfValue } from "../json/type-mask.js";
import { linearPattern } from "../patterns/linear-pattern.js";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";

export function listAllowed(node: SchemaObject): readonly JsonValue[] {
  return Object.hasOwn(node, "const") ? [node.const as JsonValue] : (node.enum ?? []);
}

/** Creates the test of values that all schemas list, where they list any, and whose type they allow. */
export function createAllowedTest(nodes: readonly SchemaObject[]): (value: JsonValue) => boolean {
  const tests = nodes.map((node) => {
    const isListed = Object.hasOwn(node, "const") || node.enum !== undefined;
    const listed = isListed ? new Set(listAllowed(node).map(canonicalText)) : undefined;
    const types = node.type === undefined ? undefined : maskOfTypes([node.type].flat());
    return (value: JsonValue): boolean =>
      listed?.has(canonicalText(value)) !== false && (types === undefined || (maskOfValue(value) & types) !== 0);
  });
  return (value) => tests.every((test) => test(value));
}

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** Lists the types that all schemas allow. A keyword about one type implies it. */
export function listTypes(nodes: readonly SchemaObject[], isUsual: boolean): readonly string[] {
  let types: readonly string[] | undefined;
  for (const { type } of nodes) {
    if (type === undefined) continue;
    const stated = [type].flat().flatMap((each) => (each === "number" ? ["number", "integer"] : [each as string]));
    types = types === undefined ? stated : types.filter((each) => stated.includes(each));
  }
  types ??= [impliedType(nodes) ?? "string"];
  const possible = TYPES.filter((type) => types.includes(type) && !(type === "integer" && types.includes("number")));
  const usual = possible.filter((type) => type !== "null");
  return isUsual && usual.length > 0 ? usual : possible;
}

function impliedType(nodes: readonly SchemaObject[]): string | undefined {
  const has = (...keywords: (keyof SchemaObject)[]): boolean =>
    nodes.some((node) => keywords.some((keyword) => node[keyword] !== undefined));
  if (has("properties", "required", "additionalProperties", "patternProperties", "minProperties")) return "object";
  if (has("items", "prefixItems", "minItems", "contains")) return "array";
  return has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf") ? "number" : undefined;
}

/** True for a schema that states no type and no keyword for values of one type. */
export function isOpen(node: SchemaObject): boolean {
  const { type, pattern, minLength, maxLength, format } = node;
  return (
    [type, pattern, minLength, maxLength, format].every((each) => each === undefined) &&
    impliedType([node]) === undefined
  );
}

export function listItemSchemas(node: SchemaObject, index: number): readonly JsonSchema[] {
  const { prefixItems, items, additionalItems } = node;
  const fixed = (prefixItems ?? toList(items)) as readonly JsonSchema[];
  const found = index < fixed.length ? fixed[index] : isList(items) ? additionalItems : items;
  return found === undefined ? [] : [found as JsonSchema];
}

export const countFixedItems = ({ prefixItems, items }: SchemaObject): number => (prefixItems ?? toList(items)).length;

export function listPropertySchemas(nodes: readonly SchemaObject[], name: string): readonly JsonSchema[] {
  return nodes.flatMap(({ properties = {}, patternProperties = {}, additionalProperties = true }) => {
    const declared = own(properties, name);
    const found = [
      ...(declared === undefined ? [] : [declared]),
      ...Object.entries(patternProperties).flatMap(([pattern, schema]) =>
        matchesPattern(pattern, name) ? [schema] : [],
      ),
    ];
    return found.length > 0 ? found : [additionalProperties];
  });
}

export function isTypedMap({ additionalProperties, patternProperties }: SchemaObject): boolean {
  return typeof additionalProperties === "object" || patternProperties !== undefined;
}

export function findDependentNames(dependencies: SchemaObject["dependencies"], name: string): readonly string[] {
  const found = own(dependencies ?? {}, name);
  return isList(found) ? (found as readonly string[]) : [];
}

export function findDependentSchema(dependencies: SchemaObject["dependencies"], name: string): JsonSchema | undefined {
  const found = own(dependencies ?? {}, name);
  return found === undefined || isList(found) ? undefined : (found as JsonSchema);
}

export function findSchema(root: JsonSchema, reference: string): JsonSchema | undefined {
  return followReference(root, reference)?.value as JsonSchema | undefined;
}

export const listReferences = (node: SchemaObject): readonly string[] =>
  [node.$ref ?? [], node.$dynamicRef ?? []].flat();

/** Collects all schemas that may hold for a value, with every branch. */
export function collectAll(schemas: readonly JsonSchema[], root: JsonSchema): readonly SchemaObject[] {
  const nodes = new Set<JsonSchema>();
  const visit = (schema: JsonSchema | undefined): void => {
    if (typeof schema !== "object" || nodes.has(schema)) return;
    nodes.add(schema);
    for (const reference of listReferences(schema)) visit(findSchema(root, reference));
    for (const part of [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => list ?? [])) visit(part);
    for (const part of [schema.if, schema.then, schema.else]) visit(part);
  };
  for (const schema of schemas) visit(schema);
  return [...nodes] as readonly SchemaObject[];
}

export function matchesPattern(pattern: string, text: string): boolean {
  try {
    return linearPattern(pattern)?.test(text) ?? false;
  } catch {
    return false;
  }
}
