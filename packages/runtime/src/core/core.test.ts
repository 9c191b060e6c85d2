import { describe, expect, test } from "vitest";
import { buildTool } from "../tool/tool.js";
import type { DispatcherOptions } from "../dispatch/dispatcher-types.js";
import { callsOf } from "../dispatch/tools.testing.js";
import {
  createDispatcher,
  hooks,
  nestedDispatch,
  preview,
  resultStore,
  sha256,
  turnResultBudget,
  type CoreParts,
} from "./index.js";

const look = buildTool<{ n: number; at: string }>({
  name: "look",
  description: "Looks.",
  input: {
    type: "object",
    required: ["n"],
    properties: { n: { type: "integer" }, at: { type: "string", default: "here" } },
  },
  concurrency: { class: "READ_ONLY" },
  behavior: { requiresPermission: false },
  execute: ({ n, at }) => ({ n, at }),
});
const speak = buildTool({
  name: "speak",
  description: "Says much.",
  input: { type: "object", properties: {} },
  concurrency: { class: "READ_ONLY" },
  behavior: { requiresPermission: false },
  limits: { maxResultSizeChars: 400 },
  execute: () => "word ".repeat(1000),
});
const ask = buildTool({
  name: "ask",
  description: "Asks another.",
  input: { type: "object", properties: {} },
  concurrency: { class: "READ_ONLY" },
  behavior: { requiresPermission: false },
  execute: async (_input, { dispatch }) => (await dispatch(callsOf(["look", { n: 1 }])))[0]?.output,
});
const later = buildTool({
  name: "later",
  description: "Later.",
  input: { type: "object", properties: {} },
  visibility: { shouldDefer: true },
  execute: () => "ok",
});

describe("the dispatcher of @hasp/runtime/core", () => {
  test("validates by what its tools bring along", async () => {
    const dispatcher = createDispatcher({ tools: [look], mcp: [] });
    const results = await dispatcher.dispatch(callsOf(["look", '{"n":"7"}'], ["look", { n: "seven" }]));
    expect(results.map((result) => result.output ?? result.error?.code)).toEqual([
      { n: 7, at: "here" },
      "invalid-input",
    ]);
    expect(dispatcher.definitions("anthropic")).toHaveLength(1);
    expect(() => dispatcher.definitions("antropic")).toThrow(/No dialect is called "antropic"/);
  });

  test("cuts what is too long also without a store", async () => {
    const [result] = await createDispatcher({ tools: [speak] }).dispatch(callsOf(["speak", {}]));
    expect(result?.content.map((block) => ("text" in block ? block.text : "")).join("")).toMatch(
      /\[Cut: the whole result has 5000 characters\. The rest is lost/,
    );
  });

  test("has no part for live MCP servers and tool_search", () => {
    expect(() => createDispatcher({ tools: [], mcp: [{ server: "s", tools: [] }] })).toThrow(
      /`mcp` needs a part.*take the one of @hasp\/runtime/,
    );
    expect(() => createDispatcher({ tools: [later] })).toThrow(
      /A deferred tool without `deferral: "provider"` needs a part/,
    );
    expect(createDispatcher({ tools: [later], deferral: "provider" }).definitions("anthropic")).toMatchObject([
      { defer_loading: true },
    ]);
  });

  test.each<[string, Partial<DispatcherOptions>, CoreParts]>([
    ["hooks", { hooks: { guard: () => ({ block: "no" }) } }, { hooks }],
    ["onEvent", { onEvent: () => undefined }, { sha256 }],
    ["resultStore", { resultStore: { put: () => "shelf 1" } }, { resultStore }],
    ["turnResultBudgetChars", { turnResultBudgetChars: 1000 }, { turnResultBudget }],
  ])("refuses the option %s unless its part is handed in", (name, options, parts) => {
    expect(() => createDispatcher({ tools: [look], ...options })).toThrow(
      `\`${name}\` needs a part that this dispatcher was made without`,
    );
    expect(() => createDispatcher({ tools: [look], ...options }, parts)).not.toThrow();
  });

  test("with a part does what the part is for", async () => {
    const calls = callsOf(["look", { n: 1 }], ["ask", {}], ["speak", {}], ["speak", {}]);
    const seen: string[] = [];
    const dispatcher = createDispatcher(
      {
        tools: [look, ask, speak],
        hooks: { guard: ({ toolName }) => (toolName === "look" ? { block: "not today" } : undefined) },
        resultStore: { put: () => "shelf 1" },
        turnResultBudgetChars: 700,
        onEvent: (event) => void (event.type === "validated" && seen.push(event.inputDigest)),
      },
      { hooks, nestedDispatch, preview, resultStore, sha256, turnResultBudget },
    );
    const results = await dispatcher.dispatch(calls);
    expect(results.map(({ error, offloaded }) => error?.code ?? offloaded?.reference)).toEqual([
      "blocked",
      undefined,
      "shelf 1",
      "shelf 1",
    ]);
    expect(
      results
        .flatMap(({ content }) => content)
        .reduce((sum, block) => sum + ("text" in block ? (block.text ?? "").length : 0), 0),
    ).toBeLessThanOrEqual(800);
    expect(new Set(seen.map((digest) => digest.length))).toEqual(new Set([64]));
    expect(await dispatcher.preview({ id: "1", name: "look", input: { n: 1 } })).toMatchObject({ decision: "allow" });
    expect(dispatcher.definitionsDigest("anthropic")).toHaveLength(64);
  });

  test("without a part says so, to whoever wants it", async () => {
    const asked: unknown[] = [];
    const dispatcher = createDispatcher({
      tools: [
        ask,
        buildTool({
          name: "pay",
          description: "Pays.",
          input: { type: "object", properties: {} },
          execute: () => "paid",
        }),
      ],
      permissions: { check: ({ inputDigest }) => (asked.push(inputDigest), "allow") },
    });
    const results = await dispatcher.dispatch(callsOf(["ask", {}], ["pay", {}]));
    expect(results.map(({ error }) => `${error?.code}: ${error?.message}`)).toEqual([
      expect.stringMatching(/^threw: ask failed: `dispatch` needs a part/),
      expect.stringMatching(/^denied: Permission could not be decided.*`inputDigest` needs a part/),
    ]);
    expect(asked).toEqual([]);
    expect(() => dispatcher.definitionsDigest("anthropic")).toThrow(/`definitionsDigest` needs a part/);
    await expect(dispatcher.preview({ id: "1", name: "ask", input: {} })).rejects.toThrow(/`preview` needs a part/);
  });
});
