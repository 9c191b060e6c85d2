import fc from "fast-check";
import { check } from "prettier";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonSchema, JsonValue } from "@hasp/schema";
import { flatTool, plan } from "../../packages/hasp/src/emitters/flat-tool.testing.js";
import { lower } from "../../packages/hasp/src/phases/5-lower/index.js";
import { emit } from "../../packages/hasp/src/phases/6-emit/index.js";
import { readBackAll } from "../../packages/hasp/src/phases/6-emit/read-back-all.js";
import { createProject, type GeneratedProject } from "./generated-project.js";

/** Texts that have ended comments, strings, scripts and reviews. */
// prettier-ignore
const hostile = [
  "*/ globalThis.pwned = true; /*", "// x", "\n// Made by hasp from", "`${(globalThis.pwned = true)}`",
  "${globalThis.pwned = true}", "</script><script>", "<!-- x -->", "line\u2028separated\u2029text", "it's", 'say "hi"',
  `both ' and "`, "\\", "\\u0041", "a\tb\r\nc", "\0\u001b[31m", "\u202Eevil\u202C", "\u200Bzero", "\uD800", "日本語の説明",
  "👩‍👩‍👧‍👦", "@deprecated", "{@link x}", "constructor", "__proto__", "prototype", "toString", "hasOwnProperty", "class",
  "default", "delete", "await", "arguments", "input", "output", "dialects", "description", "string", "1", "-1", "1e3",
  "a-b", "a.b", "$ref", "", " ", "x".repeat(300),
];
/** Names that are one name where case, or the mark between words, does not count. */
// prettier-ignore
const toolNames = [
  "constructor", "toString", "valueOf", "class", "default", "delete", "registry", "tools", "types", "con", "nul",
  "arguments", "await", "input", "Tools", "ToolName", "run_job", "runJob", "run-job", "RUN_JOB", "Run__Job", "a", "A",
  "a_", "a1", `t${"x".repeat(63)}`, `u${"-y".repeat(31)}`, "hasOwnProperty", "Execute", "JsonSchema",
];

const texts = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostile) },
  fc.string({ unit: "grapheme", maxLength: 30 }),
);
const keys = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostile) },
  fc.string({ unit: "binary", maxLength: 8 }),
);
const values: fc.Arbitrary<JsonValue> = fc.oneof(
  texts,
  fc.integer(),
  fc.constantFrom(1e21, -0, 1e-7),
  fc.constant(null),
  fc.dictionary(keys, texts, { maxKeys: 3 }).map((record): JsonValue => Object.fromEntries(Object.entries(record))),
);
const leaves: fc.Arbitrary<JsonSchema> = fc.oneof<fc.Arbitrary<JsonSchema>[]>(
  fc.record({ enum: fc.uniqueArray(texts, { minLength: 1, maxLength: 4 }), description: texts }),
  fc.record({ const: values }),
  fc.record({
    type: fc.constant("string" as const),
    default: texts,
    title: texts,
    description: texts,
    examples: fc.array(texts, { maxLength: 2 }),
  }),
  fc.record({ type: fc.constant("string" as const), pattern: fc.constantFrom("^`$", '^"*/$', "^\\u2028$") }),
  fc.record({ type: fc.constant("integer" as const), default: fc.integer(), deprecated: fc.boolean() }),
);
/** Objects, maps, lists, tuples and unions of them, under hostile keys and told apart by hostile constants. */
const schemas = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => ({
  object: fc.array(fc.tuple(keys, tie("schema"), fc.boolean()), { maxLength: 4 }).map((entries): JsonSchema => {
    const properties = Object.fromEntries<JsonSchema>(entries.map(([key, schema]) => [key, schema]));
    const required = Object.keys(properties).filter((key) => entries.find(([name]) => name === key)?.[2] === true);
    return { type: "object", properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false };
  }),
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaves,
    tie("object"),
    tie("schema").map((items): JsonSchema => ({ type: "array", items })),
    tie("schema").map((further): JsonSchema => ({ type: "object", additionalProperties: further })),
    fc
      .array(tie("schema"), { minLength: 1, maxLength: 3 })
      .map((prefixItems): JsonSchema => ({ type: "array", prefixItems, items: false })),
    fc
      .tuple(keys, fc.uniqueArray(texts, { minLength: 2, maxLength: 3 }), tie("schema"))
      .map(([key, kinds, schema]): JsonSchema => ({
        oneOf: kinds.map((kind) => ({
          type: "object",
          properties: Object.fromEntries<JsonSchema>([
            ["value", schema],
            [key, { const: kind }],
          ]),
          required: [key],
          additionalProperties: false,
        })),
      })),
  ),
})).schema;
const specs = fc.record({
  title: texts,
  description: texts,
  owner: texts,
  tags: fc.array(texts, { maxLength: 3 }),
  searchHint: texts,
  properties: fc.array(fc.tuple(keys, schemas), { maxLength: 5 }),
  output: fc.option(schemas, { nil: undefined }),
  definition: fc.constantFrom("Node", "string", "Execute", "a/b~c", "__proto__", "日本", "class", "*/"),
});
/** Tools with names that nobody chose, beside those above; one run of the type-checker takes them all. */
const furtherNames = fc.uniqueArray(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/u), {
  minLength: 50,
  maxLength: 50,
});

const { seed = Math.trunc(Math.random() * 2 ** 31), numRuns = 100 } = fc.readConfigureGlobal();
const allNames = [
  ...new Set([...toolNames, ...fc.sample(furtherNames, { numRuns: Math.ceil(numRuns / 100), seed }).flat()]),
];
const drawn = fc.sample(specs, { numRuns: allNames.length, seed });
const tools = drawn
  .map(({ properties: entries, definition, description, output, ...spec }, index) => {
    const $ref = `#/$defs/${definition.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const node: JsonSchema = {
      type: "object",
      properties: { label: { type: "string", default: "x" }, next: { $ref } },
      additionalProperties: false,
    };
    const input: JsonSchema = {
      type: "object",
      properties: Object.fromEntries<JsonSchema>([...entries, ["tree", { $ref }]]),
      required: entries.map(([key]) => key).filter((key, at, all) => at % 2 === 0 && all.indexOf(key) === at),
      additionalProperties: false,
      $defs: Object.fromEntries([[definition, node]]),
    };
    return flatTool({
      ...spec,
      name: allNames[index] ?? "",
      description: `Do it. ${description}`,
      input,
      ...(output === undefined ? {} : { output }),
      display: { running: spec.title },
      needs: { env: [spec.owner] },
      ...(index % 2 === 0 ? {} : { visibility: { featureGate: spec.title, shouldDefer: index % 4 === 1 } }),
    });
  })
  .toSorted((left, right) => (left.name < right.name ? -1 : 1));

const dialects = (["anthropic", "gemini", "mcp", "openai-responses", "openai-responses-strict"] as const).map(
  (id) => ({ id, strict: "auto", onUncarried: "exclude" }) as const,
);
const settings = { ...plan, dialects, toolsets: [] };
const input = { tools, toolsets: lower(tools, settings).value, plan: settings };
const files = (await emit(input)).value;

describe(`names and texts that are hostile to TypeScript (seed ${seed})`, () => {
  let project: GeneratedProject;
  beforeAll(() => {
    project = createProject({ files, diagnostics: [], losses: [], tools, toolsets: input.toolsets });
  });
  afterAll(() => project.remove());

  test("give every tool files of its own, on disks that know no case too", () => {
    const paths = files.map(({ path }) => path.toLowerCase());
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => path.startsWith("src/generated/tools/")).length).toBe(allNames.length);
  });

  test("are laid out as prettier lays them out", async () => {
    const different: string[] = [];
    for (const { path, text } of files) if (!(await check(text, { filepath: path }))) different.push(path);
    expect(different).toEqual([]);
  });

  test("are read back by TypeScript's parser as what they were", async () => {
    await readBackAll(input, files);
  });

  test("compile, come out as the same texts, and execute nothing", () => {
    project.write(
      "src/main.ts",
      `import { registry } from "./generated/registry.js";

declare const process: { stdout: { write(text: string): void } };
const told = registry.tools.map(({ name, title, description, owner, tags, searchHint, input, needs }) => ({
  name, title, description, owner, tags, searchHint, input, env: needs.env,
}));
process.stdout.write(JSON.stringify({ told, pwned: "pwned" in globalThis }));
`,
    );
    expect(project.typeErrors()).toBe("");
    const { told, pwned } = JSON.parse(project.run("dist/main.js")) as {
      readonly told: unknown;
      readonly pwned: boolean;
    };
    expect(pwned).toBe(false);
    const expected = tools.map(({ name, spec, input: { schema } }) => ({
      name,
      title: spec.title,
      description: spec.description,
      owner: spec.owner,
      tags: spec.tags,
      searchHint: spec.searchHint,
      input: schema,
      env: spec.needs?.env,
    }));
    expect(JSON.stringify(told, sortedKeys)).toBe(JSON.stringify(expected, sortedKeys));
  });

  test("do not reach a reader of the code: no control character, no mark that reorders text", () => {
    for (const { path, text } of files.filter((file) => file.path.endsWith(".ts"))) {
      expect(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]|<\/script|<!--/iu.exec(
          text,
        )?.[0],
        path,
      ).toBe(undefined);
    }
  });
});

/** Objects with their keys in one order, so that equal values have equal texts. */
function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
