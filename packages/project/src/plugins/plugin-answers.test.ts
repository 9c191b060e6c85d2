// Faults in the answers of plugins, without their threads; test/cli/plugins.slow.test.ts starts a thread for each kind.
import type { JsonValue } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { completePlan } from "@hasp/compiler/model";
import { describePlugin, PartError } from "./describe-plugin.js";
import { checkWithPlugin } from "./run-plugin.js";
import { readFiles, readPluginShape } from "@hasp/compiler/plugins";
import type { ToolRule } from "@hasp/compiler/plugin";

const rule = {
  id: "acme/needs-owner",
  severity: "error" as const,
  summary: "Every tool has an owner.",
  why: "Somebody must answer.",
  messages: { missing: "Name the owner of {tool}." },
  examples: { bad: [{ spec: "a", reports: ["missing"] }], good: ["b"] },
  checkTool: (): void => undefined,
};

const dialect = {
  id: "acme/chat",
  title: "Acme's chat API.",
  entry: { kind: "function", name: "$name", about: "$description", args: "$input" },
  keywords: { minLength: "words", not: "refuse" },
};
const withDialect = (changes: object): object => ({ name: "acme", dialects: [{ ...dialect, ...changes }] });

const kind = {
  name: "acme/queue",
  summary: "Puts a message into a queue.",
  module: "@acme/queue",
  export: "sendToQueue",
  declaration: { type: "object", properties: { queue: { type: "string" } } },
};
const withKind = (changes: object): object => ({ name: "acme", handlerKinds: [{ ...kind, ...changes }] });

test.each<[what: string, plugin: unknown, words: string]>([
  ["it is no object", 7, "its default export is no plugin"],
  ["it has an unknown key", { name: "acme", rulez: [] }, 'The key "rulez" is not known. Did you mean "rules"?'],
  ["it is named like hasp", { name: "safety" }, 'the name "safety" belongs to hasp'],
  ["it is named like a folder of hasp's", { name: "specs" }, 'the name "specs" belongs to hasp'],
  [
    "it shadows a built-in rule",
    { name: "acme", rules: [{ ...rule, id: "naming/vague-name" }] },
    '"naming/vague-name" must begin with "acme/"',
  ],
  ["it adds a name twice", { name: "acme", rules: [rule, rule] }, 'it adds "acme/needs-owner" twice'],
  ["its dialect has another's name", withDialect({ id: "mcp/chat" }), '"mcp/chat" must begin with "acme/"'],
  [
    "the entry of its dialect hides the input",
    withDialect({ entry: { name: "$name", about: "$description" } }),
    'has no "$input" in its entry',
  ],
  [
    "its dialect claims what a tool does",
    withDialect({ entry: { name: "$name", about: "$description", args: "$input", hints: { readOnlyHint: true } } }),
    'writes "readOnlyHint" in its entry',
  ],
  ["its dialect has code", withDialect({ wrap: (tool: unknown) => tool }), 'The key "wrap" is not known'],
  [
    "its dialect drops a constraint",
    withDialect({ keywords: { maxLength: "drop" } }),
    "must be one of keep, rewrite, words, refuse",
  ],
  [
    "parts of its dialect lose a constraint together",
    withDialect({ keywords: { items: "refuse" } }),
    'cannot carry "unevaluatedItems" in a required property: it is lost without a report',
  ],
  [
    "a pattern of its dialect hangs",
    withDialect({ toolName: { first: "(a+)+", further: "[a-z]", maxLength: 20 } }),
    "a class of letters",
  ],
  ["its kind shadows a built-in", withKind({ name: "http" }), "a name that begins with the plugin's"],
  ["its kind has another's name", withKind({ name: "other/queue" }), 'must begin with "acme/"'],
  ["it adds a kind twice", { name: "acme", handlerKinds: [kind, kind] }, 'adds "acme/queue" twice'],
  ["its kind is code", withKind({ module: () => 1 }), "module"],
  ...["./src/queue.js", "../queue.js", "@acme/queue/../../x", "/tmp/queue.js", "data:text/javascript,1"].map(
    (module): [string, unknown, string] => [
      `its kind imports ${module}`,
      withKind({ module }),
      "the name of a package",
    ],
  ),
  ["its kind imports hasp's runtime", withKind({ module: "@hasp/handlers/command" }), "which is hasp's"],
  ["its kind exports code", withKind({ export: 'a } from "b"; bad(); import { c' }), "the name of an export"],
  [
    "its kind takes a declaration that is no object",
    withKind({ declaration: { type: "string" } }),
    "without `type: object`",
  ],
  [
    "the declaration of its kind is no schema",
    withKind({ declaration: { type: "object", minProperties: "a" } }),
    "no schema",
  ],
  [
    "its rule lacks several keys, all of which it names",
    { name: "acme", rules: [{ id: "acme/a", checkTool: () => undefined }] },
    'The key "severity" is missing in "rules[0]". The key "summary" is missing in "rules[0]".',
  ],
  ["its kind checks by code", withKind({ check: () => undefined }), 'The key "check" is not known'],
])("a plugin is refused if %s", (_, plugin, words) => {
  expect(readPluginShape(describePlugin(plugin))).toEqual({ problem: expect.stringContaining(words) });
});

const spec = "hasp: 1\nname: c\ndescription: Read c.\ninput: { type: object, properties: {} }\n";
const sources = [{ uri: "c.tool.yaml", text: spec, role: "spec" as const }];

describe("a rule fails", () => {
  test.each<[what: string, checkTool: (...given: Parameters<ToolRule["checkTool"]>) => unknown, words: string]>([
    [
      "reports a message that it does not declare",
      (tool, { report }) => report("other", { location: tool.locate("/name") }),
      "other",
    ],
    ["is async", () => Promise.resolve(), "is async"],
    ["answers", () => [], "returns a value"],
    [
      "changes the metadata",
      (tool) => void Object.assign(tool.metadata.behavior, { isDestructive: false }),
      "read only",
    ],
    ["removes a relaxation", (tool) => void Object.assign(tool.relaxations, { length: 0 }), "read only"],
    ["changes a set of the model", (tool) => void (tool.stated as Set<string>).add("x"), "change the model"],
  ])("if it %s", async (_, checkTool, words) => {
    const plugin = { name: "acme", rules: [{ ...rule, checkTool: checkTool as never }] };
    const run = checkWithPlugin(plugin, { sources, plan: completePlan({}) }, () => undefined);
    const error: unknown = await run.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PartError);
    expect(error).toMatchObject({ part: "acme/needs-owner", reason: { message: expect.stringContaining(words) } });
  });
});

test.each<[what: string, answer: JsonValue, words: string]>([
  ["no list", 7, "an emitter returns a list"],
  ["no text", [{ path: "a.txt" }], "each file is { path, text }"],
  ["a path above its folder", [{ path: "../registry.ts", text: "" }], "may only write below"],
  ["an absolute path", [{ path: "/tmp/x", text: "" }], "may only write below"],
  ["a device of Windows", [{ path: "types/CON.pyi", text: "" }], "may only write below"],
  ["a name that Windows shortens", [{ path: "types.", text: "" }], "may only write below"],
  ["a path with a backslash", [{ path: "a\\..\\b", text: "" }], "may only write below"],
  [
    "a path twice",
    [
      { path: "a", text: "" },
      { path: "A", text: "" },
    ],
    "twice",
  ],
])("an emitter answers wrongly with %s", (_, answer, words) => {
  expect(readFiles(answer, "src/generated/acme", [])).toContain(words);
});
