import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import type { CallStore } from "@hasp/runtime/call-store";
import type { DispatchEvent } from "@hasp/runtime";
import type { CallFacts, CallPart } from "@hasp/runtime/extension";
import { memoryCallStore } from "../calls/memory-call-store.js";
import { createHost as createDispatcher, callsOf, writer, type HostOptions } from "./durable.testing.js";

const asks = { requiresPermission: true };
const input = {
  type: "object",
  properties: { to: { type: "string" }, cc: { type: "string" }, pin: { type: "string", writeOnly: true } },
} as const;

describe("an input that a host's function gives", () => {
  const canary = "canary-22";
  const secret = { type: "string", "x-secret": true } as const;
  const map = { type: "object", additionalProperties: { type: "integer" } } as const;
  const properties = (
    members: { readonly [name: string]: JsonSchema },
    more: object = {},
  ): Parameters<typeof writer>[2] => ({
    input: { type: "object", properties: members, additionalProperties: false },
    ...more,
  });
  const object = (given: Record<string, unknown>): true | string =>
    given["p"] !== canary || `No ${String(given["p"])}!`;
  const objectByThrowing = (given: Record<string, unknown>): true => {
    const answer = object(given);
    if (answer !== true) throw new Error(answer);
    return answer;
  };
  const permitUnless = ({ input: given }: { readonly input: Record<string, unknown> }): unknown => {
    const reason = object(given);
    return reason === true ? "allow" : { decision: "deny", reason };
  };

  test.each<[string, Parameters<typeof writer>[2], JsonObject, JsonValue, string]>([
    [
      "minLength",
      properties({ p: { ...secret, minLength: 12 } }),
      { p: "a".repeat(12) },
      { p: canary },
      "`/p` breaks `minLength`.",
    ],
    [
      "maxLength",
      properties({ p: { ...secret, maxLength: 3 } }),
      { p: "a" },
      { p: canary },
      "`/p` breaks `maxLength`.",
    ],
    [
      "pattern",
      properties({ p: { ...secret, pattern: "^[a-z]+$" } }),
      { p: "abc" },
      { p: canary },
      "`/p` breaks `pattern`.",
    ],
    [
      "format",
      properties({ p: { ...secret, format: "date" } }),
      { p: "2020-01-01" },
      { p: canary },
      "`/p` breaks `format`.",
    ],
    ["enum", properties({ p: { ...secret, enum: ["abc"] } }), { p: "abc" }, { p: canary }, "`/p` breaks `enum`."],
    ["const", properties({ p: { ...secret, const: "abc" } }), { p: "abc" }, { p: canary }, "`/p` breaks `const`."],
    ["type", properties({ p: { type: "integer", "x-secret": true } }), { p: 1 }, { p: canary }, "`/p` breaks `type`."],
    [
      "the type of a part that is not secret",
      properties({ n: { type: "integer" } }),
      { n: 1 },
      { n: canary },
      "`/n` breaks `type`.",
    ],
    [
      "the type of what holds a secret",
      properties({ o: { type: "object", properties: { p: secret } } }),
      { o: { p: "a" } },
      { o: canary },
      "`/o` breaks `type`.",
    ],
    [
      "anyOf",
      properties({ p: { "x-secret": true, anyOf: [{ type: "integer" }, { const: "abc" }] } }),
      { p: 1 },
      { p: canary },
      "`/p` breaks `anyOf`.",
    ],
    ["not", properties({ p: { ...secret, not: { minLength: 5 } } }), { p: "a" }, { p: canary }, "`/p` breaks `not`."],
    [
      "uniqueItems",
      properties({ l: { type: "array", items: secret, uniqueItems: true } }),
      { l: [] },
      { l: [canary, canary] },
      "`/l` breaks `uniqueItems`.",
    ],
    [
      "an item",
      properties({ l: { type: "array", items: { ...secret, maxLength: 3 } } }),
      { l: [] },
      { l: ["a", canary] },
      "`/l/1` breaks `maxLength`.",
    ],
    [
      "a nested type",
      properties({ o: { type: "object", "x-secret": true, properties: { a: { type: "integer" } } } }),
      { o: { a: 1 } },
      { o: { a: canary } },
      "`/o/a` breaks `type`.",
    ],
    [
      "propertyNames",
      properties({ m: { ...map, propertyNames: { "x-secret": true, maxLength: 3 } } }),
      { m: { a: 1 } },
      { m: { [canary]: 2 } },
      "A part of `/m` breaks `propertyNames`.",
    ],
    [
      "a member of a map",
      properties({ m: map }),
      { m: { a: 1 } },
      { m: { [canary]: "no" } },
      "A part of `/m` breaks `type`.",
    ],
    [
      "an unknown member",
      properties({ password: secret }),
      { password: "a" },
      { passwrod: canary },
      "The input has a part that the schema does not know.",
    ],
    [
      "an unknown name",
      properties({ password: secret }),
      { password: "a" },
      { [canary]: 1 },
      "The input has a part that the schema does not know.",
    ],
    [
      "an unknown nested member",
      properties({ o: { type: "object", properties: { p: secret } } }),
      { o: { p: "a" } },
      { o: { q: canary } },
      "`/o` has a part that the schema does not know.",
    ],
    ["not an object", properties({ p: secret }), { p: "a" }, canary, "The input breaks `type`."],
    ["a list", properties({ p: secret }), { p: "a" }, [canary], "The input breaks `type`."],
    [
      "`validate` that quotes",
      properties({ p: secret }, { validate: [object] }),
      { p: "a" },
      { p: canary },
      "A check of the tool did not hold.",
    ],
    [
      "`validate` that quotes it in an exception",
      properties({ p: secret }, { validate: [objectByThrowing] }),
      { p: "a" },
      { p: canary },
      "A check of the tool failed.",
    ],
    [
      "`permit` that quotes",
      properties({ p: secret }, { permit: permitUnless }),
      { p: "a" },
      { p: canary },
      "send refuses this call.",
    ],
  ])("is refused by place and keyword, and no place holds a value of it: %s", async (_, parts, first, given, words) => {
    for (const by of ["ask", "check", "transform"] as const) {
      const events: DispatchEvent[] = [];
      const taped: unknown[] = [];
      const watch = (call: CallFacts): CallPart => ({ returned: (outcome) => void taped.push(call.input, outcome) });
      const callStore = memoryCallStore();
      const behavior = by === "transform" ? {} : asks;
      const dispatcher = createDispatcher({
        tools: [writer("send", () => expect.fail("it ran"), { behavior, ...parts })],
        onEvent: (event) => events.push(event),
        callStore,
        extensions: [{ name: "watching", attach: () => ({ api: undefined, turn: () => ({ call: watch }) }) }],
        ...(by === "transform"
          ? { hooks: { transform: () => ({ input: given }) } }
          : { permissions: { [by]: () => ({ decision: "allow", input: given }) } }),
      } as HostOptions);
      const { results } = await dispatcher.run(callsOf(["send", first]), { turnId: "t" });
      expect(results[0]?.error?.message).toContain(words);
      const problems = events.flatMap((event) => (event.type === "problem" ? [event.message] : []));
      expect(problems).toEqual([expect.stringContaining(`The input that \`${by}\` gave is refused: `)]);
      const places = {
        text: results[0]?.content,
        error: results[0]?.error,
        events,
        audit: await callStore.records({ turnId: "t" }),
        turn: await callStore.read("t"),
        tape: taped,
      };
      for (const [place, held] of Object.entries(places)) expect([place, JSON.stringify(held)]).not.toContain(canary);
      expect(JSON.stringify(places)).not.toContain(canary);
    }
  });
});

describe("a stored call whose input an answer of `ask` has changed", () => {
  const world = (store: CallStore = memoryCallStore(), ask = true) => {
    const ran: unknown[] = [];
    const send = writer("send", (given) => (ran.push(given), "sent"), { input, behavior: asks });
    const permissions = ask ? { ask: () => ({ decision: "allow", input: { to: "ann" } }) as const } : {};
    return {
      ran,
      store,
      dispatcher: createDispatcher({ tools: [send], permissions, callStore: store, leaseSeconds: 0.1 }),
    };
  };

  test("runs with the new input; store and audit hold both", async () => {
    const kept = memoryCallStore();
    const states: unknown[] = [];
    const store: CallStore = {
      ...kept,
      advance: async (turnId, callId, from, to, patch) => {
        const isDone = await kept.advance(turnId, callId, from, to, patch);
        const [call] = (await kept.read(turnId))?.calls ?? [];
        if (to === "allowed") states.push([call?.question?.input, call?.input, call?.notes]);
        return isDone;
      },
    };
    const { ran, dispatcher } = world(store);
    const outcome = await dispatcher.run(callsOf(["send", { to: "everybody" }]), { turnId: "t" });
    expect([outcome.status, ran]).toEqual(["settled", [{ to: "ann" }]]);
    expect(states).toEqual([[{ to: "everybody" }, { to: "ann" }, [expect.stringContaining('/to was "everybody"')]]]);
    const records = await store.records({ turnId: "t" });
    const asked = records.find(({ to }) => to === "asked");
    const allowed = records.find(({ to }) => to === "allowed");
    expect(allowed).toMatchObject({ by: "ask", changedFrom: asked?.inputDigest });
    expect(allowed?.inputDigest).not.toBe(asked?.inputDigest);
    expect(records.find(({ to }) => to === "reserved")?.inputDigest).toBe(allowed?.inputDigest);
  });

  test("goes on with it in another process after the first one died", async () => {
    const store = memoryCallStore();
    const { dispatcher } = world({
      ...store,
      advance: async (...parts) => {
        if (parts[3] === "reserved") throw new Error("the process dies");
        return store.advance(...parts);
      },
    });
    await expect(dispatcher.run(callsOf(["send", { to: "everybody" }]), { turnId: "t" })).rejects.toThrow("dies");
    const second = world(store, false);
    const { results } = await second.dispatcher.resume("t");
    expect([results[0]?.isError, second.ran]).toEqual([false, [{ to: "ann" }]]);
    expect(JSON.stringify(results[0]?.content)).toContain("changed its input first");
  });

  test("cannot be changed by `answer`, which says so and decides nothing", async () => {
    const { dispatcher, store } = world(memoryCallStore(), false);
    await dispatcher.run(callsOf(["send", { to: "everybody" }]), { turnId: "t" });
    const [question] = await store.questions({ turnId: "t" });
    const answer = (more: object): Promise<unknown> =>
      dispatcher.answer(question?.id ?? "", { decision: "allow", ...more } as never);
    await expect(answer({ input: { to: "ann" } })).rejects.toThrow("cannot change the input");
    await expect(answer({ updatedInput: {} })).rejects.toThrow("`updatedInput`");
    expect(await store.questions({ turnId: "t", isOpen: true })).toHaveLength(1);
  });
});
