import { describe, expect, test } from "vitest";
import { parseSource } from "@hasp/compiler/source";
import type { ConfigFile } from "./presets.js";
import { toPlan } from "./to-plan.js";

function file(uri: string, text: string): ConfigFile {
  const { value: document } = parseSource({ uri, text, role: "config" });
  if (document === undefined) throw new Error("the test's YAML is broken");
  return { uri, value: document.value ?? {}, digest: "", locate: document.locate };
}

function planOf(text: string, presets: readonly string[] = []) {
  return toPlan({
    own: file("hasp.config.yaml", text),
    presets: presets.map((preset, index) => file(`preset-${index}.yaml`, preset)),
    knownRules: ["description/when-not-to-use", "naming/vague"],
    unlocked: false,
    today: "2030-01-01",
  });
}

const findingsOf = (text: string): readonly string[] =>
  planOf(text).diagnostics.map(({ code, message, location }) => {
    const { line, column } = location?.range.start ?? {};
    return `${code} ${line}:${column} ${message}`;
  });

test("an empty configuration has every default", () => {
  expect(planOf("").value).toEqual({
    specs: ["."],
    remotes: new Map(),
    plugins: [],
    plan: {
      configDigests: { "hasp.config.yaml": "" },
      outDir: "src/generated",
      handlersDir: "src/tools",
      dialects: ["anthropic", "openai-responses", "gemini-json-schema", "mcp"].map((id) => ({
        id,
        strict: false,
        onUncarried: "error",
      })),
      toolsets: [{ name: "all", include: "all", exclude: [] }],
      budgets: {},
      rules: {},
      overrides: [],
      ignore: [],
      exclude: [],
      unlocked: false,
      today: "2030-01-01",
      handlerDigests: {},
      locations: {},
    },
  });
});

test("a full configuration is taken over", () => {
  const { value, diagnostics } = planOf(`
$schema: ./hasp-config.schema.json
specs: [specs, "more/*.tool.yaml"]
outDir: ./out/
handlers: tools
importExtension: ts
context: ./src/context.ts#AgentContext
dialects:
  openai-responses: { strict: auto, onUncarried: exclude }
  openai-responses-strict:
  anthropic: { cacheControl: { type: ephemeral }, extra: { eager_input_streaming: true } }
toolsets: { support: { include: [{ tag: support }, get_job], exclude: [refund] }, everything: {} }
budgets: { toolTokens: 800 }
rules: { naming/vague: off }
overrides: [{ path: specs/new, rules: { naming/vague: error } }]
ignore: [{ rule: naming/vague, path: specs/old, reason: they go away in spring }]
remotes: { "https://example.com/a.json": "${"0".repeat(64)}" }
`);
  expect(diagnostics).toEqual([]);
  expect(value?.specs).toEqual(["specs", "more/*.tool.yaml"]);
  expect(value?.remotes.get("https://example.com/a.json")).toBe("0".repeat(64));
  expect(value?.plan).toMatchObject({
    outDir: "out",
    handlersDir: "tools",
    importExtension: "ts",
    context: { file: "src/context.ts", type: "AgentContext" },
    dialects: [
      { id: "openai-responses", strict: "auto", onUncarried: "exclude" },
      { id: "openai-responses-strict", strict: true, onUncarried: "exclude" },
      { id: "anthropic", strict: false, extra: { eager_input_streaming: true, cache_control: { type: "ephemeral" } } },
    ],
    toolsets: [
      { name: "everything", include: "all", exclude: [] },
      { name: "support", include: [{ tag: "support" }, "get_job"], exclude: ["refund"] },
    ],
    rules: { "naming/vague": "off" },
    overrides: [{ path: "specs/new", rules: { "naming/vague": "error" } }],
  });
  // Findings about a setting find its place here.
  expect(
    Object.entries(value?.plan.locations ?? {}).map(([pointer, { range }]) => `${pointer} ${range.start.line}`),
  ).toEqual([
    "/outDir 4",
    "/handlers 5",
    "/dialects 9",
    "/budgets 13",
    "/rules/naming~1vague 14",
    "/overrides/0/path 15",
    "/overrides/0/rules/naming~1vague 15",
    "/ignore/0 16",
    "/dialects/openai-responses 9",
    "/dialects/openai-responses-strict 10",
    "/dialects/anthropic 11",
    "/specs/0 3",
    "/specs/1 3",
    "/toolsets/support 12",
    "/toolsets/everything 12",
    "/toolsets/support/include/0 12",
    "/toolsets/support/include/1 12",
    "/toolsets/support/exclude/0 12",
  ]);
});

test("the setting `flow` of a toolset overrides that of the configuration", () => {
  const flowsOf = (text: string): unknown => planOf(text).value?.plan.toolsets.map(({ name, flow }) => [name, flow]);
  expect(flowsOf("flow: off")).toEqual([["all", "off"]]);
  expect(flowsOf("flow: ask\ntoolsets: { a: {}, b: { flow: note } }")).toEqual([
    ["a", "ask"],
    ["b", "note"],
  ]);
  expect(flowsOf("toolsets: { a: {} }")).toEqual([["a", undefined]]);
  expect(Object.keys(planOf("flow: ask\ntoolsets: { b: { flow: note } }").value?.plan.locations ?? {})).toEqual([
    "/flow",
    "/toolsets/b",
    "/toolsets/b/flow",
  ]);
});

describe("presets", () => {
  const presets = [
    "rules: { naming/vague: error, description/when-not-to-use: error }\nbudgets: { toolTokens: 1, toolsetTokens: 2 }\ndialects: [mcp, ollama]",
    "rules: { naming/vague: info }\ndialects: [gemini]",
  ];

  test("merges presets under the project's own file, later ones over earlier ones", () => {
    const { value, diagnostics } = planOf(
      "rules: { description/when-not-to-use: off }\nbudgets: { toolTokens: 5 }",
      presets,
    );
    expect(diagnostics).toEqual([]);
    expect(value?.plan).toMatchObject({
      rules: { "naming/vague": "info", "description/when-not-to-use": "off" },
      budgets: { toolTokens: 5, toolsetTokens: 2 },
      dialects: [{ id: "gemini" }],
    });
    expect(Object.entries(value?.plan.locations ?? {}).map(([pointer, { uri }]) => `${pointer} ${uri}`)).toEqual([
      "/dialects preset-1.yaml",
      "/budgets hasp.config.yaml",
      "/rules/naming~1vague preset-1.yaml",
      "/rules/description~1when-not-to-use hasp.config.yaml",
      "/dialects/0 preset-1.yaml",
    ]);
  });

  test.each([
    ["specs: [a]", `config/not-in-preset preset-0.yaml:1:1 The preset "preset-0.yaml" sets "specs"`],
    [
      "rules: {}\nignore: [{ rule: naming/vague, path: a, reason: b }]",
      `config/not-in-preset preset-0.yaml:2:1 The preset "preset-0.yaml" sets "ignore"`,
    ],
    [
      "overrides: [{ path: a, rules: { naming/vague: off } }]",
      `config/not-in-preset preset-0.yaml:1:1 The preset "preset-0.yaml" sets "overrides"`,
    ],
    ["remotes: {}", `config/not-in-preset preset-0.yaml:1:1 The preset "preset-0.yaml" sets "remotes"`],
    ["rulez: {}", `config/unknown-key preset-0.yaml:1:1 The key "rulez" is not known. Did you mean "rules"?`],
    [
      "rules: { naming/vage: off }",
      `config/unknown-rule preset-0.yaml:1:10 There is no rule "naming/vage". Did you mean "naming/vague"?`,
    ],
    ["[]", `config/not-an-object preset-0.yaml:1:1 "preset-0.yaml" must contain an object`],
  ])("%j is refused in one", (preset, finding) => {
    const { value, diagnostics } = planOf("", [preset]);
    expect(value).toBeUndefined();
    const [first] = diagnostics;
    const { line, column } = first?.location?.range.start ?? {};
    expect(`${first?.code} ${first?.location?.uri}:${line}:${column} ${first?.message}`).toContain(finding);
  });
});

describe("errors", () => {
  test.each([
    ["spec: [a]", `config/unknown-key 1:1 The key "spec" is not known. Did you mean "specs"?`],
    ["providers: [mcp]", `config/unknown-key 1:1 The key "providers" is not known. It is called "dialects" here.`],
    ["dialects: [anthropik]", `config/wrong-value 1:12 "dialects[0]" cannot be "anthropik". Did you mean "anthropic"?`],
    [
      "dialects: [openai]",
      `config/wrong-value 1:12 "dialects[0]" cannot be "openai". Did you mean "openai-chat" or "openai-chat-strict" or "openai-compatible" or`,
    ],
    [
      "dialects: { openai-response: {} }",
      `config/unknown-key 1:13 The key "openai-response" is not known in "dialects". Did you mean "openai-responses"?`,
    ],
    [
      "rules: { naming/vage: off }",
      `config/unknown-rule 1:10 There is no rule "naming/vage". Did you mean "naming/vague"?`,
    ],
    [
      "rules: { naming/vague: no }",
      `config/wrong-value 1:24 "rules.naming/vague" must be one of error, warning, info, off.`,
    ],
    [
      `overrides: [{ path: x, rules: { naming/vage: off } }]`,
      `config/unknown-rule 1:33 There is no rule "naming/vage".`,
    ],
    [
      "customRules: { safety/owner: { on: spec, field: owner, required: true, message: m } }",
      `config/reserved-prefix 1:16 The rule "safety/owner" may not begin with "safety/"`,
    ],
    [
      "customRules: { acme/owner: { on: spec, field: ownr, required: true, message: m } }",
      `config/unknown-field 1:47 No spec has a field "ownr". Did you mean "owner"?`,
    ],
    [
      "customRules: { acme/owner: { on: spec, field: owner, matches: '(a)\\1', message: m } }",
      `config/slow-pattern 1:63 The pattern "(a)\\1" cannot be matched in linear time.`,
    ],
    [
      "customRules: { acme/owner: { on: spec, field: owner, matches: '(', message: m } }",
      `config/slow-pattern 1:63 The pattern "(" is not a regular expression.`,
    ],
    [
      "customRules: { acme/owner: { on: spec, field: owner, message: m } }",
      `config/wrong-value 1:28 "customRules.acme/owner" must be a rule with at least one check`,
    ],
    ["customRules: { owner: { on: spec } }", `config/wrong-value`],
    [
      'connections: { api: { http: { baseUrl: "https://api.test", timeoutSeconds: 86401 } } }',
      `config/wrong-value 1:76 "connections.api.http.timeoutSeconds" must be`,
    ],
    ["overrides: [{ path: x }]", `config/missing-key 1:13 The key "rules" is missing in "overrides[0]".`],
    [
      "extends: [a, a]",
      `config/wrong-value 1:10 "extends" must be a file such as ./strict.yaml, the name of a package, or a list of them.`,
    ],
    ["extends: /etc/x", `config/wrong-value 1:10 "extends" must be a file`],
    [
      "ignore: [{ rule: naming/vague, path: x }]",
      `config/missing-key 1:10 The key "reason" is missing in "ignore[0]".`,
    ],
    ["outDir: ../elsewhere", `config/outside-project 1:9 "outDir" points outside the project`],
    ["outDir: /tmp", `config/wrong-value 1:9 "outDir" must be a path relative to this file, with forward slashes.`],
    ["callStore: { files: 'a#/../../x' }", `config/outside-project 1:21 "callStore" points outside the project`],
    ["callStore: { module: ../calls.ts#store }", `config/outside-project 1:22 "callStore" points outside the project`],
    ["outDir: .", `config/outside-project 1:9 "outDir" points outside the project`],
    [
      "outDir: src\nhandlers: src/tools",
      `config/folders-overlap 2:11 outDir "src" belongs to hasp and handlers "src/tools" to you`,
    ],
    ["outDir: hasp-ledger", `config/out-over-ledger 1:9 outDir "hasp-ledger" is in hasp-ledger/`],
    ["outDir: hasp-ledger/deep", `config/out-over-ledger 1:9 outDir "hasp-ledger/deep"`],
    ["handlers: hasp-ledger/x", `config/handlers-over-ledger 1:11 handlers "hasp-ledger/x" is in hasp-ledger/`],
    ["outDir: .git", `config/foreign-folder 1:9 outDir ".git" is in .git/, which belongs to git`],
    ["outDir: packages/../.git/hooks", `config/foreign-folder 1:9 outDir "packages/../.git/hooks" is in .git/`],
    [
      "outDir: apps/a/Node_Modules/x",
      `config/foreign-folder 1:9 outDir "apps/a/Node_Modules/x" is in Node_Modules/, which belongs to the package manager`,
    ],
    ["handlers: node_modules/x", `config/foreign-folder 1:11 handlers "node_modules/x" is in node_modules/`],
    [
      "specs: [a, ./b/]\noutDir: b",
      `config/out-over-specs 2:9 outDir "b" belongs to hasp, but "specs" names "./b/" inside it`,
    ],
    ["specs: [b/deep]\noutDir: b", `config/out-over-specs 2:9 outDir "b" belongs to hasp`],
    ["specs: [a, src/generated]", `config/out-over-specs 1:12 outDir "src/generated" belongs to hasp`],
    ["handlers: src\noutDir: src", `config/folders-overlap 1:11 outDir "src"`],
    ["outDir: src/tools/deep", `config/folders-overlap 1:9 outDir "src/tools/deep"`],
    ["dialects: { mcp: { cacheControl: {} } }", `config/no-cache-control 1:20 The dialect mcp has no cache control`],
    ["toolsets: { Support: {} }", `config/wrong-value 1:13 "toolsets.Support" must be a name of lower-case letters`],
    [
      "remotes: { 'http://example.com': x }",
      `config/wrong-value 1:12 "remotes.http://example.com" must be an https URL.`,
    ],
    [
      "remotes: { 'https://example.com': 0 }",
      `"remotes.https://example.com" must be a string, but it is a number. Put it in quotes.`,
    ],
    ["- specs", `config/not-an-object 1:1 "hasp.config.yaml" must contain an object`],
  ])("reports the error in %j", (text, finding) => {
    expect(findingsOf(text)[0]).toContain(finding);
    expect(planOf(text).value).toBeUndefined();
  });
});
