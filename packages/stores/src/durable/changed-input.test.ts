import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import type { CallStore } from "@hasp/runtime/call-store";
import type { DispatchEvent } from "@hasp/runtime";
import { defineExtension, type CallFacts, type CallPart } from "@hasp/runtime/extension";
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
        extensions: [
          defineExtension({ name: "watching", attach: () => ({ api: undefined, turn: () => ({ call: watch }) }) }),
        ],
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

  test("is not decided by an answer with members that nobody knows", async () => {
    const { answer, open } = await asked();
    await expect(answer({ updatedInput: {} })).rejects.toThrow("`updatedInput`");
    expect(await open()).toHaveLength(1);
  });
});

/** Opens a turn whose call waits for an answer. */
async function asked(store: CallStore = memoryCallStore(), options: Partial<HostOptions> = {}) {
  const ran: unknown[] = [];
  const events: DispatchEvent[] = [];
  const process = (own: Partial<HostOptions> = {}) =>
    createDispatcher({
      tools: [writer("send", (given) => (ran.push(given), "sent"), { input, behavior: asks })],
      callStore: store,
      leaseSeconds: 0.1,
      onEvent: (event) => events.push(event),
      ...options,
      ...own,
    } as HostOptions);
  const given = { to: "everybody", pin: "canary-22" };
  await process().run(callsOf(["send", given]), { turnId: "t" });
  const [question] = await store.questions({ turnId: "t" });
  const answer = (more: object) => process().answer(question?.id ?? "", { decision: "allow", ...more } as never);
  return { store, ran, events, process, answer, open: () => store.questions({ turnId: "t", isOpen: true }) };
}

describe("an answer to a stored question that has an input", () => {
  test("lets the call run with it in any process; model, events, store and audit have both inputs", async () => {
    const { store, ran, events, process, answer } = await asked();
    expect(await answer({ input: { to: "ann", pin: "0000" }, by: "ada" })).toEqual({ accepted: true });
    const { results } = await process().resume("t");
    expect(ran).toEqual([{ to: "ann", pin: "0000" }]);
    const words = JSON.stringify(results[0]?.content);
    expect(words).toContain('/to was \\"everybody\\" and is \\"ann\\"');
    expect(words).toContain("a part that is secret");
    expect(words).not.toMatch(/canary-22|0000/u);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "input-changed", by: "ask", input: { to: "ann", pin: "[secret]" } }),
    );
    const records = await store.records({ turnId: "t" });
    const before = records.find(({ to }) => to === "asked")?.inputDigest;
    const reserved = records.find(({ to }) => to === "reserved");
    expect(records.find(({ to }) => to === "allowed")).toMatchObject({ by: "ada", changedFrom: before });
    expect(reserved?.changedFrom).toBe(before);
    expect(reserved?.inputDigest).not.toBe(before);
    expect((await store.read("t"))?.calls[0]).not.toHaveProperty("edit");
    expect(await process().resume("t")).toMatchObject({ results: [{ content: results[0]?.content }] });
    expect(ran).toHaveLength(1);
  });

  test("keeps a process of an earlier version, which knows no such answers, from running the call", async () => {
    const { store, ran, process, answer } = await asked();
    await answer({ input: { to: "ann", pin: "0000" } });
    const read: CallStore["read"] = async (turnId) => {
      const turn = await store.read(turnId);
      return turn && { ...turn, calls: turn.calls.map(({ edit: _edit, ...call }) => call) };
    };
    const { results } = await process({ callStore: { ...store, read } }).resume("t");
    expect([results[0]?.error?.code, ran]).toEqual(["tool-changed", []]);
  });

  test("counts once: of two that differ, the first", async () => {
    const { ran, process, answer } = await asked();
    expect(await answer({ input: { to: "ann", pin: "1" } })).toEqual({ accepted: true });
    expect(await answer({ input: { to: "bob", pin: "1" } })).toEqual({ accepted: false, reason: "already-decided" });
    await process().resume("t");
    expect(ran).toEqual([{ to: "ann", pin: "1" }]);
  });

  test.each([
    ["before it is reserved", "reserved"],
    ["before it is settled", "settled"],
  ] as const)("survives the death of a process %s, and is applied once", async (_, last) => {
    const kept = memoryCallStore();
    let isDying = true;
    const store: CallStore = {
      ...kept,
      advance: async (...parts) => {
        if (isDying && parts[3] === last) throw new Error("the process dies");
        return kept.advance(...parts);
      },
    };
    const { ran, process, answer } = await asked(store);
    await answer({ input: { to: "ann", pin: "1" } });
    await expect(process().resume("t")).rejects.toThrow("dies");
    isDying = false;
    await new Promise((resolve) => setTimeout(resolve, 150));
    const { results } = await process().resume("t");
    if (last === "reserved") expect(results[0]?.isError).toBe(false);
    // It may have run before the process died, so it does not run again.
    else expect(results[0]?.error).toMatchObject({ code: "process-lost", effect: "unknown" });
    expect(ran).toEqual([{ to: "ann", pin: "1" }]);
    expect(JSON.stringify(results[0]?.content).match(/changed its input first:/gu)).toHaveLength(1);
  });

  test.each([undefined, "ada"])(
    "lets the next process repeat the call of one that died, with or without a name of the answerer: %s",
    async (by) => {
      const kept = memoryCallStore();
      let isDying = true;
      const store: CallStore = {
        ...kept,
        advance: async (...parts) => {
          if (isDying && parts[3] === "settled") throw new Error("the process dies");
          return kept.advance(...parts);
        },
      };
      const runs: unknown[] = [];
      const keyed = writer("send", (given) => (runs.push(given), "sent"), {
        input,
        behavior: { ...asks, isIdempotent: "withKey" },
      });
      const { process, answer } = await asked(store, { tools: [keyed] } as never);
      await answer({ input: { to: "ann", pin: "1" }, by });
      await expect(process().resume("t")).rejects.toThrow("dies");
      isDying = false;
      expect((await process().resume("t")).results[0]?.isError).toBe(false);
      expect(runs).toEqual([
        { to: "ann", pin: "1" },
        { to: "ann", pin: "1" },
      ]);
    },
  );

  test.each([
    ["a type that does not fit", { to: 5, pin: "1" }, "schema/invalid-input", "`/to` breaks `type`."],
    ["no object", [], "schema/invalid-input", "The input breaks `type`."],
    ["a prototype", JSON.parse('{"to":"a","__proto__":{"x":1}}') as object, "schema/invalid-input", "does not know"],
    ["a rule denies it", { to: "eve", pin: "1" }, "permission/denied", "Not to eve."],
    ["a guard blocks it", { to: "mallory", pin: "1" }, "guard/blocked", "Not to mallory."],
  ])("is judged again, and refused if it has %s", async (_, edit, code, words) => {
    const { ran, process, answer } = await asked(undefined, {
      permissions: {
        rules: [
          { tool: "send", when: ({ to }: { to?: unknown }) => to === "eve", decision: "deny", reason: "Not to eve." },
        ],
      },
      hooks: {
        guard: ({ input: { to } }: { input: { to?: unknown } }) =>
          to === "mallory" ? { block: "Not to mallory." } : undefined,
      },
    } as never);
    expect(await answer({ input: edit })).toEqual({ accepted: true });
    const { results } = await process().resume("t");
    const error = results[0]?.error;
    expect([`${error?.phase}/${error?.code}`, error?.message]).toEqual([code, expect.stringContaining(words)]);
    expect(ran).toEqual([]);
  });

  test.each([
    ["a refusal", { decision: "deny", input: { to: "ann" } }, "needs the decision"],
    ["what is no JSON", { input: { to: () => 1 } }, "JSON"],
    ["a number that a parser may have rounded", { input: { to: 9007199254740992 } }, "too many digits"],
    ["more than a million characters", { input: { to: "x".repeat(1_000_001) } }, "at most 1000000 characters"],
    ["the mark of a hidden part", { input: { to: "ann", pin: "[secret]" } }, "Fill that part in"],
  ])("is refused, and decides nothing, with %s", async (_, given, words) => {
    const { answer, open } = await asked();
    await expect(answer(given)).rejects.toThrow(words);
    expect(await open()).toHaveLength(1);
  });

  test("counts if it comes while the permissions begin to allow the call", async () => {
    const kept = memoryCallStore();
    let onDecide: (() => Promise<unknown>) | undefined;
    const store: CallStore = {
      ...kept,
      advance: async (...parts) => {
        const [, , , to, patch] = parts;
        const come = to === "allowed" && patch.decidedBy === "ask" ? onDecide : undefined;
        onDecide = undefined;
        await come?.();
        return kept.advance(...parts);
      },
    };
    const { ran, process, answer } = await asked(store);
    onDecide = () => answer({ input: { to: "ann", pin: "1" } });
    const allowing = process({ permissions: { rules: [{ tool: "send", decision: "allow" }] } });
    expect((await allowing.resume("t")).results[0]?.isError).toBe(false);
    expect(ran).toEqual([{ to: "ann", pin: "1" }]);
  });
});
