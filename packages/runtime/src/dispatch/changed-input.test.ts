import { describe, expect, test } from "vitest";
import type { PermissionAnswer, Tool } from "../tool/definition.js";
import { createPermissions } from "./permissions/create-permissions.js";
import type { DispatchEvent, DispatcherOptions } from "./state/dispatcher-types.js";
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
      "`updatedInput`; known are",
    ],
    ["another library's decision", { behavior: "allow" }, "`behavior`; known are"],
    ["a misspelt member", { decision: "allow", reson: "r" }, "`reson`; known are"],
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

  test("says what `ask` knows besides: `remember`", async () => {
    const world = worldOf({ permissions: { ask: () => ({ decision: "allow", rember: "session" }) as never } });
    expect((await world.send(wide))[0]).toBe("denied");
    expect(problemsOf(world)[0]).toContain("`rember`; known are decision, reason, remember, input");
  });

  test.each<[string, Partial<DispatcherOptions>, Parameters<typeof writer>[2], string]>([
    [
      "`permit`, which can change nothing",
      {},
      { behavior: {}, permit: () => ({ decision: "allow", input: {} }) as never },
      "`input`",
    ],
    ["a guard", { hooks: { guard: () => ({ decision: "allow", reason: "r", input: {} }) as never } }, {}, "`input`"],
    ["a transform", { hooks: { transform: () => ({ inputs: {} }) as never } }, { behavior: {} }, "`inputs`; known are"],
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
    ["an input with a number that a parser may have rounded", { decision: "allow", input: { to: 9007199254740992 } }],
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

  test("names its members alone, never those of a prototype, and a long value is cut for the model", async () => {
    const own = JSON.parse('{"to":"ann","__proto__":{"cc":"eve"}}') as object;
    const strict = worldOf(answering(own));
    expect((await strict.send({ to: "everybody" }))[0]).toBe("invalid-input");
    expect(strict.ran).toEqual([]);
    const inherited = worldOf(answering(Object.assign(Object.create({ cc: "eve" }), { to: "ann" })));
    expect((await inherited.send({ to: "everybody", cc: "bob" }))[0]).toBe("ok");
    expect(inherited.ran).toEqual([{ to: "ann" }]);
    const long = worldOf(answering({ to: "x".repeat(1_000_000) }));
    const [code, text] = await long.send({ to: "everybody" });
    expect([code, text.length < 1000]).toEqual(["ok", true]);
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
  const secret = {
    type: "object",
    properties: { p: { type: "string", "x-secret": true } },
    additionalProperties: false,
  } as const;

  test.each([
    ["no reason of `permit` that quotes a secret, in whatever case", "No CANARY-22!", "needs permission and"],
    ["any other reason of `permit`", "Only on Mondays.", "needs permission (Only on Mondays.) and"],
  ])("is put to a person with %s", async (_, reason, words) => {
    const permit = ({ input: given }: { readonly input: Record<string, unknown> }): PermissionAnswer =>
      given["p"] === canary ? { decision: "ask", reason } : "allow";
    const world = worldOf(
      { permissions: { check: () => ({ decision: "allow", input: { p: canary } }) } },
      { input: secret, permit },
    );
    expect(await world.send({ p: "a" })).toEqual(["no-one-to-ask", expect.stringContaining(words)]);
    expect(JSON.stringify(world.events)).not.toMatch(/canary/iu);
  });

  test("is refused with the words of `validate` in the problem alone, unless they quote a secret", async () => {
    const world = worldOf(
      { permissions: { ask: () => ({ decision: "allow", input: { p: canary } }) } },
      { input: secret, validate: [(given) => given["p"] !== canary || "Too old."] },
    );
    const [code, text] = await world.send({ p: "a" });
    expect([code, text]).toEqual(["invalid-input", expect.not.stringContaining("Too old.")]);
    expect(problemsOf(world)).toEqual([expect.stringContaining("Too old.")]);
  });
});
