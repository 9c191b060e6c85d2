import fc from "fast-check";
import { buildTool, createDispatcher } from "@hasp/runtime";
import type { Question } from "@hasp/runtime/call-store";
import { describe, expect, test, vi } from "vitest";
import { informationFlow } from "@hasp/runtime/flow";
import { createNestedTurnId } from "./turn-record.js";
import { durableCalls, memoryCallStore } from "../index.js";

interface Account {
  readonly user: string;
}

const calls = [{ id: "1", name: "pay", input: {} }];

const tool = (execute: (input: unknown, options: { readonly context: Account }) => unknown) =>
  buildTool<object, unknown, Account>({
    name: "pay",
    description: "Pays.",
    input: { type: "object", properties: {}, additionalProperties: false },
    execute,
  });

describe("durable calls", () => {
  test("a question that one dispatcher asks is answered by another, and a third one acts once", async () => {
    const store = memoryCallStore();
    const pay = vi.fn((_input: unknown, { context }: { readonly context: Account }) => `paid for ${context.user}`);
    const start = () => {
      const durable = durableCalls<Account>({ store, principal: "ada" });
      const dispatcher = createDispatcher<Account>({ tools: [tool(pay)], extensions: [durable] });
      return dispatcher.use(durable);
    };
    const context = { user: "ada" };
    const waiting = await start().run(calls, { turnId: "turn", context });
    const [question] = (waiting as { readonly questions: readonly Question[] }).questions;
    expect([waiting.status, question?.principal, pay.mock.calls.length]).toEqual(["waiting", "ada", 0]);
    expect(await start().answer(question?.id ?? "", { decision: "allow", by: "eve" })).toMatchObject({
      accepted: false,
    });
    expect(await start().answer(question?.id ?? "", { decision: "allow", by: "ada" })).toEqual({ accepted: true });
    for (const durable of [start(), start()]) {
      const settled = await durable.resume("turn", { context });
      expect(settled.results[0]?.content).toEqual([{ type: "text", text: "paid for ada" }]);
    }
    expect(pay).toHaveBeenCalledTimes(1);
  });

  test("labels of a conversation are kept in its store", async () => {
    const store = memoryCallStore();
    const read = buildTool({
      name: "read",
      description: "Reads.",
      input: { type: "object", properties: {}, additionalProperties: false },
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false },
      execute: () => "text",
    });
    const extensions = [informationFlow, durableCalls({ store })];
    const start = () => createDispatcher({ tools: [read], flow: "note", extensions });
    await start().dispatch([{ id: "1", name: "read", input: {} }], { conversation: "chat" });
    expect(await store.labels?.("chat")).toContainEqual({ label: "untrusted", callId: "1", toolName: "read" });
  });

  test.each([
    [
      "an unknown option",
      { store: memoryCallStore(), mayAnser: () => true },
      "durableCalls: `mayAnser` is unknown; known here: store, principal, mayAnswer",
    ],
    ["something else as a store", { store: {} }, "durableCalls: `store` must be an object with the methods"],
    ["no store", {}, "durableCalls needs a `store`."],
  ])("%s is refused with the remedy", (_what, options, message) => {
    expect(() => durableCalls(options as never)).toThrow(message);
  });

  test.each([
    ["principal", ["text"]],
    ["mayAnswer", ["function"]],
    ["allowUnseenInput", ["true", "false"]],
    ["questionTtlSeconds", ["fraction", "three"]],
    ["leaseSeconds", ["fraction", "three"]],
  ])("durableCalls refuses a value of another kind for `%s`", (option, fitting) => {
    const values = {
      null: null,
      NaN: Number.NaN,
      zero: 0,
      negative: -1,
      fraction: 1.5,
      three: 3,
      infinite: Infinity,
      text: "3",
      true: true,
      false: false,
      list: [],
      object: {},
      function: () => undefined,
    };
    const taken = Object.entries(values).filter(([, value]) => {
      try {
        durableCalls({ store: memoryCallStore(), [option]: value });
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        return false;
      }
    });
    expect(taken.map(([name]) => name)).toEqual(fitting);
  });

  test("a dispatcher keeps its calls in one place", () => {
    const [one, two] = [durableCalls({ store: memoryCallStore() }), durableCalls({ store: memoryCallStore() })];
    expect(() => createDispatcher({ tools: [], extensions: [one, two] })).toThrow(
      "two extensions are called `durable`; rename one, or leave it out",
    );
    const dispatcher = createDispatcher({ tools: { tools: [], extensions: [one] }, extensions: [two] });
    expect(() => dispatcher.use(one)).toThrow('no such extension "durable"');
  });
});

test("the id of a program's call names one turn and one call", () => {
  const id = fc.string({ unit: fc.constantFrom("a", "/", "~", "1", "."), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.tuple(id, id), fc.tuple(id, id), (one, other) => {
      const isSame = createNestedTurnId(...one) === createNestedTurnId(...other);
      expect(isSame).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
    {
      examples: [
        [
          ["A/B", "c.1"],
          ["A", "B/c.1"],
        ],
      ],
    },
  );
});
