import Anthropic from "@anthropic-ai/sdk";
import { toAnthropicRunnableTools } from "@hasp/runtime/anthropic";
import { expect, test } from "vitest";
import { openAnthropicApi } from "./anthropic-api.testing.js";
import type { Json } from "./loopback.testing.js";
import { dispatcherOf, openNotebook } from "./notebook.testing.js";

const use = (id: string, name: string, input: object): Json => ({ type: "tool_use", id, name, input });

/** The results that the runner sent back, in their order. */
function resultsIn(request: Json | undefined): readonly Json[] {
  const messages = (request?.["messages"] ?? []) as readonly { readonly role: string; readonly content: unknown }[];
  const last = messages.at(-1)?.content;
  return Array.isArray(last) ? (last as readonly Json[]) : [];
}

test("Anthropic's tool runner and API take the tools, their results and their errors", async () => {
  const api = await openAnthropicApi([
    [
      { type: "text", text: "I look." },
      use("toolu_1", "find_notes", { q: "a" }),
      use("toolu_2", "save_note", { name: "b", text: "" }),
      use("toolu_3", "find_notes", { q: "c", limit: "2" }),
      use("toolu_4", "find_notes", { wrong: 1 }),
      use("toolu_5", "fail_note", {}),
      use("toolu_6", "draw_note", {}),
      use("toolu_7", "wipe_note", { name: "a" }),
      use("toolu_8", "no_such_tool", {}),
      use("toolu_9", "hush_note", {}),
    ],
  ]);
  const notebook = openNotebook();
  const client = new Anthropic({ apiKey: "none", baseURL: api.url, maxRetries: 0 });
  const last = await client.beta.messages.toolRunner({
    model: "claude-test",
    max_tokens: 100,
    messages: [{ role: "user", content: "go" }],
    tools: toAnthropicRunnableTools(dispatcherOf(notebook)),
  });

  expect(api.refusals).toEqual([]);
  expect(last.content).toMatchObject([{ type: "text", text: "done" }]);
  expect(notebook.together.writersBesideOthers).toBe(0);
  expect(notebook.log.filter((line) => line.endsWith("begins"))).toEqual([
    "find a begins",
    "save b begins",
    "find c begins",
  ]);
  const results = resultsIn(api.requests[1]);
  expect(results.map((block) => [block["tool_use_id"], block["is_error"] === true])).toEqual([
    ["toolu_1", false],
    ["toolu_2", false],
    ["toolu_3", false],
    ["toolu_4", true],
    ["toolu_5", true],
    ["toolu_6", false],
    ["toolu_7", true],
    ["toolu_8", true],
    ["toolu_9", false],
  ]);
  expect(results[0]?.["content"]).toEqual([{ type: "text", text: '{"hits":["a","10"]}' }]);
  expect(results[3]?.["content"]).toMatch(/nothing was run/u);
  expect(results[5]?.["content"]).toContainEqual({
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" },
  });
});

test("the API would refuse what the runtime never sends", async () => {
  const api = await openAnthropicApi([]);
  const client = new Anthropic({ apiKey: "none", baseURL: api.url, maxRetries: 0 });
  const call = { type: "tool_use" as const, id: "toolu_1", name: "x", input: {} };
  const send = async (content: Anthropic.ContentBlockParam[]): Promise<unknown> =>
    await client.messages
      .create({
        model: "m",
        max_tokens: 1,
        messages: [
          { role: "user", content: "go" },
          { role: "assistant", content: [call] },
          { role: "user", content },
        ],
      })
      .then(
        () => "accepted",
        (error: unknown) => (error as Error).message,
      );
  const result = { type: "tool_result" as const, tool_use_id: "toolu_1", content: "x" };
  expect(await send([result])).toBe("accepted");
  expect(await send([{ type: "text", text: "x" }])).toMatch(/without tool_result/u);
  expect(await send([{ type: "text", text: "x" }, result])).toMatch(/must come first/u);
  expect(await send([{ ...result, tool_use_id: "toolu_2" }])).toMatch(/toolu_1/u);
  expect(await send([{ ...result, content: [{ type: "text", text: "" }] }])).toMatch(/non-empty/u);
});
