import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import { resolver, type Definitions } from "./definitions.js";
import { areDisjoint } from "../vocabulary/disjoint.js";
import { inPlace } from "./in-place.js";
import { innerSchemas } from "./walk.js";

/** A key under which closing would change something; `undefined` for items and the values of maps. */
interface Change {
  readonly key: string | undefined;
  readonly schema: JsonSchema;
}

/**
 * True if closing below the branches of a `oneOf` might widen it: a value that two branches accept is refused, and
 * would be accepted if closing took away just one of the two. It cannot be where
 * - the branches exclude each other, or
 * - what changes under a key is in the other branch in the same words, so that both are removed, or
 * - the location is closed around the union and only one branch declares the key, so that the other never sees it.
 */
export function mayWiden(
  branches: readonly JsonSchema[],
  changesAt: (schema: JsonSchema) => boolean,
  definitions: Definitions,
  closedPlace: SchemaObject | undefined,
): boolean {
  return branches.some((branch) => {
    const changes = changesOf(branch, changesAt, definitions);
    if (changes.length === 0) return false;
    return branches.some((other) => {
      if (other === branch || areDisjoint(branch, other, resolver(definitions))) return false;
      const certain = alwaysApplied(other, definitions);
      return changes.some(
        (change) => !saysTheSame(certain, change) && !isOnlyDeclaration(change, closedPlace, definitions),
      );
    });
  });
}

function changesOf(branch: JsonSchema, changesAt: (schema: JsonSchema) => boolean, definitions: Definitions): Change[] {
  const found: Change[] = [];
  for (const node of inPlace(branch, definitions)) {
    const { properties = {} } = node;
    for (const [key, schema] of Object.entries(properties)) {
      if (changesAt(schema)) found.push({ key, schema });
    }
    for (const { keyword, schema } of innerSchemas(node, "child")) {
      if (keyword !== "properties" && changesAt(schema)) found.push({ key: undefined, schema });
    }
  }
  return found;
}

function alwaysApplied(schema: JsonSchema, definitions: Definitions): SchemaObject[] {
  const found = new Set<SchemaObject>();
  if (typeof schema === "object") found.add(schema);
  for (const node of found) {
    const target = node.$ref === undefined ? undefined : definitions(node.$ref)?.schema;
    for (const inner of [target, ...(node.allOf ?? [])]) if (typeof inner === "object") found.add(inner);
  }
  return [...found];
}

function saysTheSame(nodes: readonly SchemaObject[], { key, schema }: Change): boolean {
  if (key === undefined) return false;
  const text = JSON.stringify(schema);
  return nodes.some(
    ({ properties }) =>
      properties !== undefined && Object.hasOwn(properties, key) && JSON.stringify(properties[key]) === text,
  );
}

function isOnlyDeclaration({ key }: Change, location: SchemaObject | undefined, definitions: Definitions): boolean {
  if (key === undefined || location === undefined) return false;
  const applicable = inPlace(location, definitions);
  const nodes = applicable.concat(
    applicable.flatMap((node) => (node.if === undefined ? [] : inPlace(node.if, definitions))),
  );
  let declarations = 0;
  for (const { properties, patternProperties, additionalProperties, unevaluatedProperties } of nodes) {
    if (patternProperties !== undefined) return false;
    if ((additionalProperties ?? false) !== false || (unevaluatedProperties ?? false) !== false) return false;
    if (properties !== undefined && Object.hasOwn(properties, key)) declarations++;
  }
  return declarations === 1;
}
