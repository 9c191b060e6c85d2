import fc from "fast-check";
import type { JsonObject, JsonValue } from "@hasp/base/json";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";

/** Few names, some of them inherited by every object, so that random schemas and values meet. */
const names = ["a", "b", "ab", "isPrototypeOf"] as const;
const scalars: readonly JsonValue[] = [null, true, false, -1, 0, 1, 1.5, 2, 3, 4, "", "a", "b", "ab", "abc", "1", "💩"];
const patterns = ["^a", "b$", "^.$", "a|1", "^[^a]*$"] as const;

const name = fc.constantFrom(...names);
const count = fc.integer({ min: 0, max: 3 });
const bound = fc.constantFrom(-1, 0, 1, 1.5, 2, 3);

/** Values near the borders of what {@link schemas} says. */
export const values: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { arbitrary: fc.constantFrom(...scalars), weight: 3 },
    { arbitrary: fc.array(tie("value"), { maxLength: 4 }), weight: 2 },
    { arbitrary: fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }), weight: 4 },
  ),
})).value;

const typeName = fc.constantFrom("array", "boolean", "integer", "null", "number", "object", "string");

function rarely<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 5 });
}

function group(model: { readonly [keyword: string]: fc.Arbitrary<unknown> }): fc.Arbitrary<SchemaObject> {
  return fc.record(Object.fromEntries(Object.entries(model).map(([keyword, part]) => [keyword, rarely(part)])));
}

/** The features of random schemas beyond the keywords that every validator agrees on. */
export interface SchemaFeatures {
  readonly references: boolean;
  readonly unevaluated: boolean;
}

/** Random schemas of draft 2020-12 with every keyword group; `$defs` named `x` and `y`, which may be recursive. */
export function schemas(features: SchemaFeatures): fc.Arbitrary<JsonSchema> {
  const { schema } = fc.letrec<{ schema: JsonSchema; object: SchemaObject }>((tie) => {
    const list = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
    const map = fc.dictionary(name, tie("schema"), { maxKeys: 3, noNullPrototype: true });
    const byPattern = fc.dictionary(fc.constantFrom(...patterns), tie("schema"), { maxKeys: 2, noNullPrototype: true });
    const objectWords = group({
      properties: map,
      patternProperties: byPattern,
      additionalProperties: tie("schema"),
      propertyNames: tie("schema"),
      required: fc.uniqueArray(name, { maxLength: 2 }),
      minProperties: count,
      maxProperties: count,
      dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      dependentSchemas: map,
    });
    const arrayWords = group({
      prefixItems: list,
      items: tie("schema"),
      contains: tie("schema"),
      minItems: count,
      maxItems: count,
      uniqueItems: fc.boolean(),
    });
    const containsWords = fc.record({
      contains: tie("schema"),
      minContains: count,
      maxContains: count,
    }) as fc.Arbitrary<SchemaObject>;
    const scalarWords = group({
      minimum: bound,
      maximum: bound,
      exclusiveMinimum: bound,
      exclusiveMaximum: bound,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      minLength: count,
      maxLength: count,
      pattern: fc.constantFrom(...patterns),
    });
    const valueWords = fc.oneof(
      fc.record({ enum: fc.array(values, { minLength: 1, maxLength: 4 }) }),
      fc.record({ const: values }),
      // Together, as they seldom are: two lists that share a value or none.
      fc.tuple(values, values, fc.boolean()).map(([one, other, isShared]) => ({
        enum: isShared ? [one, other] : [other],
        const: one,
      })),
      fc.record({ type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })) }),
    ) as fc.Arbitrary<SchemaObject>;
    const combinations = fc.oneof(
      fc.record({ allOf: list }),
      fc.record({ anyOf: list }),
      fc.record({ oneOf: list }),
      fc.record({ not: tie("schema") }),
      fc.record(Object.fromEntries(["if", "then"].map((keyword) => [keyword, tie("schema")]))),
      fc.record(Object.fromEntries(["if", "then", "else"].map((keyword) => [keyword, tie("schema")]))),
    ) as fc.Arbitrary<SchemaObject>;
    const extra: fc.Arbitrary<SchemaObject>[] = [];
    if (features.references) extra.push(fc.record({ $ref: fc.constantFrom("#/$defs/x", "#/$defs/y") }));
    if (features.unevaluated) {
      extra.push(fc.record({ unevaluatedProperties: tie("schema") }), fc.record({ unevaluatedItems: tie("schema") }));
    }
    return {
      object: fc
        .array(fc.oneof(objectWords, arrayWords, containsWords, scalarWords, valueWords, combinations, ...extra), {
          minLength: 1,
          maxLength: 3,
        })
        .map((parts) => clean(Object.assign({}, ...parts) as SchemaObject)),
      schema: fc.oneof(
        { maxDepth: 3, depthSize: "small" },
        { arbitrary: fc.constantFrom<JsonSchema>(true, true, false, {}), weight: 1 },
        { arbitrary: valueWords, weight: 3 },
        { arbitrary: tie("object"), weight: 6 },
      ),
    };
  });
  if (!features.references) return schema;
  return fc
    .tuple(schema, schema, schema)
    .map(([root, x, y]) =>
      Object.assign(typeof root === "boolean" ? { allOf: [root] } : { ...root }, { $defs: { x, y } }),
    )
    .filter((root) => !refersToItself(root));
}

function clean(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

const inPlace = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/** True if a definition applies itself to the value it stands for, which no validator can finish. */
function refersToItself(root: { readonly $defs: { readonly x: JsonSchema; readonly y: JsonSchema } }): boolean {
  const visit = (schema: unknown, path: ReadonlySet<unknown>): boolean => {
    if (typeof schema !== "object" || schema === null) return false;
    if (path.has(schema)) return true;
    const deeper = new Set([...path, schema]);
    const { $ref, ...rest } = schema as JsonObject;
    if ($ref === "#/$defs/x" && visit(root.$defs.x, deeper)) return true;
    if ($ref === "#/$defs/y" && visit(root.$defs.y, deeper)) return true;
    if (Array.isArray(schema)) return schema.some((part) => visit(part, deeper));
    return inPlace.some((word) => {
      const part = rest[word];
      const parts: readonly unknown[] = word === "dependentSchemas" && part ? Object.values(part) : [part];
      return parts.some((each) => visit(each, deeper));
    });
  };
  return [root, root.$defs.x, root.$defs.y].some((schema) => visit(schema, new Set()));
}
