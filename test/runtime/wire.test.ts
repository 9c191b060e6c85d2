import { describe, expect, test } from "vitest";
import { toCallToolResult, toToolCall } from "@hasp/mcp";
import { buildTool, createDispatcher, type ToolContent, type ToolResult } from "@hasp/runtime";
import * as anthropic from "@hasp/runtime/anthropic";
import * as gemini from "@hasp/runtime/gemini";
import { fromCallToolResult, readDefinition } from "@hasp/runtime/internal";
import * as openai from "@hasp/runtime/openai";

const reader = (name: string, execute: () => unknown) =>
  buildTool({
    name,
    description: "Reads.",
    input: { type: "object", properties: {} },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false },
    execute,
  });
const image: ToolContent = { type: "image", data: "AAAA", mimeType: "image/png" };
const resource: ToolContent = { type: "resource", uri: "file:///a", mimeType: "text/plain", text: "hi" };
const link: ToolContent = { type: "resource", uri: "file:///b" };

function result(callId: string, content: readonly ToolContent[], parts: Partial<ToolResult> = {}): ToolResult {
  return { callId, toolName: "t", isError: false, content, durationMs: 0, wasConcurrent: false, ...parts };
}
const good = result("1", [{ type: "text", text: "fine" }]);
const bad = result("2", [{ type: "text", text: "broken" }], { isError: true });
const rich = result("3", [{ type: "text", text: "see" }, image, resource, link]);

describe("Anthropic", () => {
  test("Anthropic calls are the tool_use blocks of a message, in order", () => {
    const content = [
      { type: "text", text: "Let me see." },
      { type: "tool_use", id: "a", name: "x", input: { n: 1 } },
      { type: "tool_use", id: "b", name: "y", input: {} },
    ];
    expect(anthropic.toToolCalls({ content, stop_reason: "tool_use" }).calls).toEqual([
      { id: "a", name: "x", input: { n: 1 } },
      { id: "b", name: "y", input: {} },
    ]);
  });

  test("a call without an id gets one, and a call without a name is answered as malformed", () => {
    const odd = [
      { id: undefined, name: null, input: {} },
      { id: 7, name: {}, input: {} },
    ];
    const expected = [
      { id: "hasp-call-0", name: "", input: {} },
      { id: "7", name: "", input: {} },
    ];
    const content = odd.map((call) => ({ type: "tool_use", ...call }));
    expect(anthropic.toToolCalls({ content }).calls).toEqual(expected);
    const output = odd.map(({ id, name, input }) => ({ type: "function_call", call_id: id, name, arguments: input }));
    expect(openai.toToolCalls({ output } as never).calls).toEqual(expected);
  });

  test("Anthropic calls cut off by max_tokens are marked, and only those", () => {
    const content = [
      { type: "tool_use", id: "a", name: "x", input: {} },
      { type: "tool_use", id: "b", name: "y", input: {} },
    ];
    expect(anthropic.toToolCalls({ content, stop_reason: "max_tokens" }).calls.map((call) => call.truncated)).toEqual([
      undefined,
      true,
    ]);
    expect(
      anthropic
        .toToolCalls({ content: [...content, { type: "text" }], stop_reason: "max_tokens" })
        .calls.some((call) => call.truncated),
    ).toBe(false);
  });

  test("Anthropic gets one tool_result per call, in call order, with is_error on errors alone", () => {
    expect(anthropic.toToolResultBlocks([good, bad, rich])).toEqual([
      { type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "fine" }] },
      { type: "tool_result", tool_use_id: "2", content: [{ type: "text", text: "broken" }], is_error: true },
      {
        type: "tool_result",
        tool_use_id: "3",
        content: [
          { type: "text", text: "see" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          { type: "text", text: "[resource file:///a]\nhi" },
          { type: "text", text: "[resource file:///b]" },
        ],
      },
    ]);
  });

  test("Anthropic gets an unsupported image in words", () => {
    expect(anthropic.toToolResultBlocks([result("1", [{ ...image, mimeType: "image/tiff" }])])[0]?.content).toEqual([
      { type: "text", text: "[an image (image/tiff), which cannot be shown here]" },
    ]);
  });
});

describe("OpenAI", () => {
  test("Responses calls are the function_call items by call_id; a cut-off one is marked", () => {
    const output = [
      { type: "reasoning" },
      { type: "function_call", id: "fc_1", call_id: "a", name: "x", arguments: '{"n":1}' },
      { type: "function_call", call_id: "b", name: "y", arguments: '{"n"', status: "incomplete" },
    ];
    expect(openai.toToolCalls({ output, status: "completed" }).calls).toEqual([
      { id: "a", name: "x", input: '{"n":1}' },
      { id: "b", name: "y", input: '{"n"', truncated: true },
    ]);
    expect(openai.toToolCalls({ output: output.slice(0, 2), status: "incomplete" }).calls[0]?.truncated).toBe(true);
  });

  test("Chat calls are the tool_calls; the last is marked if the length ran out", () => {
    const message = {
      tool_calls: [
        { id: "a", type: "function", function: { name: "x", arguments: "" } },
        { id: "b", type: "function", function: { name: "y", arguments: '{"' } },
      ],
    };
    expect(openai.toToolCalls({ choices: [{ finish_reason: "length", message }] }).calls).toEqual([
      { id: "a", name: "x", input: "" },
      { id: "b", name: "y", input: '{"', truncated: true },
    ]);
    expect(openai.toToolCalls({ choices: [{ finish_reason: "stop", message: { tool_calls: null } }] }).calls).toEqual(
      [],
    );
  });

  test("Responses gets one function_call_output per call; an error says so in words", () => {
    expect(openai.toFunctionCallOutputs([good, bad, rich])).toEqual([
      { type: "function_call_output", call_id: "1", output: "fine" },
      { type: "function_call_output", call_id: "2", output: "Error: broken" },
      {
        type: "function_call_output",
        call_id: "3",
        output: [
          { type: "input_text", text: "see" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
          { type: "input_text", text: "[resource file:///a]\nhi" },
          { type: "input_text", text: "[resource file:///b]" },
        ],
      },
    ]);
  });

  test("Chat gets one text message per call, then the images of all", () => {
    expect(openai.toToolMessages([bad, rich])).toEqual([
      { role: "tool", tool_call_id: "2", content: "Error: broken" },
      {
        role: "tool",
        tool_call_id: "3",
        content: "see\n[image 1]\n[resource file:///a]\nhi\n[resource file:///b]",
      },
      {
        role: "user",
        content: [
          { type: "text", text: "Image 1 of the result of call 3:" },
          { type: "image_url", image_url: { url: `data:image/png;base64,AAAA` } },
        ],
      },
    ]);
    expect(openai.toToolMessages([bad])).toHaveLength(1);
  });
});

describe("Gemini", () => {
  test("Gemini calls are the functionCall parts; one without id gets an id, which is left out again", () => {
    const response = {
      candidates: [
        {
          finishReason: "STOP",
          content: {
            parts: [{}, { functionCall: { name: "x", args: { n: 1 } } }, { functionCall: { id: "g2", name: "y" } }],
          },
        },
      ],
    };
    const { calls } = gemini.toToolCalls(response);
    expect(calls.map(({ name, input }) => [name, input])).toEqual([
      ["x", { n: 1 }],
      ["y", {}],
    ]);
    const answers = gemini.toFunctionResponses(
      calls.map((call) => result(call.id, [{ type: "text", text: call.name }], { calledAs: call.name })),
    );
    expect(answers).toEqual([
      { functionResponse: { name: "x", response: { output: "x" } } },
      { functionResponse: { id: "g2", name: "y", response: { output: "y" } } },
    ]);
    expect(gemini.toToolCalls({}).calls).toEqual([]);
  });

  test("Gemini gets errors under `error`", () => {
    expect(gemini.toFunctionResponses([bad])).toEqual([
      { functionResponse: { id: "2", name: "t", response: { error: "broken" } } },
    ]);
  });

  test("Gemini gets images as parts of a response, and words for those that it does not take", () => {
    const gif: ToolContent = { type: "image", data: "AAAA", mimeType: "image/gif" };
    const results = [result("5", [{ type: "text", text: "see" }, image, gif])];
    const response = { id: "5", name: "t" };
    expect(gemini.toFunctionResponses(results)).toEqual([
      {
        functionResponse: {
          ...response,
          response: { output: "see\n[image 1]\n[an image (image/gif), which cannot be shown here]" },
          parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }],
        },
      },
    ]);
    const [words] = gemini.toFunctionResponses(results, { images: false });
    expect(words?.functionResponse).toEqual({
      ...response,
      response: {
        output:
          "see\n[an image (image/png), which cannot be shown here]\n[an image (image/gif), which cannot be shown here]",
      },
    });
  });
});

describe("MCP", () => {
  test("MCP calls are tools/call requests", () =>
    expect(toToolCall({ name: "x" }, 7)).toEqual({ id: "7", name: "x", input: {} }));

  test("MCP gets content, isError, and structured content if it is an object", () => {
    expect(toCallToolResult(rich)).toEqual({
      content: [
        { type: "text", text: "see" },
        image,
        { type: "resource", resource: { uri: "file:///a", mimeType: "text/plain", text: "hi" } },
        { type: "resource_link", uri: "file:///b", name: "file:///b" },
      ],
      isError: false,
    });
    expect(toCallToolResult({ ...good, output: { n: 1 } }).structuredContent).toEqual({ n: 1 });
    expect(toCallToolResult({ ...good, output: [1] })).not.toHaveProperty("structuredContent");
    expect(toCallToolResult(bad).isError).toBe(true);
  });
});

test("sends bytes as an image if providers take its type, to MCP as they are, and otherwise in words", () => {
  const uri = "api:/a";
  const png: ToolContent = { type: "resource", uri, mimeType: "image/png", blob: "AAAA" };
  const broken: ToolContent = { ...png, blob: "AAA" };
  const pdf: ToolContent = { type: "resource", uri, mimeType: "application/pdf", blob: "AAA=" };
  const bytes = result("4", [png, broken, pdf]);
  const words = [
    "[resource api:/a, image/png, 2 bytes, which cannot be shown here]",
    "[resource api:/a, application/pdf, 2 bytes, which cannot be shown here]",
  ];
  expect(anthropic.toToolResultBlocks([bytes])[0]?.content).toEqual([
    { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
    ...words.map((text) => ({ type: "text", text })),
  ]);
  expect(openai.toFunctionCallOutputs([bytes])[0]?.output).toEqual([
    { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
    ...words.map((text) => ({ type: "input_text", text })),
  ]);
  const { content } = toCallToolResult(bytes);
  expect(content[2]).toEqual({ type: "resource", resource: { uri, mimeType: "application/pdf", blob: "AAA=" } });
  expect(fromCallToolResult({ content })).toMatchObject({ content: bytes.content });
});

describe("a response that ended in another way than its provider ends whole ones", () => {
  const toolUse = [
    { type: "tool_use", id: "a", name: "x", input: {} },
    { type: "tool_use", id: "b", name: "y", input: {} },
  ];
  const marks = (calls: readonly { readonly truncated?: boolean }[]): readonly unknown[] =>
    calls.map(({ truncated }) => truncated);

  test.each([
    [true, ["max_tokens", "model_context_window_exceeded", "refusal", "an_end_of_tomorrow", null]],
    [undefined, [undefined, "tool_use", "end_turn", "pause_turn", "stop_sequence"]],
  ])("Anthropic: the last call is marked (%s) after %j", (mark, reasons) => {
    for (const reason of reasons) {
      const { calls } = anthropic.toToolCalls({
        content: toolUse,
        ...(reason !== undefined && { stop_reason: reason }),
      });
      expect([reason, ...marks(calls)]).toEqual([reason, undefined, mark]);
    }
  });

  test.each([
    [true, ["MAX_TOKENS", "SAFETY", "RECITATION", "MALFORMED_FUNCTION_CALL", "AN_END_OF_TOMORROW"]],
    [undefined, ["STOP"]],
  ])("Gemini: the last call is marked (%s) after %j", (mark, reasons) => {
    for (const finishReason of reasons) {
      const parts = [{ functionCall: { name: "x" } }, { functionCall: { name: "y" } }];
      expect(marks(gemini.toToolCalls({ candidates: [{ finishReason, content: { parts } }] }).calls)).toEqual([
        undefined,
        mark,
      ]);
    }
  });

  test("Gemini: a call whose arguments come in pieces is marked in each", () => {
    const parts = [
      { functionCall: { name: "x", willContinue: true } },
      { functionCall: { partialArgs: [{ jsonPath: "$.to", stringValue: "a" }] } },
      { functionCall: { name: "y", args: {}, willContinue: false } },
    ];
    const { calls } = gemini.toToolCalls({ candidates: [{ finishReason: "STOP", content: { parts } }] });
    expect(marks(calls)).toEqual([true, true, undefined]);
  });

  test.each([
    ["", true, ["length", "content_filter", "model_length", "error", null]],
    ["", undefined, [undefined, "stop", "tool_calls", "function_call"]],
    // Text that was cut off is no JSON. An end of a server's own must not stop whole calls.
    ["{}", true, ["length"]],
    ["{}", undefined, ["eos_token", "content_filter", null, "stop"]],
  ])("Chat: the last call, with the arguments %j, is marked (%s) after %j", (text, mark, reasons) => {
    for (const reason of reasons) {
      const message = { tool_calls: [{ id: "a", type: "function", function: { name: "x", arguments: text } }] };
      const choice = { message, ...(reason !== undefined && { finish_reason: reason }) };
      expect([reason, ...marks(openai.toToolCalls({ choices: [choice] }).calls)]).toEqual([reason, mark]);
    }
  });

  test.each([
    ["", true, ["incomplete", "failed", "cancelled", "in_progress", "an_end_of_tomorrow", null]],
    ["", undefined, ["completed"]],
    ["{}", true, ["incomplete"]],
    ["{}", undefined, ["completed", "in_progress", null]],
  ])("Responses: a call with the arguments %j is marked (%s) after %j, its own or the whole's", (text, mark, ends) => {
    const item = { type: "function_call", call_id: "a", name: "x", arguments: text };
    for (const status of ends) {
      expect([status, ...marks(openai.toToolCalls({ output: [item], status }).calls)]).toEqual([status, mark]);
      expect([status, ...marks(openai.toToolCalls({ output: [{ ...item, status }] }).calls)]).toEqual([status, mark]);
    }
  });
});

test("a tool that takes bare text is read as one with an argument, for frameworks that know no other", () => {
  const grammar = { syntax: "lark", definition: 'start: "a"' };
  const about = { name: "write", description: "Writes." };
  const read = (text: object): object => ({
    ...about,
    inputSchema: {
      type: "object",
      properties: { text: { ...text, type: "string" } },
      required: ["text"],
      additionalProperties: false,
    },
    strict: false,
  });
  const told = read({ description: 'Grammar (lark): start: "a"' });
  expect(readDefinition({ type: "custom", ...about, format: { type: "text" } })).toEqual(read({}));
  expect(readDefinition({ type: "custom", ...about, format: { type: "grammar", ...grammar } })).toEqual(told);
  const custom = { ...about, format: { type: "grammar", grammar } };
  expect(readDefinition({ type: "custom", custom })).toEqual(told);
  // Anthropic calls every tool of the user's "custom".
  const input_schema = { type: "object", properties: { to: { type: "string" } } };
  expect(readDefinition({ type: "custom", ...about, input_schema }).inputSchema).toEqual(input_schema);
});

test("Responses: a call of a namespace runs no tool of the plain list that has the same name", () => {
  const item = { type: "function_call", call_id: "a", name: "wipe", arguments: "{}", namespace: "crm" };
  const wipe = { type: "function", name: "wipe" };
  const crm = { type: "namespace", name: "crm", tools: [wipe] };
  const others = [{ block: item, id: "a" }];
  expect(openai.toToolCalls({ output: [item], tools: [wipe, crm] })).toEqual({ calls: [], others });
  for (const tools of [[crm], [wipe], [wipe, { ...crm, name: "shop" }], [wipe, { ...crm, tools: [] }], undefined]) {
    expect(openai.toToolCalls({ output: [item], ...(tools && { tools }) }).calls).toHaveLength(1);
  }
});

describe("blocks that are no calls of the host's tools", () => {
  const own = { type: "tool_use", id: "t1", name: "click", input: { x: 1 } };
  const ofToolset = { ...own, id: "t2", toolset_name: "browser" };
  const ofServer = { type: "server_tool_use", id: "t3", name: "web_search", input: {} };
  const read = anthropic.toToolCalls({ content: [{ type: "text" }, ofServer, own, ofToolset] });
  const answer = { type: "tool_result", tool_use_id: "t2", toolset_name: "browser" } as const;

  test("a call of a provider's toolset is left to the host, as is what the provider has run itself", () => {
    expect(read.calls).toEqual([{ id: "t1", name: "click", input: { x: 1 } }]);
    expect(read.others).toEqual([{ block: ofServer }, { block: ofToolset, id: "t2" }]);
  });

  test("a turn is refused, by id, until each block that asks for an answer has one", () => {
    const clicked = result("t1", []);
    expect(() => anthropic.toToolResultBlocks([clicked], { turn: read })).toThrow(
      /incomplete.*nothing answers "t2"\./u,
    );
    expect(() => anthropic.toToolResultBlocks([], { turn: read, answers: [answer] })).toThrow(/answers "t1"\./u);
    expect(anthropic.toToolResultBlocks([clicked], { turn: read, answers: [answer] })).toEqual([
      { type: "tool_result", tool_use_id: "t1", content: [] },
      answer,
    ]);
  });

  test.each([
    ["a custom call", { type: "custom_tool_call", call_id: "c", name: "apply_patch", input: "*** Begin Patch" }, "c"],
    ["a call of a kind that does not exist yet", { type: "wish_call", call_id: "c" }, "c"],
    ["a search that OpenAI runs itself", { type: "web_search_call", id: "ws" }, undefined],
  ])("Responses: %s is among the others, with its id if it asks for an answer", (_, block, id) => {
    const turn = openai.toToolCalls({ output: [{ type: "reasoning" }, block, { type: "message" }] });
    expect(turn).toEqual({ calls: [], others: [id === undefined ? { block } : { block, id }] });
    if (id !== undefined) expect(() => openai.toFunctionCallOutputs([], { turn })).toThrow(/answers "c"/u);
    const answers = [{ type: "custom_tool_call_output", call_id: "c", output: "done" }] as const;
    expect(openai.toFunctionCallOutputs([], { turn, answers })).toEqual(answers);
  });

  test("Responses: a call whose output came with it asks for no answer", () => {
    const output = [
      { type: "shell_call", call_id: "s" },
      { type: "shell_call_output", call_id: "s" },
    ];
    const turn = openai.toToolCalls({ output });
    expect(turn.others.map(({ block, id }) => [block, id])).toEqual([
      [output[0], undefined],
      [output[1], undefined],
    ]);
  });

  test("Chat: a custom call is among the others, and its answer comes before the images", () => {
    const custom = { id: "x", type: "custom", custom: { name: "apply_patch", input: "*** Begin Patch" } };
    const turn = openai.toToolCalls({ choices: [{ message: { tool_calls: [custom] } }] });
    expect(turn).toEqual({ calls: [], others: [{ block: custom, id: "x" }] });
    expect(() => openai.toToolMessages([rich], { turn })).toThrow(/answers "x"/u);
    const answers = [{ role: "tool", tool_call_id: "x", content: "done" }] as const;
    expect(openai.toToolMessages([rich], { turn, answers }).map(({ role }) => role)).toEqual(["tool", "tool", "user"]);
  });

  test("a part that is null counts as absent", () => {
    const custom = { id: "x", type: "custom", function: null, custom: { name: "note", input: "a" } };
    const chat = { choices: [{ message: { tool_calls: [custom] } }] };
    expect(openai.toToolCalls(chat)).toEqual({ calls: [], others: [{ block: custom, id: "x" }] });
    const parts = [{ functionCall: null, executableCode: {} }];
    expect(gemini.toToolCalls({ candidates: [{ content: { parts } }] })).toEqual({
      calls: [],
      others: [{ block: parts[0] }],
    });
  });

  test("Gemini: what Gemini has run itself is among the others, and a turn without a result is refused", () => {
    const code = { executableCode: { code: "1 + 1" } };
    const parts = [{ text: "Let me see." }, code, { functionCall: { id: "g", name: "x" } }];
    const turn = gemini.toToolCalls({ candidates: [{ content: { parts } }] } as never);
    expect([turn.calls.map(({ id }) => id), turn.others]).toEqual([["g"], [{ block: code }]]);
    expect(() => gemini.toFunctionResponses([], { turn })).toThrow(/answers "g"/u);
  });
});

describe("the maker of a call", () => {
  const lookUp = reader("look_up", () => "ok");
  const caller = { type: "program", caller_id: "p1" };

  test("Responses gets back, with its result, the program and the namespace of a call", async () => {
    const item = { type: "function_call", call_id: "c1", name: "look_up", arguments: "{}", caller, namespace: "shop" };
    const turn = openai.toToolCalls({ output: [item] });
    const results = await createDispatcher({ tools: [lookUp] }).dispatch(turn.calls);
    expect(openai.toFunctionCallOutputs(results, { turn })).toEqual([
      { type: "function_call_output", call_id: "c1", caller, namespace: "shop", output: "ok" },
    ]);
  });

  test("Anthropic's caller is on the result, and not on its block, which has no place for it", async () => {
    const turn = anthropic.toToolCalls({
      content: [{ type: "tool_use", id: "a", name: "look_up", input: {}, caller }],
    });
    const results = await createDispatcher({ tools: [lookUp] }).dispatch(turn.calls);
    expect(results[0]?.origin).toEqual({ caller });
    expect(anthropic.toToolResultBlocks(results, { turn })[0]).not.toHaveProperty("caller");
  });

  test.each([
    ["too long", { caller: "x".repeat(1_000_000) }],
    ["no JSON", { caller: () => 1 }],
    ["a member that nobody knows", { caller: 1, by: "me" }],
    ["a namespace that is no text", { namespace: 1 }],
    [
      "a getter that throws",
      Object.defineProperty({}, "caller", { enumerable: true, get: () => Reflect.get(null as never, "x") }),
    ],
  ])("a call is refused, and its result is without origin, if the origin is %s", async (_, origin) => {
    const call = { id: "1", name: "look_up", input: {}, origin: origin as never };
    const [answered] = await createDispatcher({ tools: [lookUp] }).dispatch([call]);
    expect(answered?.error?.code).toBe("malformed-origin");
    expect(answered).not.toHaveProperty("origin");
  });
});

test("calls without ids run, and their results go back without", async () => {
  const tool_calls = [1, 2].map(() => ({ id: "", type: "function", function: { name: "look_up", arguments: "{}" } }));
  const turn = openai.toToolCalls({ choices: [{ message: { tool_calls } }] });
  const results = await createDispatcher({ tools: [reader("look_up", () => "ok")] }).dispatch(turn.calls);
  expect(openai.toToolMessages(results, { turn })).toEqual([
    { role: "tool", tool_call_id: "", content: "ok" },
    { role: "tool", tool_call_id: "", content: "ok" },
  ]);
});
