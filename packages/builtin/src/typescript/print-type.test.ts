import fc from "fast-check";
import { format } from "prettier";
import { expect, test } from "vitest";
import { code, printDocComment, formatModule } from "@hasp/compiler/code";
import { intersection, keyword, typeDeclaration, type TypeNode, union } from "./type-node.js";

const names = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."abcdefgXYZ"), minLength: 1, maxLength: 24 }),
  fc.constantFrom("max-rows", "class", "__proto__", "1st", "説明", "*/", 'a"b'),
);
const references = fc
  .string({ unit: fc.constantFrom(..."abcdefg"), minLength: 3, maxLength: 30 })
  .map((name) => `T${name}`);

const types: fc.Arbitrary<TypeNode> = fc.letrec<{ type: TypeNode }>((tie) => {
  const property = fc.record({
    name: names,
    isOptional: fc.boolean(),
    type: tie("type"),
    comment: fc.oneof(
      { weight: 3, arbitrary: fc.constant(code``) },
      fc.constant(printDocComment(["What it is."])),
      fc.constant(printDocComment(["Two", "lines."])),
    ),
  });
  const object = fc.record(
    {
      kind: fc.constant("object" as const),
      properties: fc.uniqueArray(property, { maxLength: 4, selector: ({ name }) => name }),
      index: tie("type"),
    },
    { requiredKeys: ["kind", "properties"] },
  );
  return {
    type: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("string", "number", "boolean", "null", "unknown").map((name) => keyword(name)),
      fc
        .oneof(fc.string({ maxLength: 20 }), fc.integer(), fc.boolean())
        .map((value) => ({ kind: "literal" as const, value })),
      references.map((name) => ({ kind: "reference" as const, name })),
      object,
      tie("type").map((item) => ({ kind: "array" as const, item })),
      fc.record(
        {
          kind: fc.constant("tuple" as const),
          items: fc.array(
            tie("type").map((type) => ({ type, isOptional: false })),
            { maxLength: 4 },
          ),
          rest: tie("type"),
        },
        { requiredKeys: ["kind", "items"] },
      ),
      fc.array(tie("type"), { minLength: 2, maxLength: 5 }).map(union),
      fc
        .array(
          fc.oneof(
            object,
            references.map((name) => ({ kind: "reference" as const, name })),
          ),
          { minLength: 2, maxLength: 3 },
        )
        .map(intersection),
    ),
  };
}).type;

test("declarations parse, and both formatters lay them out alike", async () => {
  await fc.assert(
    fc.asyncProperty(references, types, async (name, type) => {
      const printed = typeDeclaration(name, type, printDocComment(["A type."]));
      expect(await formatModule(printed)).toBe(await format(printed.text, { parser: "typescript" }));
    }),
  );
});
