import { expect, test, vi } from "vitest";
import { toToolResultBlocks } from "../providers/anthropic.js";
import { buildTool, createDispatcher } from "../index.js";
import { toFunctionCallOutputs } from "../providers/openai.js";

const input = {
  type: "object",
  required: ["q"],
  properties: { q: { type: "string" } },
  additionalProperties: false,
} as const;

test("one turn [search, search, write, search]: readers together, the writer alone, results in call order, as blocks for each provider", async () => {
  const log: string[] = [];
  const search = buildTool({
    name: "search",
    description: "Search.",
    input,
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    async execute({ q }: { q: string }) {
      log.push(`+${q}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push(`-${q}`);
      return { found: q };
    },
  });
  const write = buildTool({
    name: "write",
    description: "Write.",
    input,
    behavior: { isOpenWorld: false },
    execute: ({ q }: { q: string }) => void log.push(`write ${q}`),
  });
  const dispatcher = createDispatcher({
    tools: [search, write],
    permissions: { rules: [{ tool: "write", decision: "allow" }] },
  });

  const results = await dispatcher.dispatch([
    { id: "1", name: "search", input: { q: "a" } },
    { id: "2", name: "search", input: '{"q":"b"}' },
    { id: "3", name: "write", input: { q: "c" } },
    { id: "4", name: "search", input: { q: "d" } },
  ]);

  expect(log).toEqual(["+a", "+b", "-a", "-b", "write c", "+d", "-d"]);
  expect(results.map((result) => [result.callId, result.isError, result.wasConcurrent])).toEqual([
    ["1", false, true],
    ["2", false, true],
    ["3", false, false],
    ["4", false, false],
  ]);
  expect(results.every((result) => Object.isFrozen(result))).toBe(true);
  expect(toToolResultBlocks(results)[0]).toEqual({
    type: "tool_result",
    tool_use_id: "1",
    content: [{ type: "text", text: '{"found":"a"}' }],
  });
  expect(toFunctionCallOutputs(results)[1]).toEqual({
    type: "function_call_output",
    call_id: "2",
    output: '{"found":"b"}',
  });
});

test("idempotency keys never repeat, though dispatchers start at the same moment", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const keys: string[] = [];
  const tool = buildTool({
    name: "note_key",
    description: "Notes its key.",
    input: { type: "object", properties: {} },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false },
    execute: (_input, { idempotencyKey }) => void keys.push(idempotencyKey),
  });
  const calls = ["1", "2"].map((id) => ({ id, name: "note_key", input: {} }));
  await Promise.all(Array.from({ length: 200 }, () => createDispatcher({ tools: [tool] }).dispatch(calls)));
  vi.useRealTimers();
  expect(new Set(keys).size).toBe(400);
  for (const key of keys) expect(key).toMatch(/^[\da-z-]{20,64}$/);
});
