import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { asyncCallTracker, isolate, type IsolateOptions } from "@hasp/handlers/isolation";
import {
  buildTool,
  createDispatcher,
  toolResult,
  type DispatcherOptions,
  type Tool,
  type ToolResult,
} from "@hasp/runtime";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CHANNEL_FD, createLineReader, readChildMessage, VERDICT_FD, type ChildMessage } from "./isolation-messages.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hasp-node-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const anyObject = { type: "object", additionalProperties: true } as const;
async function runs(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return !/^\d+ \(.*\) Z/s.test(state);
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}

async function isolated(
  body: string,
  parts: Partial<IsolateOptions> = {},
  options: Partial<DispatcherOptions> = {},
  signal?: AbortSignal,
  others: readonly Tool[] = [],
): Promise<ToolResult> {
  const path = join(folder, `handler-${Math.random().toString(36).slice(2)}.mjs`);
  await writeFile(
    path,
    `export const helper = () => ({ account: 7 });\nexport async function execute(input, options) {\n${body}\n}\n`,
  );
  const module = pathToFileURL(path);
  const tool = buildTool({
    name: "isolated",
    description: "d",
    input: anyObject,
    behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
    limits: { timeoutSeconds: 20 },
    execute: isolate({ module, timeoutSeconds: 10, context: { module, export: "helper" }, ...parts }),
  });
  const look = buildTool({
    name: "look",
    description: "d",
    input: anyObject,
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute: () => "seen",
  });
  const [result] = await createDispatcher({ tools: [tool, look, ...others], ...options }).dispatch(
    [{ id: "1", name: "isolated", input: { n: 1 } }],
    { signal },
  );
  if (result === undefined) throw new Error("no result");
  return result;
}

describe("isolate", () => {
  test("runs the handler in another process, with its input, a new context and the named variables only", async () => {
    process.env["HASP_TEST_SEEN"] = "seen";
    process.env["HASP_TEST_HIDDEN"] = "hidden";
    const result = await isolated(
      "return { pid: process.pid, input, context: options.context, env: Object.keys(process.env).filter((name) => name.startsWith('HASP_TEST') || name === 'PATH') };",
      { env: ["HASP_TEST_SEEN"] },
    );
    expect(result.output).toEqual({
      pid: expect.any(Number) as number,
      input: { n: 1 },
      context: { account: 7 },
      env: ["HASP_TEST_SEEN"],
    });
    expect((result.output as { pid: number }).pid).not.toBe(process.pid);
  });

  test("carries progress and nested calls between the processes", async () => {
    const updates: unknown[] = [];
    const result = await isolated(
      "options.progress(0.5); const [seen] = await options.dispatch([{ id: 'n', name: 'look', input: {} }]); return seen.content[0].text;",
      {},
      { onProgress: ({ update }) => updates.push(update) },
    );
    expect(result.content).toEqual([{ type: "text", text: "seen" }]);
    expect(updates).toEqual([0.5]);
  });

  test.each<[string, string, object]>([
    [
      "an error",
      "throw new Error('disk full');",
      { code: "threw", effect: "unknown", message: expect.stringContaining("disk full") as string },
    ],
    [
      "an error that says nothing ran",
      "throw Object.assign(new Error('no'), { code: 'not-executed' });",
      { code: "not-executed", effect: "none" },
    ],
    [
      "a crash",
      "process.stderr.write('segfault here'); process.kill(process.pid, 'SIGSEGV'); await new Promise(() => setInterval(() => {}, 1000));",
      { code: "threw", effect: "unknown", message: expect.stringContaining("segfault here") as string },
    ],
    ["an exit", "process.exit(3);", { code: "threw", message: expect.stringContaining("code 3") as string }],
    [
      "a value that cannot cross",
      "return () => 1;",
      { code: "threw", message: expect.stringContaining("cannot be sent") as string },
    ],
  ])("turns %s into a result with its effect", async (_name, body, error) => {
    expect((await isolated(body)).error).toMatchObject(error);
  });

  test("a handler that cannot be loaded was not executed", async () => {
    expect((await isolated("return 1;", { export: "missing" })).error).toMatchObject({
      code: "not-executed",
      effect: "none",
    });
    expect((await isolated("return 1;", { module: pathToFileURL(join(folder, "nowhere.mjs")) })).error).toMatchObject({
      code: "not-executed",
      effect: "none",
    });
  });

  test("kills the whole process group at the end of the wall time, even in a blocking loop", async () => {
    const pidFile = join(folder, "grandchild");
    const body = `
      const { spawn } = await import('node:child_process');
      const { writeFileSync } = await import('node:fs');
      writeFileSync(${JSON.stringify(pidFile)}, String(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']).pid));
      for (;;);`;
    const result = await isolated(body, { timeoutSeconds: 1.5 });
    expect(result.error).toMatchObject({ code: "time-limit", effect: "unknown" });
    expect(result.error?.message).toContain("killed after 1.5 s");
    await sleep(100);
    expect(await runs(Number(await readFile(pidFile, "utf8")))).toBe(false);
  });

  test("imports what a module in TypeScript was compiled to, if only that exists", async () => {
    await writeFile(join(folder, "compiled.mjs"), "export const execute = () => 5;");
    expect((await isolated("", { module: pathToFileURL(join(folder, "compiled.mts")) })).output).toBe(5);
  });

  describe.each(["its options", "NODE_OPTIONS"])("loads modules as this process does: by %s", (where) => {
    test("and TypeScript if there is no JavaScript", async () => {
      const home = await mkdtemp(join(folder, "two  blanks-"));
      const [program = "", preload = "", handler = "", loader = ""] = [
        "program.mjs",
        "preload.mjs",
        "written.mts",
        "loader.mjs",
      ].map((name) => join(home, name));
      await writeFile(preload, "globalThis.preloaded = (globalThis.preloaded ?? 0) + 1;");
      await writeFile(handler, "export const execute = () => globalThis.preloaded;");
      await writeFile(
        program,
        `import { isolate } from ${JSON.stringify(import.meta.resolve("@hasp/handlers/isolation"))};
         const execute = isolate({ module: new URL("./written.mjs", import.meta.url), timeoutSeconds: 20 });
         const signal = new AbortController().signal;
         process.stdout.write(String(await execute({}, { signal }).catch(({ message }) => message)));`,
      );
      // Stands for tsx and the like: Node reads the TypeScript as JavaScript.
      await writeFile(
        loader,
        `import { register } from "node:module";
         register("data:text/javascript," + encodeURIComponent(
           "export const load = (url, context, next) => url.endsWith('.mts') ? next(url, { ...context, format: 'module' }) : next(url, context);"));`,
      );
      const options = ["--import", preload, `--import=${loader}`];
      const quoted = options.map((option) => `"${option.replaceAll(/["\\]/gu, String.raw`\$&`)}"`).join("  ");
      const { stdout } =
        where === "NODE_OPTIONS"
          ? await promisify(execFile)(process.execPath, [program], {
              env: { ...process.env, NODE_OPTIONS: `${quoted} --no-warnings` },
            })
          : await promisify(execFile)(process.execPath, [...options, program]);
      expect(stdout).toBe("1");
    });
  });

  test("gives the options of NODE_OPTIONS once to a handler that sees the variable", async () => {
    const preload = join(folder, "counts.cjs");
    await writeFile(preload, "globalThis.counted = (globalThis.counted ?? 0) + 1;");
    const before = process.env["NODE_OPTIONS"];
    process.env["NODE_OPTIONS"] = `${before ?? ""} --require ${preload}`;
    try {
      expect((await isolated("return globalThis.counted;")).output).toBe(1);
      expect((await isolated("return globalThis.counted;", { env: ["NODE_OPTIONS"] })).output).toBe(1);
    } finally {
      if (before === undefined) delete process.env["NODE_OPTIONS"];
      else process.env["NODE_OPTIONS"] = before;
    }
  });

  describe("a module that is found with the first call", () => {
    const path = "./beside.mjs";
    const call = async (from: () => string | Promise<{ readonly url: string }>): Promise<ToolResult> => {
      await writeFile(join(folder, path), "export const execute = () => 7;");
      return isolated("", { module: { path, from } });
    };

    test.each([
      ["the name of a file", (): string => join(folder, "registry.js")],
      [
        "what has an address",
        async (): Promise<{ readonly url: string }> => ({ url: pathToFileURL(join(folder, "registry.js")).href }),
      ],
    ])("is beside %s", async (_what, from) => {
      expect((await call(from)).output).toBe(7);
    });

    test.each<[string, () => string | Promise<{ readonly url: string }>]>([
      ["nobody knows the place", () => Promise.reject(new Error("no import.meta"))],
      ["a bundle has emptied the address", async () => ({ url: undefined as unknown as string })],
      ["it is not there", () => "/nowhere/registry.js"],
    ])("fails its own call, without an effect, if %s", async (_what, from) => {
      const { error } = await call(from);
      expect(error).toMatchObject({ code: "not-executed", effect: "none" });
      expect(error?.message).toContain("beside.mjs");
    });
  });

  describe("a process that ends before its handler begins", () => {
    /** Writes a module that does this when it is loaded. */
    const early = (body: string): string => {
      const path = join(folder, `early-${Math.random().toString(36).slice(2)}.mjs`);
      writeFileSync(path, `${body}\nexport const execute = () => 1;\nexport const helper = () => 1;`);
      return pathToFileURL(path).href;
    };
    const hanging = "await new Promise(() => setInterval(() => {}, 1000));";
    test.each<[string, () => Partial<IsolateOptions>, string]>([
      ["an exit", () => ({ module: early("process.exit(0);") }), "exited with code 0"],
      ["a crash", () => ({ module: early("process.kill(process.pid, 'SIGSEGV');") }), "was killed by SIGSEGV"],
      [
        "a text of its own on the channel",
        () => ({ module: early(`(await import("node:fs")).writeSync(${CHANNEL_FD}, "x\\n"); ${hanging}`) }),
        "not a message",
      ],
      ["the wall time", () => ({ module: early("for (;;);"), timeoutSeconds: 1 }), "killed after 1 s"],
      [
        "the wall time of its context",
        () => ({ context: { module: early(hanging), export: "helper" }, timeoutSeconds: 1 }),
        "killed after 1 s",
      ],
      ["its memory", () => ({ memoryMb: 1 }), "more than 1 MB"],
      ["its CPU time", () => ({ cpuSeconds: 0.001 }), "more than 0.001 s"],
    ])("has no effect: %s", async (_what, parts, reason) => {
      const { error } = await isolated("return 1;", parts());
      expect(error).toMatchObject({ code: "not-executed", effect: "none" });
      expect(error?.message).toContain(reason);
      expect(error?.message).toContain("before its handler began");
    });

    test("may have one if the handler has begun, even if this process has not read that yet", async () => {
      const [loading = "", go = "", begun = ""] = ["loading", "go", "begun"].map((name) => join(folder, name));
      const module = early(`import { existsSync, writeFileSync } from "node:fs";
        writeFileSync(${JSON.stringify(loading)}, "");
        while (!existsSync(${JSON.stringify(go)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
        export function run() {
          writeFileSync(${JSON.stringify(begun)}, "");
          for (;;);
        }`);
      const pending = isolated("", { module, export: "run", timeoutSeconds: 5 });
      await expect.poll(() => existsSync(loading), { timeout: 4500 }).toBe(true);
      // From here on, this process reads nothing until the wall time is over.
      writeFileSync(go, "");
      const until = Date.now() + 5000;
      while (!existsSync(begun) || Date.now() < until) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      expect((await pending).error).toMatchObject({ code: "time-limit", effect: "unknown" });
    });
  });

  test("leaves no process behind when the handler returns", async () => {
    const result = await isolated(
      "const { spawn } = await import('node:child_process'); return spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']).pid;",
    );
    await sleep(100);
    expect(await runs(result.output as number)).toBe(false);
  });

  test.runIf(process.platform === "linux")(
    "kills processes that the handler started in a group of their own",
    async () => {
      const result = await isolated(
        "const { spawn } = await import('node:child_process'); return spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'inherit' }).pid;",
      );
      await sleep(100);
      expect(await runs(result.output as number)).toBe(false);
    },
  );

  test.runIf(process.platform !== "win32")(
    "the death of the host ends the child and everything the handler started",
    async () => {
      const pidFile = join(folder, "orphan");
      const handler = join(folder, "orphan-handler.mjs");
      await writeFile(
        handler,
        `import { execFile, spawn } from "node:child_process"; import { writeFileSync } from "node:fs";
      export async function execute(_input, options) {
        const { pid } = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
        writeFileSync(${JSON.stringify(pidFile)}, process.pid + " " + pid);
        options.progress("ready");
        await new Promise(() => setInterval(() => {}, 1000));
      }`,
      );
      const program = `import { isolate } from ${JSON.stringify(import.meta.resolve("@hasp/handlers/isolation"))};
      const execute = isolate({ module: ${JSON.stringify(pathToFileURL(handler).href)}, timeoutSeconds: 20 });
      await execute({}, { signal: new AbortController().signal, progress: () => process.stdout.write("ready") });`;
      const hostProcess = spawn(process.execPath, ["--input-type=module", "-e", program], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(hostProcess.stdout, "data");
      hostProcess.kill("SIGKILL");
      const pids = (await readFile(pidFile, "utf8")).split(" ").map(Number);
      await expect.poll(async () => (await Promise.all(pids.map(runs))).some(Boolean), { timeout: 5000 }).toBe(false);
    },
  );

  test.runIf(process.platform !== "win32")("the death of the host ends an endless loop", async () => {
    const pidFile = join(folder, "loop");
    const handler = join(folder, "loop-handler.mjs");
    await writeFile(
      handler,
      `import { writeFileSync, writeSync } from "node:fs";
      export function execute() {
        writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
        writeSync(${CHANNEL_FD}, JSON.stringify({ type: "progress", update: "ready" }) + "\\n");
        for (;;);
      }`,
    );
    const program = `import { isolate } from ${JSON.stringify(import.meta.resolve("@hasp/handlers/isolation"))};
      const execute = isolate({ module: ${JSON.stringify(pathToFileURL(handler).href)}, timeoutSeconds: 60 });
      await execute({}, { signal: new AbortController().signal, progress: () => process.stdout.write("ready") });`;
    const hostProcess = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(hostProcess.stdout, "data");
    hostProcess.kill("SIGKILL");
    const pid = Number(await readFile(pidFile, "utf8"));
    await expect.poll(() => runs(pid), { timeout: 5000 }).toBe(false);
  });

  test.runIf(process.platform === "linux")("the wall time ends an endless loop, even if the host is busy", async () => {
    const pidFile = join(folder, "busy");
    const pending = isolated(
      `const { writeFileSync } = await import("node:fs"); writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); for (;;);`,
      { timeoutSeconds: 3 },
    );
    await expect.poll(() => readFile(pidFile, "utf8").catch(() => ""), { timeout: 5000 }).not.toBe("");
    const pid = Number(await readFile(pidFile, "utf8"));
    const until = Date.now() + 5000;
    let isRunning = true;
    // The host is blocked: neither its timers nor its events run.
    while (isRunning && Date.now() < until) isRunning = !/^\d+ \(.*\) Z|^$/s.test(statOf(pid));
    expect(isRunning).toBe(false);
    expect((await pending).error).toMatchObject({ code: "time-limit" });
  });

  test("refuses values that JSON cannot express, in either direction", async () => {
    const details = { when: new Map([["a", 1]]), call: () => 1 };
    const odd = buildTool({
      name: "odd",
      description: "d",
      input: anyObject,
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false, isOpenWorld: false },
      execute: () => toolResult({ content: "odd", details }),
    });
    const nested = await isolated(
      "const [odd] = await options.dispatch([{ id: 'n', name: 'odd', input: {} }]); return odd.content[0].text;",
      {},
      {},
      undefined,
      [odd],
    );
    expect(nested.content).toEqual([{ type: "text", text: "odd" }]);
    expect(
      (await isolated("return { [Symbol.for('hasp.toolResult')]: true, details: new Map() };")).error,
    ).toMatchObject({ code: "threw", message: expect.stringContaining("cannot be sent") as string });
  });

  describe("a handler that writes to the channel itself", () => {
    const write = (bytes: Uint8Array): string =>
      `const { writeSync } = await import("node:fs"); writeSync(${CHANNEL_FD}, Buffer.from("${Buffer.from(bytes).toString("base64")}", "base64"));`;
    const line = (message: unknown): Buffer => Buffer.from(`${JSON.stringify(message)}\n`);

    test("bytes that a handler writes to the channel fail its own call only", async () => {
      const results = await Promise.all(
        [
          Buffer.from([0, 255, 10]),
          Buffer.from("{\n"),
          line(null),
          line({ type: "toString" }),
          line({ type: "threw" }),
        ].map((bytes) => isolated(`${write(bytes)} await new Promise(() => setInterval(() => {}, 1000));`)),
      );
      for (const { error } of results) {
        expect(error).toMatchObject({ code: "threw", effect: "unknown" });
        expect(error?.message).toContain("not a message");
      }
    });

    test("the first answer counts, even if the process ends at once", async () => {
      const answer = (value: number): string => `{ ${write(line({ type: "returned", value, isToolResult: false }))} }`;
      expect((await isolated(`${answer(1)} ${answer(2)} process.exit(0);`)).output).toBe(1);
    });
  });

  describe("the reader of the channel", () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    const message = fc.record(
      {
        type: fc.oneof(fc.constantFrom("progress", "dispatch", "returned", "threw", "__proto__"), json),
        update: json,
        id: json,
        calls: fc.oneof(fc.array(json), json),
        value: json,
        isToolResult: fc.oneof(fc.boolean(), json),
        error: fc.oneof(fc.record({ name: json, message: json, code: json, retryable: json }), json),
      },
      { requiredKeys: [] },
    );
    const bytes = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        message.map((given) => new TextEncoder().encode(`${JSON.stringify(given)}\n`)),
        json.map((given) => new TextEncoder().encode(`${JSON.stringify(given)}\n`)),
      ),
    );

    test("the reader of the channel takes any bytes, in any pieces, and passes on only messages", () => {
      fc.assert(
        fc.property(bytes, fc.integer({ min: 1, max: 50 }), (written, pieceSize) => {
          const all = Buffer.concat(written);
          const read = (size: number): (ChildMessage | undefined)[] => {
            const found: (ChildMessage | undefined)[] = [];
            const take = createLineReader((each) => found.push(readChildMessage(each)));
            for (let at = 0; at < all.length; at += size) take(all.subarray(at, at + size));
            return found;
          };
          const found = read(pieceSize);
          expect(found).toEqual(read(Math.max(1, all.length)));
          for (const each of found) {
            if (each?.type === "dispatch") {
              expect([typeof each.id, Array.isArray(each.calls)]).toEqual(["number", true]);
            }
            if (each?.type === "threw") expect(typeof each.error.message).toBe("string");
            if (each?.type === "returned") expect(typeof each.isToolResult).toBe("boolean");
          }
        }),
        { numRuns: 200 },
      );
    });

    test("the reader of the channel gives up on a line without end", () => {
      const lines: unknown[] = [];
      const take = createLineReader((each) => lines.push(each));
      const chunk = Buffer.alloc(16 * 1024 * 1024, 97);
      for (let count = 0; count < 8; count++) take(chunk);
      expect(lines).toEqual([undefined]);
    });
  });

  test("passes keys of the prototype in both directions", async () => {
    const result = await isolated('return JSON.parse(\'{"__proto__": { "polluted": 1 }, "constructor": 2 }\');');
    expect(JSON.stringify(result.output)).toBe('{"__proto__":{"polluted":1},"constructor":2}');
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("quotes at most the last 2000 characters of what a process that dies wrote", async () => {
    const body =
      "process.stderr.write('x'.repeat(100_000) + 'the end', () => process.exit(3)); return new Promise(() => {});";
    const { error } = await isolated(body);
    const quoted = /without an answer:\n(?<text>[^]*)$/u.exec(error?.message ?? "")?.groups?.["text"] ?? "";
    expect(quoted).toMatch(/^x+the end/u);
    expect(quoted.length).toBeGreaterThan(1900);
    expect(quoted.length).toBeLessThanOrEqual(2000);
  });

  test("refuses an answer of more than 64 MB", async () => {
    expect((await isolated("return 'x'.repeat(70 * 1024 * 1024);")).error).toMatchObject({
      code: "threw",
      message: expect.stringContaining("bytes") as string,
    });
  });

  test.each([3e7, Infinity, "unlimited"] as const)(
    "a wall time of %s s does not end the call early",
    async (timeoutSeconds) => {
      expect((await isolated("return 1;", { timeoutSeconds })).output).toBe(1);
    },
  );

  test("an abort reaches the handler, and kills one that does not listen", async () => {
    for (const [body, code] of [
      [
        "await new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(new Error('heard'))));",
        "heard",
      ],
      ["await new Promise(() => setInterval(() => {}, 1000));", "killed"],
    ] as const) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 700);
      const result = await isolated(body, {}, {}, controller.signal);
      expect(result.error).toMatchObject({ code: "aborted", message: expect.stringContaining(code) as string });
    }
  });

  test("passes a toolResult on unchanged", async () => {
    const result = await isolated(
      "return { [Symbol.for('hasp.toolResult')]: true, content: 'no', isError: true, effect: 'none' };",
    );
    expect(result).toMatchObject({ isError: true, content: [{ text: "no" }], error: { effect: "none" } });
  });

  describe("a limit that is exceeded ends the call and gives its error a code", () => {
    const printing = (stream: string): string =>
      `for (;;) await new Promise((done) => process.${stream}.write('x'.repeat(60_000) + '\\n', done));`;
    const family = (program: string): string =>
      `const { spawn } = await import('node:child_process'); spawn(process.execPath, ['-e', ${JSON.stringify(program)}]); await new Promise(() => setInterval(() => {}, 1000));`;
    const onLinux = process.platform === "linux";

    test.runIf(process.platform !== "win32").each<[string, string, Partial<IsolateOptions>, string]>([
      [
        "a heap that grows",
        "const all = []; for (;;) all.push({ at: all.length });",
        { memoryMb: 150 },
        "memory-limit",
      ],
      [
        "buffers outside the heap",
        "const all = []; for (;;) { all.push(Buffer.alloc(5e6, 1)); await new Promise((done) => setTimeout(done, 5)); }",
        { memoryMb: 150 },
        "memory-limit",
      ],
      [
        "buffers allocated without a pause",
        "const all = []; for (; all.length < 400;) all.push(Buffer.alloc(5e6, 1)); for (;;);",
        { memoryMb: 150 },
        "memory-limit",
      ],
      ["a busy loop", "for (;;);", { cpuSeconds: 0.7 }, "cpu-limit"],
      ["an endless standard output", printing("stdout"), { outputMb: 1 }, "output-limit"],
      ["an endless standard error", printing("stderr"), { outputMb: 1 }, "output-limit"],
      ["a large answer", "return 'x'.repeat(3e6);", { outputMb: 1 }, "output-limit"],
      [
        "endless progress",
        "for (;;) { options.progress('x'.repeat(1e4)); await new Promise(setImmediate); }",
        { outputMb: 1 },
        "output-limit",
      ],
      ...(onLinux
        ? ([
            [
              "the memory of what it started",
              family("globalThis.all = Buffer.alloc(2e8, 1); setInterval(() => {}, 1000)"),
              { memoryMb: 200 },
              "memory-limit",
            ],
            ["the time of what it started", family("for (;;);"), { cpuSeconds: 1 }, "cpu-limit"],
            [
              "the time of what it started and waited for",
              "const { execFileSync } = await import('node:child_process'); for (;;) execFileSync(process.execPath, ['-e', '']);",
              { cpuSeconds: 1 },
              "cpu-limit",
            ],
          ] satisfies [string, string, Partial<IsolateOptions>, string][])
        : []),
    ])("ends a call with the code of its limit: %s", async (_what, body, limits, code) => {
      // Printed text goes to our standard error, which would clutter the test output.
      const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
      const { error } = await isolated(body, { timeoutSeconds: 15, ...limits });
      const printed = write.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
      write.mockRestore();
      expect(error).toMatchObject({ phase: "execute", code, effect: "unknown" });
      expect(error?.message).toContain(`more than ${Object.values(limits).join("")} `);
      expect(printed).toBeLessThanOrEqual(2 ** 20);
    });

    test("ignores a limit that the call does not have, whatever the handler writes", async () => {
      const body = `const { writeSync } = await import("node:fs"); writeSync(${VERDICT_FD}, "cpu-limit"); await new Promise((done) => setTimeout(done, 100)); return 1;`;
      expect((await isolated(body)).output).toBe(1);
    });

    test("a call below its limits returns, with everything it may use", async () => {
      const limits = { memoryMb: 300, cpuSeconds: 10, outputMb: 4 };
      expect((await isolated("return Buffer.alloc(5e7, 1).length + 'x'.repeat(3e6).length;", limits)).output).toBe(
        5.3e7,
      );
    });

    test("an exceeded limit leaves no effect if the call only reads", async () => {
      const path = join(folder, "reader.mjs");
      await writeFile(path, "export function execute() { for (;;); }");
      const reader = buildTool({
        name: "reader",
        description: "d",
        input: anyObject,
        concurrency: { class: "READ_ONLY" },
        behavior: { requiresPermission: false, isOpenWorld: false },
        execute: isolate({ module: pathToFileURL(path), timeoutSeconds: 10, cpuSeconds: 0.5 }),
      });
      const [result] = await createDispatcher({ tools: [reader] }).dispatch([{ id: "1", name: "reader", input: {} }]);
      expect(result?.error).toMatchObject({ code: "cpu-limit", effect: "none" });
    });
  });

  test("refuses limits that are not numbers", () => {
    const parts = { module: "file:///h.js", timeoutSeconds: 1 };
    for (const wrong of [0, -1, NaN, Infinity, "64" as unknown as number]) {
      expect(() => isolate({ ...parts, memoryMb: wrong })).toThrow(/memoryMb/);
      expect(() => isolate({ ...parts, cpuSeconds: wrong })).toThrow(/cpuSeconds/);
      expect(() => isolate({ ...parts, outputMb: wrong })).toThrow(/outputMb/);
    }
  });

  test("requires a file: URL and a wall time", () => {
    expect(() => isolate({ module: "./handler.js", timeoutSeconds: 1 })).toThrow(/file: URL/);
    expect(() => isolate({ module: "file:///h.js", timeoutSeconds: 0 })).toThrow(/timeoutSeconds/);
  });
});

describe("asyncCallTracker", () => {
  test("answers a handler that bypasses its own dispatch with an error instead of a deadlock", async () => {
    let around: readonly ToolResult[] = [];
    const outer = buildTool({
      name: "outer",
      description: "d",
      input: anyObject,
      behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
      async execute() {
        await sleep(1);
        around = await dispatcher.dispatch([{ id: "x", name: "outer", input: {} }]);
        return "done";
      },
    });
    const dispatcher = createDispatcher({ tools: [outer], callTracker: asyncCallTracker() });
    const results = await Promise.all([
      dispatcher.dispatch([{ id: "1", name: "outer", input: {} }]),
      dispatcher.dispatch([{ id: "2", name: "outer", input: {} }]),
    ]);
    expect(results.flat().map((result) => result.isError)).toEqual([false, false]);
    expect(around[0]?.error).toMatchObject({ code: "dispatched-around", effect: "none" });
  });

  test("also answers a handler called by another one, in any dispatcher of the same gate", async () => {
    let around: readonly ToolResult[] = [];
    const parts = {
      description: "d",
      input: anyObject,
      behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
    } as const;
    const outer = buildTool({
      ...parts,
      name: "outer",
      execute: async (_input, { dispatch }) => (await dispatch([{ id: "2", name: "inner", input: {} }]))[0]?.isError,
    });
    const inner = buildTool({
      ...parts,
      name: "inner",
      async execute() {
        around = await other.dispatch([{ id: "3", name: "inner", input: {} }]);
        return "done";
      },
      limits: { timeoutSeconds: 2 },
    });
    const callTracker = asyncCallTracker();
    const dispatcher = createDispatcher({ tools: [outer, inner], callTracker });
    const other = createDispatcher({ tools: [inner], callTracker, gate: dispatcher.gate });
    const [result] = await dispatcher.dispatch([{ id: "1", name: "outer", input: {} }]);
    expect(result?.output).toBe(false);
    expect(around[0]?.error).toMatchObject({ code: "dispatched-around", effect: "none" });
  });
});
