import type { JsonSchema, TypeName } from "@hasp/schema";
import { code } from "./code.js";
import { schemaComment } from "./schema-comment.js";
import {
  intersection,
  keyword,
  type ObjectType,
  type PropertyType,
  type TupleType,
  type TypeNode,
  typeOfValue,
  union,
} from "./type-node.js";

/** Settings for turning a schema into a type. */
export interface TypeContext {
  /** True to type values as a handler sees them, after defaults: a property with a default is then always there. */
  readonly isFilled: boolean;
  /**
   * True if an object that says nothing of further keys is typed by its properties alone, as TypeScript's own types
   * are: right for what a program makes (results), which may then be of any interface that has these properties.
   */
  readonly isOpenByNature: boolean;
  /** True if the place is closed around a union, of which this schema is a branch. */
  readonly isClosedAround?: boolean;
  /** The name of the type declared for a schema in this context, by identity of the schema or by its `$ref`. */
  nameOf(schema: JsonSchema, context: TypeContext): string | undefined;
}

type SchemaObject = Exclude<JsonSchema, boolean>;

/**
 * The type of the values that a flat schema accepts. It may be wider where TypeScript has no words (bounds, patterns,
 * `not`, conditions), never narrower.
 */
export function typeOfSchema(schema: JsonSchema, context: TypeContext): TypeNode {
  const name = context.nameOf(schema, context);
  return name === undefined ? typeOfBody(schema, context) : { kind: "reference", name };
}

/** The same for a schema that has a name of its own: what is behind that name. */
export function typeOfBody(schema: JsonSchema, context: TypeContext): TypeNode {
  if (typeof schema === "boolean") return keyword(schema ? "unknown" : "never");
  const parts: TypeNode[] = [];
  if (schema.$ref !== undefined) parts.push(typeOfReference(schema, context));
  if (schema.allOf !== undefined) {
    parts.push(
      ...schema.allOf.map((branch) =>
        typeOfSchema(branch, {
          ...context,
          isClosedAround: schema.unevaluatedProperties === false || context.isClosedAround === true,
        }),
      ),
    );
  }
  const alternatives = [schema.anyOf, schema.oneOf].filter((branches) => branches !== undefined);
  const [only] = alternatives;
  if (only !== undefined && alternatives.length === 1 && parts.length === 0) return typeOfUnion(schema, only, context);
  return intersection([
    ownType(schema, context),
    ...parts,
    ...alternatives.map((branches) => unionOf(branches, schema, context)),
  ]);
}

function typeOfReference(schema: SchemaObject, context: TypeContext): TypeNode {
  const name = context.nameOf({ $ref: schema.$ref ?? "" }, context);
  return name === undefined ? keyword("unknown") : { kind: "reference", name };
}

function unionOf(branches: readonly JsonSchema[], schema: SchemaObject, context: TypeContext): TypeNode {
  const inBranch = branchContext(branches, schema, context);
  return union(branches.map((branch) => typeOfSchema(branch, inBranch)));
}

/**
 * In a union, defaults are filled in only where a constant names the branch: else nobody knows before which one it is.
 */
function branchContext(branches: readonly JsonSchema[], schema: SchemaObject, context: TypeContext): TypeContext {
  return {
    ...context,
    isFilled: context.isFilled && isDiscriminated(branches, schema.required ?? []),
    isClosedAround: schema.unevaluatedProperties === false || context.isClosedAround === true,
  };
}

/** Returns whether each branch requires a property for which it lists constants of its own. */
function isDiscriminated(branches: readonly JsonSchema[], required: readonly string[]): boolean {
  const [first] = branches;
  if (typeof first !== "object") return false;
  return Object.keys(first.properties ?? {}).some((name) => {
    const lists = branches.map((branch) =>
      typeof branch === "object" && [...(branch.required ?? []), ...required].includes(name)
        ? constantsOf(branch, name)
        : undefined,
    );
    const all = lists.flatMap((list) => list ?? []);
    return !lists.includes(undefined) && new Set(all).size === all.length;
  });
}

/** The scalars that a branch allows for one of its properties, if it lists them. */
function constantsOf(branch: SchemaObject, name: string): readonly unknown[] | undefined {
  const property = Object.hasOwn(branch.properties ?? {}, name) ? branch.properties?.[name] : undefined;
  if (typeof property !== "object") return undefined;
  const values = property.const === undefined ? property.enum : [property.const];
  return values === undefined || values.some((value) => typeof value === "object") ? undefined : [...new Set(values)];
}

/** A union whose branches share what is beside it: each branch of objects is one whole object. */
function typeOfUnion(schema: SchemaObject, branches: readonly JsonSchema[], context: TypeContext): TypeNode {
  const own = ownType(schema, context);
  if (own.kind !== "object" || schema.enum !== undefined || schema.const !== undefined) {
    return intersection([own, unionOf(branches, schema, context)]);
  }
  const shaping = branches.filter((branch) => typeof branch === "object" && saysMoreThanPresence(branch));
  // `anyOf: [{ required: [a] }, { required: [b] }]` is a condition on an object that is already described.
  if (shaping.length < branches.length) return own;
  const inBranch = branchContext(branches, schema, context);
  return union(
    shaping.map((branch) => {
      if (typeof branch === "boolean" || context.nameOf(branch, inBranch) !== undefined) {
        return intersection([own, typeOfSchema(branch, inBranch)]);
      }
      const inner = typeOfBody(
        branch.type === undefined && branch.$ref === undefined ? { type: "object", ...branch } : branch,
        inBranch,
      );
      const members = inner.kind === "union" ? inner.members : [inner];
      if (!members.every((member) => member.kind === "object")) return intersection([own, inner]);
      return union(members.map((member) => merged(own, member, schema, branch, inBranch.isClosedAround === true)));
    }),
  );
}

function saysMoreThanPresence(branch: SchemaObject): boolean {
  return Object.keys(branch).some((word) => !["required", "description", "title", "type", "$comment"].includes(word));
}

function merged(
  own: ObjectType,
  inner: ObjectType,
  schema: SchemaObject,
  branch: SchemaObject,
  isClosedAround: boolean,
): TypeNode {
  const byName = new Map(own.properties.map((property) => [property.name, property]));
  for (const property of inner.properties) {
    byName.set(property.name, mergedProperty(byName.get(property.name), property));
  }
  const required = new Set(branch.required ?? []);
  const properties = [...byName.values()].map((property) =>
    property.isOptional && required.has(property.name) ? { ...property, isOptional: false } : property,
  );
  const said = [saysFurther(schema) ? own : undefined, saysFurther(branch) ? inner : undefined].filter(
    (each) => each !== undefined,
  );
  const [first = isClosedAround ? undefined : inner, second = first] = said;
  const index =
    first?.index === undefined || second?.index === undefined ? undefined : intersection([first.index, second.index]);
  return index === undefined ? { kind: "object", properties } : { kind: "object", properties, index };
}

/** Returns whether a schema itself says which further keys are allowed. */
function saysFurther(schema: SchemaObject): boolean {
  return schema.additionalProperties !== undefined || schema.patternProperties !== undefined;
}

function mergedProperty(own: PropertyType | undefined, inner: PropertyType): PropertyType {
  if (own === undefined) return inner;
  const type =
    own.type.kind === "literal" || inner.type.kind === "literal"
      ? literalOf(own.type, inner.type)
      : intersection([own.type, inner.type]);
  return {
    name: inner.name,
    isOptional: own.isOptional && inner.isOptional,
    type,
    comment: inner.comment.text !== "" ? inner.comment : own.comment,
  };
}

/** A discriminant: the union beside the branches says `"a" | "b"`, the branch says which. */
function literalOf(own: TypeNode, inner: TypeNode): TypeNode {
  return inner.kind === "literal" ? inner : own;
}

/** Returns the type that a schema itself states, combinators aside. */
function ownType(schema: SchemaObject, context: TypeContext): TypeNode {
  if (schema.const !== undefined) return typeOfValue(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(typeOfValue));
  if (schema.type === undefined) return keyword("unknown");
  const types: readonly TypeName[] = typeof schema.type === "string" ? [schema.type] : schema.type;
  return union(types.map((type) => typeOfTypeName(type, schema, context)));
}

function typeOfTypeName(type: TypeName, schema: SchemaObject, context: TypeContext): TypeNode {
  switch (type) {
    case "integer":
      return keyword("number");
    case "object":
      return objectType(schema, context);
    case "array":
      return arrayType(schema, context);
    default:
      return keyword(type);
  }
}

function objectType(schema: SchemaObject, context: TypeContext): ObjectType {
  const inside = { ...context, isClosedAround: false };
  const required = new Set(schema.required ?? []);
  const declared = Object.entries(schema.properties ?? {});
  const properties: PropertyType[] = declared.map(([name, value]) => ({
    name,
    isOptional: !required.has(name) && !(context.isFilled && hasDefault(value)),
    type: typeOfSchema(value, inside),
    comment: schemaComment(value),
  }));
  // A required name that nothing describes is there all the same.
  const undescribed = [...required].filter((name) => !Object.hasOwn(schema.properties ?? {}, name));
  const index = indexType(schema, properties, context);
  if (index !== undefined) {
    properties.push(...undescribed.map((name) => ({ name, isOptional: false, type: index, comment: code`` })));
  }
  return index === undefined ? { kind: "object", properties } : { kind: "object", properties, index };
}

function hasDefault(schema: JsonSchema): boolean {
  return typeof schema === "object" && Object.hasOwn(schema, "default");
}

/**
 * The type of keys that no property names, widened by the properties' own types, as TypeScript wants an index
 * signature.
 */
function indexType(
  schema: SchemaObject,
  properties: readonly PropertyType[],
  context: TypeContext,
): TypeNode | undefined {
  const isOpenUnsaid = context.isClosedAround !== true && !(context.isOpenByNature && properties.length > 0);
  const further = schema.additionalProperties ?? schema.unevaluatedProperties ?? isOpenUnsaid;
  const inMap = { ...context, isClosedAround: false };
  const patterned = Object.values(schema.patternProperties ?? {}).map((value) => typeOfSchema(value, inMap));
  const types = [...patterned, ...(further === false ? [] : [typeOfSchema(further, inMap)])];
  if (types.length === 0) return undefined;
  const index = union(types);
  if (properties.length === 0 || (index.kind === "keyword" && index.name === "unknown")) return index;
  // An optional property may read as `undefined`, which no JSON type holds.
  return properties.some(({ isOptional }) => isOptional)
    ? keyword("unknown")
    : union([index, ...properties.map(({ type }) => type)]);
}

function arrayType(schema: SchemaObject, outer: TypeContext): TypeNode {
  const context = { ...outer, isClosedAround: false };
  const items = Array.isArray(schema.items) ? true : ((schema.items as JsonSchema | undefined) ?? true);
  if (schema.prefixItems === undefined) return { kind: "array", item: typeOfSchema(items, context) };
  const least = schema.minItems ?? 0;
  const tuple: TupleType = {
    kind: "tuple",
    items: schema.prefixItems.map((item, index) => ({ type: typeOfSchema(item, context), isOptional: index >= least })),
  };
  const most = schema.maxItems ?? Infinity;
  if (items === false || schema.unevaluatedItems === false || most <= schema.prefixItems.length) return tuple;
  return { ...tuple, rest: typeOfSchema(items, context) };
}
