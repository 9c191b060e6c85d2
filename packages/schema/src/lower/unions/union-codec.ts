import { hasReference, resolveReference } from "../context/references.js";
import type { Codec, UnionCodec } from "../../codec/codec.js";
import { dropUndefined, type JsonValue, isEqualJson, own } from "@hasp/base/json";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { areDisjoint, readListedValues, listsDiffer, findPossibleTypes } from "../../vocabulary/disjoint.js";
import { ANY_TYPE, ARRAY, NULL, OBJECT, TYPE_NAMES, listTypes, type TypeMask } from "../../json/type-mask.js";
import { withOrigin, type LoweredNode, type LoweringContext } from "../context/context.js";

interface UnionPart {
  readonly source: JsonSchema;
  readonly lowered: LoweredNode;
}

interface CombinedUnion {
  readonly schemas: readonly SchemaObject[];
  readonly codec: Codec | undefined;
}

/** Combines the codecs of a union's branches. Those that cannot be told apart are wrapped under keys of their own. */
export function combineCodecs(context: LoweringContext, parts: readonly UnionPart[]): CombinedUnion {
  const schemas = parts.map((part) => part.lowered.schema);
  const codecs = parts.map((part) => part.lowered.codec);
  const [first] = codecs;
  if (codecs.every((codec) => isEqualJson(codec as JsonValue | undefined, first as JsonValue | undefined))) {
    return { schemas, codec: first };
  }
  const guarded = onlyGuardedCodec(context, parts);
  if (guarded !== undefined) return { schemas, codec: guarded };
  const accepts = parts.map((part) => acceptsTest(context, part, parts));
  const wires = wireTests(context, schemas);
  if (wires !== undefined) return { schemas, codec: unionOf(accepts, wires, codecs) };
  return combineTagged(context, schemas, codecs, accepts);
}

/** Wraps each branch under a key of its own, except null. */
function combineTagged(
  context: LoweringContext,
  schemas: readonly SchemaObject[],
  codecs: readonly (Codec | undefined)[],
  accepts: readonly JsonSchema[],
): CombinedUnion {
  const tags = schemas.map((schema, index) => (schema.type === "null" ? undefined : `option${index + 1}`));
  const tagged = schemas.map((schema, index) => {
    const name = tags[index];
    return name === undefined ? schema : tag(context, schema, name);
  });
  const tests = tags.map((name): SchemaObject =>
    name === undefined ? { type: "null" } : { type: "object", required: [name] },
  );
  const wrapped = codecs.map((value, index): Codec | undefined => {
    const wire = tags[index];
    return wire === undefined ? value : { kind: "wrap", wire, ...dropUndefined({ value }) };
  });
  return { schemas: tagged, codec: unionOf(accepts, tests, wrapped) };
}

function unionOf(
  accepts: readonly JsonSchema[],
  wires: readonly JsonSchema[],
  codecs: readonly (Codec | undefined)[],
): UnionCodec {
  return {
    kind: "union",
    branches: codecs.map((value, index) => ({
      accepts: accepts[index] ?? true,
      wire: wires[index] ?? true,
      ...dropUndefined({ value }),
    })),
  };
}

function tag(context: LoweringContext, schema: SchemaObject, name: string): SchemaObject {
  const { closing } = context.dialect.shapes;
  const node: SchemaObject = {
    type: "object",
    properties: { [name]: schema },
    required: [name],
    ...(closing === "unsaid" ? {} : { additionalProperties: false }),
  };
  return withOrigin(context, node, schema);
}

const guardedTypes: { readonly [kind in Codec["kind"]]?: { readonly source: TypeMask; readonly wire: TypeMask } } = {
  object: { source: OBJECT, wire: OBJECT },
  array: { source: ARRAY, wire: ARRAY },
  pairs: { source: OBJECT, wire: ARRAY },
  tuple: { source: ARRAY, wire: OBJECT },
};

/** Returns the only codec of all branches if it changes values of a single type that no other branch has. */
function onlyGuardedCodec(context: LoweringContext, parts: readonly UnionPart[]): Codec | undefined {
  const changing = parts.filter((part) => part.lowered.codec !== undefined);
  const [only] = changing;
  const codec = only?.lowered.codec;
  const guard = codec && guardedTypes[codec.kind];
  if (changing.length !== 1 || guard === undefined) return undefined;
  const isFree = parts.every(
    (part) =>
      part === only ||
      ((typesOf(context, part.source) & guard.source) === 0 &&
        (typesOf(context, part.lowered.schema) & guard.wire) === 0),
  );
  return isFree ? codec : undefined;
}

/** Returns the types that a branch accepts, or all if it does not restrict them. */
function typesOf(context: LoweringContext, schema: JsonSchema): TypeMask {
  const target = resolveReference(schema, context.definitions);
  if (typeof target === "boolean" || target.$ref !== undefined) return ANY_TYPE;
  if (target.anyOf !== undefined && target.type === undefined) {
    return target.anyOf.reduce((sum: TypeMask, branch) => sum | typesOf(context, branch), 0);
  }
  return findPossibleTypes(target) | (target["nullable"] === true ? NULL : 0);
}

/** Returns a schema that accepts every source value of the branch that no earlier branch takes. */
function acceptsTest(context: LoweringContext, part: UnionPart, parts: readonly UnionPart[]): JsonSchema {
  const types = typesOf(context, part.source);
  if (parts.every((other) => other === part || (typesOf(context, other.source) & types) === 0)) return typeTest(types);
  const { source } = part;
  if (typeof source === "boolean" || Object.keys(context.definitions).length === 0) return source;
  return hasReference(source) ? { ...source, $defs: context.definitions } : source;
}

function typeTest(types: TypeMask): SchemaObject {
  const names = listTypes(types, TYPE_NAMES);
  const [only] = names;
  if (only === undefined) return { not: {} };
  return { type: names.length === 1 ? only : names };
}

/** Returns one test per branch. No encoded value of a branch passes another branch's test. */
function wireTests(context: LoweringContext, schemas: readonly SchemaObject[]): readonly JsonSchema[] | undefined {
  const types = schemas.map((schema) => (schema.$ref === undefined ? typesOf(context, schema) : ANY_TYPE));
  if (types.includes(ANY_TYPE)) return undefined;
  const tests = schemas.map((schema, index) => {
    const own = types[index] ?? 0;
    const rivals = schemas.filter((_, other) => other !== index && ((types[other] ?? 0) & own) !== 0);
    return rivals.length === 0 ? typeTest(own) : testAmong(schema, rivals);
  });
  return tests.every((test) => test !== undefined) ? tests : undefined;
}

function testAmong(schema: SchemaObject, rivals: readonly SchemaObject[]): SchemaObject | undefined {
  const values = readListedValues(schema);
  if (values !== undefined && rivals.every((rival) => listsDiffer(values, readListedValues(rival)))) {
    return { enum: values };
  }
  if (schema.type !== "object" || rivals.some((rival) => rival.type !== "object")) return undefined;
  return discriminantTest(schema, rivals) ?? keyTest(schema, rivals);
}

/** Tests a required property whose listed values belong to this branch only. */
function discriminantTest(schema: SchemaObject, rivals: readonly SchemaObject[]): SchemaObject | undefined {
  const valuesAt = (object: SchemaObject, name: string): readonly JsonValue[] | undefined => {
    const property = own(object.properties, name);
    return typeof property === "object" ? readListedValues(property) : undefined;
  };
  for (const name of schema.required ?? []) {
    const values = valuesAt(schema, name);
    const isTelling = rivals.every(
      (rival) => rival.required?.includes(name) === true && listsDiffer(values, valuesAt(rival, name)),
    );
    if (values !== undefined && isTelling) {
      return { type: "object", required: [name], properties: { [name]: { enum: values } } };
    }
  }
  return undefined;
}

function keyTest(schema: SchemaObject, rivals: readonly SchemaObject[]): SchemaObject | undefined {
  if ([schema, ...rivals].some((object) => object.additionalProperties !== false)) return undefined;
  const own = Object.keys(schema.properties ?? {});
  const required = schema.required ?? [];
  const isTelling = rivals.every((rival) => {
    const keys = Object.keys(rival.properties ?? {});
    return (rival.required ?? []).some((name) => !own.includes(name)) || required.some((name) => !keys.includes(name));
  });
  if (!isTelling) return undefined;
  const foreign = new Set(
    rivals.flatMap((rival) => Object.keys(rival.properties ?? {})).filter((name) => !own.includes(name)),
  );
  return {
    type: "object",
    required,
    ...(foreign.size === 0
      ? {}
      : { properties: Object.fromEntries([...foreign].map((name) => [name, false] as const)) }),
  };
}

/** True if no value fits two branches, so that `oneOf` and `anyOf` mean the same. */
export function arePairwiseDisjoint(context: LoweringContext, branches: readonly JsonSchema[]): boolean {
  if (branches.length > 64) return false;
  return branches.every((branch, index) =>
    branches.slice(index + 1).every((other) => areDisjoint(branch, other, context.resolve)),
  );
}
