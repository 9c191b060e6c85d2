import { expect, test } from "vitest";
import { createEquippedDispatcher as createDispatcher, callsOf, reader } from "../../dispatch/tools.testing.js";
import { createDispatcher as createBareDispatcher } from "../../dispatch/kernel.js";
import { memoryResultStore, storedResults } from "./stored-results.js";

const long = Array.from({ length: 100 }, (_line, index) => `line ${index}`).join("\n");

test("a result that was too long is kept whole, and the model reads on in it", async () => {
  const store = memoryResultStore();
  const show = reader("show", () => long, { limits: { maxResultSizeChars: 200 } });
  const dispatcher = createDispatcher({ tools: [show], extensions: [storedResults(store)] });
  const names = (): unknown[] => dispatcher.definitions("mcp").map((tool) => tool["name"]);
  expect(names()).toEqual(["show"]);
  const [shown] = await dispatcher.dispatch(callsOf("show"));
  expect(names()).toEqual(["show", "read_result"]);
  expect(shown).toMatchObject({ isError: false, offloaded: { reference: "show-1", sizeChars: long.length } });
  expect(store.get("show-1")).toBe(long);

  const [read, end, gone] = await dispatcher.dispatch(
    callsOf(
      ["read_result", { reference: "show-1", from: 10, length: 20 }],
      ["read_result", { reference: "show-1", from: "600" }],
      ["read_result", { reference: "show-9" }],
    ),
  );
  expect(read?.content).toEqual([
    {
      type: "text",
      text: `${long.slice(10, 30)}\n[Continue from 30; the whole result has ${long.length} characters.]`,
    },
  ]);
  expect(end?.content).toEqual([{ type: "text", text: `${long.slice(600)}\n[This is the end.]` }]);
  expect(gone).toMatchObject({ isError: true, error: { effect: "none" } });
});

test("the reader is listed from the start if a program does so; without a store, the rest is lost", async () => {
  const show = reader("show", () => long, { limits: { maxResultSizeChars: 200 } });
  const [kept] = await createDispatcher({ tools: [show] }).dispatch(callsOf("show"));
  expect(kept?.offloaded?.reference).toBe("show-1");
  const [lost] = await createBareDispatcher({ tools: [show] }).dispatch(callsOf("show"));
  expect(lost).not.toHaveProperty("offloaded");
  const store = memoryResultStore();
  const early = createDispatcher({ tools: [show, store.readTool], extensions: [storedResults(store)] });
  expect(early.definitions("mcp").map((tool) => tool["name"])).toEqual(["read_result", "show"]);
  const tools = [memoryResultStore().readTool];
  expect(() => createDispatcher({ tools })).toThrow(/"read_result" is reserved/);
});

test("the oldest give way; what is too long for the whole store is not kept", async () => {
  const store = memoryResultStore({ mostChars: 10 });
  const put = (text: string): unknown => store.put({ callId: "1", toolName: "t", content: [{ type: "text", text }] });
  expect([put("12345"), put("123456"), put("1234")]).toEqual(["t-1", "t-2", "t-3"]);
  expect(["t-1", "t-2", "t-3"].map(store.get)).toEqual([undefined, "123456", "1234"]);
  expect(() => put("12345678901")).toThrow(/more than 10/);
  expect(store.get("t-2")).toBe("123456");
});
