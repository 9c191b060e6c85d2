import { describe, expect, test } from "vitest";
import { buildTool } from "../contract/tool.js";
import { callsOf } from "../dispatch/tools.testing.js";
import { createDispatcher } from "./index.js";

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
    expect(results.map((result) => result.output ?? result.error?.code)).toEqual([{ n: 7, at: "here" }, "invalid-input"]);
    expect(dispatcher.definitions("anthropic")).toHaveLength(1);
  });

  test("says where the parts are that it does not have", () => {
    expect(() => createDispatcher({ tools: [], mcp: [{ server: "s", tools: [] }] })).toThrow(/take the one of @hasp\/runtime/);
    expect(() => createDispatcher({ tools: [later] })).toThrow(/no tool_search/);
    expect(createDispatcher({ tools: [later], deferral: "provider" }).definitions("anthropic")).toMatchObject([{ defer_loading: true }]);
  });
});
