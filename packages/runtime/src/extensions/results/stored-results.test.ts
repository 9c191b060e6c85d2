import { expect, test } from "vitest";
import { createEquippedDispatcher as createDispatcher, callsOf, reader } from "../../dispatch/tools.testing.js";
import { createDispatcher as createBareDispatcher } from "../../dispatch/kernel.js";
import { memoryResultStore, storedResults } from "./stored-results.js";

const long = Array.from({ length: 100 }, (_line, index) => `line ${index}`).join("\n");
/** Nobody can guess it: the conversations of a dispatcher share the store. */
const SHOWN_TEXT = /^show-[0-9a-f]{8}-[0-9a-f-]{27}$/u;

test("a result that was too long is kept whole, and the model reads on in it", async () => {
  const store = memoryResultStore();
  const show = reader("show", () => long, { limits: { maxResultSizeChars: 200 } });
  const dispatcher = createDispatcher({ tools: [show], extensions: [storedResults(store)] });
  const names = (): unknown[] => dispatcher.definitions("mcp").map((tool) => tool["name"]);
  expect(names()).toEqual(["show"]);
  const [shown] = await dispatcher.dispatch(callsOf("show"));
  expect(names()).toEqual(["show", "read_result"]);
  const reference = shown?.offloaded?.reference ?? "";
  expect(shown).toMatchObject({
    isError: false,
    offloaded: { reference: expect.stringMatching(SHOWN_TEXT), sizeChars: long.length },
  });
  expect(store.get(reference)).toBe(long);

  const [read, end, gone] = await dispatcher.dispatch(
    callsOf(
      ["read_result", { reference, from: 10, length: 20 }],
      ["read_result", { reference, from: "600" }],
      ["read_result", { reference: "show-1" }],
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
  expect(kept?.offloaded?.reference).toMatch(SHOWN_TEXT);
  const [lost] = await createBareDispatcher({ tools: [show] }).dispatch(callsOf("show"));
  expect(lost?.offloaded).toEqual({ sizeChars: long.length });
  const store = memoryResultStore();
  const early = createDispatcher({ tools: [show, store.readTool], extensions: [storedResults(store)] });
  expect(early.definitions("mcp").map((tool) => tool["name"])).toEqual(["read_result", "show"]);
  const tools = [memoryResultStore().readTool];
  expect(() => createDispatcher({ tools })).toThrow(/"read_result" is reserved/);
});

test("the oldest give way; what is too long for the whole store is not kept", async () => {
  const store = memoryResultStore({ mostChars: 10 });
  const put = (text: string): unknown => store.put({ callId: "1", toolName: "t", content: [{ type: "text", text }] });
  const references = ["12345", "123456", "1234"].map((text) => String(put(text)));
  expect(references.map(store.get)).toEqual([undefined, "123456", "1234"]);
  expect(() => put("12345678901")).toThrow(/more than 10/);
  expect(store.get(references[1] ?? "")).toBe("123456");
});
