import { describe, expect, test } from "vitest";
import { parseSource } from "@hasp/compiler/source";
import { EARLIER_KEYS } from "@hasp/compiler/formats";
import type { ConfigFile } from "./presets.js";
import { toPlan } from "./to-plan.js";

function file(uri: string, text: string): ConfigFile {
  const { value: document } = parseSource({ uri, text, role: "config" });
  if (document === undefined) throw new Error("the test's YAML is broken");
  return { uri, value: document.value ?? {}, digest: "", locate: document.locate };
}

function planOf(text: string, presets: readonly string[] = [], ruleFiles: readonly string[] = []) {
  return toPlan({
    own: file("hasp.config.yaml", text),
    presets: presets.map((preset, index) => file(`preset-${index}.yaml`, preset)),
    ruleFiles: ruleFiles.map((rules, index) => file(`rules-${index}.yaml`, rules)),
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

test("a limit above that of a dialect is reported at its place", () => {
  const text = "dialects:\n  openai-chat: { limits: { tools: 129 } }\n  anthropic: { limits: { tools: 129 } }\n";
  expect(findingsOf(text)).toEqual([
    expect.stringMatching(/^config\/limit-above 2:35 The API behind openai-chat takes at most 128 as `tools`/u),
  ]);
  expect(findingsOf("dialects: { openai-chat: { limits: { tools: 128 } } }")).toEqual([]);
});

test.each([
  ["dialects: { openai-chat: { extra: { strict: true } } }", 'config/taken-field 1:37 hasp decides about "strict"'],
  ["findings: [{ in: pay, severity: exclude, reason: ' ' }]", "1:50"],
])("a setting that cannot stand is reported at its place: %s", (text, found) => {
  expect(findingsOf(text)).toEqual([expect.stringContaining(found)]);
});

test("clients without a list for MCP are reported at their key", () => {
  expect(findingsOf("dialects: [anthropic]\nclients: [cursor]")).toEqual([
    expect.stringMatching(/^config\/no-list-for-clients 2:1 /u),
  ]);
  expect(planOf("dialects: [mcp-2025-11-25]\nclients: [cursor]").value?.plan.clients).toMatchObject([
    { id: "cursor", title: "Cursor" },
  ]);
  expect(findingsOf("clients: [cursr]")).toEqual([expect.stringContaining("1:11")]);
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
emit: { importExtension: ts, jsonLists: true }
context: ./src/context.ts#AgentContext
dialects:
  openai-responses: { strict: auto, onUncarried: exclude }
  openai-responses-strict:
  anthropic: { cacheControl: { type: ephemeral }, extra: { eager_input_streaming: true } }
toolsets: { support: { include: [{ tag: support }, get_job], exclude: [refund] }, everything: {} }
budgets: { toolTokens: 800 }
findings:
  - { rule: naming/vague, severity: off }
  - { in: specs/new, rule: naming/vague, severity: error }
  - { in: specs/old, rule: naming/vague, reason: they go away in spring }
  - { in: refund, severity: exclude, reason: waits for the API }
remotes: { "https://example.com/a.json": "${"0".repeat(64)}" }
`);
  expect(diagnostics).toEqual([]);
  expect(value?.specs).toEqual(["specs", "more/*.tool.yaml"]);
  expect(value?.remotes.get("https://example.com/a.json")).toBe("0".repeat(64));
  expect(value?.plan).toMatchObject({
    outDir: "out",
    handlersDir: "tools",
    importExtension: "ts",
    jsonLists: true,
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
    ignore: [{ rule: "naming/vague", path: "specs/old", reason: "they go away in spring" }],
    exclude: [{ tool: "refund", reason: "waits for the API" }],
  });
  // Findings about a setting find its place here.
  expect(
    Object.entries(value?.plan.locations ?? {}).map(([pointer, { range }]) => `${pointer} ${range.start.line}`),
  ).toEqual([
    "/outDir 4",
    "/handlers 5",
    "/dialects 9",
    "/findings 15",
    "/budgets 13",
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
    "/rules/naming~1vague 15",
    "/overrides/0/path 16",
    "/overrides/0/rules/naming~1vague 16",
    "/ignore/0 17",
    "/exclude/0 18",
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
    "findings: [{ rule: naming/vague, severity: error }, { rule: description/when-not-to-use, severity: error }]\nbudgets: { toolTokens: 1, toolsetTokens: 2 }\ndialects: [mcp, ollama]",
    "findings: [{ rule: naming/vague, severity: info }]\ndialects: [gemini]",
  ];

  test("merges presets under the project's own file, later ones over earlier ones", () => {
    const { value, diagnostics } = planOf(
      "findings: [{ rule: description/when-not-to-use, severity: off }]\nbudgets: { toolTokens: 5 }",
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
      "/findings hasp.config.yaml",
      "/budgets hasp.config.yaml",
      "/dialects/0 preset-1.yaml",
      "/rules/naming~1vague preset-1.yaml",
      "/rules/description~1when-not-to-use hasp.config.yaml",
    ]);
  });

  test("brings plugins of the project itself, each once, and none with code from elsewhere", () => {
    const files = [
      ["presets/strict.yaml", "plugins: [../hasp-plugins/acme.mjs, '@acme/hasp-plugin', rules.yaml]"],
      ["hasp.config.yaml", "plugins: [./hasp-plugins/acme.mjs, ./hasp-plugins/own.mjs]"],
    ].map(([uri = "", text = ""]) => file(uri, text));
    const common = { ruleFiles: [], knownRules: [], unlocked: true, today: "2030-01-01" };
    const { value } = toPlan({ ...common, presets: files.slice(0, 1), own: files[1] });
    expect(value?.plugins.map(({ module }) => module)).toEqual([
      "./hasp-plugins/acme.mjs",
      "@acme/hasp-plugin",
      "./hasp-plugins/own.mjs",
    ]);
    for (const uri of ["../presets/a.yaml", "node_modules/@acme/preset/a.yaml"]) {
      const presets = [file(uri, "plugins: [./a.js]")];
      expect(toPlan({ ...common, presets, own: files[1] }).diagnostics).toMatchObject([
        {
          code: "config/not-in-preset",
          message: expect.stringContaining("sets a plugin with code from outside the project"),
        },
      ]);
    }
  });

  test.each([
    ["specs: [a]", `config/not-in-preset preset-0.yaml:1:1 The preset "preset-0.yaml" sets specs`],
    [
      "findings: [{ in: a, rule: naming/vague, reason: b }]",
      `config/not-in-preset preset-0.yaml:1:12 The preset "preset-0.yaml" sets an entry with \`in\``,
    ],
    [
      "findings: [{ in: a, rule: naming/vague, severity: off }]",
      `config/not-in-preset preset-0.yaml:1:12 The preset "preset-0.yaml" sets an entry with \`in\``,
    ],
    ["remotes: {}", `config/not-in-preset preset-0.yaml:1:1 The preset "preset-0.yaml" sets remotes`],
    ["findingz: []", `config/unknown-key preset-0.yaml:1:1 The key "findingz" is not known. Did you mean "findings"?`],
    [
      "findings: [{ rule: naming/vage, severity: off }]",
      `config/unknown-rule preset-0.yaml:1:20 There is no rule "naming/vage". Did you mean "naming/vague"?`,
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
      "findings: [{ rule: naming/vage, severity: off }]",
      `config/unknown-rule 1:20 There is no rule "naming/vage". Did you mean "naming/vague"?`,
    ],
    [
      "findings: [{ rule: naming/vague, severity: no }]",
      `config/wrong-value 1:44 "findings[0].severity" must be one of error, warning, info, off, exclude.`,
    ],
    [
      `findings: [{ in: x, rule: naming/vage, severity: off }]`,
      `config/unknown-rule 1:27 There is no rule "naming/vage".`,
    ],
    [
      'connections: { api: { http: { baseUrl: "https://api.test", timeoutSeconds: 86401 } } }',
      `config/wrong-value 1:76 "connections.api.http.timeoutSeconds" must be`,
    ],
    ["findings: [{ in: x, severity: off }]", `config/missing-key 1:12 The key "rule" is missing in "findings[0]".`],
    ["findings: [{ rule: naming/vague }]", `config/missing-key 1:12 The key "in" is missing in "findings[0]".`],
    [
      "findings: [{ in: refund, rule: naming/vague, severity: exclude, reason: x }]",
      `config/unknown-key 1:26 The key "rule" is not known in "findings[0]".`,
    ],
    [
      "extends: [a, a]",
      `config/wrong-value 1:10 "extends" must be a file such as ./strict.yaml, the name of a package, or a list of them.`,
    ],
    ["extends: /etc/x", `config/wrong-value 1:10 "extends" must be a file`],
    [
      "findings: [{ rule: naming/vague, in: x }]",
      `config/missing-key 1:12 The key "reason" is missing in "findings[0]".`,
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
    ["toolsets: { con: {} }", `config/wrong-value 1:13 "toolsets.con" must be a name of lower-case letters`],
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

describe("a file of rules", () => {
  const owner = (severity: string): string =>
    `rules: { acme/owner: { on: spec, field: owner, required: true, severity: ${severity}, message: m } }`;

  test("adds rules, whose findings it locates; that of the project's own plugins comes last", () => {
    const { value, diagnostics } = planOf(
      "findings: [{ rule: acme/owner, severity: info }]",
      [],
      [owner("warning"), owner("error")],
    );
    expect(diagnostics).toEqual([]);
    expect(value?.plan).toMatchObject({
      customRules: { "acme/owner": { severity: "error" } },
      configDigests: { "rules-0.yaml": "", "rules-1.yaml": "" },
      locations: { "/customRules/acme~1owner": { uri: "rules-1.yaml", range: { start: { line: 1, column: 10 } } } },
    });
    expect(planOf("plugins: [./rules.yaml, ./code.js]").value?.plugins).toMatchObject([{ module: "./code.js" }]);
  });

  test.each([
    [
      "rules: { safety/owner: { on: spec, field: owner, required: true, message: m } }",
      `config/reserved-prefix 1:10 The rule "safety/owner" may not begin with "safety/"`,
    ],
    [
      "rules: { acme/owner: { on: spec, field: ownr, required: true, message: m } }",
      `config/unknown-field 1:41 No spec has a field "ownr". Did you mean "owner"?`,
    ],
    [
      "rules: { acme/hint: { on: spec, field: searchHint, required: true, message: m } }",
      `config/unknown-field 1:40 No spec has a field "searchHint". Did you mean "visibility.searchHint"?`,
    ],
    [
      "rules: { acme/load: { on: spec, field: visibility.alwaysLoad, forbidden: true, message: m } }",
      `config/unknown-field 1:40 No spec has a field "visibility.alwaysLoad". Did you mean "visibility.load"?`,
    ],
    [
      "rules: { acme/owner: { on: spec, field: owner, matches: '(a)\\1', message: m } }",
      `config/slow-pattern 1:57 The pattern "(a)\\1" cannot be matched in linear time.`,
    ],
    [
      "rules: { acme/owner: { on: spec, field: owner, matches: '(', message: m } }",
      `config/slow-pattern 1:57 The pattern "(" is not a regular expression.`,
    ],
    [
      "rules: { acme/owner: { on: spec, field: owner, message: m } }",
      `config/wrong-value 1:22 "rules.acme/owner" must be a rule with at least one check`,
    ],
    ["rules: { owner: { on: spec } }", `config/wrong-value`],
    ["rules: {}\nrule: {}", `config/unknown-key 2:1 The key "rule" is not known. Did you mean "rules"?`],
    ["{}", `config/missing-key 1:1 The key "rules" is missing.`],
  ])("with an error is refused: %j", (rules, finding) => {
    const { value, diagnostics } = planOf("", [], [rules]);
    expect(value).toBeUndefined();
    const { code, message, location } = diagnostics[0] ?? {};
    const { line, column } = location?.range.start ?? {};
    expect(`${code} ${line}:${column} ${message}`).toContain(finding);
    expect(location?.uri).toBe("rules-0.yaml");
  });
});

describe("a key of an earlier version", () => {
  test.each(Object.keys(EARLIER_KEYS))("is refused with its new form: %s", (key) => {
    const { value, diagnostics } = planOf(`specs: [specs]\n${key}: x\nfindings: []`, []);
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([
      {
        code: "config/earlier-key",
        message: `"${key}" has a new form: ${EARLIER_KEYS[key]}.`,
        help: expect.stringContaining('"hasp check --fix"') as string,
        location: { range: { start: { line: 2, column: 1 } } },
      },
    ]);
  });

  test("is reported beside the other mistakes of a file, and in a preset", () => {
    expect(findingsOf("rules: {}\nspec: [a]").map((each) => each.split(" ")[0])).toEqual([
      "config/earlier-key",
      "config/unknown-key",
    ]);
    expect(planOf("", ["overrides: []"]).diagnostics).toMatchObject([
      { code: "config/earlier-key", location: { uri: "preset-0.yaml" } },
    ]);
  });
});
