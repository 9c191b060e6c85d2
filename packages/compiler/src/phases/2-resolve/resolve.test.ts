import { describe, expect, test } from "vitest";
import { FAIL_CLOSED_DEFAULTS } from "@hasp/runtime/contract";
import type { SourceText } from "../../model/document.js";
import { load } from "../1-load/index.js";
import { testContext } from "../../../../../test/compiler/context.testing.js";
import { resolve } from "./index.js";

type File = readonly [uri: string, text: string, role?: SourceText["role"]];

const HEAD = "hasp: 1\nname: get_job\ndescription: Gets a job.\n";
const MINIMAL = `${HEAD}input: { type: object, properties: {} }\n`;

function run(...files: readonly File[]) {
  const sources = files.map(([uri, text, role = "spec"]) => ({ uri, text, role }));
  const loaded = load(sources);
  const resolved = resolve(loaded.value, testContext({ documents: loaded.value, sources }));
  return { tools: resolved.value.tools, diagnostics: [...loaded.diagnostics, ...resolved.diagnostics] };
}

/** The one tool of a spec without faults. */
function toolOf(text: string) {
  const { tools, diagnostics } = run(["a.tool.yaml", text]);
  expect(diagnostics).toEqual([]);
  const [tool] = tools;
  if (tool === undefined) throw new Error("no tool came out");
  return tool;
}

/** `code line:column message` of each finding. */
function findingsOf(...files: readonly File[]): readonly string[] {
  return run(...files).diagnostics.map(({ code, message, location }) => {
    const { line, column } = location?.range.start ?? {};
    return `${code} ${line}:${column} ${message}`;
  });
}

const findingsIn = (text: string): readonly string[] => findingsOf(["a.tool.yaml", text]);

const named = (name: string, more = ""): string => `hasp: 1\nname: ${name}\ndescription: x\ninput: {}\n${more}`;

const referring = (ref: string): string => `${HEAD}input:\n  properties:\n    x: { $ref: "${ref}" }\n`;

test("looks for no place in specs without faults: a cached document would be parsed again for each", () => {
  const sources = ["a", "b"].map((name) => ({
    uri: `${name}.tool.yaml`,
    text: named(name, `aliases: [old_${name}]\n`),
    role: "spec" as const,
  }));
  const documents = load(sources).value.map((document) => ({
    ...document,
    locate(): never {
      throw new Error("a place was looked for");
    },
  }));
  expect(resolve(documents, testContext({ documents, sources })).diagnostics).toEqual([]);
});

describe("metadata", () => {
  test("is strict where a spec says nothing", () => {
    const tool = toolOf(MINIMAL);
    expect(tool.metadata).toEqual(FAIL_CLOSED_DEFAULTS);
    expect([...tool.stated]).toEqual([]);
    expect(tool.relaxations).toEqual([]);
  });

  test("READ_ONLY entails three flags in one claim, and neither permission nor a closed world", () => {
    const { metadata, relaxations, stated } = toolOf(
      `${MINIMAL}concurrency: { class: READ_ONLY }\nbehavior: { isReadOnly: true }`,
    );
    expect(metadata.behavior).toMatchObject({
      isReadOnly: true,
      isDestructive: false,
      isIdempotent: true,
      requiresPermission: true,
      isOpenWorld: true,
    });
    expect(relaxations.map(({ claim }) => claim)).toEqual(["concurrency.class: READ_ONLY"]);
    expect(stated).toEqual(
      new Set(["concurrency.class", "behavior.isReadOnly", "behavior.isDestructive", "behavior.isIdempotent"]),
    );
  });

  test("a flag that varies has its strict value and is a claim", () => {
    const { metadata, relaxations } = toolOf(`${MINIMAL}behavior: { isDestructive: { unless: "input.dry == true" } }`);
    expect(metadata.behavior.isDestructive).toBe(true);
    expect(relaxations).toEqual([
      {
        claim: `behavior.isDestructive: { unless: "input.dry == true" }`,
        pointer: "/behavior/isDestructive",
        covers: { kind: "rule", source: "input.dry == true" },
      },
    ]);
  });
});

describe("relaxations", () => {
  test("lists one canonical line for each claim that loosens a default", () => {
    const { relaxations } = toolOf(
      `${MINIMAL}` +
        "concurrency:\n  class: WRITE_EXCLUSIVE\n  rules:\n" +
        "    - { when: input.a == 1, class: READ_ONLY, requiresPermission: false }\n" +
        "    - { custom: isHarmless, class: WRITE_EXCLUSIVE, isDestructive: false }\n" +
        "behavior: { isOpenWorld: false, isIdempotent: withKey, requiresPermission: true }\n" +
        "limits: { maxResultSizeChars: unlimited, timeoutSeconds: 60, maxRetries: 2 }\n",
    );
    expect(relaxations.map(({ claim }) => claim)).toEqual([
      "concurrency.class: WRITE_EXCLUSIVE",
      `concurrency.rules: { when: "input.a == 1", class: READ_ONLY, requiresPermission: false }`,
      "concurrency.rules: { custom: isHarmless, class: WRITE_EXCLUSIVE, isDestructive: false }",
      "behavior.isIdempotent: withKey",
      "behavior.isOpenWorld: false",
      "limits.maxResultSizeChars: unlimited",
      "limits.maxRetries: 2",
    ]);
    expect(relaxations[2]?.covers).toEqual({ kind: "custom", name: "isHarmless", after: ["input.a == 1"] });
  });

  test("values as strict as the defaults, or stricter, are none", () => {
    const { relaxations } = toolOf(
      `${MINIMAL}concurrency: { class: UNSAFE, rules: [{ when: "true", class: UNSAFE }] }\n` +
        "behavior: { isDestructive: true, requiresUserInteraction: true, interruptBehavior: cancel }\n" +
        "limits: { maxResultSizeChars: 10, timeoutSeconds: 0.5 }\n",
    );
    expect(relaxations).toEqual([]);
  });
});

test("claims are never taken over by an alias, schemas may be", () => {
  const text =
    "hasp: 1\ntools:\n" +
    "  - { name: a, description: x, input: &schema { type: object }, behavior: &mild { requiresPermission: false } }\n" +
    "  - { name: b, description: x, input: *schema, behavior: *mild }\n" +
    "  - { name: c, description: x, input: *schema }\n";
  const { tools, diagnostics } = run(["all.tools.yaml", text]);
  expect(tools.map(({ name }) => name)).toEqual(["a", "c"]);
  expect(diagnostics).toMatchObject([
    {
      code: "resolve/inherited-claim",
      tool: "b",
      fixed: true,
      location: { range: { start: { line: 4, column: 58 } } },
    },
  ]);
});

test.each([
  ["the class of a row", "concurrency: { class: UNSAFE, rules: [{ when: 'true', class: *mild }] }", "/rules/0/class"],
  [
    "the condition of a row",
    "concurrency: { class: UNSAFE, rules: [{ when: *c, class: READ_ONLY }] }",
    "/rules/0/when",
  ],
  [
    "a flag of a row",
    "concurrency: { rules: [{ when: 'true', class: UNSAFE, isDestructive: *no }] }",
    "/isDestructive",
  ],
  ["the condition of a flag", "behavior: { requiresPermission: { unless: *c } }", "/requiresPermission/unless"],
])("rejects an alias for %s", (_, claim, pointer) => {
  const anchors = "x-mild: &mild READ_ONLY\nx-c: &c 'true'\nx-no: &no false\n";
  const { tools, diagnostics } = run(["a.tool.yaml", `${MINIMAL}${anchors}${claim}\n`]);
  expect(tools).toEqual([]);
  expect(diagnostics).toMatchObject([
    { code: "resolve/inherited-claim", location: { pointer: expect.stringContaining(pointer) } },
  ]);
});

describe("the format", () => {
  test.each([
    [
      "a: 1",
      `${HEAD}input: {}\ndescripton: x`,
      `resolve/unknown-key 5:1 The key "descripton" is not known. Did you mean "description"?`,
    ],
    [
      "a misplaced key",
      `${MINIMAL}isDestructive: false`,
      `resolve/unknown-key 5:1 The key "isDestructive" is not known. "isDestructive" belongs under "behavior".`,
    ],
    [
      "a foreign key",
      `${HEAD}inputSchema: {}\ninput: {}`,
      `resolve/unknown-key 4:1 The key "inputSchema" is not known. It is called "input" here.`,
    ],
    ...[
      ["behavioral_flags", "behavior"],
      ["metadata", "behavior"],
      ["input_schema", "input"],
      ["concurrency-class", "concurrency.class"],
      ["timeout", "limits.timeoutSeconds"],
      ["readOnlyHint", "behavior.isReadOnly"],
    ].map(([key, name]): [string, string, string] => [
      `the foreign key ${key}`,
      `${MINIMAL}${key}: {}`,
      `resolve/unknown-key 5:1 The key "${key}" is not known. It is called "${name}" here.`,
    ]),
    [
      "a function",
      `${MINIMAL}execute: run`,
      `resolve/unknown-key 5:1 The key "execute" is not known. Specs hold no code: the handler of the tool exports it.`,
    ],
    [
      "a foreign value",
      `${MINIMAL}behavior: { interruptBehavior: abort }`,
      `resolve/wrong-value 5:32 "behavior.interruptBehavior" must be one of block, cancel. Did you mean "cancel"?`,
    ],
    ["a missing key", `hasp: 1\nname: x\ndescription: y`, `resolve/missing-key 1:1 The key "input" is missing.`],
    [
      "a wrong type",
      `${MINIMAL}limits:\n  maxRetries: many`,
      `resolve/wrong-value 6:15 "limits.maxRetries" must be a whole number, but it is a string.`,
    ],
    [
      "a wrong word",
      `${MINIMAL}concurrency: { class: read_only }`,
      `resolve/wrong-value 5:23 "concurrency.class" must be one of UNSAFE, WRITE_EXCLUSIVE, READ_ONLY. Did you mean "READ_ONLY"?`,
    ],
    [
      "a wrong limit",
      `${MINIMAL}limits: { timeoutSeconds: 0 }`,
      `resolve/wrong-value 5:27 "limits.timeoutSeconds" must be a number of seconds above 0, or unlimited.`,
    ],
    [
      "a wrong flag",
      `${MINIMAL}behavior: { isDestructive: { wen: "true" } }`,
      `resolve/wrong-value 5:28 "behavior.isDestructive" must be true, false, or one of { when: … }, { unless: … } and { custom: … }.`,
    ],
    [
      "a misspelt condition",
      `${MINIMAL}concurrency: { rules: [{ wen: "true", class: READ_ONLY }] }`,
      `resolve/unknown-key 5:26 The key "wen" is not known in "concurrency.rules[0]". Did you mean "when"?`,
    ],
    [
      "a row with two conditions",
      `${MINIMAL}concurrency: { rules: [{ when: "true", custom: f, class: READ_ONLY }] }`,
      `resolve/wrong-value 5:24 "concurrency.rules[0]" must be a row with exactly one condition: "when" (an expression) or "custom" (the name of a function).`,
    ],
    ["another version", MINIMAL.replace("hasp: 1", "hasp: 2"), `resolve/wrong-value 1:7 "hasp" must be 1.`],
    [
      "a bad name",
      MINIMAL.replace("get_job", "get job"),
      `resolve/wrong-value 2:7 "name" must be a name of letters, digits, "_" and "-" that starts with a letter and has at most 64 characters.`,
    ],
    [
      "a function's taken name",
      `${MINIMAL}validate: [{ custom: execute }]`,
      `resolve/wrong-value 5:22 "validate[0].custom" must not be "execute": that name is reserved.`,
    ],
    [
      "an item twice",
      `${MINIMAL}tags: [a, b, a]`,
      `resolve/wrong-value 5:14 "tags" contains this item twice. Remove one of them.`,
    ],
    [
      "no tool",
      "hasp: 1\ntools: []",
      `resolve/no-tools 2:8 "a.tool.yaml" lists no tools. Add a tool or remove the file.`,
    ],
    [
      "no object",
      "- 1",
      `resolve/not-a-spec 1:1 "a.tool.yaml" contains no tool: a spec is an object with the keys hasp, name, description and input.`,
    ],
  ])("reports %s in a spec", (_, text, finding) => {
    expect(findingsIn(text)).toEqual([finding]);
  });

  test("the line that is missing from a first spec is spelt out", () => {
    const { diagnostics } = run(["a.tool.yaml", MINIMAL.replace("hasp: 1\n", "")]);
    expect(diagnostics).toMatchObject([
      { code: "resolve/missing-key", help: expect.stringContaining("Start the spec with the line `hasp: 1`.") },
    ]);
  });

  test("x-… keys are the author's own", () => {
    expect(toolOf(`${MINIMAL}x-team: { a: 1 }`).spec["x-team"]).toEqual({ a: 1 });
  });

  test("a JSON file may say where its schema is", () => {
    const text = JSON.stringify({
      $schema: "./tool-spec.schema.json",
      hasp: 1,
      name: "a",
      description: "A.",
      input: {},
    });
    expect(findingsOf(["a.tool.json", text])).toEqual([]);
  });

  test("several tools in one file fail one by one", () => {
    const text =
      "hasp: 1\ntools:\n  - { name: a, description: A., input: {} }\n  - { name: b, input: {} }\n  - { name: c, description: C., input: {} }\n";
    const { tools, diagnostics } = run(["all.tools.yaml", text]);
    expect(tools.map(({ name, pointer }) => [name, pointer])).toEqual([
      ["a", "/tools/0"],
      ["c", "/tools/2"],
    ]);
    expect(diagnostics).toMatchObject([
      { code: "resolve/missing-key", tool: "b", location: { range: { start: { line: 4 } } } },
    ]);
  });
});

describe("contradictions", () => {
  test.each([
    [
      `${MINIMAL}concurrency: { class: READ_ONLY }\nbehavior: { isDestructive: true }`,
      "6:28",
      "isDestructive: true",
      "class: READ_ONLY",
    ],
    [
      `${MINIMAL}concurrency: { class: READ_ONLY }\nbehavior: { isIdempotent: withKey }`,
      "6:27",
      "isIdempotent: withKey",
      "class: READ_ONLY",
    ],
    [
      `${MINIMAL}behavior: { isReadOnly: true, isDestructive: true }`,
      "5:46",
      "isDestructive: true",
      "isReadOnly: true",
    ],
    [
      `${MINIMAL}concurrency: { rules: [{ when: "true", class: READ_ONLY, isReadOnly: false }] }`,
      "5:70",
      "isReadOnly: false",
      "class: READ_ONLY",
    ],
  ])("reports a contradiction in %j", (text, place, claim, other) => {
    const { tools, diagnostics } = run(["a.tool.yaml", text]);
    expect(tools).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "resolve/contradiction", fixed: true }]);
    expect(findingsIn(text)).toEqual([
      `resolve/contradiction ${place} "${claim}" contradicts "${other}"; change one of the two.`,
    ]);
  });
});

describe("names", () => {
  test("refuses a second tool of the same name and keeps the first", () => {
    const { tools, diagnostics } = run(["b.tool.yaml", named("x")], ["a.tool.yaml", named("x")]);
    expect(tools.map(({ document }) => document.uri)).toEqual(["b.tool.yaml"]);
    expect(diagnostics).toMatchObject([
      {
        code: "resolve/duplicate-name",
        location: { uri: "a.tool.yaml" },
        related: [{ location: { uri: "b.tool.yaml" } }],
      },
    ]);
  });

  test.each(["tool_search", "read_result", "mcp__github__get"])("%s is reserved", (name) => {
    expect(findingsIn(named(name))).toEqual([expect.stringContaining("resolve/reserved-name 2:7")]);
    expect(findingsIn(named("x", `aliases: [${name}]`))).toEqual([
      expect.stringContaining("resolve/reserved-name 5:11"),
    ]);
  });

  test("aliases collide neither with names nor with each other", () => {
    expect(
      findingsOf(["a.tool.yaml", named("a", "aliases: [b, old]")], ["b.tool.yaml", named("b", "aliases: [old]")]),
    ).toEqual([
      expect.stringContaining("resolve/alias-is-a-tool 5:11"),
      expect.stringContaining("resolve/duplicate-alias 5:11"),
    ]);
  });

  test("order the tools", () => {
    const { tools } = run(["1.tool.yaml", named("b")], ["2.tool.yaml", named("a")], ["3.tool.yaml", named("B")]);
    expect(tools.map(({ name }) => name)).toEqual(["B", "a", "b"]);
  });
});

describe("references", () => {
  test.each([
    ["./common/shared.yaml#/$defs/A", []],
    ["#/$defs/A", []],
    [
      "./common/shred.yaml#/$defs/A",
      [
        `resolve/ref-file-not-found 6:16 "./common/shred.yaml#/$defs/A" points to "specs/common/shred.yaml", which is not a file of the project. Did you mean "specs/common/shared.yaml"?`,
      ],
    ],
    ["../../etc/passwd", [expect.stringContaining("resolve/ref-outside-project 6:16")]],
    ["/etc/passwd", [expect.stringContaining("resolve/ref-outside-project 6:16")]],
    ["%2e%2e/%2e%2e/x.yaml", [expect.stringContaining("resolve/ref-outside-project 6:16")]],
    ["common%2F..%2F..%2Fx.yaml", [expect.stringContaining("resolve/ref-outside-project 6:16")]],
    ["https://example.com/a.json", [expect.stringContaining("resolve/ref-not-pinned 6:16")]],
    ["file:///etc/passwd", [expect.stringContaining("resolve/ref-unknown-scheme 6:16")]],
    ["./b.tool.yaml#/input", [expect.stringContaining("resolve/ref-to-spec 6:16")]],
  ])("follows or refuses the reference %s", (ref, expected) => {
    const shared = ["specs/common/shared.yaml", "$defs: { A: { type: string } }", "shared"] as const;
    const other = ["specs/b.tool.yaml", MINIMAL.replace("get_job", "b")] as const;
    expect(findingsOf(["specs/a.tool.yaml", referring(ref)], shared, other)).toEqual(expected);
  });

  test("follows references through shared files, and only where schemas stand", () => {
    const shared = [
      "shared.yaml",
      "A: { properties: { $ref: { enum: [{ $ref: ./data.yaml }] }, y: { $ref: ./missing.yaml } } }\nUnused: { $ref: ./other.yaml }\n",
      "shared",
    ] as const;
    const { tools, diagnostics } = run(["a.tool.yaml", referring("./shared.yaml#/A")], shared);
    expect(tools).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "resolve/ref-file-not-found", location: { uri: "shared.yaml" } }]);
    expect(diagnostics).toHaveLength(1);
  });

  test("may name an $id or an anchor of the same schema", () => {
    const text = `${HEAD}input:\n  $defs: { A: { $id: "urn:a", $anchor: a } }\n  properties: { x: { $ref: "urn:a" }, y: { $ref: "#a" }, z: { $ref: "#" } }\n`;
    expect(findingsIn(text)).toEqual([]);
    const shared = ["s.yaml", "A: { $ref: '#' }\n$defs: { B: { $ref: ./missing.yaml } }\n", "shared"] as const;
    expect(findingsOf(["a.tool.yaml", referring("./s.yaml#/A")], shared)).toEqual([
      expect.stringContaining("resolve/ref-file-not-found 2:"),
    ]);
  });

  describe("below an $id", () => {
    const root = (id: string, ref: string): string =>
      `${HEAD}input:\n  $id: ${id}\n  properties: { x: { $ref: "${ref}" } }\n`;
    const shared = ["specs/place.yaml", "$defs: { A: { type: string } }", "shared"] as const;
    const other = ["specs/common/place.yaml", "$defs: { A: { type: integer } }", "shared"] as const;

    test.each([
      ["common/x", "place.yaml#/$defs/A", "specs/common/place.yaml"],
      ["common/", "./place.yaml", "specs/common/place.yaml"],
      ["https://example.com/x.json", "place.yaml#/$defs/A", "https://example.com/place.yaml"],
      ["urn:example:x", "place.yaml", "place.yaml"],
    ])("%s, a file that would be another one is refused: %s", (id, ref, byId) => {
      expect(findingsOf(["specs/a.tool.yaml", root(id, ref)], shared, other)).toEqual([
        `resolve/ref-under-id 6:28 "${ref}" refers to "specs/place.yaml" from this file, but to "${byId}" from the $id around it. Remove the $id, or copy the intended schema into "$defs" and write "#/$defs/…".`,
      ]);
    });

    test.each(["a.json", "./", "#a", "project:///specs/x"])("%s, a file that is the same is taken", (id) => {
      expect(findingsOf(["specs/a.tool.yaml", root(id, "place.yaml#/$defs/A")], shared)).toEqual([]);
    });

    test("a whole address needs no base", () => {
      expect(findingsOf(["specs/a.tool.yaml", root("common/x", "https://example.com/a.json")])).toEqual([
        expect.stringContaining("resolve/ref-not-pinned"),
      ]);
    });

    test.each([
      ["also where the $ids cancel each other out", "$id: common/x", "$id: ../y", "place.yaml"],
      ["also beside the reference", "", "$id: common/x", "place.yaml"],
    ])("refuses a reference to a file below an $id, %s", (_what, outer, inner, ref) => {
      const text = `${HEAD}input:\n  ${outer}\n  properties: { x: { ${inner}, $ref: "${ref}" } }\n`;
      expect(findingsOf(["specs/a.tool.yaml", text], shared, other)).toEqual([
        expect.stringContaining("resolve/ref-under-id"),
      ]);
    });

    test("refuses a reference below an $id that a pointer passes", () => {
      const passed = ["s.yaml", "A: { $id: common/x, B: { $ref: place.yaml } }\n", "shared"] as const;
      expect(findingsOf(["a.tool.yaml", referring("./s.yaml#/A/B")], passed)).toEqual([
        expect.stringContaining("resolve/ref-under-id 1:32"),
      ]);
    });

    test("a pointer leads from the schema that has the $id, too", () => {
      const text = `${HEAD}input:\n  $defs: { A: { $id: common/x, $ref: "#/x-own/B", x-own: { B: { $ref: place.yaml } } } }\n`;
      expect(findingsOf(["specs/a.tool.yaml", text], shared, other)).toEqual([
        expect.stringContaining("resolve/ref-under-id 5:"),
      ]);
    });

    test.each([
      ["https://example.com/x.json", "item.json", "item.json"],
      ["https://example.com/x.json", "/schemas/item.json", "../schemas/item.json"],
      ["common/x", "place.yaml", "place.yaml"],
      ["urn:example:x", "item.json", "item.json"],
    ])("%s, the $id of a schema within is no file: %s", (id, own, ref) => {
      const text = `${root(id, ref)}  $defs: { Item: { $id: ${own}, type: string } }\n`;
      expect(findingsOf(["specs/a.tool.yaml", text], shared)).toEqual([]);
    });

    test("checks the target of such a reference as well", () => {
      const text = `${root("https://example.com/x", "item#/x-own")}  $defs: { Item: { $id: item, x-own: { $ref: missing.yaml } } }\n`;
      expect(findingsOf(["specs/a.tool.yaml", text])).toEqual([expect.stringContaining("resolve/ref-under-id 7:")]);
    });

    test("a schema within does not count where draft-07 passes over an $id beside the reference", () => {
      const text = `${HEAD}input:\n  $schema: http://json-schema.org/draft-07/schema#\n  $id: common/x\n  properties: { x: { $id: deep/, $ref: place.yaml } }\n  definitions: { D: { $id: deep/place.yaml } }\n`;
      expect(findingsOf(["specs/a.tool.yaml", text])).toEqual([expect.stringContaining("resolve/ref-under-id 7:")]);
    });

    test("refuses a reference to both an inner schema and another spec's file", () => {
      const bundle = [
        "specs/b.yaml",
        "$id: common/x\n$ref: place.yaml\n$defs: { P: { $id: place.yaml } }\n",
        "shared",
      ] as const;
      const spec = ["specs/a.tool.yaml", referring("./b.yaml")] as const;
      expect(findingsOf(spec, bundle)).toEqual([]);
      expect(findingsOf(spec, bundle, other)).toEqual([expect.stringContaining("resolve/ref-under-id 2:7")]);
    });
  });

  test("into a file that does not parse draw no second finding", () => {
    const { tools, diagnostics } = run(["a.tool.yaml", referring("./shared.yaml")], ["shared.yaml", "a: [", "shared"]);
    expect(tools).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "load/yaml-syntax" }]);
    expect(diagnostics).toHaveLength(1);
  });

  test("into a file that cannot be read say why", () => {
    const sources: readonly SourceText[] = [
      { uri: "a.tool.yaml", text: referring("./shared.yaml"), role: "spec" },
      { uri: "shared.yaml", text: "", role: "shared", unreadable: "it is a link that points outside the project" },
    ];
    const documents = load(sources).value;
    const { diagnostics } = resolve(documents, testContext({ documents, sources }));
    expect(diagnostics).toMatchObject([{ code: "resolve/ref-unreadable", message: expect.stringContaining("link") }]);
  });
});
