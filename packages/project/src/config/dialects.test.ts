import { dialects, type DialectId, type JsonObject, type WireTool } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { findTakenFields } from "./dialects.js";

/** A tool with everything that an entry can tell. */
const tool = (deferred: boolean): WireTool => ({
  name: "find_orders",
  title: "Find orders",
  description: "Find orders.",
  input: { type: "object" },
  output: { type: "object" },
  strict: false,
  examples: [{}],
  deferred,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

describe.each(Object.keys(dialects) as DialectId[])("%s", (id) => {
  const made = [true, false].map((deferred) => dialects[id].wrap(tool(deferred)));
  const extended = (extra: JsonObject): JsonObject => dialects[id].wrap({ ...tool(false), extra });
  /** Extra fields belong beside hasp's own. */
  const siblings = Object.entries(extended({ "x-extra": 1 })).some(([key]) => key === "x-extra")
    ? [...new Set(made.flatMap((entry) => Object.keys(entry)))]
    : [];

  test("keeps every field that hasp makes", () => {
    for (const field of siblings) expect(findTakenFields(dialects[id], { [field]: "mine" }), field).toEqual([field]);
  });

  test("keeps what hasp decides about calls, wherever the entry would hold it", () => {
    const decided = { strict: true, defer_loading: true, readOnlyHint: true };
    expect(findTakenFields(dialects[id], decided)).toEqual(Object.keys(decided));
  });

  test("takes a field that hasp does not make", () => {
    const extra = {
      "x-extra": 1,
      cache_control: { type: "ephemeral" },
      constructor: "c",
      meta: { name: "a", title: 1 },
    };
    expect(findTakenFields(dialects[id], extra)).toEqual([]);
    expect(JSON.stringify(extended(extra))).toContain('"x-extra":1');
  });

  test.each<JsonObject>([
    { strict: true },
    { meta: { strict: true } },
    { defer_loading: false },
    { readOnlyHint: true },
    { meta: { openWorldHint: false } },
    { type: "computer_20250124" },
  ])("leaves to hasp what an entry claims of its tool: %j", (extra) => {
    expect(findTakenFields(dialects[id], extra)).toEqual(Object.keys(extra));
  });
});

test("a plugin's dialect states strictness in its own way", () => {
  const foreign = { ...dialects["ollama"], id: "acme/ollama" as const };
  expect(findTakenFields(foreign, { strict: true, readOnlyHint: true })).toEqual(["readOnlyHint"]);
});

test("most dialects put extra fields beside their own", () => {
  expect(
    findTakenFields(dialects["anthropic"], { name: "x", description: "y", input_schema: {}, defer_loading: true }),
  ).toEqual(["name", "description", "input_schema", "defer_loading"]);
  expect(findTakenFields(dialects["openai-chat"], { type: "x", function: {} })).toEqual(["type", "function"]);
  expect(
    findTakenFields(dialects["mcp"], { annotations: {}, inputSchema: {}, outputSchema: {}, title: "x" }),
  ).toHaveLength(4);
});
