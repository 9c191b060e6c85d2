import { describe, expect, test } from "vitest";
import type { SourceText } from "../../model/document.js";
import { createSteps, loadSource } from "../../cached-steps.js";
import { completePlan } from "../../model/complete-plan.js";
import { CompileCache } from "../../context/compile-cache.js";
import { plugins, testContext } from "../../../../../test/compiler/context.testing.js";
import type { FlatTool } from "../../model/tool.js";
import { load } from "../1-load/index.js";
import { resolve } from "../2-resolve/index.js";
import { flatten } from "./index.js";

type File = readonly [uri: string, text: string, role?: SourceText["role"]];

const HEAD = "hasp: 1\nname: a\ndescription: A.\n";

function run(...files: readonly File[]) {
  const sources = files.map(([uri, text, role = "spec"]) => ({ uri, text, role }));
  const loaded = load(sources);
  const context = testContext({ documents: loaded.value, sources });
  const resolved = resolve(loaded.value, context);
  const flattened = flatten(resolved.value, context);
  return {
    tools: flattened.value.tools,
    diagnostics: [...loaded.diagnostics, ...resolved.diagnostics, ...flattened.diagnostics],
  };
}

function toolOf(...files: readonly File[]) {
  const { tools, diagnostics } = run(...files);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const [tool] = tools;
  if (tool === undefined) throw new Error("no tool came out");
  return tool;
}

/** `code uri:line:column` of each finding. */
const placesOf = (...files: readonly File[]): readonly string[] =>
  run(...files).diagnostics.map(({ code, location }) => {
    const { line, column } = location?.range.start ?? {};
    return `${code} ${location?.uri}:${line}:${column}`;
  });

const SHARED = [
  "common/shared.yaml",
  "$defs:\n  Page:\n    type: object\n    properties:\n      size: { type: integer, minimum: 1 }\n",
  "shared",
] as const;

describe("schemas", () => {
  test.each([
    "true",
    "{}",
    "{ type: [string] }",
    '{ type: [object, "null"], properties: {} }',
    "{ properties: { a: { type: string } } }",
  ])("an input that is not an object by its own word is refused: %s", (input) => {
    const spec = `hasp: 1\nname: look\ndescription: Look.\ninput: ${input}\n`;
    expect(placesOf(["look.tool.yaml", spec, "spec"])).toContain("flatten/input-not-object look.tool.yaml:4:1");
  });

  test("a union of objects is one", () => {
    const spec =
      "hasp: 1\nname: look\ndescription: Look.\ninput:\n  anyOf:\n    - { type: object, required: [a], properties: { a: { type: string } } }\n    - { type: object, required: [b], properties: { b: { type: string } } }\n";
    expect(placesOf(["look.tool.yaml", spec, "spec"])).toEqual([]);
  });

  test("flattens every schema, and closes inputs", () => {
    const { input, output } = toolOf(
      [
        "a.tool.yaml",
        `${HEAD}input:\n  allOf:\n    - $ref: ./common/shared.yaml#/$defs/Page\n    - properties: { q: { type: string } }\noutput: { type: object, properties: { n: { type: integer } } }\n`,
      ],
      SHARED,
    );
    expect(input.schema).toEqual({
      type: "object",
      properties: { size: { type: "integer", minimum: 1 }, q: { type: "string" } },
      additionalProperties: false,
    });
    expect(output?.schema).toEqual({ type: "object", properties: { n: { type: "integer" } } });
  });

  test("know the way back to the author's text", () => {
    const { input } = toolOf(
      [
        "a.tool.yaml",
        `${HEAD}input:\n  type: object\n  properties:\n    page: { $ref: ./common/shared.yaml#/$defs/Page }\n    q: { type: string }\n`,
      ],
      SHARED,
    );
    const at = (pointer: string, part?: "key" | "value"): string => {
      const { uri, range } = input.locate(pointer, part);
      return `${uri}:${range.start.line}:${range.start.column}`;
    };
    expect(at("/properties/q/type")).toBe("a.tool.yaml:8:16");
    expect(at("/properties/q", "key")).toBe("a.tool.yaml:8:5");
    expect(at("/properties/page/properties/size/minimum")).toBe("common/shared.yaml:5:39");
    expect(at("/additionalProperties")).toBe("a.tool.yaml:5:3");
  });

  test("resolves each tool of a file against its own root", () => {
    const rest =
      `    description: x\n    input:\n      $defs: { T: { type: string, maxLength: 3 } }\n      type: object\n` +
      `      properties: { x: { $ref: "#/$defs/T" } }\n`;
    const { tools, diagnostics } = run(["all.tools.yaml", `hasp: 1\ntools:\n  - name: a\n${rest}  - name: b\n${rest}`]);
    expect(diagnostics).toEqual([]);
    const [, second] = tools;
    expect(second?.input.locate("/properties/x/maxLength").range.start.line).toBe(12);
  });

  test.each([
    [
      "an unknown keyword",
      "input: { type: object, properties: { x: { maxLenght: 3 } } }",
      ["schema/unknown-keyword a.tool.yaml:4:43"],
    ],
    [
      "a pointer to nowhere",
      "input: { $ref: '#/$defs/X' }",
      [expect.stringMatching(/^schema\/.* a\.tool\.yaml:4:16$/u)],
    ],
    [
      "a wrong type",
      "input: { type: object, properties: { x: { type: strin } } }",
      [expect.stringMatching(/^schema\/.* a\.tool\.yaml:4:4[39]$/u)],
    ],
    ["a bare object", "input: { type: object }", ["schema/bare-object a.tool.yaml:4:8"]],
  ])("%s is found at its place", (_, text, places) => {
    expect(placesOf(["a.tool.yaml", `${HEAD}${text}\n`])).toEqual(places);
  });

  test("a fault of a shared file belongs to that file", () => {
    const refers = "input: { type: object, properties: { x: { $ref: ./s.yaml } } }\n";
    const { diagnostics } = run(["a.tool.yaml", HEAD + refers], ["s.yaml", "type: strin\n", "shared"]);
    expect(diagnostics).toMatchObject([{ location: { uri: "s.yaml", range: { start: { line: 1 } } } }]);
    expect(diagnostics[0]?.tool).toBeUndefined();
  });
});

test("a tool is flattened again only when a file that it depends on has changed", () => {
  const refers = "input: { type: object, properties: { page: { $ref: ./common/shared.yaml#/$defs/Page } } }\n";
  const spec: SourceText = { uri: "a.tool.yaml", text: HEAD + refers, role: "spec" };
  const [uri, text, role] = SHARED;
  const shared: SourceText = { uri, text, role };
  const other: SourceText = { uri: "other.yaml", text: "type: string", role: "shared" };
  const cache = new CompileCache();
  const flattenOne = (...sources: readonly SourceText[]): FlatTool | undefined => {
    const documents = sources.flatMap((source) => loadSource(source, cache).value ?? []);
    const steps = createSteps({ cache, plan: completePlan({}), plugins, documents });
    const context = testContext({ documents, sources, steps });
    return flatten(resolve(documents, context).value, context).value.tools[0];
  };
  const first = flattenOne(spec, shared);
  expect(flattenOne(spec, shared, other)).toBe(first);
  const changed = flattenOne(spec, { ...shared, text: text.replace("minimum: 1", "minimum: 2") });
  expect(JSON.stringify(changed?.input.schema)).toContain('"minimum":2');
  expect(flattenOne(spec, shared)?.input.schema).toEqual(first?.input.schema);
});

describe("conditions", () => {
  const input = "input: { type: object, required: [mode], properties: { mode: { enum: [read, write] } } }\n";

  test("compiles conditions against the flat input", () => {
    const { rules, flags, checks, customFunctions, worstCase } = toolOf([
      "a.tool.yaml",
      `${HEAD}${input}concurrency: { rules: [{ when: input.mode == 'read', class: READ_ONLY }] }\n` +
        "behavior: { requiresPermission: { unless: input.mode == 'read' } }\nvalidate: [{ custom: isAllowed }, { that: input.mode != 'write', message: no }]\n",
    ]);
    expect(rules).toMatchObject([
      { index: 0, class: "READ_ONLY", isReadOnly: true, isDestructive: false, isIdempotent: true },
    ]);
    const [rule] = rules;
    expect(rule?.when.kind === "expression" && rule.when.evaluate({ mode: "read" })).toBe(true);
    expect(flags).toMatchObject([{ flag: "requiresPermission", polarity: "unless" }]);
    expect(checks).toMatchObject([
      { index: 0, that: { kind: "custom", name: "isAllowed" } },
      { index: 1, message: "no" },
    ]);
    expect(customFunctions).toEqual(["isAllowed"]);
    expect(worstCase).toEqual({
      class: "UNSAFE",
      isReadOnly: false,
      isDestructive: true,
      isIdempotent: false,
      isOpenWorld: true,
      returnsUntrusted: true,
      returnsPrivate: true,
      requiresPermission: true,
    });
  });

  test("refuses a condition at the part of the expression that is wrong", () => {
    const { diagnostics } = run([
      "a.tool.yaml",
      `${HEAD}${input}validate: [{ that: input.mode == 'read' && input.mood == 'x', message: no }]\n`,
    ]);
    expect(diagnostics).toMatchObject([
      { code: "flatten/predicate", location: { range: { start: { line: 5, column: 44 } } } },
    ]);
  });
});

describe("a destination", () => {
  const input =
    "input: { type: object, required: [to], properties: { to: { type: string }, cc: { type: string }, isUrgent: { type: boolean } } }\n";
  const withDestination = (destination: string): File => [
    "a.tool.yaml",
    `${HEAD}${input}behavior: { destination: ${JSON.stringify(destination)} }\n`,
  ];

  test.each(["input.to", "input.cc", "input['to'] + '/' + input.cc", "has(input.cc) ? input.cc : input.to"])(
    "is an expression over the input, which may read absent members: %s",
    (source) => {
      const { destination, relaxations } = toolOf(withDestination(source));
      expect(destination?.source).toBe(source);
      expect(relaxations.map(({ claim }) => claim)).toEqual([`behavior.destination: ${source}`]);
    },
  );

  test.each([
    ["input.too", 'The schema of `input` declares no field "too".'],
    ["input.to ==", "This is not valid CEL: Unexpected token: EOF."],
    ["input.to == 'ann'", "A destination must be text, a number, a list or an object, but this one is true or false."],
    ["input.isUrgent", "A destination must be text, a number, a list or an object, but this one is true or false."],
    ["timestamp(input.to)", "A destination must be text, a number, a list or an object, but this one is a timestamp."],
    ["'everybody'", "A destination must read `input`: otherwise one answer covers every call."],
  ])("is refused with one line that says why: %s", (source, message) => {
    const { tools, diagnostics } = run(withDestination(source));
    expect(diagnostics).toMatchObject([{ code: "flatten/predicate", severity: "error", message }]);
    expect(tools[0]?.destination).toBeUndefined();
  });
});

describe("placeholders of display", () => {
  const input =
    "input:\n  type: object\n  properties:\n    query: { type: string }\n    target: { type: object, properties: { path: { type: string } } }\n" +
    "    map: { type: object, additionalProperties: { type: string } }\n    any: {}\n    a.b: { type: string }\n" +
    "    either: { oneOf: [{ type: object, properties: { kind: { const: x }, x: { type: string } } }, { type: object, properties: { kind: { const: y } } }] }\n";

  test.each(["{query}", "{target.path}", "{target}", "{map.x}", "{any.x.y}", "{a.b}", "{either.x}", "no placeholder"])(
    "%s is known",
    (template) => {
      expect(placesOf(["a.tool.yaml", `${HEAD}${input}display: { running: "${template}" }\n`])).toEqual([]);
    },
  );

  test.each(["{qeury}", "{target.pth}", "{query.x}", "{either.z}", "{}"])("%s is not", (template) => {
    expect(placesOf(["a.tool.yaml", `${HEAD}${input}display:\n  running: "${template}"\n`])).toEqual([
      "flatten/unknown-placeholder a.tool.yaml:14:12",
    ]);
  });
});

describe("the worst case", () => {
  const head = `${HEAD}input: { type: object, properties: { dry: { type: boolean, default: false } } }\nbehavior: { isDestructive: false }\n`;

  test.each([
    ["{ when: input.dry, class: READ_ONLY }", { class: "WRITE_EXCLUSIVE", isDestructive: false, isReadOnly: false }],
    ["{ custom: isHarmless, class: READ_ONLY }", { class: "UNSAFE", isDestructive: true, isReadOnly: false }],
  ])("counts what a condition does when it fails, where it may: %s", (row, expected) => {
    const { worstCase } = toolOf(["a.tool.yaml", `${head}concurrency: { class: WRITE_EXCLUSIVE, rules: [${row}] }\n`]);
    expect(worstCase).toMatchObject(expected);
  });
});

test("objects that let everything in are claims, wherever they stand", () => {
  const { relaxations } = toolOf([
    "a.tool.yaml",
    `${HEAD}input:\n  type: object\n  properties:\n    map: { type: object, additionalProperties: { type: string } }\n` +
      "    open: { type: object, additionalProperties: true }\n    list: { type: array, items: { type: object, additionalProperties: {} } }\n" +
      "    some: { type: object, patternProperties: { '^x-': true, '^n-': { type: number } }, additionalProperties: false }\n" +
      "    tested: { type: object, properties: { a: { type: string } }, not: { type: object, additionalProperties: true, required: [b] } }\n",
  ]);
  expect(relaxations.map(({ claim }) => claim)).toEqual([
    "input/properties/open/additionalProperties: true",
    "input/properties/list/items/additionalProperties: true",
    "input/properties/some/patternProperties/^x-: true",
  ]);
});
