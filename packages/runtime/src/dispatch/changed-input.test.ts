import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import type { CallStore } from "../calls/call-store.js";
import { memoryCallStore } from "../calls/memory-call-store.js";
import type { Tool } from "../tool/tool.js";
import { createPermissions } from "./permissions/create-permissions.js";
import type { DispatchEvent, DispatcherOptions } from "./state/dispatcher-types.js";
import type { CallFacts, CallPart } from "./state/extension.js";
import {
  createEquippedDispatcher as createDispatcher,
  callsOf,
  deferred,
  reader,
  sleep,
  writer,
} from "./tools.testing.js";

type AnyObjectTool = Tool<Record<string, unknown>>;
const asks = { requiresPermission: true };
const input = {
  type: "object",
  properties: { to: { type: "string" }, cc: { type: "string" }, pin: { type: "string", writeOnly: true } },
} as const;

interface World {
  readonly ran: unknown[];
  readonly events: DispatchEvent[];
  /** Calls `send` with this input. Returns the code, `ok` if there is none, and the text for the model. */
  send(given: object): Promise<readonly [code: string, text: string]>;
}

function worldOf(options: Partial<DispatcherOptions>, parts: Parameters<typeof writer>[2] = {}): World {
  const ran: unknown[] = [];
  const events: DispatchEvent[] = [];
  const execute = (given: unknown): string => (ran.push(given), "sent");
  const dispatcher = createDispatcher({
    tools: [writer("send", execute, { input, behavior: asks, ...parts })],
    onEvent: (event) => events.push(event),
    ...options,
  });
  return {
    ran,
    events,
    async send(given) {
      const [result] = await dispatcher.dispatch(callsOf(["send", given]));
      const text = result?.content.map((block) => (block.type === "text" ? block.text : "")).join("\n") ?? "";
      return [result?.error?.code ?? "ok", text];
    },
  };
}

const problemsOf = ({ events }: World): readonly string[] =>
  events.flatMap((event) => (event.type === "problem" ? [`${event.code}: ${event.message}`] : []));

describe("an answer of a host's function with an unknown member", () => {
  const wide = { to: "everybody" };
  test.each<[string, unknown, string]>([
    [
      "another library's word for the input",
      { decision: "allow", updatedInput: { to: "a" } },
      "`updatedInput` (did you mean `input`?)",
    ],
    [
      "that word in snake case",
      { decision: "allow", updated_input: { to: "a" } },
      "`updated_input` (did you mean `input`?)",
    ],
    ["other arguments", { decision: "allow", override_args: {} }, "`override_args` (did you mean `input`?)"],
    ["another library's decision", { behavior: "allow" }, "`behavior` (did you mean `decision`?)"],
    ["a misspelt member", { decision: "allow", reson: "r" }, "`reson` (did you mean `reason`?)"],
    ["a member without a nearest one", { decision: "allow", xyz: 1 }, "`xyz`; known are"],
  ])("refuses the call, and a problem names it: %s", async (_, answer, words) => {
    for (const name of ["ask", "check"] as const) {
      const world = worldOf({ permissions: { [name]: async () => answer as never } });
      expect((await world.send(wide))[0]).toBe("denied");
      expect(world.ran).toEqual([]);
      expect(problemsOf(world)).toEqual([expect.stringContaining(words)]);
      expect(problemsOf(world)[0]).toContain(
        `permission-failed: Permission could not be decided, so the call is refused: \`${name}\` answered`,
      );
    }
  });

  test("names the nearest of what `ask` knows besides: `remember`", async () => {
    const world = worldOf({ permissions: { ask: () => ({ decision: "allow", rember: "session" }) as never } });
    expect((await world.send(wide))[0]).toBe("denied");
    expect(problemsOf(world)[0]).toContain("`rember` (did you mean `remember`?)");
  });

  test.each<[string, Partial<DispatcherOptions>, Parameters<typeof writer>[2], string]>([
    [
      "`permit`, which can change nothing",
      {},
      { behavior: {}, permit: () => ({ decision: "allow", input: {} }) as never },
      "`input`",
    ],
    ["a guard", { hooks: { guard: () => ({ decision: "allow", reason: "r", input: {} }) as never } }, {}, "`input`"],
    [
      "a transform",
      { hooks: { transform: () => ({ inputs: {} }) as never } },
      { behavior: {} },
      "`inputs` (did you mean `input`?)",
    ],
    [
      "the condition of a rule",
      { permissions: { rules: [{ tool: "send", when: () => ({ decision: "allow" }) as never, decision: "allow" }] } },
      {},
      "true or false",
    ],
  ])("refuses the call wherever it is given: by %s", async (_, options, parts, words) => {
    const world = worldOf(options, parts);
    expect((await world.send(wide))[0]).toMatch(/^(?:denied|hook-failed)$/u);
    expect(world.ran).toEqual([]);
    expect(problemsOf(world)).toEqual([expect.stringMatching(/^(?:permission|hook)-failed: /u)]);
    expect(problemsOf(world)[0]).toContain(words);
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["true", true],
    ["an empty object", {}],
    ["an unknown decision", { decision: "yes" }],
    ["a decision of another function", "ask"],
    ["a reason that is no text", { decision: "allow", reason: 1 }],
    ["an input beside a refusal", { decision: "deny", input: {} }],
    ["an input that is not JSON", { decision: "allow", input: { n: 1n } }],
    ["an unknown scope", { decision: "allow", remember: "ever" }],
  ])("is one of the malformed answers, all of which refuse and are problems: %s", async (_, answer) => {
    const world = worldOf({ permissions: { ask: () => answer as never } });
    const [code, text] = await world.send(wide);
    expect([code, text]).toEqual(["denied", expect.stringContaining("Permission could not be decided")]);
    expect(world.ran).toEqual([]);
    expect(problemsOf(world)).toHaveLength(1);
  });
});

describe.each(["ask", "check"] as const)("an `%s` that answers another input", (name) => {
  const answering = (changed: unknown, more: object = {}): Partial<DispatcherOptions> => ({
    permissions: { [name]: async () => ({ decision: "allow", input: changed, ...more }) as never },
  });
  const who = name === "ask" ? "The person who allowed this call" : "The host, which allowed this call,";

  test("runs that input and no other; the model reads what has changed", async () => {
    const world = worldOf(answering({ to: "ann", list: [1] }), { input: { ...input, additionalProperties: true } });
    const [code, text] = await world.send({ to: "everybody", cc: "bob" });
    expect(code).toBe("ok");
    expect(world.ran).toEqual([{ to: "ann", list: [1] }]);
    expect(text).toBe(
      `sent\n${who} changed its input first:\n- /to was "everybody" and is "ann"\n- /cc was removed; it was "bob"\n- a part that the schema does not know`,
    );
  });

  test("is an event with both inputs; nothing tells a secret", async () => {
    const world = worldOf(answering({ to: "ann", pin: "canary-2" }));
    const [, text] = await world.send({ to: "everybody", pin: "canary-1" });
    expect(world.ran).toEqual([{ to: "ann", pin: "canary-2" }]);
    expect(text).toContain("- a part that is secret");
    const changed = world.events.find(({ type }) => type === "input-changed");
    expect(changed).toMatchObject({
      by: name,
      before: { to: "everybody", pin: "[secret]" },
      input: { to: "ann", pin: "[secret]" },
    });
    const permitted = world.events.find(({ type }) => type === "permitted");
    expect(permitted).toMatchObject({ inputDigest: (changed as { inputDigest: string }).inputDigest });
    expect(changed).not.toMatchObject({ beforeDigest: (changed as { inputDigest: string }).inputDigest });
    expect(text + JSON.stringify(world.events)).not.toContain("canary");
  });

  test("changes nothing if it is the same input, also with its members in another order", async () => {
    const world = worldOf(answering({ cc: "b", to: "a" }));
    expect(await world.send({ to: "a", cc: "b" })).toEqual(["ok", "sent"]);
    expect(world.events.some(({ type }) => type === "input-changed")).toBe(false);
  });

  test.each<[string, Partial<DispatcherOptions>, Parameters<typeof writer>[2], string]>([
    ["the schema", {}, {}, "invalid-input"],
    ["a check of the tool", {}, { validate: [({ to }) => to !== "x" || "not x"] }, "invalid-input"],
    ["its `permit`", {}, { permit: ({ input: { to } }) => (to === "x" ? "deny" : "allow") }, "denied"],
    [
      "a guard",
      { hooks: { guard: ({ input: given }) => ((given as { to?: string }).to === "x" ? { block: "no" } : undefined) } },
      {},
      "blocked",
    ],
  ])("is judged like any input: %s may refuse it", async (what, options, parts, code) => {
    const changed = what === "the schema" ? { to: 1, extra: true } : { to: "x" };
    const world = worldOf({ ...answering(changed), ...options }, parts);
    const [found, text] = await world.send({ to: "everybody" });
    expect([found, world.ran]).toEqual([code, []]);
    expect(text).toContain(`${who} changed its input first`);
  });

  test("is judged by the rules: one that denies it denies it", async () => {
    const rules = [
      { tool: "send", when: ({ to }: { to: string }) => to === "x", decision: "deny", reason: "not x" },
    ] as const;
    const world = worldOf({ permissions: { ...answering({ to: "x" }).permissions, rules } as never });
    expect((await world.send({ to: "everybody" }))[0]).toBe("denied");
    expect(world.ran).toEqual([]);
  });

  test("is asked about by the turn's own `refuse`", async () => {
    const ran: unknown[] = [];
    const send = writer("send", (given) => ran.push(given), { input, behavior: asks });
    const refuse = ({ input: given }: { readonly input: unknown }): string | undefined =>
      (given as { to: string }).to === "x" ? "not x" : undefined;
    const dispatcher = createDispatcher({ tools: [send], ...answering({ to: "x" }) });
    const [result] = await dispatcher.dispatch(callsOf(["send", { to: "a" }]), { refuse });
    expect([result?.error?.code, ran]).toEqual(["blocked", []]);
  });

  test("needs no second place among checks that run at once", async () => {
    const world = worldOf(
      { ...answering({ to: "ann" }), maxConcurrency: 1 },
      { validate: [async () => true as const] },
    );
    expect((await world.send({ to: "everybody" }))[0]).toBe("ok");
  });

  test("waits for its new place in the gate if the call is no longer a reader, and nothing joins it", async () => {
    const log: string[] = [];
    const slow = deferred();
    const look = reader("look", async ({ n }) => {
      log.push(`look ${String(n)} begins`);
      if (n === 1) await slow.promise;
      log.push(`look ${String(n)} ends`);
    });
    const act = writer(
      "act",
      async () => {
        log.push("act begins");
        await sleep(5);
        log.push("act ends");
      },
      {
        concurrency: { class: "WRITE_EXCLUSIVE", rules: [{ when: ({ mode }) => mode === "read", class: "READ_ONLY" }] },
        behavior: asks,
      },
    );
    const dispatcher = createDispatcher({ tools: [look, act], ...answering({ mode: "write" }) });
    const turn = dispatcher.openTurn();
    for (const call of callsOf(["look", { n: 1 }], ["act", { mode: "read" }])) turn.push(call);
    await sleep(10);
    turn.push({ id: "3", name: "look", input: { n: 2 } });
    await sleep(10);
    slow.resolve();
    expect((await turn.end()).map(({ isError }) => isError)).toEqual([false, false, false]);
    expect(log).toEqual(["look 1 begins", "look 1 ends", "act begins", "act ends", "look 2 begins", "look 2 ends"]);
  });
});

describe("an answer with another input", () => {
  test("an input that `check` gives is put to the person if a rule wants that for the new input", async () => {
    const seen: unknown[] = [];
    const world = worldOf({
      permissions: {
        rules: [{ tool: "send", when: ({ to }: { to: string }) => to === "x", decision: "ask" }],
        check: () => ({ decision: "allow", input: { to: "x" } }),
        ask: ({ input: given }) => (seen.push(given), { decision: "allow", input: { to: "y" } }),
      },
    });
    expect((await world.send({ to: "everybody" }))[0]).toBe("ok");
    expect([seen, world.ran]).toEqual([[{ to: "x" }], [{ to: "y" }]]);
  });

  test("is not transformed: the person has seen what the transforms made of the model's", async () => {
    const world = worldOf({
      hooks: { transform: ({ input: given }) => ({ input: { to: `${(given as { to: string }).to}!` } }) },
      permissions: { ask: ({ input: given }) => ({ decision: "allow", input: { ...(given as object), cc: "bob" } }) },
    });
    expect((await world.send({ to: "ann" }))[0]).toBe("ok");
    expect(world.ran).toEqual([{ to: "ann!", cc: "bob" }]);
  });

  test("is remembered for exactly that input", async () => {
    let questions = 0;
    const permissions = createPermissions({
      ask: () => ((questions += 1), { decision: "allow", input: { to: "ann" }, remember: "session" }),
    });
    const { send } = worldOf({ permissions });
    for (const to of ["everybody", "ann", "everybody", "bob"]) await send({ to });
    expect(questions).toBe(3);
  });

  test("is what `preview` says would run, without hooks", async () => {
    const dispatcher = createDispatcher({
      tools: [writer("send", () => "sent", { input, behavior: asks })],
      permissions: { check: () => ({ decision: "allow", input: { to: "ann" } }) },
      hooks: { guard: () => expect.fail("a hook ran") },
    });
    const [call] = callsOf(["send", { to: "everybody" }]);
    if (call === undefined) return expect.fail("a call");
    expect(await dispatcher.preview(call)).toMatchObject({ decision: "allow", input: { to: "ann" } });
  });

  test("stays within what a READ_ONLY handler may dispatch", async () => {
    const act = writer("act", () => "acted", {
      concurrency: { class: "WRITE_EXCLUSIVE", rules: [{ when: ({ mode }) => mode === "read", class: "READ_ONLY" }] },
      behavior: asks,
    });
    const codes: (string | undefined)[] = [];
    const outer: AnyObjectTool = reader("outer", async (_, { dispatch }) => {
      const [inner] = await dispatch(callsOf(["act", { mode: "read" }]));
      codes.push(inner?.error?.code);
    });
    const ask = (): { decision: "allow"; input: object } => ({ decision: "allow", input: { mode: "write" } });
    await createDispatcher({ tools: [act, outer], permissions: { ask } }).dispatch(callsOf("outer"));
    expect(codes).toEqual(["nested-call-not-read-only"]);
  });
});

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
      } as DispatcherOptions);
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

  test.each([
    ["no reason of `permit` that quotes a secret, in whatever case", "No CANARY-22!", "needs permission and"],
    ["any other reason of `permit`", "Only on Mondays.", "needs permission (Only on Mondays.) and"],
  ])("is put to a person with %s", async (_, reason, words) => {
    const permit = ({ input: given }: { readonly input: Record<string, unknown> }): unknown =>
      given["p"] === canary ? { decision: "ask", reason } : "allow";
    const world = worldOf(
      { permissions: { check: () => ({ decision: "allow", input: { p: canary } }) } },
      properties({ p: secret }, { permit }),
    );
    expect(await world.send({ p: "a" })).toEqual(["no-one-to-ask", expect.stringContaining(words)]);
    expect(JSON.stringify(world.events)).not.toMatch(/canary/iu);
  });

  test("is refused with the words of `validate` in the problem alone, unless they quote a secret", async () => {
    const world = worldOf(
      { permissions: { ask: () => ({ decision: "allow", input: { p: canary } }) } },
      properties(
        { p: secret },
        { validate: [(given: Record<string, unknown>) => given["p"] !== canary || "Too old."] },
      ),
    );
    const [code, text] = await world.send({ p: "a" });
    expect([code, text]).toEqual(["invalid-input", expect.not.stringContaining("Too old.")]);
    expect(problemsOf(world)).toEqual([expect.stringContaining("Too old.")]);
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
