import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../../../test/compiler/context.testing.js";
import { importPrinted } from "./import-printed.testing.js";
import { createPredicateCompiler } from "./compile-predicate.js";

const SEEDS = [
  "size (cm)",
  "a,b",
  " ",
  "",
  "a b",
  '"',
  "'",
  "`${x}`",
  "\\",
  "a.b",
  "a/b~c",
  "*",
  "<b>",
  "map<string",
  "list",
  "dyn",
  "input",
  "in",
  "has",
  "true",
  "null",
  "type",
  "1st",
  "😀",
  "é",
  "\u202e",
  "__proto__",
  "constructor",
  "toString",
  "a\nb",
  "\u0000",
  "</script>",
  "*/",
  "max-rows",
];
const propertyName = fc.oneof(
  fc.string({
    unit: fc.constantFrom("a", "1", " ", ",", "(", ")", "<", ">", "'", '"', "\\", ".", "é", "😀", "\n"),
    maxLength: 6,
  }),
  fc.string({ unit: "binary", maxLength: 4 }),
);

/** A property name as CEL text; escapes for what CEL text cannot hold. */
function celText(name: string): string {
  const escaped = Array.from(name, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (/[A-Za-z0-9 ]/u.test(character)) return character;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
  return `'${escaped.join("")}'`;
}

function schemaOf(name: string): { readonly [key: string]: unknown } {
  const properties = Object.fromEntries([
    ["mode", { enum: ["read", "write"] }],
    [name, { type: "string" }],
  ]);
  return { type: "object", properties, required: ["mode"], additionalProperties: false };
}

const name = propertyName.filter((each) => each !== "mode" && !/\p{Surrogate}/u.test(each));

test("a condition can read a property of any name, and be beside one", async () => {
  const names = [...SEEDS, ...fc.sample(name, { seed: 16, numRuns: 100 })];
  const predicates = names.map((each) => {
    const text = celText(each);
    const input = schemaOf(each);
    expect(createPredicateCompiler(input)("input.mode == 'read'").problems, JSON.stringify(each)).toEqual([]);
    const source = `present(input, ${text}) && input[${text}] == ${text}`;
    const { predicate, problems } = createPredicateCompiler(input)(source);
    expect(problems, JSON.stringify(each)).toEqual([]);
    if (predicate === undefined) throw new Error("no predicate and no problem");
    return predicate;
  });
  const printed = await importPrinted(predicates);
  for (const [index, each] of names.entries()) {
    const values = [
      { mode: "read" },
      Object.fromEntries([
        ["mode", "read"],
        [each, each],
      ]),
      Object.fromEntries([
        ["mode", "read"],
        [each, `${each}x`],
      ]),
    ];
    expect(
      values.map((value) => printed[index]?.(value)),
      JSON.stringify(each),
    ).toEqual([false, true, false]);
    expect(
      values.map((value) => predicates[index]?.evaluate(value)),
      JSON.stringify(each),
    ).toEqual([false, true, false]);
  }
});

test("a spec with such a property compiles, or is refused at a place of its own", async () => {
  for (const each of SEEDS) {
    const spec = {
      hasp: 1,
      name: "find",
      description: "Find.",
      input: schemaOf(each),
      concurrency: { rules: [{ when: "input.mode == 'read'", class: "READ_ONLY" }] },
    };
    const text = JSON.stringify(spec);
    const { diagnostics } = await compile([{ uri: "specs/find.tool.json", role: "spec", text }], { unlocked: true });
    const errors = diagnostics.filter(
      ({ severity, code }) => severity === "error" && code !== "supply-chain/hidden-text",
    );
    expect(
      errors.map(({ code }) => code),
      JSON.stringify(each),
    ).toEqual(each === "__proto__" ? ["load/unsafe-key"] : []);
  }
});
