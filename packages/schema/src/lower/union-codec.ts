import type { Codec, UnionCodec } from "../codec/codec.js";
import type { JsonValue } from "../json.js";
import type { JsonSchema, SchemaObject, TypeName } from "../json-schema.js";
import { equalJson } from "../bind/json-value.js";
import { made, type Lowered, type Lowering } from "./lowering.js";
import { resolveReference } from "./references.js";
import { possibleTypes } from "./disjoint.js";
import { walkSchema } from "./walk.js";

/** One branch of a union, before and after. */
export interface UnionPart {
  readonly source: JsonSchema;
  readonly lowered: Lowered;
}

/** The branches as they travel, and the change of the union's values. */
export interface CombinedUnion {
  readonly schemas: readonly SchemaObject[];
  readonly codec: Codec | undefined;
}

/**
 * Makes one codec of the codecs of a union's branches. Branches must be told apart on the wire: by type, by a listed
 * value, by a discriminant, by their keys. Where nothing tells them apart, each travels under a key of its own.
 */
export function combineCodecs(lowering: Lowering, parts: readonly UnionPart[]): CombinedUnion {
  const schemas = parts.map((part) => part.lowered.schema);
  const codecs = parts.map((part) => part.lowered.codec);
  const [first] = codecs;
  if (codecs.every((codec) => equalJson(codec as JsonValue | undefined, first as JsonValue | undefined))) return { schemas, codec: first };
  const guarded = onlyGuardedCodec(lowering, parts);
  if (guarded !== undefined) return { schemas, codec: guarded };
  const accepts = parts.map((part) => acceptsTest(lowering, part, parts));
  const wires = wireTests(lowering, schemas);
  if (wires !== undefined) return { schemas, codec: unionOf(accepts, wires, codecs) };
  return combineTagged(lowering, schemas, codecs, accepts);
}

/** Each branch under a key of its own; null needs none. */
function combineTagged(
  lowering: Lowering,
  schemas: readonly SchemaObject[],
  codecs: readonly (Codec | undefined)[],
  accepts: readonly JsonSchema[],
): CombinedUnion {
  const tags = schemas.map((schema, index) => (schema.type === "null" ? undefined : `option${index + 1}`));
  const tagged = schemas.map((schema, index) => {
    const name = tags[index];
    return name === undefined ? schema : tag(lowering, schema, name);
  });
  const tests = tags.map((name): SchemaObject => (name === undefined ? { type: "null" } : { type: "object", required: [name] }));
  const wrapped = codecs.map((value, index): Codec | undefined => {
    const wire = tags[index];
    return wire === undefined ? value : { kind: "wrap", wire, ...(value === undefined ? {} : { value }) };
  });
  return { schemas: tagged, codec: unionOf(accepts, tests, wrapped) };
}

function unionOf(accepts: readonly JsonSchema[], wires: readonly JsonSchema[], codecs: readonly (Codec | undefined)[]): UnionCodec {
  return {
    kind: "union",
    branches: codecs.map((value, index) => ({
      accepts: accepts[index] ?? true,
      wire: wires[index] ?? true,
      ...(value === undefined ? {} : { value }),
    })),
  };
}

function tag(lowering: Lowering, schema: SchemaObject, name: string): SchemaObject {
  const { closing } = lowering.dialect.shapes;
  const node: SchemaObject = {
    type: "object",
    properties: { [name]: schema },
    required: [name],
    ...(closing === "unsaid" ? {} : { additionalProperties: false }),
  };
  return made(lowering, node, schema);
}

const guardedTypes: { readonly [kind in Codec["kind"]]?: { readonly source: TypeName; readonly wire: TypeName } } = {
  object: { source: "object", wire: "object" },
  array: { source: "array", wire: "array" },
  pairs: { source: "object", wire: "array" },
  tuple: { source: "array", wire: "object" },
};

/** The one codec among branches without any, if it touches values of one type only and no other branch has that type. */
function onlyGuardedCodec(lowering: Lowering, parts: readonly UnionPart[]): Codec | undefined {
  const changing = parts.filter((part) => part.lowered.codec !== undefined);
  const [only] = changing;
  const codec = only?.lowered.codec;
  if (changing.length !== 1 || only === undefined || codec === undefined) return undefined;
  const guard = guardedTypes[codec.kind];
  if (guard === undefined) return undefined;
  const others = parts.filter((part) => part !== only);
  const isFree = others.every((part) => {
    const sourceTypes = typesOf(lowering, part.source);
    const wireTypes = typesOf(lowering, part.lowered.schema);
    return sourceTypes !== undefined && wireTypes !== undefined && !sourceTypes.includes(guard.source) && !wireTypes.includes(guard.wire);
  });
  return isFree ? codec : undefined;
}

function typesOf(lowering: Lowering, schema: JsonSchema): readonly TypeName[] | undefined {
  const target = resolveReference(schema, lowering.definitions);
  if (typeof target === "boolean" || target.$ref !== undefined) return undefined;
  if (target.anyOf !== undefined && target.type === undefined) {
    const inner = target.anyOf.map((branch) => typesOf(lowering, branch));
    return inner.every((types) => types !== undefined) ? inner.flat() : undefined;
  }
  const types = possibleTypes(target);
  return target["nullable"] === true && types !== undefined ? [...types, "null"] : types;
}

/** A test that holds for every source value of the branch and that the branches before it leave to it. */
function acceptsTest(lowering: Lowering, part: UnionPart, parts: readonly UnionPart[]): JsonSchema {
  const types = typesOf(lowering, part.source);
  const isAlone = parts.every((other) => {
    const otherTypes = typesOf(lowering, other.source);
    return other === part || (types !== undefined && otherTypes !== undefined && types.every((type) => !sharesType(otherTypes, type)));
  });
  if (isAlone && types !== undefined) return typeTest(types);
  const { source } = part;
  if (typeof source === "boolean" || Object.keys(lowering.definitions).length === 0) return source;
  return hasReference(source) ? { ...source, $defs: lowering.definitions } : source;
}

function hasReference(schema: SchemaObject): boolean {
  let found = false;
  walkSchema(schema, ({ node }) => {
    found ||= node.$ref !== undefined;
  });
  return found;
}

function sharesType(types: readonly TypeName[], type: TypeName): boolean {
  return types.includes(type) || (type === "integer" && types.includes("number")) || (type === "number" && types.includes("integer"));
}

function typeTest(types: readonly TypeName[]): SchemaObject {
  const [only] = types;
  return only !== undefined && types.length === 1 ? { type: only } : { type: types };
}

/** One test for each branch, such that no value that one branch encodes to passes the test of another. */
function wireTests(lowering: Lowering, schemas: readonly SchemaObject[]): readonly JsonSchema[] | undefined {
  const types = schemas.map((schema) => (schema.$ref === undefined ? typesOf(lowering, schema) : undefined));
  if (types.some((list) => list === undefined)) return undefined;
  const tests = schemas.map((schema, index): SchemaObject | undefined => {
    const own = types[index] ?? [];
    const rivals = schemas.filter((_, other) => other !== index && (types[other] ?? []).some((type) => sharesType(own, type)));
    if (rivals.length === 0) return typeTest(own);
    return testAmong(schema, rivals);
  });
  return tests.every((test) => test !== undefined) ? tests : undefined;
}

function testAmong(schema: SchemaObject, rivals: readonly SchemaObject[]): SchemaObject | undefined {
  const values = valuesOf(schema);
  if (values !== undefined && rivals.every((rival) => differ(values, valuesOf(rival)))) return { enum: values };
  if (schema.type !== "object" || rivals.some((rival) => rival.type !== "object")) return undefined;
  return discriminantTest(schema, rivals) ?? keyTest(schema, rivals);
}

function valuesOf(schema: JsonSchema | undefined): readonly JsonValue[] | undefined {
  if (typeof schema !== "object") return undefined;
  return schema.const === undefined ? schema.enum : [schema.const];
}

function differ(values: readonly JsonValue[], others: readonly JsonValue[] | undefined): boolean {
  return others !== undefined && !values.some((value) => others.some((other) => equalJson(value, other)));
}

/** A property that all require, with values that are this branch's alone. */
function discriminantTest(schema: SchemaObject, rivals: readonly SchemaObject[]): SchemaObject | undefined {
  for (const name of schema.required ?? []) {
    const values = valuesOf(schema.properties?.[name]);
    if (values === undefined) continue;
    const isTelling = rivals.every((rival) => rival.required?.includes(name) === true && differ(values, valuesOf(rival.properties?.[name])));
    if (isTelling) return { type: "object", required: [name], properties: { [name]: { enum: values } } };
  }
  return undefined;
}

/** Closed objects that cannot have the same keys. */
function keyTest(schema: SchemaObject, rivals: readonly SchemaObject[]): SchemaObject | undefined {
  if ([schema, ...rivals].some((object) => object.additionalProperties !== false)) return undefined;
  const own = Object.keys(schema.properties ?? {});
  const required = schema.required ?? [];
  const isTelling = rivals.every((rival) => {
    const keys = Object.keys(rival.properties ?? {});
    return (rival.required ?? []).some((name) => !own.includes(name)) || required.some((name) => !keys.includes(name));
  });
  if (!isTelling) return undefined;
  const foreign = new Set(rivals.flatMap((rival) => Object.keys(rival.properties ?? {})).filter((name) => !own.includes(name)));
  return {
    type: "object",
    required,
    ...(foreign.size === 0 ? {} : { properties: Object.fromEntries([...foreign].map((name) => [name, false] as const)) }),
  };
}
