import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonSchema } from "@hasp/schema";
import {
  createDispatcher,
  type DispatchEvent,
  type DispatcherOptions,
  type DispatcherExtension,
  NotExecuted,
  toolResult,
  type ToolCall,
  type ToolResult,
  buildTool,
} from "@hasp/runtime";
import { type CallFacts, type CallPart, defineExtension } from "@hasp/runtime/extension";
import { declaredHandler, SecretPatterns } from "@hasp/runtime/internal";
import { callsOf, deferred, reader, writer } from "./tools.testing.js";
import { recordTape, replayTape, simulate } from "./index.js";

let folder: string;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tapes-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const newFile = (): string => join(folder, `${(count += 1)}.jsonl`);
const linesOf = (file: string): readonly Record<string, unknown>[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

type Tools = DispatcherOptions["tools"];

async function record(tools: Tools, turns: readonly (readonly ToolCall[])[], file = newFile()): Promise<string> {
  const dispatcher = createDispatcher({ tools, extensions: [recordTape(file)] });
  for (const calls of turns) await dispatcher.dispatch(calls);
  return file;
}

/** A result without the time that it took. */
const timeless = (result: ToolResult): string => JSON.stringify({ ...result, durationMs: 0 });

const amount = {
  type: "object",
  required: ["amount"],
  properties: { amount: { type: "integer", maximum: 100 } },
} as const;

function refusing(name: string): never {
  throw new Error(`${name} must not run`);
}

describe("a replay", () => {
  const answers: { readonly [name: string]: (n: number) => unknown } = {
    text: (n) => `line ${n}`,
    value: (n) => ({ zeta: n, alpha: [n, null, { "é\n": "\u2028" }] }),
    nothing: () => undefined,
    marked: (n) => toolResult({ output: `text ${n}`, details: { n }, terminate: true }),
    aside: (n) => toolResult({ output: { n }, content: `The number ${n}` }),
    picture: () => toolResult({ content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] }),
    labelled: (n) => toolResult({ output: n, untrusted: true, private: false }),
    refused: (n) => toolResult({ isError: true, content: `no ${n}`, effect: "none" }),
    broken: (n) => {
      throw new Error(`broke at ${n}`);
    },
    harmless: () => {
      throw new NotExecuted("not now");
    },
    long: (n) => "x".repeat(500 + n),
    listed: (n) =>
      toolResult({
        output: [n],
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      }),
  };
  const input = { type: "object", properties: { n: { type: "integer", default: 1 } } } as const;
  const limits = { maxResultSizeChars: 300 };
  const recorded = Object.entries(answers).map(([name, answer]) =>
    reader(name, ({ n }) => answer(n as number), { input, limits }),
  );
  const silent = Object.keys(answers).map((name) => reader(name, () => refusing(name), { input, limits }));
  const turns = [
    callsOf(...Object.keys(answers)),
    callsOf(...Object.keys(answers).map((name) => [name, { n: 2 }] as const)),
  ];

  test("equals the recording byte for byte, without a handler", async () => {
    const file = newFile();
    const live = createDispatcher({ tools: recorded, extensions: [recordTape(file)] });
    const replayed = createDispatcher({ tools: silent, extensions: [replayTape(await record(recorded, turns))] });
    for (const calls of turns) {
      const expected = await live.dispatch(calls);
      expect((await replayed.dispatch(calls)).map((result) => JSON.stringify(result))).toEqual(expected.map(timeless));
    }
  });

  test("answers equal calls in their order, and says when they are used up", async () => {
    let n = 0;
    const next = reader("next", () => (n += 1));
    const file = await record([next], [callsOf("next"), callsOf("next", "next")]);
    const replayed = createDispatcher({ tools: [next], extensions: [replayTape(file)] });
    const results = await replayed.dispatch(callsOf("next", "next", "next", "next"));
    expect(results.map(({ output, error }) => output ?? error?.code)).toEqual([1, 2, 3, "not-on-tape"]);
    expect(results[3]?.error).toMatchObject({ phase: "execute", effect: "none" });
    expect(results[3]?.error?.message).toContain("holds this call less often than it was made");
    expect(n).toBe(3);
  });

  test("settles parallel calls in the recorded order", async () => {
    const gates = { a: deferred(), b: deferred(), c: deferred() };
    const named = { type: "object", required: ["name"], properties: { name: { type: "string" } } } as const;
    const wait = reader("wait", ({ name }) => gates[name as "a"].promise.then(() => name), { input: named });
    const file = newFile();
    const live = createDispatcher({ tools: [wait], extensions: [recordTape(file)] });
    const calls = callsOf(...["a", "b", "c"].map((name) => ["wait", { name }] as const));
    const running = live.dispatch(calls);
    for (const name of ["c", "a", "b"] as const) {
      gates[name].resolve();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const expected = await running;
    expect(
      linesOf(file)
        .slice(1)
        .map(({ order }) => order),
    ).toEqual([2, 3, 1]);
    const settled: unknown[] = [];
    const watch = (call: CallFacts): CallPart => ({
      returned: () => void settled.push((call.input as { name: string }).name),
    });
    const watching = defineExtension({
      name: "watching",
      attach: () => ({ api: undefined, turn: () => ({ call: watch }) }),
    });
    const replayed = await createDispatcher({ tools: [wait], extensions: [replayTape(file), watching] }).dispatch(
      calls,
    );
    expect(replayed.map((result) => JSON.stringify(result))).toEqual(expected.map(timeless));
    expect(settled).toEqual(["c", "a", "b"]);
  });

  test("runs post-hooks and limits, and refuses what permissions refuse", async () => {
    const wipe = writer("wipe", () => "wiped", { behavior: { isDestructive: true, requiresPermission: true } });
    const file = newFile();
    await createDispatcher({
      tools: [wipe],
      permissions: { ask: () => "allow" },
      extensions: [recordTape(file)],
    }).dispatch(callsOf("wipe"));
    const post = () => ({ content: "seen" });
    const allowed = createDispatcher({
      tools: [wipe],
      permissions: { ask: () => "allow" },
      hooks: { post },
      extensions: [replayTape(file)],
    });
    expect((await allowed.dispatch(callsOf("wipe")))[0]?.content).toEqual([{ type: "text", text: "seen" }]);
    const unattended = createDispatcher({
      tools: [wipe],
      permissions: { mode: "unattended" },
      extensions: [replayTape(file)],
    });
    expect((await unattended.dispatch(callsOf("wipe")))[0]?.error?.code).toBe("no-one-to-ask");
  });

  test("loads no handler that loads on its first call, and needs neither environment nor context", async () => {
    const definition = { needs: { env: ["NO_SUCH_VARIABLE"], context: ["db"] } };
    const file = newFile();
    await createDispatcher({
      tools: [reader("look", () => "seen", definition)],
      env: { NO_SUCH_VARIABLE: "1" },
      extensions: [recordTape(file)],
    }).dispatch(callsOf("look"), { context: { db: 1 } });
    const tool = { ...reader("look", () => refusing("look"), definition), load: () => refusing("load") };
    const replayed = createDispatcher({ tools: [tool], env: {}, extensions: [replayTape(file)] });
    expect(await replayed.preview({ id: "1", name: "look", input: {} })).toMatchObject({ decision: "allow" });
    expect((await replayed.dispatch(callsOf("look")))[0]?.content).toEqual([{ type: "text", text: "seen" }]);
  });

  test("shows the nearest recorded call, or simulates what is missing", async () => {
    const pay = reader("pay", () => "paid", { input: amount });
    const file = await record([pay], [callsOf(["pay", { amount: 5 }])]);
    const [result] = await createDispatcher({ tools: [pay], extensions: [replayTape(file)] }).dispatch(
      callsOf(["pay", { amount: 6 }]),
    );
    expect(result?.error?.message).toContain(
      `lacks this call. The nearest recorded call differs at /amount, line 2: pay {"amount":5}`,
    );
    const simulated = createDispatcher({ tools: [pay], extensions: [replayTape(file, { missing: "simulate" })] });
    const [known, missing] = await simulated.dispatch(callsOf(["pay", { amount: 5 }], ["pay", { amount: 6 }]));
    expect([known?.content, missing?.content]).toEqual([
      [{ type: "text", text: "paid" }],
      [{ type: "text", text: "Simulated result of pay." }],
    ]);
  });

  test("names the change of an input schema, and ignores its annotations", async () => {
    const before = {
      type: "object",
      properties: { n: { type: "integer", maximum: 9, description: "A number." } },
    } as const;
    const file = await record([reader("look", () => "ok", { input: before })], [callsOf("look")]);
    const described = { ...before, title: "Looks", properties: { n: { ...before.properties.n, default: 3 } } } as const;
    const same = createDispatcher({
      tools: [reader("look", () => "", { input: described })],
      extensions: [replayTape(file)],
    });
    expect((await same.dispatch(callsOf(["look", {}])))[0]?.error?.code).toBe("not-on-tape");
    const narrowed = { type: "object", properties: { n: { type: "integer", maximum: 8 } } } as const;
    const other = createDispatcher({
      tools: [reader("look", () => "", { input: narrowed })],
      extensions: [replayTape(file)],
    });
    const [result] = await other.dispatch(callsOf("look"));
    expect(result?.error).toMatchObject({ code: "tape-outdated", effect: "none" });
    expect(result?.error?.message).toContain("/properties/n/maximum is 9 on the tape and 8 now");
  });

  test("stops siblings as the recorded failure did", async () => {
    const failing = reader("failing", () => Promise.reject(new Error("down")), {
      behavior: { abortsSiblingsOnError: true },
    });
    const slow = reader(
      "slow",
      (_input, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const calls = callsOf("failing", "slow");
    const file = newFile();
    const expected = await createDispatcher({ tools: [failing, slow], extensions: [recordTape(file)] }).dispatch(calls);
    expect(expected[1]?.error?.code).toBe("sibling-failed");
    const replayed = createDispatcher({ tools: [failing, slow], extensions: [replayTape(file)] });
    expect((await replayed.dispatch(calls)).map((each) => JSON.stringify(each))).toEqual(expected.map(timeless));
  });
});

describe("a tape", () => {
  test("begins anew with its dispatcher, and holds one call a line in call order", async () => {
    const file = newFile();
    writeFileSync(file, "old");
    const look = reader("look", ({ b }) => ({ b }));
    createDispatcher({ tools: [look], extensions: [recordTape(file)] });
    expect(readFileSync(file, "utf8")).toBe('{"tape":1,"tools":{}}\n');
    await record([look, writer("write")], [callsOf(["look", { b: 1, a: 2 }], "write")], file);
    expect(readFileSync(file, "utf8").trim().split("\n")).toEqual([
      '{"tape":1,"tools":{"look":{"additionalProperties":true,"type":"object"}}}',
      '{"tool":"look","input":{"a":2,"b":1},"outcome":"ok","output":{"b":1},"order":1}',
      '{"tape":1,"tools":{"write":{"additionalProperties":true,"type":"object"}}}',
      '{"tool":"write","input":{},"outcome":"ok","output":"ok","order":2}',
    ]);
  });

  test("has the last outcome of retries, and neither nested calls nor what read_result reads", async () => {
    let tries = 0;
    const flaky = reader(
      "flaky",
      () => {
        tries += 1;
        if (tries < 3) throw Object.assign(new Error("again"), { retryable: true });
        return "x".repeat(1000);
      },
      { limits: { maxRetries: 2, maxResultSizeChars: 200 } },
    );
    const outer = reader("outer", async (_input, { dispatch }) => (await dispatch(callsOf("flaky"))).length);
    const file = newFile();
    const dispatcher = createDispatcher({
      tools: [flaky, outer],
      retryDelayMs: () => 0,
      extensions: [recordTape(file)],
    });
    const [cut] = await dispatcher.dispatch(callsOf("flaky"));
    await dispatcher.dispatch(callsOf("outer", ["read_result", { reference: cut?.offloaded?.reference }]));
    expect(linesOf(file).flatMap(({ tool, outcome }) => (tool === undefined ? [] : [[tool, outcome]]))).toEqual([
      ["flaky", "ok"],
      ["outer", "ok"],
    ]);
  });

  test("takes the time if asked, and adds to what is there if asked", async () => {
    const file = newFile();
    for (const name of ["one", "two", "one"]) {
      const tape = recordTape(file, { time: true, append: true });
      await createDispatcher({ tools: [reader(name)], extensions: [tape] }).dispatch(callsOf(name));
    }
    expect(linesOf(file).map(({ tool, order, at }) => [tool, order, typeof at])).toEqual([
      [undefined, undefined, "undefined"],
      [undefined, undefined, "undefined"],
      ["one", 1, "string"],
      [undefined, undefined, "undefined"],
      ["two", 2, "string"],
      ["one", 3, "string"],
    ]);
  });

  test("is read in any layout", async () => {
    const look = reader("look", ({ n }) => n);
    const file = await record([look], [callsOf(["look", { n: 1 }], ["look", { n: "a}]" }])]);
    const [header, ...entries] = linesOf(file);
    const layouts = [
      [header, ...entries].map((line) => JSON.stringify(line, null, 4)).join("\n"),
      JSON.stringify([header, ...entries]),
      JSON.stringify([...entries, header], null, "\t"),
      `\uFEFF${[...entries.toReversed(), header].map((line) => JSON.stringify(line)).join("\r\n")}`,
    ];
    for (const layout of layouts) {
      writeFileSync(file, layout);
      const replayed = createDispatcher({ tools: [look], extensions: [replayTape(file)] });
      const results = await replayed.dispatch(callsOf(["look", { n: "a}]" }], ["look", { n: 1 }]));
      expect(results.map(({ output, content }) => output ?? content)).toEqual([[{ type: "text", text: "a}]" }], 1]);
    }
  });

  test("has what somebody else executed, and needs nobody for that", async () => {
    const choose = buildTool({
      name: "choose",
      description: "Asks a person.",
      input: { type: "object", properties: { n: { type: "integer" } } },
      behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
      external: true,
    });
    const file = newFile();
    const external: DispatcherOptions["external"] = ({ input }) => input;
    const calls = callsOf(["choose", { n: 7 }]);
    await createDispatcher({ tools: [choose], external, extensions: [recordTape(file)] }).dispatch(calls);
    const [result] = await createDispatcher({ tools: [choose], extensions: [replayTape(file)] }).dispatch(calls);
    expect(result).toMatchObject({ isError: false, output: { n: 7 } });
  });

  test("replays what somebody has edited", async () => {
    const look = reader("look", () => ({ n: 1 }));
    const file = await record([look], [callsOf("look")]);
    writeFileSync(file, readFileSync(file, "utf8").replace('"output":{"n":1}', '"output":{"n":2}'));
    const [result] = await createDispatcher({ tools: [look], extensions: [replayTape(file)] }).dispatch(
      callsOf("look"),
    );
    expect(result?.output).toEqual({ n: 2 });
  });

  const header = '{"tape":1,"tools":{"look":{"type":"object"}}}\n';
  const line = '{"tool":"look","input":{},"outcome":"ok","output":1,"order":1}';
  test.each([
    ["an empty file", "", ":1: The tape is damaged: no line says `tape: 1`"],
    ["a half-written line", header + line.slice(0, 30), ":2: The tape is damaged: it ends within a call"],
    ["a half-written string", header + line.slice(0, 12), ":2: The tape is damaged: it ends within a call"],
    ["a number for a call", `${header}7`, ":2: The tape is damaged: what stands there is no call."],
    ["null for a header", "null", ":1: The tape is damaged: what stands there is no call."],
    ["another version", '{"tape":2,"tools":{}}', ":1: The tape is damaged: it says `tape: 2`"],
    ["a merge conflict", `${header}<<<<<<< ours\n${line}`, ":2: The tape is damaged: what stands there is not JSON."],
    ["an unknown key", header + line.replace('"order"', '"place"'), ":2: The tape is damaged: `/order` is missing"],
    ["a missing key", header + line.replace(',"order":1', ""), ":2: The tape is damaged: `/order` is missing"],
    [
      "a wrong kind",
      header + line.replace('"order":1', '"order":"1"'),
      ':2: The tape is damaged: `/order` must be an integer; the tape says "1"',
    ],
    ["an unknown outcome", header + line.replace('"ok"', '"fine"'), ':2: The tape is damaged: `/outcome` must be "ok"'],
    [
      "an error without words",
      header + line.replace('"ok"', '"error"'),
      ":2: The tape is damaged: `/error` is missing",
    ],
    [
      "no block",
      header + line.replace('"output":1', '"content":[{"type":"video"}]'),
      ":2: The tape is damaged: content block 0",
    ],
    [
      "another tool's call",
      header + line.replace('"look"', '"gaze"'),
      ":2: The tape is damaged: no line with `tape: 1` holds the input schema of gaze",
    ],
  ])("is refused with its place if it has %s", (_what, text, message) => {
    const file = newFile();
    writeFileSync(file, text);
    expect(() => replayTape(file)).toThrow(file + message);
    expect(() => replayTape(file)).toThrow(expect.objectContaining({ code: "damaged-tape" }) as Error);
  });

  test("is read with long texts, and added to with many calls", async () => {
    const look = reader("look", () => 1);
    const long = await record([reader("look", () => 'x"'.repeat(10_000_000))], [callsOf("look")]);
    expect(() => replayTape(long)).not.toThrow();
    const many = newFile();
    writeFileSync(many, header + `${line}\n`.repeat(150_000));
    await createDispatcher({ tools: [look], extensions: [recordTape(many, { append: true })] }).dispatch(
      callsOf("look"),
    );
    expect(readFileSync(many, "utf8").slice(-20)).toContain('"order":2}\n');
  });

  test("throws if it is absent, and for unknown options", () => {
    expect(() => replayTape(newFile())).toThrow("ENOENT");
    expect(() => replayTape("x", { mising: "refuse" } as never)).toThrow("`mising` is unknown");
    expect(() => recordTape("x", { time: 1 } as never)).toThrow("`time` must be true or false");
    expect(() => simulate({ answers: { look: [{}] } } as never)).toThrow("`answers.look[0]` needs `output`");
    const tape = recordTape(newFile());
    createDispatcher({ tools: [], extensions: [tape] });
    expect(() => createDispatcher({ tools: [], extensions: [tape] })).toThrow("Call recordTape once for each");
  });
});

describe("a recording that fails", () => {
  test("ends the earlier of two processes with a problem, and the file stays whole", async () => {
    const file = newFile();
    const problems: DispatchEvent[] = [];
    const onEvent = (event: DispatchEvent): unknown => event.type === "problem" && problems.push(event);
    const [first, second] = [0, 1].map((n) =>
      createDispatcher({ tools: [reader("look", () => n)], onEvent, extensions: [recordTape(file)] }),
    );
    const results = [
      ...((await first?.dispatch(callsOf("look"))) ?? []),
      ...((await second?.dispatch(callsOf("look"))) ?? []),
    ];
    expect(results.map(({ output }) => output)).toEqual([0, 1]);
    expect(problems).toMatchObject([
      { code: "tape-incomplete", message: expect.stringContaining("another process replaced") },
    ]);
    const replayed = createDispatcher({ tools: [reader("look")], extensions: [replayTape(file)] });
    expect((await replayed.dispatch(callsOf("look")))[0]?.output).toBe(1);
  });

  test("keeps the lines of two processes that add to one tape", async () => {
    const file = newFile();
    const tools = [reader("look", ({ n }) => n)];
    await record(tools, [callsOf(["look", { n: 0 }])], file);
    const both = [1, 2].map(() => createDispatcher({ tools, extensions: [recordTape(file, { append: true })] }));
    for (let n = 1; n <= 10; n += 1) await both[n % 2]?.dispatch(callsOf(["look", { n }]));
    const replayed = createDispatcher({ tools, extensions: [replayTape(file)] });
    const calls = callsOf(...Array.from({ length: 11 }, (_, n) => ["look", { n }] as const));
    expect((await replayed.dispatch(calls)).map(({ output }) => output)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("keeps the lines of one process when another hides a secret in them", async () => {
    const file = newFile();
    writeFileSync(file, '{"tape":1,"tools":{}}\n');
    const input = { type: "object", properties: { key: { type: "string", writeOnly: true } } } as const;
    const tools = [reader("look", ({ n }) => n), reader("login", () => "in", { input })];
    const [first, second] = [0, 1].map(() =>
      createDispatcher({ tools, extensions: [recordTape(file, { append: true })] }),
    );
    await first?.dispatch(callsOf(["look", { n: "hunter-2" }]));
    await second?.dispatch(callsOf(["login", { key: "hunter-2" }]));
    await first?.dispatch(callsOf(["look", { n: 2 }]));
    const outputs = linesOf(file).flatMap(({ output }) => output ?? []);
    expect(outputs).toEqual(["[secret]", "in", 2]);
  });

  const [built, runtime] = ["../dist/", "../../runtime/dist/"].map((folder) => new URL(folder, import.meta.url).href);
  const runWithLimit = (blocks: number, text: string): ReturnType<typeof spawnSync> =>
    // The shell's limit fails a write as a full disk does; Node ignores its signal.
    spawnSync("bash", ["-c", `ulimit -f ${blocks} && exec "$0" --input-type=module -e "$1"`, process.execPath, text], {
      encoding: "utf8",
    });
  const program = (file: string): string => `
    const { buildTool, createDispatcher } = await import(${JSON.stringify(`${runtime}index.js`)});
    const { recordTape } = await import(${JSON.stringify(`${built}index.js`)});
    const look = buildTool({ name: "look", description: "Looks.", input: { type: "object", properties: { n: { type: "integer" } } },
      concurrency: { class: "READ_ONLY" }, behavior: { requiresPermission: false, isOpenWorld: false }, execute: ({ n }) => String(n).repeat(300) });
    const codes = [];
    const onEvent = (event) => event.type === "problem" && codes.push(event.code);
    const dispatcher = createDispatcher({ tools: [look], onEvent, extensions: [recordTape(${JSON.stringify(file)})] });
    let right = 0;
    for (let n = 1; n <= 9; n += 1) {
      const [result] = await dispatcher.dispatch([{ id: String(n), name: "look", input: { n } }]);
      if (result.content[0].text === String(n).repeat(300)) right += 1;
    }
    console.log(JSON.stringify({ right, codes }));
  `;

  test("costs no call its result on a full disk, and the tape says that it is incomplete", () => {
    const file = newFile();
    const { stdout, stderr } = runWithLimit(2, program(file));
    expect(stderr).toBe("");
    expect(JSON.parse(String(stdout))).toEqual({ right: 9, codes: ["tape-incomplete"] });
    expect(readFileSync(file, "utf8").length).toBeLessThanOrEqual(2048);
    expect(() => replayTape(file)).toThrow(
      "The tape is damaged: it ends within a call: its recording was killed, or its disk was full",
    );
  });

  test("leaves an earlier tape as it is if there is no room to begin another", () => {
    const file = newFile();
    writeFileSync(file, "earlier");
    expect(runWithLimit(0, program(file)).stderr).toContain("is incomplete, and takes no more calls: EFBIG");
    expect(readFileSync(file, "utf8")).toBe("earlier");
  });

  test("empties the file if there is no room to hide a secret in it", () => {
    const file = newFile();
    const late = program(file)
      .replace('{ type: "integer" }', '{ type: "string", writeOnly: true }, note: { type: "string" }')
      .replace("input: { n } }", 'input: n < 9 ? { note: "abcd".repeat(32) } : { n: "abcd" } }')
      .replaceAll("String(n).repeat(300)", '"done"');
    const { stdout, stderr } = runWithLimit(2, late);
    expect(stderr).toBe("");
    expect(JSON.parse(String(stdout))).toEqual({ right: 9, codes: ["tape-incomplete"] });
    expect(readFileSync(file, "utf8")).toBe("");
  });

  test("keeps every call that a killed process has answered", () => {
    const file = newFile();
    const killed = program(file).replace(
      "if (result",
      'if (n === 4) process.kill(process.pid, "SIGKILL");\n if (result',
    );
    const { signal } = spawnSync(process.execPath, ["--input-type=module", "-e", killed], { encoding: "utf8" });
    expect(signal).toBe("SIGKILL");
    expect(linesOf(file)).toHaveLength(5);
    expect(() => replayTape(file)).not.toThrow();
  });
});

describe("secrets", () => {
  const input = {
    type: "object",
    properties: {
      user: { type: "string" },
      password: { type: "string", writeOnly: true },
      note: { type: "string" },
      pin: { type: "integer", "x-secret": true },
    },
  } as const;
  const output = {
    type: "object",
    required: ["token"],
    additionalProperties: true,
    properties: { token: { type: "string", "x-secret": true } },
  } as const;

  test("tapes hold no marked field, none of their values elsewhere, and no secret of a connection", async () => {
    const file = newFile();
    const login = reader(
      "login",
      ({ password }) => ({ token: "tok-77881", said: `"${JSON.stringify({ password })}"` }),
      { input, output },
    );
    const echo = reader("echo", ({ note }) => `${note}`, { input });
    const patterns = new SecretPatterns();
    const remote = buildTool({
      name: "remote",
      description: "Asks a service.",
      input: { type: "object", properties: {} },
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false, isOpenWorld: false },
      execute: declaredHandler(patterns, async (_input, _options, { secrets }) => {
        secrets.add("connection-secret-1");
        return toolResult({ content: "connection-secret-1" });
      }),
    });
    const tools = [login, echo, remote];
    const given = { user: "ann", password: 'pa"ss wörd', pin: 86_421 };
    const turns = [
      callsOf(["echo", { note: "before: connection-secret-1 86421" }]),
      callsOf(["login", given], ["echo", { note: 'pa"ss wörd tok-77881' }]),
      callsOf("remote", ["echo", { note: "connection-secret-1" }]),
    ];
    const results: ToolResult[] = [];
    const live = createDispatcher({ tools, extensions: [recordTape(file)] });
    for (const calls of turns) results.push(...(await live.dispatch(calls)));
    expect(results[2]?.content).toEqual([{ type: "text", text: 'pa"ss wörd tok-77881' }]);
    const text = readFileSync(file, "utf8");
    const hidden = ['pa"ss', "wörd", "tok-77881", "86421", "connection-secret-1"];
    expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
    expect(linesOf(file).find(({ tool }) => tool === "login")).toMatchObject({
      input: { user: "ann", password: "[secret]", pin: "[secret]" },
      output: { token: "[secret]" },
    });
    const replayed = createDispatcher({ tools, extensions: [replayTape(file)] });
    for (const calls of turns) {
      for (const result of await replayed.dispatch(calls)) expect(result.isError).toBe(false);
    }
  });
});

test("hides undeclared keys of a secret object, and keys whose names are secret", async () => {
  const name = { type: "string" } as const;
  const input = {
    type: "object",
    properties: {
      login: { type: "object", "x-secret": true, properties: { user: name }, additionalProperties: name },
      byToken: {
        type: "object",
        propertyNames: { type: "string", "x-secret": true },
        additionalProperties: { type: "integer" },
      },
    },
  } as const;
  const echo = reader("echo", (given) => `The user said ${JSON.stringify(given)}`, { input });
  const login = { user: "ann-b", "key-12345": "value-12345" };
  const file = await record([echo], [callsOf(["echo", { login, byToken: { "token-1": 1, "token-2": 2 } }])]);
  const [, call] = linesOf(file);
  expect(call).toMatchObject({ input: { login: "[secret]", byToken: { "[secret]": 1, "[secret][secret]": 2 } } });
  const text = readFileSync(file, "utf8");
  expect(["ann-b", "key-12345", "value-12345", "token-1", "token-2"].filter((each) => text.includes(each))).toEqual([]);
  expect(text).toContain("The user said");
  const replayed = createDispatcher({ tools: [echo], extensions: [replayTape(file)] });
  const [answer] = await replayed.dispatch(callsOf(["echo", { login, byToken: { "token-1": 1, "token-2": 2 } }]));
  expect(answer?.isError).toBe(false);
});

test("hides a secret output of the wrong kind in the error that quotes it", async () => {
  const output = { type: "object", properties: { token: { type: "string", "x-secret": true } } } as const;
  const file = await record([reader("login", () => ({ token: 8_765_432 }), { output })], [callsOf("login")]);
  const text = readFileSync(file, "utf8");
  expect(text).toContain("`/token` must be a string");
  expect(text).not.toContain("8765432");
});

test("hides a secret of the size of a file, and the texts that hold it", async () => {
  const input = { type: "object", properties: { key: { type: "string", writeOnly: true } } } as const;
  const key = Array.from({ length: 30_000 }, (_, n) => `${n}-"`).join("");
  const file = await record(
    [reader("echo", ({ key: held }) => `It is ${held}.`, { input })],
    [callsOf(["echo", { key }])],
  );
  expect(linesOf(file)).toMatchObject([{ tape: 1 }, { input: { key: "[secret]" }, output: "[secret]" }]);
});

test("hides a secret that is a part of the mark for secrets", async () => {
  const input = { type: "object", properties: { key: { type: "string", writeOnly: true } } } as const;
  const echo = reader("echo", ({ key }) => key, { input });
  const file = await record([echo], [callsOf(["echo", { key: "secret" }]), callsOf(["echo", { key: "cret" }])]);
  expect(linesOf(file)).toMatchObject([
    { tape: 1 },
    { input: { key: "[secret]" }, output: "[secret]" },
    { input: { key: "[secret]" }, output: "[secret]" },
  ]);
});

describe("simulate", () => {
  const output = {
    type: "object",
    required: ["city", "degrees"],
    properties: { city: { type: "string" }, degrees: { type: "number", minimum: -40, maximum: 50 } },
  } as const;
  const input = {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer", default: 1 } },
  } as const;
  const weather = reader("weather", () => refusing("weather"), { input, output });
  const ask = async (tape: DispatcherExtension, ...calls: Parameters<typeof callsOf>): Promise<readonly ToolResult[]> =>
    createDispatcher({ tools: [weather, reader("plain", () => refusing("plain"))], extensions: [tape] }).dispatch(
      callsOf(...calls),
    );

  test("gives the same output for the same seed, tool and input", async () => {
    const [first, second, other] = await ask(
      simulate(),
      ["weather", { city: "Bern" }],
      ["weather", { city: "Bern", days: 1 }],
      ["weather", { city: "Rome" }],
    );
    expect(first?.output).toEqual(second?.output);
    expect(first?.output).not.toEqual(other?.output);
    expect((await ask(simulate({ seed: "b" }), ["weather", { city: "Bern" }]))[0]?.output).not.toEqual(first?.output);
    expect((await ask(simulate(), "plain"))[0]?.content).toEqual([
      { type: "text", text: "Simulated result of plain." },
    ]);
  });

  test("prefers the answers that were given to examples, and examples to generated values", async () => {
    const answers = { weather: [{ input: { city: "Bern" }, output: { city: "Bern", degrees: 3 } }] };
    const [given, generated] = await ask(
      simulate({ answers }),
      ["weather", { city: "Bern" }],
      ["weather", { city: "Rome" }],
    );
    expect(given?.output).toEqual({ city: "Bern", degrees: 3 });
    expect(generated?.isError).toBe(false);
    const shown = reader("shown", () => refusing("shown"), {
      output: { ...output, examples: [{ city: 1 }, { city: "Oslo", degrees: 1 }] },
    });
    const [example] = await createDispatcher({ tools: [shown], extensions: [simulate()] }).dispatch(callsOf("shown"));
    expect(example?.output).toEqual({ city: "Oslo", degrees: 1 });
  });

  const cube = (items: JsonSchema): JsonSchema => ({ type: "array", minItems: 900, items });
  test.each<[string, JsonSchema]>([
    ["no value fits", { type: "integer", minimum: 2, maximum: 1 }],
    ["values are too large: lists", cube(cube(cube({ type: "integer" })))],
    ["values are too large: texts", { type: "string", pattern: "^[a-z]+$", minLength: 300_000_000 }],
    ["values are too large: repetitions", { type: "string", pattern: "^(((a{1000}){1000}){1000})$" }],
    ["values are too large: contained items", { contains: { type: "integer" }, minContains: 300_000_000 }],
    ["items run out", { type: "array", minItems: 500, uniqueItems: true, items: { type: "boolean" } }],
  ])("refuses a call of whose output schema %s", async (_what, unfit) => {
    const impossible = reader("impossible", () => 1, { output: unfit });
    const [result] = await createDispatcher({ tools: [impossible], extensions: [simulate()] }).dispatch(
      callsOf("impossible"),
    );
    expect(result?.error).toMatchObject({ phase: "execute", code: "cannot-simulate", effect: "none" });
  });
});
