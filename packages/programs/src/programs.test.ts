import { createDispatcher, createGate, type DispatchEvent, type PermissionRequest, toolResult } from "@hasp/runtime";
import { createPrograms } from "@hasp/programs";
import { describe, expect, test } from "vitest";
import { echo, fail, reader, resultOf, runProgram, writer } from "./programs.testing.js";
import { informationFlow } from "@hasp/runtime/flow";
import { storedResults } from "@hasp/runtime/results";

const limits = { seconds: 10, calls: 5, resultChars: 200 };

describe("a program", () => {
  test("returns JSON, and null for undefined", async () => {
    expect(await resultOf("return { a: [1, '\\ud800'] }")).toEqual({ a: [1, "\ud800"] });
    expect(await resultOf("return")).toBeNull();
    expect(await resultOf("return () => 1")).toBeNull();
  });

  test("prints to its console, also when it fails", async () => {
    const { output } = await runProgram("console.log('a', { b: 1 }, null, 2n); return 1");
    expect(output).toEqual({ result: 1, console: ['a {"b":1} null 2'] });
    const { error } = await runProgram("console.log('before'); throw new RangeError('no')");
    expect(error).toMatchObject({ code: "program-threw", effect: "none" });
    expect(error?.message).toBe("RangeError: no (line 1)\nconsole:\nbefore");
  });

  test("has no clock, no randomness, no timers and no time zone", async () => {
    for (const code of ["Date.now()", "new Date()", "Date()", "Math.random()"]) {
      expect((await runProgram(`return ${code}`)).error?.message).toMatch(/has no (?:clock|randomness)/);
    }
    expect(await resultOf("return [typeof setTimeout, typeof WeakRef, typeof performance]")).toEqual(
      Array.from({ length: 3 }, () => "undefined"),
    );
    expect(await resultOf("return new Date('2026-01-02T03:04').toISOString()")).toBe("2026-01-02T03:04:00.000Z");
  });

  test.each([
    [{ a: 1 }, { a: 1 }],
    [null, null],
    [undefined, null],
    [toolResult({ content: "only text" }), "only text"],
    [toolResult({ content: [{ type: "resource", uri: "a:b", text: "a letter" }] }), "[resource a:b]\na letter"],
  ])("receives the output of a tool, or its text: %j", async (returned, received) => {
    expect(await resultOf("return await tools.t()", [reader("t", () => returned)])).toEqual(received);
  });

  test("carries __proto__, lone surrogates and 10 MB unchanged", async () => {
    const big = reader("big", () => "x".repeat(10_000_000));
    const odd = JSON.parse('{"__proto__":{"polluted":true},"s":"\\ud800"}') as unknown;
    const odds = reader("odd", () => odd);
    expect(await resultOf("return await tools.odd()", [odds])).toEqual(odd);
    expect(
      await resultOf("return ({}).polluted === undefined && (await tools.odd()).polluted === undefined", [odds]),
    ).toBe(true);
    const huge = {
      ...big,
      metadata: { ...big.metadata, limits: { ...big.metadata.limits, maxResultSizeChars: "unlimited" } },
    };
    expect(await resultOf("return (await tools.big()).length", [huge as never])).toBe(10_000_000);
  });

  test("throws a ToolError for every error result", async () => {
    const names = ["fail", "nothing", "run_program", "search_tools", "tool_search", "denied"];
    const code = `const found = [];
      for (const name of ${JSON.stringify(names)}) {
        try { await tools[name]({}) } catch (e) { found.push([e instanceof ToolError, e.name, e.code, e.tool, e.effect]) }
      }
      return found;`;
    const denied = writer("denied", () => 1);
    expect(await resultOf(code, [fail, denied], { permissions: { deny: ["denied"] } })).toEqual([
      [true, "ToolError", "tool-error", "fail", "none"],
      ...names.slice(1, 5).map((name) => [true, "ToolError", "unknown-tool", name, "none"]),
      [true, "ToolError", "denied", "denied", "none"],
    ]);
  });

  test.each([
    "() => 1",
    "1n",
    "Symbol('s')",
    "(() => { const a = []; a.push(a); return a })()",
    "{ get a() { throw {} } }",
    "{ a: NaN }",
    "{ a: -Infinity }",
    "{ a: [undefined] }",
    "{ a() {} }",
    "{ a: Symbol('s') }",
    "{ a: new Map([[1, 2]]) }",
    "{ a: new Set([1]) }",
    "{ a: /x/ }",
    "{ a: new RangeError('no') }",
    "{ a: Promise.resolve(1) }",
    "{ a: (async () => 1)() }",
  ])("refuses %s as an input", async (input) => {
    const code = `try { await tools.echo(${input}) } catch (e) { return [e.code, e.effect] }`;
    expect(await resultOf(code)).toEqual(["input-not-json", "none"]);
  });

  test.each([
    ["{ text: { body: [1, tools.fail()] } }", "/text/body/1 is the promise of a call: write await tools.fail(…)"],
    ["{ a: 1, b: tools.echo().then(() => 1) }", "/b is a promise: await it"],
    ["{ a: { b: {} }, c: 0 / 0 }", "/c is NaN"],
    ["tools.echo()", "it is the promise of a call: write await tools.echo(…)"],
    ["{ a: new Map() }", "/a is of the class Map"],
  ])("says what is wrong with the input %s, and where", async (input, reason) => {
    const code = `try { await tools.echo(${input}) } catch (e) { return e.message }`;
    expect(await resultOf(code)).toBe(`The input is not JSON: ${reason}`);
  });

  test("sends whatever JSON expresses, also what JSON.stringify expresses of classes and dates", async () => {
    const code = `class Point { constructor() { this.x = 1; this.none = undefined } }
      const one = { n: -0, s: "\\0", list: [[], {}, null, true] };
      return await tools.echo({ one, again: one, at: new Date("2026-01-02"), point: new Point(), o: Object.create(null) })`;
    const one = { n: 0, s: "\0", list: [[], {}, null, true] };
    expect(await resultOf(code)).toEqual({ one, again: one, at: "2026-01-02T00:00:00.000Z", point: { x: 1 }, o: {} });
  });

  test("receives result-too-long with a reference that read_result reads", async () => {
    const long = reader("long", () => "abc\n".repeat(100_000));
    const code = `try { await tools.long() } catch (e) {
      return [e.code, (await tools.read_result({ reference: e.reference })).slice(0, 7)];
    }`;
    expect(await resultOf(code, [long])).toEqual(["result-too-long", "abc\nabc"]);
  });

  test("never receives a part of a result as the whole, nor reads that its call had no effect", async () => {
    const list = (): string => "abc\n".repeat(100_000);
    const tools = [reader("read", list), reader("object", () => ({ list: list() })), writer("write", list)];
    const code = `const found = [];
      for (const name of ["read", "object", "write"]) {
        try { await tools[name]() } catch (e) { found.push([e.code, e.effect, "reference" in e]) }
      }
      return found;`;
    const calls = [{ id: "p", name: "run_program", input: { code } }];
    for (const others of [[], [storedResults()]]) {
      const dispatcher = createDispatcher({ tools, extensions: [createPrograms(), ...others] });
      const [result] = await dispatcher.dispatch(calls);
      expect(result?.output).toMatchObject({
        result: tools.map(() => ["result-too-long", "landed", others.length > 0]),
      });
    }
  });

  test.each([
    "",
    "await new Promise(() => {})",
    "for (;;) await tools.echo()",
    "throw 1",
    "(function f() { f() })()",
    "console.log('x'.repeat(9e6))",
  ])("leaves nothing to the next one in its worker, however it ends: %j", async (ending) => {
    const dispatcher = createDispatcher({ tools: [echo] as never, extensions: [createPrograms({ limits })] });
    const run = async (code: string): Promise<unknown> =>
      (await dispatcher.dispatch([{ id: "p", name: "run_program", input: { code } }]))[0]?.output;
    await run(
      "globalThis.left = tools.left = 1; Object.prototype.left = 1; Promise.prototype.then = Array.prototype.push = null;" +
        ending,
    );
    const code = "const a = []; a.push(await tools.echo({ n: 1 })); return [a, typeof left, typeof {}.left]";
    expect(await run(code)).toEqual({ result: [[{ n: 1 }], "undefined", "undefined"], console: [] });
  });

  test("carries NUL characters in its own text, names of tools and its console", async () => {
    const { output } = await runProgram(
      "console.log('a\0b'); return await tools['echo\0x']({}).catch(({ code }) => code)",
    );
    expect(output).toEqual({ result: "unknown-tool", console: ["a\0b"] });
  });

  test("waits for calls that it did not await", async () => {
    const done: string[] = [];
    const slow = writer("slow", async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      done.push("slow");
    });
    expect(await resultOf("tools.slow(); return 1", [slow])).toBe(1);
    expect(done).toEqual(["slow"]);
  });
});

describe("the limits of a program", () => {
  test.each([
    ["for (;;);", "program-time-limit"],
    ["try { for (;;); } catch {} return 1", "program-time-limit"],
    ["return /^(a+)+$/.test('a'.repeat(40) + 'b')", "program-time-limit"],
    ["const a = []; try { for (;;) a.push('x'.repeat(1e6) + a.length) } catch {} return 1", "program-memory-limit"],
    ["try { 'x'.repeat(2 ** 29) } catch {} return 1", "program-memory-limit"],
    ["await tools.echo(); const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)", "program-memory-limit"],
    ["await tools.echo(); new ArrayBuffer(2 ** 31 - 8)", "program-memory-limit"],
    ["await Promise.all([1, 2].map(async (n) => { await tools.echo(); 'x'.repeat(2 ** 28) }))", "program-memory-limit"],
    ["for (;;) try { await tools.echo() } catch {}", "program-call-limit"],
    ["return 'x'.repeat(199)", "program-output-limit"],
    ["await new Promise(() => {})", "program-stuck"],
    ["throw { get message() { throw 1 }, toString() { throw 2 } }", "program-threw"],
    ["throw null", "program-threw"],
    ["throw new Proxy({}, { get() { throw {} }, getPrototypeOf() { throw {} } })", "program-threw"],
    ["return { toJSON() { throw 1 } }", "program-threw"],
    ["return 1n", "program-threw"],
    ["const a = []; a.push(a); return a", "program-threw"],
    ["return { then() {} }", "program-stuck"],
    ["await tools.run_program({ code: 'return 1' })", "program-threw"],
    ["await tools.no_such_tool()", "program-threw"],
    ["await Promise.all(Array.from({ length: 1e4 }, () => tools.echo()))", "program-call-limit"],
    ["for (;;) console.log('x')", "program-time-limit"],
    ["(function f() { f() })()", "program-threw"],
    ["return (", "program-invalid"],
  ])("%s ends with %s", async (code, expected) => {
    const settings = { limits: { ...limits, ...(expected === "program-time-limit" && { seconds: 0.2 }) } };
    expect((await runProgram(code, [echo], { settings })).error).toMatchObject({ code: expected, effect: "none" });
  });

  test("the limit counts the inputs of calls that have not settled", async () => {
    const settings = { limits: { memoryMb: 12 } };
    const code = "const s = 'x'.repeat(2e5); for (let i = 0; i < 100; i += 1) tools.echo({ s })";
    expect((await runProgram(code, [echo], { settings })).error?.code).toBe("program-memory-limit");
  });

  test("cut a flooded console with a line that says so", async () => {
    const { output } = await runProgram("for (let i = 0; i < 1e4; i += 1) console.log('x'); return 1", [echo], {
      settings: { limits },
    });
    const { console: lines } = output as { readonly console: readonly string[] };
    expect(lines.at(-1)).toBe("[Cut: the console holds 200 characters.]");
    expect(lines.join("\n").length).toBeLessThan(300);
  });

  test("state an unknown effect once a call that changes data has started", async () => {
    const write = writer("write", () => "done");
    expect((await runProgram("await tools.write(); throw 1", [write])).error?.effect).toBe("unknown");
    expect((await runProgram("await tools.echo(); throw 1", [echo])).error?.effect).toBe("none");
  });

  test.each([{ limits: { seconds: 0 } }, { limits: { memory: 1 } }, { tools: [1] }, { overTokens: -1 }, { calls: 1 }])(
    "checks the limits: %j",
    (settings) => {
      expect(() => createPrograms(settings as never)).toThrow(/^createPrograms: `/);
    },
  );
});

test("close lets a running program end, and no other begin", async () => {
  const programs = createPrograms();
  const closing: Promise<void>[] = [];
  const close = reader("close", () => {
    closing.push(programs.close());
    return "closing";
  });
  const dispatcher = createDispatcher({ tools: [close, echo] as never, extensions: [programs] });
  const run = async (code: string): Promise<unknown> =>
    (await dispatcher.dispatch([{ id: "p", name: "run_program", input: { code } }]))[0];
  const code = "const said = await tools.close(); return [said, await tools.echo({ n: 1 })]";
  expect(await run(code)).toMatchObject({ output: { result: ["closing", { n: 1 }] } });
  await Promise.all(closing);
  expect(await run("return 1")).toMatchObject({ error: { code: "not-executed", effect: "none" } });
  expect(await resultOf("return 1")).toBe(1);
});

describe("the calls of a program", () => {
  test("run by their own class: readers together, others alone", async () => {
    let running = 0;
    const together: number[] = [];
    const track = async (): Promise<void> => {
      running += 1;
      await new Promise((resolve) => setTimeout(resolve, 10));
      together.push(running);
      running -= 1;
    };
    const code = "await Promise.all([tools.r(), tools.r(), tools.w(), tools.w(), tools.r()])";
    await resultOf(code, [reader("r", track), writer("w", track)]);
    expect(together).toEqual([2, 1, 1, 1, 1]);
  });

  test("a program leaves the gate to others between its calls", async () => {
    const gate = createGate();
    const write = writer("write", () => "written");
    const other = createDispatcher({ tools: [write] as never, gate });
    const wait = reader(
      "wait",
      async () => (await other.dispatch([{ id: "o", name: "write", input: {} }]))[0]?.isError,
    );
    expect(await resultOf("await tools.echo(); return 1", [echo, wait], { gate })).toBe(1);
    expect((await other.dispatch([{ id: "o", name: "write", input: {} }]))[0]?.isError).toBe(false);
  });

  test("a program's calls are asked about, hooked, permitted and reported like any other", async () => {
    const asked: string[] = [];
    const guarded: string[] = [];
    const events: DispatchEvent[] = [];
    const risky = writer("risky", () => "ok", { requiresPermission: true });
    const code = "try { await tools.risky({ n: 1 }) } catch (e) { return e.code }";
    const result = await resultOf(code, [risky], {
      permissions: {
        ask: ({ callId }) => {
          asked.push(callId);
          return "deny";
        },
      },
      hooks: {
        guard: ({ callId }) => {
          guarded.push(callId);
          return undefined;
        },
      },
      onEvent: (event) => events.push(event),
    });
    expect(result).toBe("denied");
    expect(asked).toEqual(["p.1"]);
    expect(guarded).toEqual(["p", "p.1"]);
    expect(
      events.filter(({ callId }) => callId === "p.1").map(({ type, parentCallId }) => [type, parentCallId]),
    ).toEqual(["classified", "validated", "denied", "settled"].map((type) => [type, "p"]));
  });

  test.each([{ ok: true }, "done"])("the model reads what a person and hooks changed: %j", async (returned) => {
    const pay = writer("pay", () => returned, { requiresPermission: true });
    const { output, content } = await runProgram("return await tools.pay({ amount: 100 })", [pay], {
      permissions: { ask: () => ({ decision: "allow", input: { amount: 5 } }) },
      hooks: { post: [({ toolName }) => (toolName === "pay" ? { note: "Noted." } : undefined)] },
    });
    expect(output).toEqual({ result: returned, console: [] });
    expect(content.slice(1).map((block) => (block.type === "text" ? block.text : ""))).toEqual([
      expect.stringMatching(/^pay, call p\.1: The person who allowed this call changed its input first:\n- /u),
      "pay, call p.1: Noted.",
    ]);
  });

  test("obey the mode, which does not refuse the program itself", async () => {
    const write = writer("write", () => "ok");
    const code = "const r = await tools.echo({ a: 1 }); try { await tools.write() } catch (e) { return [r, e.code] }";
    expect(await resultOf(code, [echo, write], { permissions: { mode: "plan" } })).toEqual([{ a: 1 }, "plan-mode"]);
    const asks = writer("asks", () => "ok", { requiresPermission: true });
    const asking = "try { await tools.asks() } catch (e) { return e.code }";
    expect(await resultOf(asking, [asks], { permissions: { mode: "unattended" } })).toBe("no-one-to-ask");
    expect(await resultOf(asking, [asks])).toBe("no-one-to-ask");
  });

  test("a rule with a wildcard does not vote on run_program; a rule with its name does", async () => {
    const permissions = { rules: [{ tool: "*", decision: "deny" as const, reason: "closed" }] };
    expect(await resultOf("try { await tools.echo() } catch (e) { return e.message }", [echo], { permissions })).toBe(
      "closed",
    );
    const named = { rules: [{ tool: "run_program" as const, decision: "deny" as const, reason: "no programs" }] };
    expect((await runProgram("return 1", [echo], { permissions: named })).error?.message).toBe("no programs");
  });

  test("no further call of a program starts once the turn ends", async () => {
    const controller = new AbortController();
    const started: number[] = [];
    const write = writer("write", async ({ n }) => {
      started.push(Number(n));
      controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
    const dispatcher = createDispatcher({ tools: [write] as never, extensions: [createPrograms()] });
    const code = "await Promise.all([tools.write({ n: 1 }), tools.write({ n: 2 }), tools.write({ n: 3 })])";
    const [result] = await dispatcher.dispatch([{ id: "p", name: "run_program", input: { code } }], {
      signal: controller.signal,
    });
    expect(result?.error).toMatchObject({ code: "aborted", effect: "unknown" });
    expect(started).toEqual([1]);
  });
});

describe("information that flows through a program", () => {
  const quiet = { requiresPermission: false, isOpenWorld: false };
  const tools = [
    writer("page", () => "by an outsider", { ...quiet, returnsPrivate: false }),
    writer("record", () => "of a customer", { ...quiet, returnsUntrusted: false }),
    writer("clean", () => "known", { ...quiet, returnsUntrusted: false, returnsPrivate: false }),
    writer("send", () => "sent", { requiresPermission: false, returnsUntrusted: false, returnsPrivate: false }),
  ];
  const leak = `const first = await tools.send({ n: 1 });
    await tools.page(); await tools.record();
    try { return [first, await tools.send({ n: 2 })] } catch (error) { return [first, error.code, error.effect] }`;

  test("is asked about at the call that may carry it out, with the calls that brought it in", async () => {
    const asked: unknown[] = [];
    const ask = ({ callId, toolName, flow }: PermissionRequest): "allow" => {
      asked.push([callId, toolName, flow]);
      return "allow";
    };
    expect(await resultOf(leak, tools, { permissions: { ask } })).toEqual(["sent", "sent"]);
    const flow = {
      untrusted: [{ callId: "p.2", toolName: "page" }],
      private: [{ callId: "p.3", toolName: "record" }],
    };
    expect(asked).toEqual([["p.4", "send", flow]]);
  });

  test("stays inside if there is nobody to ask", async () => {
    expect(await resultOf(leak, tools)).toEqual(["sent", "flow", "none"]);
  });

  test("labels the result of the program and the conversation, by the calls that ran", async () => {
    const programs = createPrograms();
    const dispatcher = createDispatcher({
      tools: tools as never,
      extensions: [informationFlow, programs],
      flow: "note",
    });
    const labelsOf = async (code: string): Promise<unknown> => {
      const options = { conversation: code };
      const [result] = await dispatcher.dispatch([{ id: "p", name: "run_program", input: { code } }], options);
      return [
        result?.labels,
        (await dispatcher.use(informationFlow).labels(code)).map(({ label, calls }) => [label, calls[0]?.callId]),
      ];
    };
    expect(await labelsOf("return await tools.clean()")).toEqual([undefined, []]);
    expect(await labelsOf("await tools.page(); throw 1")).toEqual([["untrusted"], [["untrusted", "p.1"]]]);
    expect(await labelsOf("return await Promise.all([tools.record(), tools.page()])")).toEqual([
      ["untrusted", "private"],
      [
        ["untrusted", "p.2"],
        ["private", "p.1"],
      ],
    ]);
  });
});

describe("the list of a dispatcher with programs", () => {
  const names = (dispatcher: { definitions(dialect: string): readonly object[] }): readonly unknown[] =>
    dispatcher.definitions("anthropic").map((tool) => (tool as { readonly name: string }).name);

  test("tells clients the worst that the calls of a program may do, and asks about none of them for it", async () => {
    const open = writer("open", () => 1, { requiresPermission: false });
    const kill = writer("kill", () => 1, { requiresPermission: false, isDestructive: true, isOpenWorld: false });
    const hintsWith = (tool: typeof open): object => {
      const dispatcher = createDispatcher({ tools: [echo, tool], extensions: [createPrograms()] });
      const list = dispatcher.definitions("mcp") as readonly { readonly name: string; readonly annotations: object }[];
      return Object(list.find(({ name }) => name === "run_program")).annotations;
    };
    const harmless = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
    expect(hintsWith(writer("write", () => 1))).toMatchObject(harmless);
    expect(hintsWith(open)).toMatchObject({ ...harmless, openWorldHint: true });
    expect(hintsWith(kill)).toMatchObject({ ...harmless, destructiveHint: true });
    for (const tool of [open, kill]) expect(await resultOf("return 1", [tool])).toBe(1);
  });

  test("leaves covered tools out, and calls them by name still", async () => {
    const programs = createPrograms({ tools: ["e*"] });
    const dispatcher = createDispatcher({ tools: [echo, fail] as never, extensions: [programs, storedResults()] });
    expect(names(dispatcher)).toEqual(["fail", "read_result", "run_program"]);
    expect((await dispatcher.dispatch([{ id: "1", name: "echo", input: {} }]))[0]?.isError).toBe(false);
    expect(dispatcher.definitions("anthropic")).toBe(dispatcher.definitions("anthropic"));
  });

  test("declares all tools within the budget, and groups and search_tools beyond it", async () => {
    const many = Array.from({ length: 300 }, (_, index) => reader(`group${index % 3}_tool${index}`, () => index));
    const dispatcher = createDispatcher({
      tools: many as never,
      extensions: [createPrograms(), storedResults()],
    });
    expect(names(dispatcher)).toEqual(["read_result", "run_program", "search_tools"]);
    const [, listed] = dispatcher.definitions("anthropic") as readonly { readonly description: string }[];
    expect(listed?.description).toContain("group0 (100), group1 (100), group2 (100).");
    const [found] = await dispatcher.dispatch([
      { id: "1", name: "search_tools", input: { query: "group1_tool7", limit: 1 } },
    ]);
    expect(found?.content).toEqual([
      {
        type: "text",
        text: expect.stringContaining("group1_tool7(input?: { [name: string]: unknown }): Promise<unknown>;"),
      },
    ]);
  });

  test("reserves its names", () => {
    expect(() =>
      createDispatcher({ tools: [reader("run_program", () => 1)] as never, extensions: [createPrograms()] }),
    ).toThrow('The name "run_program" is reserved');
  });
});

describe("previewPrograms", () => {
  const secret = reader("secret", () => 1);
  const asking = {
    ...secret,
    classify: () => ({ ...secret.classify({} as never), requiresPermission: true }),
  } as never;
  const pay = writer("pay", () => 2, { requiresPermission: true });

  test("puts the whole program to the person, whose answer covers what it reads and nothing else", async () => {
    const asked: unknown[] = [];
    const permissions = {
      previewPrograms: true,
      ask: ({ callId, program }: PermissionRequest) => {
        asked.push([callId, program]);
        return "allow" as const;
      },
    };
    const code = "return [await tools.secret({}), await tools['pay']({})]";
    expect(await resultOf(code, [asking, pay], { permissions })).toEqual([1, 2]);
    expect(asked).toEqual([
      ["p", { tools: ["pay", "secret"], dynamic: false }],
      ["p.2", undefined],
    ]);
  });

  test.each([
    "const t = tools; t.pay({})",
    "tools[name]({})",
    "tools['pay']",
    "eval('x')",
    "Function('x')()",
    "arguments[0].pay()",
    "with (tools) { pay({}) }",
    "const { pay } = tools; pay({})",
    "run({ tools })",
  ])("says that %s may call other tools", async (code) => {
    const seen: unknown[] = [];
    const ask = ({ program }: PermissionRequest): "deny" => {
      seen.push(program);
      return "deny";
    };
    const { error } = await runProgram(code, [asking], { permissions: { previewPrograms: true, ask } });
    expect(error?.code).toBe("denied");
    expect(seen).toEqual([{ tools: [], dynamic: true }]);
  });

  test("shows every tool: the global object, which a program can reach by inheritance, has none", async () => {
    const calls: unknown[] = [];
    const tool = reader("secret", () => calls.push("secret"));
    const code = `Object.defineProperty(Object.prototype, "whole", { get: Object.prototype.valueOf });
      const g = whole;
      return [g === globalThis, typeof g["too" + "ls"], Reflect.ownKeys(g).some((key) => g[key]?.secret !== undefined)]`;
    const permissions = { previewPrograms: true, ask: () => "allow" as const };
    expect(await resultOf(code, [tool], { permissions })).toEqual([true, "undefined", false]);
    expect(calls).toEqual([]);
  });

  test.each([
    `(async () => {})["const" + "ructor"](hidden)()`,
    `(async () => {})["\\x63onstructor"](hidden)()`,
    `Reflect.get(async () => {}, "const" + "ructor")(hidden)()`,
    `Object.values(Object.getOwnPropertyDescriptors(Reflect.getPrototypeOf(async () => {})))[0].value(hidden)()`,
    `(() => {})["const" + "ructor"](hidden)()`,
    `(function* () {})["const" + "ructor"](hidden)().next()`,
    `(async function* () {})["const" + "ructor"](hidden)().next()`,
  ])("shows a person all tools of a program: %s runs no text", async (expression) => {
    const calls: unknown[] = [];
    const tool = reader("secret", () => calls.push("secret"));
    const code = `const hidden = "return too" + "ls.secret({})"; return await ${expression}`;
    const ask = (): "allow" => "allow";
    const { error } = await runProgram(code, [tool], { permissions: { previewPrograms: true, ask } });
    expect(error?.message).toContain("cannot run text as code");
    expect(calls).toEqual([]);
  });

  test("runs nothing that nobody can see", async () => {
    const { error } = await runProgram("return 1", [asking], { permissions: { previewPrograms: true } });
    expect(error?.code).toBe("no-one-to-ask");
  });
});

test("a dispatcher takes programs as an extension, once", () => {
  const programs = createPrograms();
  expect(() => createDispatcher({ tools: [echo], programs } as never)).toThrow(
    "`createPrograms()` of `@hasp/programs` takes its place, in `extensions`",
  );
  expect(() => createDispatcher({ tools: [echo], extensions: [programs, createPrograms()] })).toThrow(
    "two extensions are called `programs`",
  );
});
