import { dropUndefined } from "@hasp/base/json";
import { resolveReference } from "../context/references.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { readListedValues } from "../../vocabulary/disjoint.js";
import { withOrigin, type LoweredNode, type LoweringContext } from "../context/context.js";
import { declaredTypes } from "../context/schema-facts.js";

interface Absentable {
  readonly lowered: LoweredNode;
  readonly absent?: "null" | "wrapped";
}

/** Makes a lowered property nullable, so that null means absent. Wraps it first if it may itself be null. */
export function makeAbsentable(context: LoweringContext, lowered: LoweredNode, source: JsonSchema): Absentable {
  const { schema, codec } = lowered;
  if (!acceptsNull(context, schema)) {
    return { lowered: { schema: nullable(context, schema, source), codec }, absent: "null" };
  }
  const { description, ...inner } = schema;
  const wrapped: SchemaObject = {
    type: "object",
    properties: { value: withOrigin(context, withoutTrivialUnion(inner), schema) },
    required: ["value"],
    additionalProperties: false,
  };
  const node: SchemaObject = {
    ...dropUndefined({ description }),
    anyOf: [wrapped, { type: "null" }],
  };
  return { lowered: { schema: withOrigin(context, node, schema), codec }, absent: "wrapped" };
}

/** Unwraps a union of one branch, which only carried a description beside a reference. */
function withoutTrivialUnion(node: SchemaObject): SchemaObject {
  const [only] = node.anyOf ?? [];
  return node.anyOf?.length === 1 && typeof only === "object" && Object.keys(node).length === 1 ? only : node;
}

function acceptsNull(context: LoweringContext, lowered: SchemaObject): boolean {
  if (lowered.$ref !== undefined) return definitionAcceptsNull(context, lowered);
  const types = declaredTypes(lowered);
  if (types !== undefined) return types.includes("null");
  const values = readListedValues(lowered);
  if (values !== undefined) return values.includes(null);
  if (lowered.anyOf === undefined) return true;
  return lowered.anyOf.some((branch) => typeof branch === "boolean" || acceptsNull(context, branch));
}

/** True if a definition may accept null. Asked of its source, since it may not be lowered yet. */
function definitionAcceptsNull(context: LoweringContext, reference: SchemaObject): boolean {
  const source = resolveReference(reference, context.definitions);
  if (typeof source === "boolean" || source.$ref !== undefined) return true;
  const types = declaredTypes(source);
  return types === undefined || types.includes("null");
}

export function nullable(context: LoweringContext, node: SchemaObject, from: JsonSchema): SchemaObject {
  const origin = typeof from === "object" ? from : node;
  const { nulls } = context.dialect.shapes;
  if (nulls === "nullable") return withNullable(context, node, origin);
  const { type } = node;
  const isScalar = type === "string" || type === "number" || type === "integer" || type === "boolean";
  if (isScalar && nulls !== "branch" && node.const === undefined) {
    const values = node.enum;
    return withOrigin(context, { ...node, type: [type, "null"], ...(values && { enum: [...values, null] }) }, origin);
  }
  if (
    node.anyOf !== undefined &&
    Object.keys(node).every((keyword) => keyword === "anyOf" || keyword === "description" || keyword === "title")
  ) {
    return withOrigin(context, { ...node, anyOf: [...node.anyOf, { type: "null" }] }, origin);
  }
  const { title, description, default: fallback, ...inner } = node;
  return withOrigin(
    context,
    {
      ...dropUndefined({ title, description }),
      anyOf: [withOrigin(context, inner, node), { type: "null" }],
      ...dropUndefined({ default: fallback }),
    },
    origin,
  );
}

function withNullable(context: LoweringContext, node: SchemaObject, origin: object): SchemaObject {
  const [first, ...others] = node.anyOf ?? [];
  if (typeof first !== "object") return withOrigin(context, inOrder(node), origin);
  return withOrigin(context, { ...node, anyOf: [withOrigin(context, inOrder(first), first), ...others] }, origin);
}

function inOrder(node: SchemaObject): SchemaObject {
  const { title, description, type, ...others } = node;
  return {
    ...dropUndefined({ title, description, type }),
    nullable: true,
    ...others,
  };
}
