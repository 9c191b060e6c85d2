import fc from "fast-check";
import { Lexer, parse, stringify } from "yaml";
import { expect, test } from "vitest";
import { modernizeConfig, modernizeValue } from "./modernize-config.js";

const RULES = "./hasp-plugins/rules.yaml";

const OLD = `# What we compile.
specs: [specs]   # all of them

jsonLists: true
rules: # how strict we are
  # names matter
  naming/vague-name: error # ask Ann
  description/when-to-use: off
  # the end
overrides:
  # old ones
  - path: specs/old # will go
    rules: { naming/vague-name: info, size/parameters: off }
ignore:
  - { rule: naming/vague-name, path: specs/x.tool.yaml, reason: "known, fixed in spring" } # so says Ann
exclude:
  - tool: refund
    reason: waits
declarations: true # for programs
context: ./src/context.ts#C
testContext: ./src/test.ts#t # for tests
customRules:
  # ours
  acme/owner: { on: spec, field: owner, message: Name the owner. } # each
budgets:
    toolTokens: 800
`;

test("rewrites every key, with its comments, and leaves the layout of the others", () => {
  expect(modernizeConfig(OLD, false, RULES)).toEqual({
    text: `# What we compile.
specs: [specs] # all of them

emit:
  jsonLists: true
  declarations: true # for programs
findings:
  # how strict we are
  # names matter
  # the end
  - { rule: naming/vague-name, severity: error } # ask Ann
  - { rule: description/when-to-use, severity: off }
  # old ones
  # will go
  - { in: specs/old, rule: naming/vague-name, severity: info }
  - { in: specs/old, rule: size/parameters, severity: off }
  - { in: specs/x.tool.yaml, rule: naming/vague-name, reason: "known, fixed in spring" } # so says Ann
  - { in: refund, severity: exclude, reason: waits }
context:
  type: ./src/context.ts#C
  test: ./src/test.ts#t # for tests
plugins:
  - ${RULES}
budgets:
    toolTokens: 800
`,
    rules: `rules:
  # ours
  acme/owner: { on: spec, field: owner, message: Name the owner. } # each
`,
  });
});

test.each([
  ["has none", "specs: [specs]\nfindings: []\n"],
  ["is empty", ""],
  ["is broken", "rules: [\n"],
  ["has another form than ever", "rules: [a]\nignore: [{ rule: a, path: b }]\ncustomRules: x\n"],
  ["leaves an alias without its anchor", "a: *x\ncustomRules: { a/b: &x { on: spec } }\n"],
])("leaves a configuration that %s", (_what, text) => {
  expect(modernizeConfig(text, false, RULES)).toBeUndefined();
});

test("puts the old entries of a half-migrated configuration before its new ones, which decide", () => {
  const text =
    "findings:\n  - { rule: a/b, severity: off }\nemit: { declarations: true }\nrules: { a/b: error }\njsonLists: true\n";
  expect(parse(modernizeConfig(text, false, RULES)?.text ?? "")).toEqual({
    findings: [
      { rule: "a/b", severity: "error" },
      { rule: "a/b", severity: "off" },
    ],
    emit: { declarations: true, jsonLists: true },
  });
});

test("keeps the indentation of JSON", () => {
  const value = { specs: ["a"], rules: { "a/b": "off" }, customRules: { "c/d": { on: "spec" } } };
  expect(modernizeConfig(JSON.stringify(value, undefined, 4), true, RULES)).toEqual({
    text: `${JSON.stringify({ specs: ["a"], findings: [{ rule: "a/b", severity: "off" }], plugins: [RULES] }, undefined, 4)}\n`,
    rules: `${JSON.stringify({ rules: { "c/d": { on: "spec" } } }, undefined, 4)}\n`,
  });
});

const word = fc.stringMatching(/^[a-z]{1,4}$/u);
const severities = fc.dictionary(word, fc.constantFrom("error", "off"), {
  minKeys: 1,
  maxKeys: 3,
  noNullPrototype: true,
});
const list = <Item>(item: fc.Arbitrary<Item>): fc.Arbitrary<Item[]> => fc.array(item, { minLength: 1, maxLength: 3 });
const configs = fc.record(
  {
    specs: list(word),
    budgets: fc.dictionary(word, fc.nat(), { noNullPrototype: true }),
    context: word,
    rules: severities,
    overrides: list(fc.record({ path: word, rules: severities }, { noNullPrototype: true })),
    ignore: list(fc.record({ rule: word, path: word, reason: fc.string({ minLength: 1 }) }, { noNullPrototype: true })),
    exclude: list(fc.record({ tool: word, reason: word }, { noNullPrototype: true })),
    jsonLists: fc.boolean(),
    declarations: fc.boolean(),
    importExtension: fc.constantFrom("js", "ts"),
    testContext: word,
    customRules: fc.dictionary(word, fc.record({ on: word }, { noNullPrototype: true }), {
      minKeys: 1,
      noNullPrototype: true,
    }),
  },
  { requiredKeys: ["rules"], noNullPrototype: true },
);

test("says the same of any configuration as of its value, and loses no comment", () => {
  fc.assert(
    fc.property(configs, fc.constantFrom("block", "flow"), (config, layout) => {
      let count = 0;
      const text = stringify(config, layout === "flow" ? { collectionStyle: "flow" } : {}).replaceAll(
        /(?<=[\w\]}])$/gmu,
        () => ` # ${(count += 1)}!`,
      );
      if (JSON.stringify(parse(text)) !== JSON.stringify(config)) return;
      const modern = modernizeConfig(text, false, RULES);
      const { value, rules } = modernizeValue(config as never);
      const plugins = config.customRules === undefined ? {} : { plugins: [RULES] };
      expect(parse(modern?.text ?? "")).toEqual({ ...(value as object), ...plugins });
      expect(modern?.rules === undefined ? undefined : parse(modern.rules)).toEqual(rules && { rules });
      expect(Object.keys(value as object).toSorted()).toEqual(
        [
          ...["specs", "budgets"].filter((key) => key in config),
          "findings",
          ...(["jsonLists", "declarations", "importExtension"].some((key) => key in config) ? ["emit"] : []),
          ...(["context", "testContext"].some((key) => key in config) ? ["context"] : []),
        ].toSorted(),
      );
      const tokens = [modern?.text ?? "", modern?.rules ?? ""].flatMap((each) => [...new Lexer().lex(each)]);
      const comments = tokens.filter((token) => token.startsWith("#")).join("\n");
      for (let each = 1; each <= count; each += 1) expect(comments).toContain(` ${each}!`);
    }),
  );
});
