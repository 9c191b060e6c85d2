import { allDecoders } from "@hasp/schema/internal/runtime";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { ToolCall, ToolContent } from "../tool/definition.js";
import { createDispatcher as createPlainDispatcher } from "./kernel.js";
import { createPermissions } from "./permissions/create-permissions.js";
import { takeInput } from "./pipeline/parse.js";
import { CallState, UNCLASSIFIED } from "./state/call-state.js";
import type { CallProgress, DispatchEvent, DispatcherOptions } from "./state/dispatcher-types.js";
import {
  createEquippedDispatcher as createDispatcher,
  callsOf,
  never,
  reader,
  sleep,
  writer,
} from "./tools.testing.js";

const input = {
  type: "object",
  properties: {
    n: { type: "integer", default: 1 },
    list: { type: "array", items: { type: "string" } },
    text: { type: "string" },
  },
  additionalProperties: false,
} as const;
const answer = async (call: unknown): Promise<unknown> => {
  const tool = reader("t", (value) => value, { input, limits: { maxResultSizeChars: "unlimited" } });
  const [result] = await createDispatcher({ tools: [tool] }).dispatch([call as ToolCall]);
  return result?.error === undefined ? result?.output : `${result.error.phase}/${result.error.code}`;
};

describe("the input of a call", () => {
  test.each<[string, unknown, unknown]>([
    ["an object", { n: 2 }, { n: 2 }],
    ["JSON text", '{"n":2}', { n: 2 }],
    ["an empty text is {}", "", { n: 1 }],
    ["nothing is {}", undefined, { n: 1 }],
    ["broken JSON", '{"n":', "decode/invalid-json"],
    ["white space", " ", "decode/invalid-json"],
    ["JSON text of JSON text", '"{\\"n\\":2}"', { n: 2 }],
    ["an array", [1], "schema/invalid-input"],
    ["null", null, "schema/invalid-input"],
    ["a number", 7, "schema/invalid-input"],
    ["a function", () => 1, "decode/input-not-json"],
    ["a BigInt inside", { n: 1n }, "decode/input-not-json"],
    ["a key __proto__", '{"__proto__":{"n":5}}', "schema/invalid-input"],
    ["a key constructor", { constructor: 1 }, "schema/invalid-input"],
    ["an unknown key", { m: 1 }, "schema/invalid-input"],
    ["a canonical number as text", { n: "12" }, { n: 12 }],
    ["a number in another spelling", { n: "0x10" }, "schema/invalid-input"],
    ["an empty text for a number", { n: "" }, "schema/invalid-input"],
    ["null for an absent field", { n: null, text: null }, { n: 1 }],
    ["null in a list", { list: [null] }, "schema/invalid-input"],
    ["a stringified list", { list: '["a"]' }, { list: ["a"], n: 1 }],
    ["a number for a text", { text: 5 }, "schema/invalid-input"],
  ])("dispatch handles an input of this kind: %s", async (_name, value, expected) =>
    expect(await answer({ id: "1", name: "t", input: value })).toEqual(expected),
  );

  test.each([
    ["not json", '`/filter` must be JSON text; you sent "not json".'],
    ['{"id":9007199254740993}', "`/filter` holds the number 9007199254740993"],
  ])("dispatch refuses JSON text that is not exact: %s", async (filter, message) => {
    let runs = 0;
    const open = {
      type: "object",
      properties: { filter: {} },
      required: ["filter"],
      additionalProperties: false,
    } as const;
    const codec = { kind: "object", properties: { filter: { value: { kind: "text" } } } } as const;
    const tool = reader("t", () => (runs += 1), {
      input: open,
      dialects: { "openai-chat-strict": { codec } },
      parts: { decoders: allDecoders },
    });
    const dispatcher = createDispatcher({ tools: [tool], dialect: "openai-chat-strict" });
    const [refused] = await dispatcher.dispatch([{ id: "1", name: "t", input: { filter } }]);
    expect(refused?.error).toMatchObject({ phase: "schema", code: "invalid-input" });
    expect(refused?.error?.message).toContain(message);
    await dispatcher.dispatch([{ id: "2", name: "t", input: { filter: '"not json"' } }]);
    expect(runs).toBe(1);
  });

  test("dispatch quotes no secret of an input whose shape is not that of the schema", async () => {
    const secrets = {
      type: "object",
      properties: { map: { type: "object", additionalProperties: { writeOnly: true } } },
      additionalProperties: false,
    } as const;
    const codec = {
      kind: "object",
      properties: { map: { value: { kind: "pairs", value: { kind: "text" } } } },
    } as const;
    const dialects = { "openai-chat-strict": { codec } };
    const prepare = (raw: unknown): unknown => {
      const { old } = raw as { readonly old?: string };
      if (old !== undefined) throw new Error(`no ${old}`);
      return raw;
    };
    const tool = reader("t", () => "ok", { input: secrets, dialects, prepare, parts: { decoders: allDecoders } });
    const dispatcher = createDispatcher({ tools: [tool], dialect: "openai-chat-strict" });
    const refused = await dispatcher.dispatch([
      { id: "1", name: "t", input: { map: [{ key: "a", value: "canary" }] } },
      { id: "2", name: "t", input: { old: "canary" } },
    ]);
    expect(refused.map(({ error }) => error?.message)).toEqual([
      expect.stringContaining("`/map/0` cannot be decoded."),
      expect.stringContaining("its message may quote a secret"),
    ]);
  });

  test("dispatch refuses an input nested a hundred thousand levels deep", async () => {
    expect(await answer({ id: "1", name: "t", input: `{"list":${"[".repeat(100_000)}${"]".repeat(100_000)}}` })).toBe(
      "schema/invalid-input",
    );
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(await answer({ id: "1", name: "t", input: { list: deep } })).toBe("decode/input-not-json");
  });

  test("dispatch accepts an input of ten megabytes", async () => {
    expect(await answer({ id: "1", name: "t", input: JSON.stringify({ text: "x".repeat(10_000_000) }) })).toMatchObject(
      { n: 1 },
    );
  });

  test("dispatch neither changes nor freezes the caller's input", async () => {
    const own = { list: '["a"]' };
    await answer({ id: "1", name: "t", input: own });
    expect(own).toEqual({ list: '["a"]' });
    expect(Object.isFrozen(own)).toBe(false);
  });
});

function unreadable(key: string): object {
  const throws = (): never => {
    throw new Error("no");
  };
  return Object.defineProperty({ id: "1", name: "t", input: {} }, key, { get: throws });
}

describe("a call that is none", () => {
  test.each<[string, unknown, string]>([
    ["null", null, "lookup/malformed-call"],
    ["a text", "t", "lookup/malformed-call"],
    ["no id", { name: "t", input: {} }, "lookup/malformed-call"],
    ["no name", { id: "1", input: {} }, "lookup/malformed-call"],
    ["a number for a name", { id: "1", name: 7, input: {} }, "lookup/malformed-call"],
    ["an unknown tool", { id: "1", name: "u", input: {} }, "lookup/unknown-tool"],
    ["a name from the prototype", { id: "1", name: "constructor", input: {} }, "lookup/unknown-tool"],
    ["a name `__proto__`", { id: "1", name: "__proto__", input: {} }, "lookup/unknown-tool"],
    ["a truncated call", { id: "1", name: "t", input: '{"n":', truncated: true }, "decode/truncated"],
    [
      "a call marked as truncated in another way",
      { id: "1", name: "t", input: {}, truncated: "yes" },
      "decode/truncated",
    ],
    [
      "a number that would be rounded",
      { id: "1", name: "t", input: '{"n":9007199254740993}' },
      "decode/inexact-number",
    ],
    [
      "one with a fraction of nothing",
      { id: "1", name: "t", input: '{"n":9007199254740993.0}' },
      "decode/inexact-number",
    ],
    ["one with an exponent", { id: "1", name: "t", input: '{"n":9007199254740993e0}' }, "decode/inexact-number"],
    [
      "a number that a parser may have rounded",
      { id: "1", name: "t", input: { list: [{ n: 9007199254740992 }] } },
      "decode/inexact-number",
    ],
    ["an id that cannot be read", unreadable("id"), "lookup/malformed-call"],
    ["a name that cannot be read", unreadable("name"), "lookup/malformed-call"],
    ["an input that cannot be read", unreadable("input"), "schema/internal-error"],
    ["a dialect that nobody knows", { id: "1", name: "t", input: {}, dialect: "anthropc" }, "decode/unknown-dialect"],
  ])("dispatch answers a malformed call: %s", async (_name, call, expected) =>
    expect(await answer(call)).toBe(expected),
  );

  test("dispatch runs the first of two calls with one id and answers the second unrun", async () => {
    const run = vi.fn(() => "ok");
    const results = await createDispatcher({ tools: [reader("t", run)] }).dispatch([
      { id: "a", name: "t", input: {} },
      { id: "a", name: "t", input: {} },
    ]);
    expect(results.map((result) => [result.callId, result.error?.code])).toEqual([
      ["a", undefined],
      ["a", "duplicate-call-id"],
    ]);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test("dispatch throws for a misspelt dialect", () => {
    expect(() => createDispatcher({ tools: [reader("t", () => "ok")], dialect: "anthropc" })).toThrow(
      /no dialect is called "anthropc"/,
    );
  });

  test.each([undefined, null, "t", { id: "1", name: "t", input: {} }])(
    "dispatch throws for %j in place of a list of calls",
    async (calls) => {
      await expect(createDispatcher({ tools: [] }).dispatch(calls as never)).rejects.toThrow(/a list of calls/);
    },
  );
});

describe("a handler", () => {
  test.each<[string, () => unknown, string]>([
    [
      "throws undefined",
      () => {
        throw undefined;
      },
      "threw",
    ],
    [
      "throws a text",
      () => {
        throw "no";
      },
      "threw",
    ],
    [
      "throws what cannot be printed",
      () => {
        throw {
          toString: () => {
            throw new Error("x");
          },
        };
      },
      "threw",
    ],
    [
      "throws what cannot be read",
      () => {
        throw new Proxy(new Error("x"), {
          get() {
            throw new Error("y");
          },
        });
      },
      "threw",
    ],
    [
      "throws null",
      () => {
        throw null;
      },
      "threw",
    ],
    ["rejects with nothing", () => Promise.reject(), "threw"],
    [
      "returns a broken thenable",
      () => ({
        then: () => {
          throw new Error("x");
        },
      }),
      "threw",
    ],
    [
      "returns a getter that throws",
      () => ({
        get a() {
          throw new Error("x");
        },
      }),
      "invalid-output",
    ],
    [
      "returns a `then` that throws",
      () => ({
        get then() {
          throw new Error("x");
        },
      }),
      "threw",
    ],
    ["never settles", never, "timeout"],
  ])("dispatch answers for a handler that %s", async (_name, execute, code) => {
    const [result] = await createDispatcher({
      tools: [reader("t", execute, { limits: { timeoutSeconds: 0.01, maxRetries: 1 } })],
      retryDelayMs: () => 0,
    }).dispatch(callsOf("t"));
    expect(result?.error?.code).toBe(code);
    expect(result?.content.length).toBeGreaterThan(0);
  });

  test("dispatch answers a handler that settles twice only once", async () => {
    const thenable = {
      then: (yes: (value: string) => void, no: (error: Error) => void) => {
        yes("one");
        yes("two");
        no(new Error("three"));
      },
    };
    expect(
      (await createDispatcher({ tools: [reader("t", () => thenable)] }).dispatch(callsOf("t")))[0]?.content,
    ).toEqual([{ type: "text", text: "one" }]);
  });

  test("a handler that changes its input changes nobody else's", async () => {
    const seen: unknown[] = [];
    const change = reader("t", (value) => {
      value["n"] = 99;
      return "ok";
    });
    const dispatcher = createDispatcher({
      tools: [change],
      hooks: { post: (request) => void seen.push(request.input) },
    });
    const call = { id: "1", name: "t", input: { n: 1 } };
    await dispatcher.dispatch([call]);
    expect(seen).toEqual([{ n: 1 }]);
    expect(call.input).toEqual({ n: 1 });
  });
});

describe("a tool's own functions", () => {
  test.each<[string, object, string]>([
    [
      "prepare that throws",
      {
        prepare: () => {
          throw new Error("x");
        },
      },
      "prepare/prepare-failed",
    ],
    ["prepare that answers a promise", { prepare: () => Promise.resolve({}) }, "prepare/prepare-failed"],
    ["prepare that answers no JSON", { prepare: () => ({ n: 1n }) }, "prepare/prepare-failed"],
    [
      "a check that throws",
      {
        validate: [
          {
            that: () => {
              throw new Error("x");
            },
            message: "n is odd",
          },
        ],
      },
      "semantic/check-failed",
    ],
    ["a check that is only truthy", { validate: [{ that: () => 1, message: "n is odd" }] }, "semantic/check-failed"],
    ["a function that answers false", { validate: [() => false] }, "semantic/invalid-input"],
    ["a function that rejects", { validate: [() => Promise.reject(new Error("x"))] }, "semantic/check-failed"],
    ["a function without end", { validate: [never] }, "semantic/check-failed"],
    ["a function that answers a message", { validate: [async () => "n is odd"] }, "semantic/invalid-input"],
    ["checks that hold", { validate: [{ that: () => true, message: "" }, async () => true, () => true] }, "ok"],
  ])("a faulty tool function fails its call: %s", async (_name, parts, expected) => {
    const [result] = await createDispatcher({ tools: [reader("t", () => "ok", parts)], hookTimeoutMs: 10 }).dispatch(
      callsOf("t"),
    );
    expect(result?.error === undefined ? "ok" : `${result.error.phase}/${result.error.code}`).toBe(expected);
  });

  test.each([
    [undefined, { n: 1 }, ["/n", "/text"]],
    [{ emptyText: "absent" }, { n: 1 }, ["/n", "/text"]],
    [false, "schema/invalid-input", undefined],
  ] as const)(
    "an input is repaired as `coerce: %j` says, and a listener learns where",
    async (coerce, output, places) => {
      const seen: DispatchEvent[] = [];
      const required = {
        ...input,
        properties: { ...input.properties, text: { type: "string", minLength: 1 } },
      } as const;
      const tool = reader("t", (value) => value, { input: required, coerce });
      const given = { n: "1", text: typeof coerce === "object" ? "" : null };
      const [result] = await createDispatcher({ tools: [tool], onEvent: (event) => seen.push(event) }).dispatch(
        callsOf(["t", given]),
      );
      expect(result?.error === undefined ? result?.output : `${result.error.phase}/${result.error.code}`).toEqual(
        output,
      );
      const validated = seen.find(({ type }) => type === "validated");
      expect(validated && "coerced" in validated ? validated.coerced : undefined).toEqual(places);
    },
  );

  test("a dispatcher that coerces nothing refuses what it would repair, by place, and still fills defaults", async () => {
    const properties = { n: { type: "integer" }, text: { type: "string" }, unit: { type: "string", default: "km" } };
    const tool = reader("t", (given) => given, { input: { type: "object", properties } as never });
    const dispatcher = createDispatcher({ tools: [tool], coerce: false });
    const results = await dispatcher.dispatch(
      callsOf(["t", { n: "1" }], ["t", { n: 1, text: null }], ["t", { n: 1, x: 1 }], ["t", { n: 1 }]),
    );
    expect(results.map(({ error, output }) => error?.message ?? output)).toEqual([
      expect.stringContaining("`/n`"),
      expect.stringContaining("`/text`"),
      expect.stringContaining("`/x`"),
      { n: 1, unit: "km" },
    ]);
    expect(results.map(({ error }) => error?.code)).toEqual([
      "invalid-input",
      "invalid-input",
      "invalid-input",
      undefined,
    ]);
  });

  test("a listener does not learn the names of a map that were coerced, which may be secret", async () => {
    const seen: DispatchEvent[] = [];
    const map = { type: "object", properties: { map: { type: "object", additionalProperties: { type: "integer" } } } };
    const tool = reader("t", () => "ok", { input: { ...map, additionalProperties: false } as never });
    await createDispatcher({ tools: [tool], onEvent: (event) => seen.push(event) }).dispatch(
      callsOf(["t", { map: { "sk-1": "1", "sk-2": "2" } }]),
    );
    expect(seen).toContainEqual(expect.objectContaining({ type: "validated", coerced: ["/map"], coercedCount: 2 }));
  });

  test("a listener learns the places of the first 100 parts that were coerced, by few looks at the schema", () => {
    const names = Array.from({ length: 150 }, (_, index) => `p${index}`);
    let looks = 0;
    const properties = new Proxy(Object.fromEntries(names.map((name) => [name, { type: "integer" }])), {
      ownKeys: (target) => ((looks += 1), Reflect.ownKeys(target)),
    });
    const emit = vi.fn((_event: unknown) => undefined);
    const engine = { emit, coerces: true, permissions: { digests: { digest: () => "digest" } } };
    const tool = { input: { properties }, classify: () => UNCLASSIFIED };
    const given = Object.fromEntries(names.map((name) => [name, "1"]));
    const value = Object.fromEntries(names.map((name) => [name, 1]));
    takeInput(engine as never, new CallState({ id: "1", name: "t", input: {} }), { tool } as never, value, given);
    const coerced = names.slice(0, 100).map((name) => `/${name}`);
    expect(emit).toHaveBeenLastCalledWith(expect.objectContaining({ coerced, coercedCount: 150 }));
    expect(looks).toBeLessThan(3);
  });

  test.each([
    ["functions.add_note", "add_note"],
    ["default_api.add_note", "add_note"],
    ["add_note<|channel|>commentary", "add_note"],
    ["default_api:old_note", "add_note"],
    ["addNote", "add_note"],
    ["functions.nothing_like_it", undefined],
    ["functions.hidden", undefined],
  ])(
    "a call of %s is told about %s, and runs only where names are lenient and nothing but syntax is amiss",
    async (name, meant) => {
      const isRepaired = meant !== undefined && name !== "addNote";
      for (const names of [undefined, "exact", "lenient"] as const) {
        const problems: string[] = [];
        const tools = [
          reader("add_note", () => "ok", { aliases: ["old_note"] }),
          reader("hidden", () => "ok", { visibility: { featureGate: "off" } }),
        ];
        const onEvent = (event: DispatchEvent): unknown => event.type === "problem" && problems.push(event.code);
        const dispatcher = createDispatcher({ tools, ...(names && { names }), onEvent });
        const [result] = await dispatcher.dispatch(callsOf(name));
        if (isRepaired && names === "lenient") {
          expect(result).toMatchObject({ isError: false, toolName: "add_note", calledAs: name });
          expect(problems).toEqual(["name-repaired"]);
        } else {
          expect(result?.error?.code).toBe("unknown-tool");
          expect(/Did you mean "(.*?)"\?/u.exec(result?.error?.message ?? "")?.[1]).toBe(meant);
          expect(problems).toEqual([]);
        }
      }
    },
  );

  test("prepare repairs raw input before it is coerced", async () => {
    const tool = reader("t", (value) => value, { input, prepare: (raw) => ({ n: (raw as { count: unknown }).count }) });
    expect((await createDispatcher({ tools: [tool] }).dispatch(callsOf(["t", { count: "3" }])))[0]?.output).toEqual({
      n: 3,
    });
  });

  test("all checks that fail are listed, and the model corrects its input only where one found fault with it", async () => {
    const isDown = (): never => {
      throw new Error("the database is down");
    };
    const odd = { that: () => false, message: "n is odd" };
    const small = { that: () => false, message: "n is too small" };
    const textOf = async (...validate: readonly unknown[]): Promise<string | undefined> => {
      const tool = reader("t", () => "ok", { validate: validate as never });
      return (await createDispatcher({ tools: [tool] }).dispatch(callsOf("t")))[0]?.error?.message;
    };
    expect(await textOf(odd, small)).toMatch(/Correct it and call again:\n- n is odd\n- n is too small$/);
    const mixed = await textOf(
      () => "no such order",
      isDown,
      async () => "no such customer",
    );
    expect(mixed).toMatch(/Correct it.*\n- no such order\n- A check failed: the database is down\n- no such customer$/);
    expect(
      await textOf(
        () => ["no such order", "no such customer"],
        async () => [],
      ),
    ).toMatch(/Correct it and call again:\n- no such order\n- no such customer$/);
    expect(await textOf(() => [])).toBeUndefined();
    expect(
      await textOf(
        async () => ["no such order", 7],
        () => [],
      ),
    ).toMatch(/Correct it and call again:\n- no such order\n- A check of the tool did not hold\.$/);
    const broken = await textOf(isDown, isDown);
    expect(broken).toMatch(/Do not call it again at once:\n- the database is down\n- the database is down$/);
    expect(broken).not.toContain("Correct it");
  });

  test("semantic checks receive context and signal", async () => {
    const check = vi.fn(() => true as const);
    await createDispatcher({ tools: [reader("t", () => "ok", { validate: [check] })] }).dispatch(
      callsOf(["t", { a: 1 }]),
      { context: "me" },
    );
    expect(check).toHaveBeenCalledWith({ a: 1 }, { context: "me", signal: expect.any(AbortSignal) });
  });
});

describe("whoever listens", () => {
  test("a listener may throw or reject without changing anything", async () => {
    const boom = (): never => {
      throw new Error("listener");
    };
    const tool = reader("t", (_value, { progress }) => {
      progress(1);
      return "ok";
    });
    const dispatcher = createDispatcher({
      tools: [tool],
      onEvent: boom,
      onProgress: () => Promise.reject(new Error("listener")) as never,
    });
    expect((await dispatcher.dispatch(callsOf("t")))[0]?.isError).toBe(false);
  });

  test("progress that is content reaches listeners as content too, and any other list as it is", async () => {
    const blocks: ToolContent[] = [
      { type: "text", text: "half" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ];
    const tool = reader("t", (_value, { progress }) => {
      progress(blocks);
      progress([{ type: "text" }]);
      progress([]);
      return "ok";
    });
    const updates: unknown[] = [];
    const onProgress = ({ update, content }: CallProgress): unknown => updates.push([update, content]);
    await createDispatcher({ tools: [tool], onProgress }).dispatch(callsOf("t"));
    expect(updates).toEqual([
      [blocks, blocks],
      [[{ type: "text" }], undefined],
      [[], undefined],
    ]);
  });

  test("a listener receives a call's events in order, and no progress after its end", async () => {
    const types: string[] = [];
    const tool = writer("t", (_value, { progress }) => {
      progress("half");
      setTimeout(() => progress("late"), 5);
      return "ok";
    });
    await createDispatcher({ tools: [tool], onEvent: (event) => types.push(event.type) }).dispatch(callsOf("t"));
    await sleep(10);
    expect(types).toEqual(["classified", "validated", "permitted", "started", "progress", "settled"]);
  });

  test("a listener learns of a denied call whose input is not JSON, and every call is answered", async () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    const dispatcher = createDispatcher({
      tools: [reader("t"), reader("u")],
      permissions: { deny: ["t"] },
      onEvent: () => undefined,
    });
    const results = await dispatcher.dispatch(callsOf(["t", loop], ["u", {}]));
    expect(results.map((result) => result.error?.code)).toEqual(["denied", undefined]);
  });

  test("a listener learns of denied calls", async () => {
    const types: string[] = [];
    await createDispatcher({
      tools: [writer("t", () => "ok", { behavior: { requiresPermission: true } })],
      onEvent: (event) => types.push(event.type),
    }).dispatch(callsOf("t"));
    expect(types).toEqual(["classified", "validated", "denied", "settled"]);
  });
});

describe("without a process", () => {
  afterEach(() => vi.unstubAllGlobals());
  test("the runtime works without a process", async () => {
    vi.stubGlobal("process", undefined);
    const [result] = await createDispatcher({ tools: [reader("t")] }).dispatch(callsOf("t"));
    vi.unstubAllGlobals();
    expect(result?.isError).toBe(false);
  });
});

describe("options that would go unheard", () => {
  test.each<[string, object, RegExp]>([
    ["a misspelt option", { hook: {} }, /`hook` is unknown; known here: tools/],
    ["a misspelt hook", { hooks: { guards: () => undefined } }, /`hooks\.guards` is unknown/],
    ["a hook that is no function", { hooks: { guard: ["no"] } }, /`hooks\.guard` must be a function/],
    ["a person beside the permissions", { interactive: true }, /`interactive` is no option .* `permissions\.ask` or/],
    ["a limit of questions beside them", { maxOpenQuestions: 2 }, /no option .* `permissions\.maxOpenQuestions`/],
    ["a limit of no questions", { permissions: { maxOpenQuestions: 0 } }, /`permissions\.maxOpenQuestions` must be/],
    ["a budget that is no number", { turnResultBudgetChars: Number.NaN }, /must be a number above 0/],
    ["servers without their extension", { mcp: [] }, /`mcp` is no option of a dispatcher: `liveTools\(servers\)` of/],
    [
      "a setting of the search",
      { deferral: "provider" },
      /`deferral` is no option of a dispatcher: `providerSearch` or/,
    ],
  ])("createDispatcher refuses a malformed option: %s", (_name, options, message) => {
    expect(() => createPlainDispatcher({ tools: [], ...options })).toThrow(message);
  });

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
  const accepted: { readonly [option in keyof Required<DispatcherOptions>]: readonly (keyof typeof values)[] } = {
    tools: ["list"],
    extensions: ["list"],
    permissions: ["object"],
    flow: [],
    hooks: ["object"],
    features: ["function"],
    maxConcurrency: ["three"],
    gate: [],
    turnResultBudgetChars: ["fraction", "three", "infinite"],
    refreshTools: ["function"],
    onProgress: ["function"],
    onEvent: ["function"],
    dialect: ["text"],
    names: [],
    coerce: ["true", "false"],
    external: ["function"],
    env: ["object"],
    retryDelayMs: ["function"],
    hookTimeoutMs: ["fraction", "three", "infinite"],
    callTracker: [],
  };
  test.each(Object.entries(accepted))(
    "createDispatcher refuses a value of another kind for `%s`",
    (option, fitting) => {
      const taken = Object.entries(values).filter(([, value]) => {
        try {
          createDispatcher({ tools: [], [option]: value } as never);
          return true;
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return false;
        }
      });
      expect(taken.map(([name]) => name)).toEqual(fitting);
    },
  );

  const durable = "`durableCalls({ store })` of `@hasp/stores`";
  test.each([
    ["callStore", durable],
    ["principal", durable],
    ["mayAnswer", durable],
    ["allowUnseenInput", durable],
    ["questionTtlSeconds", durable],
    ["leaseSeconds", durable],
    ["programs", "`createPrograms()` of `@hasp/programs`"],
  ])("createDispatcher refuses the former option `%s` with what to use in its place", (option, extension) => {
    expect(() => createDispatcher({ tools: [], [option]: "x" } as never)).toThrow(
      `createDispatcher: \`${option}\` is no option of a dispatcher: ${extension} takes its place, in \`extensions\``,
    );
  });

  test("createDispatcher reports a wrong concurrency in the environment", () => {
    const events: unknown[] = [];
    createDispatcher({ tools: [], env: { HASP_MAX_CONCURRENCY: "many" }, onEvent: (event) => events.push(event) });
    const message = 'HASP_MAX_CONCURRENCY must be a whole number above 0, not "many": calls run one by one.';
    expect(events).toEqual([expect.objectContaining({ type: "problem", code: "wrong-environment", message })]);
  });

  test("createDispatcher accepts an unlimited hook timeout", async () => {
    const guard = async (): Promise<undefined> => {
      await sleep(5);
    };
    const dispatcher = createDispatcher({ tools: [reader("t")], hooks: { guard }, hookTimeoutMs: Infinity });
    expect((await dispatcher.dispatch(callsOf("t")))[0]?.isError).toBe(false);
  });

  test("createDispatcher treats undefined as omitted", () => {
    expect(() =>
      createDispatcher({ tools: [], hooks: undefined, permissions: undefined, dialect: undefined }),
    ).not.toThrow();
  });

  const tools = [{ ...reader("look"), aliases: ["see"] }, reader("drop_table")];
  const ask = (): "allow" => "allow";
  test.each<[string, Partial<DispatcherOptions>, RegExp]>([
    [
      "a denied name that no tool has",
      { permissions: { deny: ["look", "dropTable"] } },
      /deny\[1\]` names no tool: "dropTable"\. Did you mean "drop_table"\?/,
    ],
    [
      "a rule for a name that no tool has",
      { permissions: { rules: [{ tool: "zebra", decision: "ask" }] } },
      /rules\[0\]\.tool` names no tool: "zebra"\. Correct or remove it.*: drop_table, look,/,
    ],
    [
      "a rule that allows an alias",
      { permissions: { rules: [{ tool: "see", decision: "allow" }] } },
      /is an alias.* names of tools: "look"/,
    ],
    [
      "a rule that allows an MCP tool without its server",
      { permissions: { rules: [{ tool: "mcp__s__*", decision: "allow" }] } },
      /allows no tool: .*\{ server, tool, decision \}/,
    ],
  ])("createDispatcher refuses a name that no tool has: %s", (_name, options, message) => {
    expect(() => createDispatcher({ tools, ...options })).toThrow(message);
  });

  test.each<[string, Partial<DispatcherOptions>]>([
    [
      "names, aliases, wildcards and the runtime's own tools",
      { permissions: { deny: ["look", "see", "drop_*", "later_*", "tool_search", "read_result"] } },
    ],
    [
      "tools of live servers",
      {
        permissions: {
          deny: ["mcp__s__t", { server: "s", tool: "t" }],
          rules: [{ server: "s", tool: "t", decision: "allow" }],
        },
      },
    ],
    ["a tool that a refresh may bring", { refreshTools: () => [], permissions: { deny: ["later"] } }],
    ["a tool that the bundler left out", { tools: { tools, leftOut: ["gated"] }, permissions: { deny: ["gated"] } }],
    [
      "live permissions, which may serve other dispatchers",
      { permissions: createPermissions({ deny: ["later"], mode: "unattended", ask }) },
    ],
  ])("permissions may name %s", (_name, options) => {
    expect(() => createDispatcher({ tools, ...options })).not.toThrow();
  });
});
