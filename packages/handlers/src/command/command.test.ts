import { createDispatcher, buildTool, type ToolResult } from "@hasp/runtime";
import fc from "fast-check";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { argument, commandHandler } from "./index.js";
import type { CommandDeclaration } from "./handler.js";

const node = process.execPath;
const echo = "console.log(JSON.stringify({ argv: process.argv.slice(1), env: process.env, cwd: process.cwd() }))";
let folder: string;
let helper: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hasp-command-"));
  helper = join(folder, "helper.cjs");
  await writeFile(helper, "console.log(JSON.stringify(process.argv.slice(2)))");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function call(
  declaration: CommandDeclaration<{ readonly value?: unknown }, { readonly workspace?: unknown }>,
  value?: unknown,
  { context = {}, signal, readOnly = false }: { context?: object; signal?: AbortSignal; readOnly?: boolean } = {},
): Promise<ToolResult> {
  const tool = buildTool({
    name: "run",
    description: "Runs.",
    input: { type: "object", properties: { value: true }, additionalProperties: false },
    behavior: { requiresPermission: false, interruptBehavior: "cancel", ...(!readOnly && { isDestructive: false }) },
    concurrency: { class: readOnly ? "READ_ONLY" : "WRITE_EXCLUSIVE" },
    execute: commandHandler(declaration) as never,
  });
  const dispatcher = createDispatcher({
    tools: [tool],
    permissions: { ask: () => "allow" },
  } as never);
  const [result] = await dispatcher.dispatch([{ id: "1", name: "run", input: { value } }], {
    context,
    signal,
  } as never);
  if (result === undefined) throw new Error("no result");
  return result;
}

const HOSTILE = [
  "", " ", "$(touch x)", "`touch x`", "; touch x", "&& touch x", "| cat", "> x", "*", "~", "!!", "a b", "'", '"', "\\",
  "\n", "\t", "%PATH%", "${PATH}", "é", "💥", "\u202E", "\u001B[31m", "a=b", "@file", "=", "^", "%", "\r\n", "x\n--y",
]; // prettier-ignore
const DASHED = ["-", "--", "-rf", "--help", "-e", "--eval=process.exit(3)", "-\n", "--output=/etc/passwd", "-i"];

describe("200 hostile values", () => {
  test("each hostile value is the whole argument, or the whole rest of one, and nothing else", async () => {
    const random = fc.sample(fc.string({ unit: "binary", maxLength: 40 }), 200 - HOSTILE.length - DASHED.length);
    const values = [...HOSTILE, ...DASHED, ...random.map((text) => text.replaceAll("\0", ""))];
    expect(values).toHaveLength(200);
    // All in one program: each alone after `--`, and each after the beginning of an argument before that.
    const printed = await call(
      {
        argv: () => [
          node,
          helper,
          ...values.map((value) => `--of=${argument(value)}`),
          "--",
          ...values.map((value) => argument(value)),
        ],
        stdout: "json",
      },
      undefined,
    );
    expect(printed.output).toEqual([...values.map((value) => `--of=${value}`), "--", ...values]);
  });

  test.each(DASHED)("refuses %j before `--`, and does not run the program", async (value) => {
    for (const argv of [
      [argument(value)],
      [argument(""), argument(value), "--"],
      [`${argument("")}${argument(value)}`],
    ]) {
      const result = await call({ argv: () => [node, "-e", "process.exit(7)", ...argv] });
      expect(result.error).toMatchObject({ code: "not-executed", effect: "none" });
      expect(result.error?.message).toMatch(/begins with "-"|take it for an option/u);
    }
  });

  test.each([
    ["a\0b", /NUL/],
    ["\uDC00", /Unicode/],
    [undefined, /missing/],
    [["a"], /list/],
    [{}, /object/],
  ])("%j cannot be an argument", async (value, message) => {
    const result = await call({ argv: () => [node, "-e", echo, "--", argument(value)] });
    expect(result.error).toMatchObject({ code: "not-executed", message: expect.stringMatching(message) });
  });

  test("refuses arguments that are too long", async () => {
    const one = await call({ argv: () => [node, "-e", echo, "--", argument("x".repeat(200_000))] });
    expect(one.error?.message).toMatch(/too long/u);
    const many = await call({ argv: () => [node, "-e", echo, "--", ...Array(30).fill(argument("x".repeat(100_000)))] });
    expect(many.error?.message).toMatch(/too long/u);
  });

  test("no value chooses the program", async () => {
    expect((await call({ argv: () => [argument(node), "-e", echo] })).error?.code).toBe("not-executed");
    expect((await call({ argv: () => [] })).error?.code).toBe("not-executed");
  });
});

describe("the program sees", () => {
  test("the program sees its folder and only the named variables", async () => {
    process.env["HASP_TEST_SHOWN"] = "yes";
    process.env["HASP_TEST_HIDDEN"] = "no";
    const result = await call(
      {
        argv: () => [node, "-e", echo],
        cwd: (_input, context) => context.workspace as string,
        env: ["HASP_TEST_SHOWN"],
        stdout: "json",
      },
      undefined,
      { context: { workspace: folder } },
    );
    const { env, cwd } = result.output as { readonly env: object; readonly cwd: string };
    expect(cwd.endsWith(folder.slice(folder.lastIndexOf("/")))).toBe(true);
    expect(Object.keys(env).toSorted()).toEqual(["HASP_TEST_SHOWN", "PATH"]);
  });

  test("the program sees its secrets, and no result shows them", async () => {
    process.env["HASP_TEST_TOKEN"] = "s3cr3t-of-the-test";
    const show = (code: number): string[] => [
      node,
      "-e",
      `const { HASP_TEST_TOKEN: token } = process.env; console.log(token); console.error(token); process.exit(${code})`,
    ];
    const [shown, failed] = await Promise.all([
      call({ argv: () => show(0), env: ["HASP_TEST_TOKEN"] }),
      call({ argv: () => show(1), env: ["HASP_TEST_TOKEN"] }),
    ]);
    expect(shown.content).toEqual([{ type: "text", text: "[redacted]\n" }]);
    expect(JSON.stringify([shown, failed])).not.toContain("s3cr3t");
  });

  test("results show the values that the declaration calls public", async () => {
    process.env["HASP_TEST_PASS"] = "s3cr3t!";
    process.env["HASP_TEST_PLACE"] = "Cambridge";
    const script = "console.log(JSON.stringify([process.env.HASP_TEST_PASS, process.env.HASP_TEST_PLACE]))";
    const env = ["HASP_TEST_PASS", "HASP_TEST_PLACE"];
    const result = await call({
      argv: () => [node, "-e", script],
      env,
      publicEnv: ["HASP_TEST_PLACE"],
      stdout: "json",
    });
    expect(result.output).toEqual(["[redacted]", "Cambridge"]);
  });

  test("the program sees no relative folder of PATH", async () => {
    await writeFile(join(folder, "hasp-helper"), "#!/bin/sh\necho planted\n", { mode: 0o755 });
    const before = process.env["PATH"];
    process.env["PATH"] = `.::${before ?? ""}`;
    try {
      const result = await call({ argv: () => ["hasp-helper"], cwd: () => folder });
      expect(result.error).toMatchObject({ code: "not-executed", message: expect.stringContaining("not installed") });
    } finally {
      process.env["PATH"] = before;
    }
  });

  test.each([[undefined], [""], ["/no/such/folder"], [7], ["a\0"]])("refuses the folder %j", async (workspace) => {
    const result = await call(
      { argv: () => [node, "-e", echo], cwd: (_input, context) => context.workspace as string },
      undefined,
      { context: { workspace } },
    );
    expect(result.error).toMatchObject({ code: "not-executed", effect: "none" });
  });
});

describe("what it prints", () => {
  test("returns the output as text, lines or JSON", async () => {
    const printing = (text: string, stdout: "text" | "lines" | "json"): Promise<ToolResult> =>
      call({ argv: () => [node, "-e", `process.stdout.write(${JSON.stringify(text)})`], stdout });
    expect((await printing("a\nb\n", "text")).content).toEqual([{ type: "text", text: "a\nb\n" }]);
    expect((await printing("a\r\n\nb\n", "lines")).output).toEqual(["a", "", "b"]);
    expect((await printing("", "lines")).output).toEqual([]);
    expect((await printing('{"a":1}', "json")).output).toEqual({ a: 1 });
    expect((await printing("[9007199254740993]", "json")).output).toEqual(["9007199254740993"]);
    expect((await printing("oops", "json")).error).toMatchObject({ code: "tool-error", effect: "unknown" });
  });

  test("an exit code in okExitCodes is an answer, not a failure", async () => {
    const exiting = (code: number): Promise<ToolResult> =>
      call({ argv: () => [node, "-e", `process.exit(${code})`], stdout: "lines", okExitCodes: [0, 1] });
    expect((await exiting(1)).output).toEqual([]);
    expect((await exiting(2)).error).toMatchObject({ code: "tool-error" });
  });

  test("a failure is an error with the end of the output; it has no effect only for a read", async () => {
    const failing = { argv: () => [node, "-e", 'console.error("x".repeat(9000) + "the reason"); process.exit(3)'] };
    const result = await call(failing);
    expect(result.error).toMatchObject({ code: "tool-error", effect: "unknown" });
    expect(result.error?.message).toMatch(/exited with code 3\.\n….*the reason/u);
    expect(JSON.stringify(result.content).length).toBeLessThan(3000);
    expect((await call(failing, undefined, { readOnly: true })).error?.effect).toBe("none");
  });

  test("limits the output of the program", async () => {
    const endless = {
      argv: () => [node, "-e", "for (;;) require('fs').writeSync(1, 'x'.repeat(65536))"],
      maxOutputMb: 1,
    };
    expect((await call(endless)).error?.message).toMatch(/printed more than 1048576 bytes/u);
  });
});

test("a missing or forbidden program changed nothing", async () => {
  await writeFile(join(folder, "locked"), "");
  expect((await call({ argv: () => ["no-such-program-of-hasp"] })).error).toMatchObject({ effect: "none" });
  expect((await call({ argv: () => [join(folder, "locked")] })).error?.message).toMatch(/may not be executed/u);
});

describe("a program that does not end", () => {
  const sleeper = join(tmpdir(), `hasp-sleeper-${process.pid}`);
  /** Starts a grandchild that would write a file, and never ends. */
  const script = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(
    `setTimeout(() => require("fs").writeFileSync(${JSON.stringify(sleeper)}, ""), 600)`,
  )}], { stdio: "inherit" }); setInterval(() => {}, 1000)`;

  test("an abort or a timeout kills the program with everything it started", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 150);
    const [aborted, late] = await Promise.all([
      call({ argv: () => [node, "-e", script] }, undefined, { signal: stop.signal }),
      call({ argv: () => [node, "-e", script], timeoutSeconds: 0.15 }),
    ]);
    expect(aborted.error).toMatchObject({ code: "aborted", effect: "unknown" });
    expect(late.error?.message).toMatch(/did not end within 0\.15 s/u);
    await new Promise((resolve) => setTimeout(resolve, 800));
    await expect(rm(sleeper)).rejects.toThrow(/ENOENT/u);
  });
});

test.each([Infinity, 1e9])("a wall time of %d s does not end the program early", async (timeoutSeconds) => {
  expect((await call({ argv: () => [node, "-p", "1"], timeoutSeconds })).output).toBe("1\n");
});

test("tests can answer in place of a process", async () => {
  const seen: unknown[] = [];
  const execute = commandHandler<{ readonly path: string }, unknown>(
    { argv: ({ path }) => ["git", "log", "--", argument(path)], cwd: () => "/nowhere", stdout: "lines" },
    {
      run: async (argv, { cwd }) => {
        seen.push(argv, cwd);
        return { stdout: "one\ntwo\n", stderr: "", exitCode: 0 };
      },
    },
  );
  const options = { context: undefined, signal: new AbortController().signal } as never;
  expect(await execute({ path: "-x" }, options)).toMatchObject({ output: ["one", "two"] });
  expect(seen).toEqual([["git", "log", "--", "-x"], "/nowhere"]);
});
