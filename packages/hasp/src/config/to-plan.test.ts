import { describe, expect, test } from "vitest";
import { parseSource } from "../phases/1-load/index.js";
import { toPlan } from "./to-plan.js";

function planOf(text: string) {
  const { value: document } = parseSource({ uri: "hasp.config.yaml", text, role: "config" });
  if (document === undefined) throw new Error("the test's YAML is broken");
  return toPlan({
    uri: document.uri,
    value: document.value ?? {},
    locate: document.locate,
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
    plan: {
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
      ignore: [],
      unlocked: false,
      today: "2030-01-01",
      handlerDigests: {},
    },
  });
});

test("a full configuration is taken over", () => {
  const { value, diagnostics } = planOf(`
$schema: ./hasp-config.schema.json
specs: [specs, "more/*.tool.yaml"]
outDir: ./out/
handlers: tools
context: ./src/context.ts#AgentContext
dialects:
  openai-responses: { strict: auto, onUncarried: exclude }
  openai-responses-strict:
  anthropic: { cacheControl: { type: ephemeral }, extra: { defer_loading: true } }
toolsets: { support: { include: [{ tag: support }, get_job], exclude: [refund] }, everything: {} }
budgets: { toolTokens: 800 }
rules: { naming/vague: off }
ignore: [{ rule: naming/vague, path: specs/old, reason: they go away in spring }]
remotes: { "https://example.com/a.json": "${"0".repeat(64)}" }
`);
  expect(diagnostics).toEqual([]);
  expect(value?.specs).toEqual(["specs", "more/*.tool.yaml"]);
  expect(value?.remotes.get("https://example.com/a.json")).toBe("0".repeat(64));
  expect(value?.plan).toMatchObject({
    outDir: "out",
    handlersDir: "tools",
    context: { file: "src/context.ts", type: "AgentContext" },
    dialects: [
      { id: "openai-responses", strict: "auto", onUncarried: "exclude" },
      { id: "openai-responses-strict", strict: true, onUncarried: "exclude" },
      { id: "anthropic", strict: false, extra: { defer_loading: true, cache_control: { type: "ephemeral" } } },
    ],
    toolsets: [
      { name: "everything", include: "all", exclude: [] },
      { name: "support", include: [{ tag: "support" }, "get_job"], exclude: ["refund"] },
    ],
    rules: { "naming/vague": "off" },
  });
});

describe("mistakes", () => {
  test.each([
    ["spec: [a]", `config/unknown-key 1:1 The key "spec" is not known. Did you mean "specs"?`],
    ["providers: [mcp]", `config/unknown-key 1:1 The key "providers" is not known. Here it is called "dialects".`],
    ["dialects: [anthropik]", `config/wrong-value 1:12 "dialects[0]" cannot be "anthropik". Did you mean "anthropic"?`],
    [
      "dialects: [openai]",
      `config/wrong-value 1:12 "dialects[0]" cannot be "openai". Did you mean "openai-chat" or "openai-chat-strict" or "openai-responses" or`,
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
      "ignore: [{ rule: naming/vague, path: x }]",
      `config/missing-key 1:10 In "ignore[0]" the key "reason" is missing.`,
    ],
    ["outDir: ../elsewhere", `config/outside-project 1:9 "outDir" leads out of the project`],
    ["outDir: /tmp", `config/wrong-value 1:9 "outDir" must be a path relative to this file, with forward slashes.`],
    ["outDir: .", `config/outside-project 1:9 "outDir" leads out of the project`],
    [
      "outDir: src\nhandlers: src/tools",
      `config/folders-overlap 2:11 outDir "src" is hasp's and handlers "src/tools" is yours`,
    ],
    ["outDir: hasp-ledger", `config/out-over-ledger 1:9 outDir "hasp-ledger" lies in hasp-ledger/`],
    ["outDir: hasp-ledger/deep", `config/out-over-ledger 1:9 outDir "hasp-ledger/deep"`],
    ["specs: [a, ./b/]\noutDir: b", `config/out-over-specs 2:9 outDir "b" is hasp's, and "specs" names "./b/" in it`],
    ["specs: [b/deep]\noutDir: b", `config/out-over-specs 2:9 outDir "b" is hasp's`],
    ["specs: [a, src/generated]", `config/out-over-specs 1:12 outDir "src/generated" is hasp's`],
    ["handlers: src\noutDir: src", `config/folders-overlap 1:11 outDir "src"`],
    ["outDir: src/tools/deep", `config/folders-overlap 1:9 outDir "src/tools/deep"`],
    ["dialects: { mcp: { cacheControl: {} } }", `config/no-cache-control 1:20 The dialect mcp has no cache control`],
    ["toolsets: { Support: {} }", `config/wrong-value 1:13 "toolsets.Support" must be a name of small letters`],
    [
      "remotes: { 'http://example.com': x }",
      `config/wrong-value 1:12 "remotes.http://example.com" must be an https address.`,
    ],
    [
      "remotes: { 'https://example.com': 0 }",
      `"remotes.https://example.com" must be a string, and this is a number. Put it in quotes.`,
    ],
    ["- specs", `config/not-an-object 1:1 "hasp.config.yaml" must hold an object`],
  ])("%j", (text, finding) => {
    expect(findingsOf(text)[0]).toContain(finding);
    expect(planOf(text).value).toBeUndefined();
  });
});
