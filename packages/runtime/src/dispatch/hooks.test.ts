import { describe, expect, test, vi } from "vitest";
import type { DispatchEvent, Hooks, PostAnswer } from "./state/dispatcher-types.js";
import type { ToolResult } from "../tool/definition.js";
import { toolResult } from "../results/tool-result.js";
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
  required: ["path"],
  properties: { path: { type: "string" }, lines: { type: "integer", default: 10 } },
  additionalProperties: false,
} as const;
const texts = (result: ToolResult | undefined): unknown[] =>
  (result?.content ?? []).map((block) => ("text" in block ? block.text : block));
const boom = (): never => {
  throw new Error("boom");
};

describe("transform", () => {
  test("a transform changes the input, which is coerced, filled and validated again", async () => {
    const run = vi.fn(() => "ok");
    const dispatcher = createDispatcher({
      tools: [reader("read", run, { input })],
      hooks: { transform: () => ({ input: { path: "b", lines: "7" } }) },
    });
    await dispatcher.dispatch(callsOf(["read", { path: "a" }]));
    expect(run).toHaveBeenCalledWith({ path: "b", lines: 7 }, expect.anything());
  });

  test("a transform receives filled defaults and the output of the previous one", async () => {
    const seen: unknown[] = [];
    const transform: Hooks["transform"] = [
      (request) => void seen.push(request.input),
      () => ({ input: { path: "b" } }),
      (request) => void seen.push(request.input),
    ];
    await createDispatcher({ tools: [reader("read", () => "ok", { input })], hooks: { transform } }).dispatch(
      callsOf(["read", { path: "a" }]),
    );
    expect(seen).toEqual([{ path: "a", lines: 10 }, { path: "b" }]);
  });

  test("a transform that makes the input invalid fails the call, unrun", async () => {
    const run = vi.fn();
    const dispatcher = createDispatcher({
      tools: [reader("read", run, { input })],
      hooks: { transform: () => ({ input: { path: 1 } }) },
    });
    expect((await dispatcher.dispatch(callsOf(["read", { path: "a" }])))[0]?.error).toMatchObject({
      phase: "schema",
      code: "invalid-input",
    });
    expect(run).not.toHaveBeenCalled();
  });

  test("a transform makes semantic checks, classification and permission judge the new input", async () => {
    const judged: string[] = [];
    const tool = writer("move", () => "ok", {
      behavior: { requiresPermission: true },
      validate: [{ that: (value) => Boolean(judged.push(`check ${String(value["path"])}`)), message: "no" }],
    });
    const dispatcher = createDispatcher({
      tools: [tool],
      hooks: { transform: () => ({ input: { path: "/etc" } }) },
      permissions: {
        rules: [
          { tool: "move", when: ({ path }: { path: string }) => judged.push(`rule ${path}`) < 0, decision: "deny" },
        ],
        check: (request) => {
          const { path } = request.input as { path: string };
          judged.push(`permission ${path}`);
          return path === "/etc" ? "deny" : "allow";
        },
      },
    });
    const [result] = await dispatcher.dispatch(callsOf(["move", { path: "/tmp" }]));
    expect(result?.error).toMatchObject({ phase: "permission", code: "denied" });
    expect(judged).toEqual(["check /tmp", "rule /tmp", "check /etc", "rule /etc", "permission /etc"]);
  });

  test("a transform that changes nothing asks nobody twice", async () => {
    const ask = vi.fn(() => "allow" as const);
    const tool = writer("move", () => "ok", { behavior: { requiresPermission: true } });
    const dispatcher = createDispatcher({
      tools: [tool],
      permissions: { ask },
      hooks: { transform: (request) => ({ input: { ...(request.input as object) } }) },
    });
    await dispatcher.dispatch(callsOf(["move", { path: "a" }]));
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test("a transform cannot change the input by mutation", async () => {
    const run = vi.fn();
    const transform = (request: { input: unknown }): undefined => {
      (request.input as { path: string }).path = "/etc";
      return undefined;
    };
    const [result] = await createDispatcher({ tools: [reader("read", run)], hooks: { transform } }).dispatch(
      callsOf(["read", { path: "a" }]),
    );
    expect(result?.error).toMatchObject({ phase: "transform", code: "hook-failed" });
    expect(run).not.toHaveBeenCalled();
  });
});

describe("guard", () => {
  test("a guard sees the final input and may block, with its reason", async () => {
    const dispatcher = createDispatcher({
      tools: [reader("read")],
      hooks: {
        transform: () => ({ input: { path: "b" } }),
        guard: (request) => ((request.input as { path: string }).path === "b" ? { block: "b is secret" } : undefined),
      },
    });
    const [result] = await dispatcher.dispatch(callsOf(["read", { path: "a" }]));
    expect(result?.error).toMatchObject({ phase: "guard", code: "blocked", effect: "none" });
    expect(texts(result).join()).toContain("b is secret");
  });
});

describe("a transform or guard that fails", () => {
  test.each<[string, Hooks]>([
    ["a transform that throws", { transform: boom }],
    ["a guard that throws", { guard: boom }],
    ["a guard that rejects", { guard: () => Promise.reject(new Error("boom")) }],
    ["a guard without end", { guard: never }],
    ["a guard that answers false", { guard: (() => false) as never }],
    ["a guard that misspells its answer", { guard: (() => ({ blocked: "no" })) as never }],
    ["a transform that answers the bare input", { transform: (() => ({ path: "b" })) as never }],
    ["a transform whose input is no JSON", { transform: () => ({ input: { path: 1n } }) }],
    [
      "a transform that loops its input",
      {
        transform: () => {
          const loop: Record<string, unknown> = {};
          loop["loop"] = loop;
          return { input: loop };
        },
      },
    ],
  ])("a failing hook keeps its call from running: %s", async (_name, hooks) => {
    const run = vi.fn();
    const [result] = await createDispatcher({ tools: [reader("read", run)], hooks, hookTimeoutMs: 10 }).dispatch(
      callsOf("read"),
    );
    expect(result?.error).toMatchObject({ code: "hook-failed", effect: "none" });
    expect(run).not.toHaveBeenCalled();
  });
});

describe("post", () => {
  test("a post-hook may return the changed result it was given: its content counts, an error stays an error", async () => {
    const post = ({ result }: { readonly result: ToolResult }): PostAnswer =>
      ({ ...result, content: "redacted", isError: false }) as PostAnswer;
    const boom = (): never => {
      throw new Error("secret");
    };
    const [result] = await createDispatcher({ tools: [reader("t", boom)], hooks: { post } }).dispatch(callsOf("t"));
    expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: "redacted" }] });
  });

  test.each([
    ["a success", reader("t", () => "ok"), false],
    ["a failure", reader("t", boom), true],
    ["a returned error", reader("t", () => toolResult({ content: "no", isError: true })), true],
  ])("a post-hook runs after %s", async (_name, tool, isError) => {
    const post = vi.fn();
    await createDispatcher({ tools: [tool], hooks: { post } }).dispatch(callsOf(["t", { a: 1 }]), { context: "c" });
    expect(post).toHaveBeenCalledExactlyOnceWith({
      callId: "1",
      toolName: "t",
      input: { a: 1 },
      context: "c",
      result: expect.objectContaining({ isError }),
    });
  });

  test("a post-hook does not run for a call that was never executed", async () => {
    const post = vi.fn();
    await createDispatcher({
      tools: [reader("t"), writer("w", () => "ok", { behavior: { requiresPermission: true } })],
      hooks: { post },
    }).dispatch(callsOf("w", "unknown", ["t", []]));
    expect(post).not.toHaveBeenCalled();
  });

  test("a post-hook that replaces the content drops the structured output", async () => {
    const dispatcher = createDispatcher({
      tools: [reader("t", () => ({ secret: 1 }))],
      hooks: { post: () => ({ content: "redacted" }) },
    });
    const [result] = await dispatcher.dispatch(callsOf("t"));
    expect(texts(result)).toEqual(["redacted"]);
    expect(result).not.toHaveProperty("output");
  });

  test("a post-hook may replace the words of an error, in its message too, but not its retry advice", async () => {
    const hooks = { post: () => ({ content: "redacted" }) };
    for (const tool of [writer("t", boom), writer("t", () => toolResult({ content: "secret", isError: true }))]) {
      const [result] = await createDispatcher({ tools: [tool], hooks }).dispatch(callsOf("t"));
      expect(texts(result)).toEqual([expect.stringMatching(/^Do not repeat/u), "redacted"]);
      expect(result?.error).toMatchObject({
        effect: "unknown",
        message: expect.stringMatching(/^Do not repeat[^\n]*\nredacted$/u),
      });
    }
    const kept = { post: ({ result }: { readonly result: ToolResult }): PostAnswer => ({ content: result.content }) };
    const [result] = await createDispatcher({ tools: [writer("t", boom)], hooks: kept }).dispatch(callsOf("t"));
    expect(texts(result)).toEqual([expect.stringMatching(/^Do not repeat/u)]);
  });

  test("a post-hook may never clear an error", async () => {
    const post = (() => ({ content: "fine", isError: false })) as unknown as () => PostAnswer;
    const [result] = await createDispatcher({ tools: [reader("t", boom)], hooks: { post } }).dispatch(callsOf("t"));
    expect(result?.isError).toBe(true);
  });

  test("a post-hook may end the loop", async () => {
    const [result] = await createDispatcher({
      tools: [reader("t")],
      hooks: { post: () => ({ terminate: true }) },
    }).dispatch(callsOf("t"));
    expect(result?.terminate).toBe(true);
  });

  test.each([
    ["throws", boom],
    ["does not end", never],
  ])("a post-hook that %s keeps the result and is reported", async (_name, post) => {
    const events: DispatchEvent[] = [];
    const dispatcher = createDispatcher({
      tools: [reader("t")],
      hooks: { post },
      hookTimeoutMs: 10,
      onEvent: (event) => events.push(event),
    });
    const [result] = await dispatcher.dispatch(callsOf("t"));
    expect(result).toMatchObject({ isError: false, content: [{ text: "ok" }] });
    expect(events.find((event) => event.type === "problem")).toMatchObject({ code: "post-hook-failed", callId: "1" });
  });
});

test("notes of transforms and guards are appended to that call's result", async () => {
  const dispatcher = createDispatcher({
    tools: [reader("t")],
    hooks: { transform: () => ({ note: "one" }), guard: [() => ({ note: "two" }), () => undefined] },
  });
  expect(texts((await dispatcher.dispatch(callsOf("t")))[0])).toEqual(["ok", "one", "two"]);
});

test("hooks run in call order, never concurrently, and do not wait for an earlier call to execute", async () => {
  const log: string[] = [];
  let live = 0;
  const note = async (what: string): Promise<undefined> => {
    expect((live += 1)).toBe(1);
    await sleep(1);
    log.push(what);
    live -= 1;
  };
  const dispatcher = createDispatcher({
    tools: [reader("r", ({ as }) => void log.push(`run ${String(as)}`))],
    hooks: {
      transform: ({ callId }) => note(`transform ${callId}`),
      guard: ({ callId }) => note(`guard ${callId}`),
      post: ({ callId }) => note(`post ${callId}`),
    },
  });
  await dispatcher.dispatch(callsOf(["r", { as: 1 }], ["r", { as: 2 }]));
  expect(log).toEqual(["transform 1", "guard 1", "run 1", "transform 2", "guard 2", "run 2", "post 1", "post 2"]);
});
