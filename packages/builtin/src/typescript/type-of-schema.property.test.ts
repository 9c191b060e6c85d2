import { createValidator, type JsonSchema, type JsonValue } from "@hasp/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { TypeNode } from "./type-node.js";
import { type TypeContext, typeOfSchema } from "./type-of-schema.js";

/** A schema together with values that were made for it; most of them are valid. */
interface Described {
  readonly schema: JsonSchema;
  readonly values: fc.Arbitrary<JsonValue>;
}

const names = ["a", "b", "kind", "__proto__"] as const;
const scalar: fc.Arbitrary<Described> = fc.constantFrom<Described>(
  { schema: true, values: fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue> },
  { schema: { type: "string", minLength: 1 }, values: fc.string() },
  { schema: { type: ["integer", "null"] }, values: fc.option(fc.integer(), { nil: null }) },
  { schema: { type: "string", default: "x" }, values: fc.string() },
  {
    schema: { enum: ["p", 1, null, { deep: [true] }] },
    values: fc.constantFrom<JsonValue>("p", 1, null, { deep: [true] }),
  },
  { schema: { minimum: 3 }, values: fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue> },
);

const described: fc.Arbitrary<Described> = fc.letrec<{ any: Described; object: Described }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    tie("object"),
    tie("any").map(({ schema, values }): Described => ({
      schema: { type: "array", items: schema },
      values: fc.array(values, { maxLength: 3 }),
    })),
    fc.tuple(tie("any"), tie("any"), fc.nat(2)).map(([first, rest, minItems]): Described => ({
      schema: { type: "array", prefixItems: [first.schema], items: rest.schema, minItems },
      values: fc.tuple(first.values, fc.array(rest.values, { maxLength: 2 })).map(([one, more]) => [one, ...more]),
    })),
    tie("any").map(({ schema, values }): Described => ({
      schema: { type: "object", additionalProperties: schema },
      values: fc.dictionary(fc.constantFrom(...names), values),
    })),
    fc.tuple(tie("any"), tie("any"), fc.boolean()).map(([left, right, isOne]): Described => ({
      schema: isOne ? { oneOf: [left.schema, right.schema] } : { anyOf: [left.schema, right.schema] },
      values: fc.oneof(left.values, right.values),
    })),
    // A union beside shared properties, told apart by a constant, perhaps closed around its branches.
    fc
      .tuple(tie("object"), tie("object"), tie("any"), fc.boolean(), fc.boolean())
      .map(([left, right, shared, isClosed, isRequired]): Described => ({
        schema: {
          type: "object",
          properties: { shared: shared.schema },
          oneOf: [branch(left.schema, "l", isRequired), branch(right.schema, "r", isRequired)],
          ...(isClosed ? { unevaluatedProperties: false } : {}),
        },
        values: fc
          .tuple(
            fc.oneof(
              left.values.map((value) => [value, "l"] as const),
              right.values.map((value) => [value, "r"] as const),
            ),
            fc.option(shared.values, { nil: undefined }),
          )
          .map(([[value, kind], other]) =>
            Object.fromEntries([
              ...Object.entries(value ?? {}),
              ["kind", kind],
              ...(other === undefined ? [] : [["shared", other] as const]),
            ]),
          ),
      })),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(fc.constantFrom(...names), tie("any"), fc.boolean()), {
        maxLength: 3,
        selector: ([name]) => name,
      }),
      fc.constantFrom(undefined, false, true),
    )
    .map(([entries, further]): Described => ({
      schema: {
        type: "object",
        properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
        required: entries.filter(([, , isRequired]) => isRequired).map(([name]) => name),
        ...(further === undefined ? {} : { additionalProperties: further }),
      },
      values: fc
        .tuple(
          ...entries.map(([name, { values }, isRequired]) =>
            (isRequired ? values : fc.option(values, { nil: undefined })).map((value) => [name, value] as const),
          ),
        )
        .map((made) =>
          Object.fromEntries(made.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
        ),
    })),
})).any;

function branch(schema: JsonSchema, kind: string, isRequired: boolean): JsonSchema {
  const { properties = {}, required = [], ...rest } = typeof schema === "object" ? schema : {};
  return {
    ...rest,
    properties: Object.fromEntries([...Object.entries(properties), ["kind", { const: kind }]]),
    required: [...required.filter((name) => name !== "kind"), ...(isRequired ? ["kind"] : [])],
  };
}

/**
 * Returns whether TypeScript would accept the value as one of the type. As in TypeScript, objects may have further
 * keys.
 */
function isOfType(value: JsonValue | undefined, type: TypeNode): boolean {
  switch (type.kind) {
    case "keyword":
      if (type.name === "unknown") return true;
      return type.name === "null" ? value === null : typeof value === type.name;
    case "literal":
      return value === type.value;
    case "reference":
      return false;
    case "array":
      return Array.isArray(value) && value.every((item: JsonValue) => isOfType(item, type.item));
    case "tuple": {
      if (!Array.isArray(value)) return false;
      const items: readonly JsonValue[] = value;
      return (
        type.items.every(({ type: item, isOptional }, index) =>
          index < items.length ? isOfType(items[index], item) : isOptional,
        ) && items.slice(type.items.length).every((item) => type.rest !== undefined && isOfType(item, type.rest))
      );
    }
    case "union":
      return type.members.some((member) => isOfType(value, member));
    case "intersection":
      return type.members.every((member) => isOfType(value, member));
    case "object": {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
      const record = value as { readonly [key: string]: JsonValue };
      const index = type.index;
      return (
        type.properties.every(({ name, isOptional, type: inner }) =>
          Object.hasOwn(record, name) ? isOfType(record[name], inner) : isOptional,
        ) &&
        (index === undefined
          ? type.properties.length > 0 || Object.keys(record).length === 0
          : Object.keys(record).every((key) => isOfType(record[key], index)))
      );
    }
  }
}

const context: TypeContext = { isFilled: false, isOpenByNature: false, nameOf: () => undefined };

test("every valid value is of the type, as callers send it and, with defaults filled in, as handlers see it", () => {
  let valid = 0;
  fc.assert(
    fc.property(
      described.chain(({ schema, values }) =>
        fc.tuple(fc.constant(schema), fc.array(values, { minLength: 3, maxLength: 6 })),
      ),
      ([schema, values]) => {
        const validate = createValidator(schema, { defaults: true });
        const asSent = typeOfSchema(schema, context);
        const asReceived = typeOfSchema(schema, { ...context, isFilled: true });
        for (const value of values) {
          const result = validate(value);
          if (!result.valid) continue;
          valid += 1;
          expect(isOfType(value, asSent), "as sent").toBe(true);
          expect(isOfType(result.value as JsonValue, asReceived), "as received").toBe(true);
        }
      },
    ),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 150) },
  );
  expect(valid).toBeGreaterThan(300);
});
