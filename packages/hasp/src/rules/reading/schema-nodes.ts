import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { escapeToken } from "../../model/json-pointer.js";
import { isSchemaObject } from "../../model/json-kind.js";

/** One schema inside a flat schema, and where it stands. */
export interface SchemaNode {
  readonly schema: SchemaObject;
  /** JSON Pointer into the flat schema. */
  readonly pointer: string;
  /** Name of the property that it describes, where it stands directly under `properties`. */
  readonly property?: string;
  /** Whether the object around it requires that property. */
  readonly isRequired?: boolean;
  /** Whether only some inputs reach it: it stands in a branch of a union, in a condition or in a negation. */
  readonly isConditional: boolean;
}

const SINGLE = [
  "additionalProperties",
  "items",
  "propertyNames",
  "contains",
  "unevaluatedProperties",
  "unevaluatedItems",
] as const;
const CONDITIONAL_SINGLE = ["if", "then", "else", "not"] as const;
const CONDITIONAL_LISTS = ["anyOf", "oneOf"] as const;
const LISTS = ["allOf", "prefixItems"] as const;
const MAPS = ["patternProperties", "dependentSchemas", "$defs"] as const;

// Most rules look at the nodes of the same schemas.
const known = new WeakMap<object, readonly SchemaNode[]>();

/**
 * Every schema in a flat schema, each once, outer ones first and in the author's order. References are not followed.
 */
export function schemaNodes(schema: JsonSchema): readonly SchemaNode[] {
  if (typeof schema === "boolean") return [];
  const found = known.get(schema) ?? [];
  if (found.length > 0) return found;
  const nodes: SchemaNode[] = [];
  collect(nodes, schema, "", false);
  known.set(schema, nodes);
  return nodes;
}

function collect(
  nodes: SchemaNode[],
  schema: unknown,
  pointer: string,
  isConditional: boolean,
  property?: string,
  isRequired = false,
): void {
  if (!isSchemaObject(schema)) return;
  const own = { schema, pointer, isConditional };
  nodes.push(property === undefined ? own : { ...own, property, isRequired });
  const { properties } = schema;
  if (properties !== undefined) {
    for (const name of Object.keys(properties)) {
      const inside = `${pointer}/properties/${escapeToken(name)}`;
      collect(nodes, properties[name], inside, isConditional, name, schema.required?.includes(name));
    }
  }
  // Most schemas have few of these words: nothing is made for one that is missing.
  for (const keyword of SINGLE) {
    if (isSchemaObject(schema[keyword])) collect(nodes, schema[keyword], `${pointer}/${keyword}`, isConditional);
  }
  for (const keyword of CONDITIONAL_SINGLE) {
    if (isSchemaObject(schema[keyword])) collect(nodes, schema[keyword], `${pointer}/${keyword}`, true);
  }
  for (const keyword of LISTS) collectAll(nodes, schema[keyword], pointer, keyword, isConditional);
  for (const keyword of CONDITIONAL_LISTS) collectAll(nodes, schema[keyword], pointer, keyword, true);
  for (const keyword of MAPS) {
    const children = schema[keyword];
    if (children === undefined) continue;
    for (const name of Object.keys(children)) {
      collect(nodes, children[name], `${pointer}/${keyword}/${escapeToken(name)}`, isConditional);
    }
  }
}

function collectAll(
  nodes: SchemaNode[],
  schemas: readonly JsonSchema[] | undefined,
  pointer: string,
  keyword: string,
  isConditional: boolean,
): void {
  if (schemas === undefined) return;
  for (const [index, schema] of schemas.entries()) {
    collect(nodes, schema, `${pointer}/${keyword}/${index}`, isConditional);
  }
}
