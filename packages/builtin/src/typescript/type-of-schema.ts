import { own, indexBy } from "@hasp/base/json";
import type { JsonSchema, SchemaObject, TypeName } from "@hasp/schema";
import { code } from "@hasp/compiler/code";
import { printSchemaComment } from "./schema-comment.js";
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

export interface TypeContext {
  /** True for values after defaults: a property with a default is always present. */
  readonly isFilled: boolean;
  /** True if an open object is typed by its properties alone: right for results, which may have any wider interface. */
  readonly isOpenByNature: boolean;
  /** True if an outer schema closes this branch of a union. */
  readonly isClosedAround?: boolean;
  /** Finds the declared name for a schema, by identity or by its `$ref`. */
  nameOf(schema: JsonSchema, context: TypeContext): string | undefined;
}

/** Converts a flat schema to a type, which may be wider (bounds, patterns, `not`, conditions) but never narrower. */
export function typeOfSchema(schema: JsonSchema, context: TypeContext): TypeNode {
  const name = context.nameOf(schema, context);
  return name === undefined ? typeOfBody(schema, context) : { kind: "reference", name };
}

/** Converts a named schema without using its name. */
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

/** Returns the context of a union's branches. It fills in defaults only if a constant names the branch. */
function branchContext(branches: readonly JsonSchema[], schema: SchemaObject, context: TypeContext): TypeContext {
  return {
    ...context,
    isFilled: context.isFilled && isDiscriminated(branches, schema.required ?? []),
    isClosedAround: schema.unevaluatedProperties === false || context.isClosedAround === true,
  };
}

/** True if each branch requires a property with constants of its own. */
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

function constantsOf(branch: SchemaObject, name: string): readonly unknown[] | undefined {
  const property = own(branch.properties, name);
  if (typeof property !== "object") return undefined;
  const values = property.const === undefined ? property.enum : [property.const];
  return values === undefined || values.some((value) => typeof value === "object") ? undefined : [...new Set(values)];
}

/** Merges shared properties into each object branch of a union. */
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
  const byName = indexBy(own.properties, ({ name }) => name);
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

function saysFurther(schema: SchemaObject): boolean {
  return schema.additionalProperties !== undefined || schema.patternProperties !== undefined;
}

function mergedProperty(own: PropertyType | undefined, inner: PropertyType): PropertyType {
  if (own === undefined) return inner;
  const type =
    own.type.kind === "literal" || inner.type.kind === "literal"
      ? findLiteral(own.type, inner.type)
      : intersection([own.type, inner.type]);
  return {
    name: inner.name,
    isOptional: own.isOptional && inner.isOptional,
    type,
    comment: inner.comment.text !== "" ? inner.comment : own.comment,
  };
}

/** Chooses the branch's constant over the union of constants beside it. */
function findLiteral(own: TypeNode, inner: TypeNode): TypeNode {
  return inner.kind === "literal" ? inner : own;
}

/** Returns the type without combinators. */
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
    comment: printSchemaComment(value),
  }));
  // A required name without a schema is still present.
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

/** Types undeclared keys; TypeScript's index signature must include the types of all properties. */
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
  // An optional property may read as `undefined`, which no JSON type includes.
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
