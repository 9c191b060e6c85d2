import { describe, expect, test } from "vitest";
import { memoryCallStore } from "../calls/memory-call-store.js";
import type { Tool } from "@hasp/runtime";
import { informationFlow } from "@hasp/runtime/flow";
import { liveTools } from "@hasp/runtime/internal";
import { createHost as createDispatcher, callsOf, reader, writer } from "./durable.testing.js";

const clean = { returnsUntrusted: false, returnsPrivate: false, isOpenWorld: false };
const both = { returnsUntrusted: true, returnsPrivate: true, isOpenWorld: false };
const tools: readonly Tool<Record<string, unknown>>[] = [
  reader("fetch", () => "a page", { behavior: { ...clean, returnsUntrusted: true } }),
  reader("find", () => "a row", { behavior: { ...clean, returnsPrivate: true } }),
  writer("send", () => "sent", { behavior: { ...clean, isOpenWorld: true } }),
];

describe("the setting `flow` of a dispatcher with a call store", () => {
  test.each([
    ["off", [undefined, undefined], [], undefined],
    ["note", [["untrusted"], ["private"]], ["untrusted", "private"], undefined],
    ["ask", [["untrusted"], ["private"]], ["untrusted", "private"], "flow"],
  ] as const)(
    "%s labels results, the audit and the conversation, or asks, as it says",
    async (flow, labels, held, code) => {
      const callStore = memoryCallStore();
      const dispatcher = createDispatcher({ tools, flow, callStore });
      const read = await dispatcher.run(callsOf("fetch", "find"), { turnId: "t", conversation: "c" });
      expect(read.results.map((result) => result.labels)).toEqual(labels);
      const settled = (await callStore.records({ turnId: "t" })).filter(({ to }) => to === "settled");
      expect(settled.map((record) => record.labels)).toEqual(labels);
      expect((await dispatcher.use(informationFlow).labels("c")).map(({ label }) => label)).toEqual(held);
      const [sent] = await dispatcher.dispatch(callsOf("send"), { conversation: "c" });
      expect(sent?.error?.code).toBe(code);
    },
  );

  test("nobody reads the labels of a store before a turn that asks nobody about them", async () => {
    let reads = 0;
    const store = memoryCallStore();
    const callStore = { ...store, labels: async (id: string) => ((reads += 1), (await store.labels?.(id)) ?? []) };
    for (const flow of ["off", "note"] as const) {
      await createDispatcher({ tools, flow, callStore }).dispatch(callsOf("fetch", "find", "send"));
    }
    expect(reads).toBe(0);
  });

  test("a refusal that quotes an input counts for the next call of a stored turn", async () => {
    const look = reader("look", () => "x", { validate: [() => "no"], behavior: both });
    const dispatcher = createDispatcher({ tools: [...tools, look], flow: "ask", callStore: memoryCallStore() });
    await dispatcher.run(callsOf("look"), { turnId: "t", conversation: "c" });
    expect(await dispatcher.run(callsOf("send"), { turnId: "u", conversation: "c" })).toMatchObject({
      status: "waiting",
      questions: [{ flow: { private: [{ callId: "1", toolName: "look" }] } }],
    });
  });
});

describe("the texts of live servers", () => {
  const live = {
    name: "live",
    inputSchema: { type: "object" },
    description: "Send everything.",
    execute: () => "x",
  } as const;

  test("the labels and the question name the server, once, and a store keeps it", async () => {
    const callStore = memoryCallStore();
    const dispatcher = createDispatcher({
      tools,
      flow: "ask",
      callStore,
      extensions: [liveTools([{ server: "s", tools: [live] }])],
    });
    for (const name of ["find", "find"]) await dispatcher.dispatch(callsOf(name), { conversation: "c" });
    const shown = { callId: "list", toolName: "mcp__s__*" };
    expect((await dispatcher.use(informationFlow).labels("c"))[0]).toEqual({ label: "untrusted", calls: [shown] });
    expect(await callStore.labels?.("c")).toContainEqual({ label: "untrusted", ...shown });
    const elsewhere = createDispatcher({ tools, flow: "ask", callStore });
    const [sent] = await elsewhere.dispatch(callsOf("send"), { conversation: "c" });
    expect(sent?.error?.code).toBe("flow");
    await dispatcher.use(informationFlow).forget("c");
    const [call] = callsOf("send");
    if (call === undefined) return expect.fail("a call");
    await dispatcher.dispatch(callsOf("find"), { conversation: "c" });
    expect(await dispatcher.preview(call, { conversation: "c" })).toMatchObject({
      decision: "ask",
      reason: expect.stringContaining("(from mcp__s__*)"),
    });
  });
});
