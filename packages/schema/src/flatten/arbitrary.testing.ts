import fc from "fast-check";

/** Few names and values, so that schemas and instances meet often. */
const names = fc.constantFrom("a", "b", "ab", "c", "__proto__");
const patterns = fc.constantFrom("^a", "b$", "^[ab]+$", "c");
const scalars = fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 3, 1.5, "", "a", "ab", "b", "abc");
const counts = fc.integer({ min: 0, max: 3 });
const typeNames = fc.constantFrom("null", "boolean", "object", "array", "string", "number", "integer");

/** An instance near the borders of the schemas below. */
export const instances: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: scalars },
    { weight: 5, arbitrary: fc.dictionary(names, tie("value"), { maxKeys: 4, noNullPrototype: true }) },
    { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 3 }) },
  ),
})).value;

type Entry = fc.Arbitrary<readonly (readonly [string, unknown])[]>;

function keyword(name: string, value: fc.Arbitrary<unknown>): Entry {
  return value.map((made) => [[name, made]]);
}

function map(schema: fc.Arbitrary<unknown>, keys: fc.Arbitrary<string> = names): fc.Arbitrary<unknown> {
  return fc.array(fc.tuple(keys, schema), { minLength: 1, maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}

function list(schema: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.array(schema, { minLength: 1, maxLength: 3 });
}

const nameLists = fc.uniqueArray(names, { maxLength: 2 });

/** Generates one keyword with its value; the keywords that merging is about weigh more. */
function entries(schema: fc.Arbitrary<unknown>): Entry {
  return fc.oneof(
    { weight: 8, arbitrary: keyword("properties", map(schema)) },
    { weight: 6, arbitrary: keyword("allOf", list(schema)) },
    { weight: 4, arbitrary: keyword("$ref", fc.constantFrom("#/$defs/x", "#/$defs/y", "#/$defs/z", "#")) },
    {
      weight: 4,
      arbitrary: keyword("type", fc.oneof(typeNames, fc.uniqueArray(typeNames, { minLength: 1, maxLength: 3 }))),
    },
    { weight: 3, arbitrary: keyword("anyOf", list(schema)) },
    { weight: 3, arbitrary: keyword("oneOf", list(schema)) },
    { weight: 3, arbitrary: keyword("required", nameLists) },
    { weight: 3, arbitrary: keyword("additionalProperties", fc.oneof(fc.boolean(), schema)) },
    { weight: 2, arbitrary: keyword("patternProperties", map(schema, patterns)) },
    { weight: 3, arbitrary: keyword("unevaluatedProperties", fc.oneof(fc.boolean(), schema)) },
    { weight: 1, arbitrary: keyword("unevaluatedItems", fc.oneof(fc.boolean(), schema)) },
    { weight: 1, arbitrary: keyword("dependentRequired", map(nameLists)) },
    { weight: 2, arbitrary: keyword("dependentSchemas", map(schema)) },
    { weight: 1, arbitrary: keyword("propertyNames", schema) },
    { weight: 1, arbitrary: keyword("not", schema) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(schema, fc.option(schema), fc.option(schema))
        .map(([test, yes, no]) => [
          ["if", test] as const,
          ...(yes === null ? [] : [["then", yes] as const]),
          ...(no === null ? [] : [["else", no] as const]),
        ]),
    },
    { weight: 2, arbitrary: keyword("prefixItems", list(schema)) },
    { weight: 2, arbitrary: keyword("items", schema) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(schema, fc.option(counts), fc.option(counts))
        .map(([contains, low, high]) => [
          ["contains", contains] as const,
          ...(low === null ? [] : [["minContains", low] as const]),
          ...(high === null ? [] : [["maxContains", high] as const]),
        ]),
    },
    { weight: 1, arbitrary: keyword("enum", fc.uniqueArray(scalars, { minLength: 1, maxLength: 5 })) },
    { weight: 1, arbitrary: keyword("const", scalars) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
        .chain((word) => keyword(word, counts)),
    },
    { weight: 1, arbitrary: keyword("multipleOf", fc.integer({ min: 1, max: 3 })) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
        .chain((word) => keyword(word, counts)),
    },
    { weight: 1, arbitrary: keyword("pattern", patterns) },
    { weight: 1, arbitrary: keyword("uniqueItems", fc.boolean()) },
    { weight: 1, arbitrary: keyword("description", fc.constantFrom("one", "two")) },
  );
}

const subschemas: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    {
      weight: 1,
      arbitrary: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    },
    { weight: 2, arbitrary: typeNames.map((type) => ({ type })) },
    {
      weight: 6,
      arbitrary: fc
        .array(entries(tie("schema")), { minLength: 1, maxLength: 3 })
        .map((parts) => Object.fromEntries(parts.flat())),
    },
  ),
})).schema;

/** A schema over the whole vocabulary, with definitions that may refer to each other and to the root. */
export const schemas: fc.Arbitrary<object> = fc
  .tuple(fc.array(entries(subschemas), { minLength: 1, maxLength: 4 }), subschemas, subschemas, subschemas)
  .map(([parts, x, y, z]) => ({ ...Object.fromEntries(parts.flat()), $defs: { x, y, z } }));
