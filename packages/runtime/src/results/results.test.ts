import { describe, expect, test, vi } from "vitest";
import type { ToolContent, ToolResult } from "../tool/definition.js";
import type { DispatcherOptions } from "../dispatch/state/dispatcher-types.js";
import { createDispatcher as createBareDispatcher } from "../dispatch/kernel.js";
import { createEquippedDispatcher as createDispatcher, callsOf, reader, writer } from "../dispatch/tools.testing.js";
import { computeFairLimit } from "../dispatch/pipeline/cut-results.js";
import { measureContent } from "./content.js";
import { cut } from "./text.js";
import { toolResult } from "./tool-result.js";
import { storedResults } from "../extensions/results/stored-results.js";

const limits = (
  maxResultSizeChars: number | "unlimited",
): { limits: { maxResultSizeChars: number | "unlimited" } } => ({ limits: { maxResultSizeChars } });
const texts = (result: ToolResult | undefined): string =>
  (result?.content ?? []).map((block) => ("text" in block ? block.text : "")).join("\n");
const run = async (
  tool: ReturnType<typeof reader>,
  options: Partial<DispatcherOptions> = {},
): Promise<ToolResult | undefined> => (await createDispatcher({ tools: [tool], ...options }).dispatch(callsOf("t")))[0];

describe("what execute returned", () => {
  const image: ToolContent = { type: "image", data: "AAAA", mimeType: "image/png" };
  test.each<[string, unknown, object]>([
    ["a string", "hello", { content: [{ type: "text", text: "hello" }] }],
    ["an object", { a: [1, null] }, { content: [{ type: "text", text: '{"a":[1,null]}' }], output: { a: [1, null] } }],
    ["null", null, { content: [{ type: "text", text: "null" }], output: null }],
    ["nothing", undefined, { content: [{ type: "text", text: "Done. The tool returned nothing." }] }],
    ["a date inside", { at: new Date(0) }, { output: { at: "1970-01-01T00:00:00.000Z" } }],
    ["a property that is undefined", { a: undefined, b: 1 }, { output: { b: 1 } }],
    [
      "a key __proto__",
      JSON.parse('{"__proto__":{"x":1}}'),
      { content: [{ type: "text", text: '{"__proto__":{"x":1}}' }] },
    ],
    [
      "a toolResult with text",
      toolResult({ content: "hi", details: { secret: 1 }, terminate: true }),
      { content: [{ type: "text", text: "hi" }], details: { secret: 1 }, terminate: true },
    ],
    [
      "a toolResult with blocks",
      toolResult({ content: [image, { type: "resource", uri: "file:///a" }] }),
      { content: [image, { type: "resource", uri: "file:///a" }] },
    ],
    [
      "a toolResult with bytes",
      toolResult({ content: [{ type: "resource", uri: "file:///a", mimeType: "a/b", blob: "AAAA" }] }),
      { content: [{ type: "resource", uri: "file:///a", mimeType: "a/b", blob: "AAAA" }] },
    ],
    [
      "a toolResult with output alone",
      toolResult({ output: { n: 1 } }),
      { content: [{ type: "text", text: '{"n":1}' }], output: { n: 1 } },
    ],
  ])("a returned value becomes content and output: %s", async (_name, value, expected) => {
    expect(await run(reader("t", () => value))).toMatchObject({ isError: false, ...expected });
  });

  test("a text is complete in its content, also as JSON of an object; a toolResult's output is structured", async () => {
    for (const [value, output] of [
      ["hi", undefined],
      [new Date(0), undefined],
      [toolResult({ output: "hi" }), "hi"],
    ] as const) {
      expect((await run(reader("t", () => value)))?.output).toBe(output);
    }
  });

  test("a toolResult that claims an error in any form is an error", async () => {
    expect(await run(reader("t", () => toolResult({ content: "no", isError: "yes" as never })))).toMatchObject({
      isError: true,
    });
  });

  test.each<[string, unknown, RegExp]>([
    ["a BigInt", { n: 1n }, /\/n is a bigint/],
    ["NaN", { n: Number.NaN }, /\/n is NaN/],
    ["a function", { f: () => 1 }, /\/f is a function/],
    ["a hole in a list", [1, undefined], /\/1 is undefined/],
    ["a Map", new Map(), /of the class Map/],
    ["an error that should have been thrown", Object.assign(new Error("no"), { code: "ENOENT" }), /of the class Error/],
    ["a promise that should have been awaited", { later: Promise.resolve(1) }, /\/later is of the class Promise/],
    [
      "a cycle",
      (() => {
        const loop: { self?: unknown } = {};
        loop.self = loop;
        return loop;
      })(),
      /\/self contains itself/,
    ],
    [
      "a toolResult with a block that is none",
      toolResult({ content: [{ type: "video" } as never] }),
      /content block 0/,
    ],
  ])("a returned value is refused with its place: %s", async (_name, value, message) => {
    const result = await run(reader("t", () => value));
    expect(result?.error).toMatchObject({ phase: "result", code: "invalid-output", effect: "none" });
    expect(result?.error?.message).toMatch(message);
  });

  test("a returned value must fit the tool's output schema", async () => {
    const output = {
      type: "object",
      required: ["n"],
      properties: { n: { type: "integer" } },
      additionalProperties: false,
    } as const;
    expect(await run(writer("t", () => ({ n: 1 }), { output }))).toMatchObject({ isError: false, output: { n: 1 } });
    for (const value of [{ n: "1" }, undefined, toolResult({ content: "no output" }), { n: 1, more: 2 }]) {
      expect((await run(writer("t", () => value, { output })))?.error).toMatchObject({
        phase: "result",
        code: "invalid-output",
        effect: "landed",
      });
    }
  });

  test("an output is frozen, and no longer the handler's own object", async () => {
    const own = { list: [1] };
    const result = await run(reader("t", () => own));
    own.list.push(2);
    expect(result?.output).toEqual({ list: [1] });
    for (const part of [
      result,
      result?.content,
      result?.content[0],
      result?.output,
      (result?.output as { list: unknown } | undefined)?.list,
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  test("a returned error keeps its words, after its known effect", async () => {
    const result = await run(writer("t", () => toolResult({ content: "exit 1", isError: true, details: "log" })));
    expect(texts(result)).toMatch(/^Do not repeat this call.*\nexit 1$/);
    expect(result?.details).toBe("log");
  });
});

describe("the limit of a result", () => {
  const long = `begin ${"x".repeat(5000)} end`;

  test("a long result becomes a preview of beginning and end that says what is missing", async () => {
    const [result] = await createBareDispatcher({ tools: [reader("t", () => long, limits(1000))] }).dispatch(
      callsOf("t"),
    );
    expect(texts(result)).toMatch(/^begin x+\n…\nx+ end\n\[Cut: the whole result has 5010 characters/);
    expect(measureContent(result?.content ?? [])).toBeLessThanOrEqual(1000);
    expect(result?.offloaded).toEqual({ sizeChars: 5010 });
  });

  test.each([
    ["one with a reference", () => "file-1", { reference: "file-1", sizeChars: 5010 }],
    ["a late one", () => Promise.resolve("file-1"), { reference: "file-1", sizeChars: 5010 }],
  ])("a long result is stored whole by a store that answers: %s", async (_name, put, offloaded) => {
    const resultStore = { put: vi.fn(put) };
    const [result] = await createDispatcher({
      tools: [reader("t", () => long, limits(1000))],
      extensions: [storedResults(resultStore)],
    }).dispatch(callsOf("t"));
    expect(resultStore.put).toHaveBeenCalledExactlyOnceWith({
      callId: "1",
      toolName: "t",
      content: [{ type: "text", text: long }],
    });
    expect(result?.offloaded).toEqual(offloaded);
    expect(texts(result)).toContain("file-1");
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("full");
      },
    ],
    ["answers nothing", () => undefined],
    ["never answers", () => new Promise(() => undefined)],
  ])("a long result is a preview without reference if the store %s", async (_name, put) => {
    const dispatcher = createDispatcher({
      tools: [reader("t", () => long, limits(1000))],
      extensions: [storedResults({ put: put as unknown as () => string })],
      hookTimeoutMs: 10,
    });
    const [result] = await dispatcher.dispatch(callsOf("t"));
    expect(result).toMatchObject({ isError: false });
    expect(result?.offloaded).toEqual({ sizeChars: 5010 });
    expect(texts(result)).toContain("You cannot read the rest");
  });

  test("the limit of a result holds for errors too, and for any size", async () => {
    for (const most of [1, 50, 500]) {
      const result = await run(
        writer(
          "t",
          () => {
            throw new Error("y".repeat(100_000));
          },
          limits(most),
        ),
      );
      expect(measureContent(result?.content ?? [])).toBeLessThanOrEqual(most);
      expect(result?.error?.message.length).toBeLessThanOrEqual(4000);
    }
  });

  test("an unlimited result is not cut", async () => {
    const huge = "z".repeat(200_000);
    expect(texts(await run(reader("t", () => huge, limits("unlimited"))))).toBe(huge);
    expect(texts(await run(reader("t", () => huge))).length).toBeLessThanOrEqual(100_010);
  });

  test("a limit never leaves half a character", async () => {
    const result = await run(reader("t", () => "😀".repeat(1000), limits(501)));
    expect(texts(result)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
    expect(cut("a😀b", 3)).toBe("a…");
  });
});

describe("the budget of a turn", () => {
  const dispatch = async (budget: number): Promise<readonly ToolResult[]> =>
    await createDispatcher({
      tools: [
        reader("big", () => "b".repeat(5000)),
        reader("small", () => "s".repeat(100)),
        reader("whole", () => "w".repeat(3000), limits("unlimited")),
      ],
      turnResultBudgetChars: budget,
    }).dispatch(callsOf("big", "small", "whole", "big"));

  test("a turn's budget cuts the largest results, and leaves small and unlimited ones", async () => {
    const results = await dispatch(6000);
    expect(results.map((result) => measureContent(result.content))).toEqual([
      expect.any(Number),
      100,
      3000,
      expect.any(Number),
    ]);
    expect(results.reduce((sum, result) => sum + measureContent(result.content), 0)).toBeLessThanOrEqual(6000);
    expect(measureContent(results[0]?.content ?? [])).toBeGreaterThan(1000);
  });

  test("a turn's budget cuts nothing that fits", async () => {
    expect((await dispatch(20_000)).map((result) => measureContent(result.content))).toEqual([5000, 100, 3000, 5000]);
  });

  test("a turn's budget is shared fairly", () => {
    const sized = (...sizes: number[]): { sizeChars: number; limit: number }[] =>
      sizes.map((sizeChars) => ({ sizeChars, limit: 100_000 }));
    expect(computeFairLimit(sized(1000, 1000, 4000), 5000)).toBe(3000);
    expect(computeFairLimit(sized(4000, 4000), 5000)).toBe(2500);
    expect(computeFairLimit(sized(100, 200), 300)).toBeUndefined();
  });
});
