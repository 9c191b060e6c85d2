import type { JsonSchema, SchemaObject } from "@hasp/schema";

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

const SINGLE = ["additionalProperties", "items", "propertyNames", "contains", "unevaluatedProperties", "unevaluatedItems"] as const;
const CONDITIONAL_SINGLE = ["if", "then", "else", "not"] as const;
const CONDITIONAL_LISTS = ["anyOf", "oneOf"] as const;
const LISTS = ["allOf", "prefixItems"] as const;
const MAPS = ["patternProperties", "dependentSchemas", "$defs"] as const;

/** Every schema in a flat schema, each once, outer ones first and in the author's order. References are not followed. */
export function* schemaNodes(schema: JsonSchema): Generator<SchemaNode> {
  yield* below(schema, "", false, {});
}

function* below(
  schema: unknown,
  pointer: string,
  isConditional: boolean,
  as: { readonly property?: string; readonly isRequired?: boolean },
): Generator<SchemaNode> {
  if (!isSchemaObject(schema)) return;
  yield { schema, pointer, isConditional, ...as };
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name) === true;
    yield* below(child, `${pointer}/properties/${escapeToken(name)}`, isConditional, { property: name, isRequired });
  }
  for (const keyword of SINGLE) yield* below(schema[keyword], `${pointer}/${keyword}`, isConditional, {});
  for (const keyword of CONDITIONAL_SINGLE) yield* below(schema[keyword], `${pointer}/${keyword}`, true, {});
  for (const keyword of LISTS) yield* each(schema[keyword], `${pointer}/${keyword}`, isConditional);
  for (const keyword of CONDITIONAL_LISTS) yield* each(schema[keyword], `${pointer}/${keyword}`, true);
  for (const keyword of MAPS) {
    for (const [name, child] of Object.entries(schema[keyword] ?? {})) {
      yield* below(child, `${pointer}/${keyword}/${escapeToken(name)}`, isConditional, {});
    }
  }
}

function* each(schemas: readonly JsonSchema[] | undefined, pointer: string, isConditional: boolean): Generator<SchemaNode> {
  for (const [index, schema] of (schemas ?? []).entries()) yield* below(schema, `${pointer}/${index}`, isConditional, {});
}

function isSchemaObject(schema: unknown): schema is SchemaObject {
  return typeof schema === "object" && schema !== null && !Array.isArray(schema);
}

/** One token of a JSON Pointer. */
export function escapeToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}
