import { toFunctionCallOutputs, toToolCalls, toToolMessages } from "@hasp/runtime/openai";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { dispatcherOf, openNotebook } from "./notebook.testing.js";
import { openOpenAiApi, type ModelCall } from "./openai-api.testing.js";

const calls: readonly ModelCall[] = [
  { id: "call_1", name: "find_notes", arguments: '{"q":"a"}' },
  { id: "call_2", name: "save_note", arguments: '{"name":"b","text":""}' },
  { id: "call_3", name: "find_notes", arguments: '{"q":' },
  { id: "call_4", name: "draw_note", arguments: "" },
  { id: "call_5", name: "no_such_tool", arguments: "{}" },
];

test("a loop over the Responses API", async () => {
  const api = await openOpenAiApi([calls]);
  const client = new OpenAI({ apiKey: "none", baseURL: `${api.url}/v1`, maxRetries: 0 });
  const dispatcher = dispatcherOf(openNotebook());
  const tools = dispatcher.definitions("openai-responses") as unknown as OpenAI.Responses.Tool[];
  const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "go" }];
  let text = "";
  for (let step = 0; step < 4 && text === ""; step++) {
    const response = await client.responses.create({ model: "m", tools, input });
    // The package's own types do not let every output item back in; the API does.
    input.push(...(response.output as OpenAI.Responses.ResponseInput));
    text = response.output_text;
    input.push(...toFunctionCallOutputs(await dispatcher.dispatch(toToolCalls(response).calls)));
  }

  expect(api.refusals).toEqual([]);
  expect(text).toBe("done");
  const outputs = input.filter((item) => item.type === "function_call_output");
  expect(outputs.map((item) => item.call_id)).toEqual(calls.map(({ id }) => id));
  expect(outputs[0]?.output).toBe('{"hits":["a","10"]}');
  expect(outputs[2]?.output).toMatch(/^Error: .*not valid JSON/u);
  expect(outputs[3]?.output).toContainEqual(expect.objectContaining({ type: "input_image" }));
  expect(outputs[4]?.output).toMatch(/^Error: There is no tool called "no_such_tool"/u);
});

test("a loop over the Responses API whose server holds the conversation", async () => {
  const api = await openOpenAiApi([calls]);
  const client = new OpenAI({ apiKey: "none", baseURL: `${api.url}/v1`, maxRetries: 0 });
  const dispatcher = dispatcherOf(openNotebook());
  let input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "go" }];
  let previous: string | null = null;
  for (;;) {
    const response: OpenAI.Responses.Response = await client.responses.create({
      model: "m",
      input,
      previous_response_id: previous,
    });
    const turn = toToolCalls(response);
    if (turn.calls.length === 0) break;
    input = toFunctionCallOutputs(await dispatcher.dispatch(turn.calls), { turn });
    previous = response.id;
  }
  expect(api.refusals).toEqual([]);
  expect(api.requests).toHaveLength(2);
});

test("a loop over Chat Completions", async () => {
  const api = await openOpenAiApi([calls]);
  const client = new OpenAI({ apiKey: "none", baseURL: `${api.url}/v1`, maxRetries: 0 });
  const dispatcher = dispatcherOf(openNotebook());
  const tools = dispatcher.definitions("openai-chat") as unknown as OpenAI.ChatCompletionTool[];
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "go" }];
  let text: string | null = null;
  for (let step = 0; step < 4 && text === null; step++) {
    const completion = await client.chat.completions.create({ model: "m", tools, messages });
    const [choice] = completion.choices;
    if (choice !== undefined) messages.push(choice.message);
    text = choice?.message.content ?? null;
    messages.push(...toToolMessages(await dispatcher.dispatch(toToolCalls(completion).calls)));
  }

  expect(api.refusals).toEqual([]);
  expect(text).toBe("done");
  expect(messages.filter(({ role }) => role === "tool")).toHaveLength(calls.length);
});

test("the APIs would refuse what the runtime never sends", async () => {
  const api = await openOpenAiApi([]);
  const client = new OpenAI({ apiKey: "none", baseURL: `${api.url}/v1`, maxRetries: 0 });
  const call = { type: "function_call" as const, call_id: "call_1", name: "x", arguments: "{}" };
  const output = { type: "function_call_output" as const, call_id: "call_1", output: "x" };
  const send = async (input: OpenAI.Responses.ResponseInput): Promise<unknown> =>
    await client.responses.create({ model: "m", input }).then(
      () => "accepted",
      (error: unknown) => (error as Error).message,
    );
  expect(await send([call, output])).toBe("accepted");
  expect(await send([call])).toMatch(/No tool output found/u);
  expect(await send([output])).toMatch(/No tool call found/u);
  expect(await send([call, output, output])).toMatch(/Duplicate/u);
  const assistant = {
    role: "assistant" as const,
    tool_calls: [{ id: "c", type: "function" as const, function: { name: "x", arguments: "{}" } }],
  };
  await expect(
    client.chat.completions.create({ model: "m", messages: [assistant, { role: "user", content: "x" }] }),
  ).rejects.toThrow(/must be followed/u);
});
