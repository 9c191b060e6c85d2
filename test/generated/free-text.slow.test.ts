import { type CompileResult, type Diagnostic } from "hasp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtInPlugins } from "@hasp/project/built-in";
import { compareVersions, compileVersion } from "@hasp/compiler/diff";
import { compileSpecs, createProject, type GeneratedProject, plan } from "./generated-project.js";

const LARK = 'start: "add " NUMBER | "drop " NUMBER\nNUMBER: /[0-9]{1,3}/';
const free = (name: string, input: object, changes: object = {}): object => ({
  hasp: 1,
  name,
  description: "Does what the text says.",
  input: { type: "string", ...input },
  ...changes,
});
const specs = {
  "find.tool.yaml": {
    ...free("find", {}, { visibility: { featureGate: "FIND" } }),
    input: { type: "object", properties: {} },
  },
  "plain.tool.yaml": free("plain", { description: "Any words.", minLength: 2 }, { tags: ["x"] }),
  "lark.tool.yaml": free("lark", { format: { grammar: "lark", definition: LARK } }),
  "time.tool.yaml": free(
    "time",
    { format: { grammar: "regex", definition: String.raw`(?P<h>\d{2}):(?P<m>\d{2})` } },
    {
      examples: [{ input: { text: "10:30" } }],
      behavior: { requiresPermission: { unless: "input.text.startsWith('0')" } },
      display: { running: "Setting {text}" },
    },
  ),
};

const handler = (
  name: string,
  type: string,
): string => `import type { ${type}Handler } from "../generated/tools/${name}.js";

export const execute: ${type}Handler["execute"] = ({ text }) => \`${name}: \${text.toUpperCase()}\`;
`;

const host = `import { createDispatcher } from "@hasp/runtime";
import { toFunctionCallOutputs, toToolCalls, toToolMessages } from "@hasp/runtime/openai";
import type OpenAI from "openai";
import { registry } from "./generated/registry.js";
import { tools as responses } from "./generated/providers/openai-responses.js";
import { tools as chat } from "./generated/providers/openai-chat.js";

declare const console: { log(text: string): void };
export const sent: [OpenAI.Responses.Tool[], OpenAI.ChatCompletionTool[]] = [responses, chat];
const custom = (name: string, input: string, more: object = {}) => ({ type: "custom_tool_call", call_id: name, name, input, ...more });
const dispatcherFor = (dialect: string) =>
  createDispatcher({ tools: registry, dialect, permissions: { ask: () => "allow" } });

const first = dispatcherFor("openai-responses");
const turn = toToolCalls(
  {
    status: "incomplete",
    output: [
      custom("time", "09:15", { caller: { type: "program", caller_id: "p" } }),
      custom("time", "nine", { call_id: "bad" }),
      custom("apply_patch", "*** Begin Patch"),
      { type: "function_call", call_id: "f", name: "plain", arguments: '{"text":"as an argument"}' },
      custom("lark", "add 1"),
    ],
  },
  first.definitions("openai-responses"),
);
const results = await first.dispatch(turn.calls);
const outputs = toFunctionCallOutputs(results, { turn, answers: [{ type: "custom_tool_call_output", call_id: "apply_patch", output: "mine" }] });

const second = dispatcherFor("openai-chat");
const choices = [
  {
    finish_reason: "tool_calls",
    message: {
      tool_calls: [
        { id: "a", type: "custom", custom: { name: "plain", input: "hello" } },
        { id: "b", type: "custom", custom: { name: "other", input: "hello" } },
      ],
    },
  },
];
const chatTurn = toToolCalls({ choices }, second.definitions("openai-chat"));
const messages = toToolMessages(await second.dispatch(chatTurn.calls));
const third = dispatcherFor("anthropic");
const [third1] = await third.dispatch([{ id: "c", name: "lark", input: { text: "drop 2" } }]);
console.log(JSON.stringify({ outputs, chatTurn, messages, third: third1?.content, untold: toToolCalls({ choices }).others.length }));
`;

describe("free-text tools", () => {
  let compiled: CompileResult;
  let project: GeneratedProject;
  beforeAll(async () => {
    compiled = await compileSpecs(specs);
    project = createProject(compiled);
    for (const [name, type] of [
      ["plain", "Plain"],
      ["lark", "Lark"],
      ["time", "Time"],
    ] as const) {
      project.write(`src/tools/${name}.ts`, handler(name, type));
    }
    project.write("src/main.ts", host);
  });
  afterAll(() => project.remove());

  const listOf = (dialect: string): readonly object[] => {
    const file = compiled.files.find(({ path }) => path.endsWith(`providers/${dialect}.json`));
    return JSON.parse(file?.text ?? "[]") as readonly object[];
  };

  test("free-text tools are custom tools at OpenAI, and take an object with the text elsewhere", () => {
    expect(listOf("openai-responses")).toEqual([
      {
        type: "custom",
        name: "lark",
        description: "Does what the text says.",
        format: { type: "grammar", syntax: "lark", definition: LARK },
      },
      {
        type: "custom",
        name: "plain",
        description: "Does what the text says.\nAny words. At least 2 characters.",
        format: { type: "text" },
      },
      {
        type: "custom",
        name: "time",
        description: "Does what the text says. Example: 10:30",
        format: { type: "grammar", syntax: "regex", definition: String.raw`(?P<h>\d{2}):(?P<m>\d{2})` },
      },
    ]);
    expect(listOf("openai-chat")[0]).toEqual({
      type: "custom",
      custom: {
        name: "lark",
        description: "Does what the text says.",
        format: { type: "grammar", grammar: { syntax: "lark", definition: LARK } },
      },
    });
    const schema = (text: object): object => ({
      type: "object",
      properties: { text: { type: "string", ...text } },
      required: ["text"],
      additionalProperties: false,
    });
    expect(listOf("mcp").map((entry) => (entry as { inputSchema: object }).inputSchema)).toEqual([
      schema({ description: `It follows this grammar, in Lark's syntax:\n${LARK}` }),
      schema({ description: "Any words.", minLength: 2 }),
      schema({ pattern: String.raw`^(?:(?:\d{2}):(?:\d{2}))$` }),
    ]);
  });

  test("free-text tools say in losses.json who enforces what a list cannot say", () => {
    const file = compiled.files.find(({ path }) => path.endsWith("losses.json"));
    const losses = JSON.parse(file?.text ?? "{}") as {
      readonly [dialect: string]: {
        readonly losses: {
          readonly [tool: string]: readonly { readonly keyword: string; readonly enforcedBy: string }[];
        };
      };
    };
    const told = (dialect: string, tool: string): readonly string[] =>
      (losses[dialect]?.losses[tool] ?? []).map(({ keyword, enforcedBy }) => `${keyword} by ${enforcedBy}`);
    expect([told("openai-responses", "lark"), told("anthropic", "lark")]).toEqual([[], ["format by nobody"]]);
    expect([told("openai-chat", "plain"), told("mcp", "plain")]).toEqual([["minLength by runtime"], []]);
    expect([told("openai-responses", "time"), told("mcp", "time")]).toEqual([[], []]);
  });

  test("free-text tools are called with bare text, with an object, and not at all with a text that was cut off", () => {
    expect([project.typeErrors(), project.typeErrors("strictest")]).toEqual(["", ""]);
    const printed = JSON.parse(project.run("dist/main.js")) as { readonly [key: string]: unknown };
    expect(printed["outputs"]).toEqual([
      {
        type: "custom_tool_call_output",
        call_id: "time",
        caller: { type: "program", caller_id: "p" },
        output: "time: 09:15",
      },
      {
        type: "custom_tool_call_output",
        call_id: "bad",
        output: expect.stringMatching(/^Error: .*`\/text`/su) as string,
      },
      { type: "function_call_output", call_id: "f", output: "plain: AS AN ARGUMENT" },
      {
        type: "custom_tool_call_output",
        call_id: "lark",
        output: expect.stringMatching(/^Error: .*cut off/su) as string,
      },
      { type: "custom_tool_call_output", call_id: "apply_patch", output: "mine" },
    ]);
    expect(printed["chatTurn"]).toEqual({
      calls: [{ id: "a", name: "plain", input: { text: "hello" } }],
      others: [{ block: { id: "b", type: "custom", custom: { name: "other", input: "hello" } }, id: "b" }],
    });
    expect(printed["messages"]).toEqual([{ role: "tool", tool_call_id: "a", content: "plain: HELLO" }]);
    expect([printed["third"], printed["untold"]]).toEqual([[{ type: "text", text: "lark: DROP 2" }], 2]);
  });
});

describe("a fault of a free-text tool is reported", () => {
  const reports = async (input: object, changes: object = {}): Promise<readonly string[]> => {
    const { diagnostics } = await compileSpecs({ "one.tool.yaml": free("one", input, changes) });
    const place = ({ location }: Diagnostic): string => location?.pointer ?? "";
    return diagnostics
      .filter(({ severity }) => severity === "error")
      .map((found) => `${found.code} ${place(found)}: ${found.message}`);
  };

  test.each([
    [{ pattern: "^a$" }, {}, ["resolve/unknown-key /input/pattern"]],
    [{ format: "date" }, {}, ["resolve/wrong-value /input/format"]],
    [{ format: { grammar: "ebnf", definition: "a" } }, {}, ["resolve/wrong-value /input/format/grammar"]],
    [{ format: { grammar: "lark", definition: "start: a" } }, {}, ["flatten/grammar /input/format/definition"]],
    [{}, { bind: { text: "context.text" } }, ["flatten/bound-text /bind/text"]],
    [
      {},
      { behavior: { isReadOnly: { when: "input.startsWith('a')" } } },
      ["flatten/predicate /behavior/isReadOnly/when"],
    ],
    [{}, { examples: [{ input: { words: "a" } }] }, ["schema/invalid-example /examples/0/input/words"]],
    [{}, { display: { running: "{input}" } }, ["flatten/unknown-placeholder /display/running"]],
  ] as const)("a fault of a free-text tool is reported: %j with %j", async (input, changes, expected) => {
    expect((await reports(input, changes)).map((each) => each.slice(0, each.indexOf(":")))).toEqual(expected);
  });
});

test("`hasp diff` says what another grammar may loosen and refuse", async () => {
  const lark = (definition: string): object => ({ format: { grammar: "lark", definition } });
  const regex = (definition: string): object => ({ format: { grammar: "regex", definition } });
  const inputs = [{}, lark('start: "a"'), lark('start: "b"'), regex("[a-z]{1,9}"), regex("[a-c]{1,3}"), {}];
  const versions = await Promise.all(
    inputs.map((input) => {
      const text = JSON.stringify(free("one", input));
      return compileVersion({ sources: [{ uri: "one.tool.yaml", role: "spec", text }], plan }, builtInPlugins);
    }),
  );
  const found = versions.slice(1).map(({ value: after }, index) => {
    const before = versions[index]?.value;
    if (before === undefined || after === undefined) return expect.fail("both versions compile");
    const codes = compareVersions(before, after, "base").map(({ code }) => code);
    return codes.filter((code) => code.startsWith("diff/grammar")).toSorted();
  });
  expect(found).toEqual([
    ["diff/grammar-may-refuse"],
    ["diff/grammar-may-loosen", "diff/grammar-may-refuse"],
    ["diff/grammar-may-loosen"],
    [],
    ["diff/grammar-may-loosen"],
  ]);
});
