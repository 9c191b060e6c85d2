import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { listedValues } from "../../vocabulary/disjoint.js";
import { made, type Lowered, type Lowering } from "../lowering.js";
import { resolveReference } from "./references.js";
import { declaredTypes } from "./vocabulary.js";

/** How a property that may be absent is sent where every property must be present. */
export interface Absentable {
  readonly lowered: Lowered;
  readonly absent?: "null" | "wrapped";
}

/**
 * Makes a lowered property nullable, so that null says that it is absent; one that may itself be null is wrapped first.
 */
export function absentable(lowering: Lowering, lowered: Lowered, source: JsonSchema): Absentable {
  const { schema, codec } = lowered;
  if (!acceptsNull(lowering, schema)) {
    return { lowered: { schema: nullable(lowering, schema, source), codec }, absent: "null" };
  }
  const { description, ...inner } = schema;
  const wrapped: SchemaObject = {
    type: "object",
    properties: { value: made(lowering, withoutTrivialUnion(inner), schema) },
    required: ["value"],
    additionalProperties: false,
  };
  const node: SchemaObject = {
    ...(description === undefined ? {} : { description }),
    anyOf: [wrapped, { type: "null" }],
  };
  return { lowered: { schema: made(lowering, node, schema), codec }, absent: "wrapped" };
}

/** A union of one branch existed only to carry a description beside a reference. */
function withoutTrivialUnion(node: SchemaObject): SchemaObject {
  const [only] = node.anyOf ?? [];
  return node.anyOf?.length === 1 && typeof only === "object" && Object.keys(node).length === 1 ? only : node;
}

/** Whether a lowered node lets null through; in doubt, yes. */
function acceptsNull(lowering: Lowering, lowered: SchemaObject): boolean {
  if (lowered.$ref !== undefined) return definitionAcceptsNull(lowering, lowered);
  const types = declaredTypes(lowered);
  if (types !== undefined) return types.includes("null");
  const values = listedValues(lowered);
  if (values !== undefined) return values.includes(null);
  if (lowered.anyOf === undefined) return true;
  return lowered.anyOf.some((branch) => typeof branch === "boolean" || acceptsNull(lowering, branch));
}

/**
 * The definition may still be under way, so its source is asked; what its values become is never null unless they are.
 */
function definitionAcceptsNull(lowering: Lowering, reference: SchemaObject): boolean {
  const source = resolveReference(reference, lowering.definitions);
  if (typeof source === "boolean" || source.$ref !== undefined) return true;
  const types = declaredTypes(source);
  return types === undefined || types.includes("null");
}

/** The node with null added, in the form in which the dialect says it. */
export function nullable(lowering: Lowering, node: SchemaObject, from: JsonSchema): SchemaObject {
  const origin = typeof from === "object" ? from : node;
  if (lowering.dialect.shapes.nulls === "nullable") return withNullable(lowering, node, origin);
  const type = node.type;
  const isScalar = type === "string" || type === "number" || type === "integer" || type === "boolean";
  if (isScalar && node.const === undefined) {
    const values = node.enum;
    return made(
      lowering,
      { ...node, type: [type, "null"], ...(values === undefined ? {} : { enum: [...values, null] }) },
      origin,
    );
  }
  if (
    node.anyOf !== undefined &&
    Object.keys(node).every((keyword) => keyword === "anyOf" || keyword === "description" || keyword === "title")
  ) {
    return made(lowering, { ...node, anyOf: [...node.anyOf, { type: "null" }] }, origin);
  }
  const { title, description, default: fallback, ...inner } = node;
  return made(
    lowering,
    {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      anyOf: [made(lowering, inner, node), { type: "null" }],
      ...(fallback === undefined ? {} : { default: fallback }),
    },
    origin,
  );
}

function withNullable(lowering: Lowering, node: SchemaObject, origin: object): SchemaObject {
  const [first, ...others] = node.anyOf ?? [];
  if (typeof first !== "object") return made(lowering, inOrder(node), origin);
  return made(lowering, { ...node, anyOf: [made(lowering, inOrder(first), first), ...others] }, origin);
}

function inOrder(node: SchemaObject): SchemaObject {
  const { title, description, type, ...others } = node;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(type === undefined ? {} : { type }),
    nullable: true,
    ...others,
  };
}
