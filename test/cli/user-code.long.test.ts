import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { bin, hasp, haspJson, minimalSpec, project, put, startHasp } from "./command-line.js";

const spec = minimalSpec(
  "c",
  `concurrency: { class: UNSAFE, rules: [{ custom: isSafe, class: READ_ONLY }] }
tests: [{ input: { id: x }, expect: { class: READ_ONLY } }]
`,
);

const withHandler = (text: string): string =>
  project({
    "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\n",
    "specs/c.tool.yaml": spec,
    "src/tools/c.ts": text,
  });

describe("hasp test with a handler", () => {
  test("asks its function", async () => {
    expect(await haspJson(withHandler("export const isSafe = (): boolean => true;\n"), ["test"])).toMatchObject({
      code: 0,
      summary: { passed: 1 },
    });
    expect(await haspJson(withHandler("export const isSafe = (): boolean => false;\n"), ["test"])).toMatchObject({
      code: 1,
      summary: { failed: 1 },
    });
  });

  test.each([
    ["throws", 'throw new Error("no database");\n', "cli/cannot-load", "no database"],
    [
      "exports something else",
      "export const isSafe = 1;\n",
      "cli/no-function",
      'a function "isSafe", but what it exports is of type number',
    ],
    ["exports nothing", "export {};\n", "cli/no-function", "it does not export that name"],
  ])("a handler that %s gives 2", async (_what, text, code, words) => {
    const run = await haspJson(withHandler(text), ["test"]);
    expect(run.code).toBe(2);
    expect(run.diagnostics.find((finding) => finding.code === code)?.message).toContain(words);
  });

  test("a missing handler gives 2", async () => {
    const run = await haspJson(project({ "specs/c.tool.yaml": spec }), ["test"]);
    expect(run).toMatchObject({
      code: 2,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: "cli/cannot-load" })]),
    });
  });
});

describe("hasp test with checks of the handler", () => {
  const checked = minimalSpec(
    "c",
    `validate: [{ custom: isKnown }]
examples: [{ input: { id: x } }]
tests:
  - { input: { id: x }, context: { known: [x] }, expect: { valid: true, class: UNSAFE } }
  - { input: { id: z }, context: { known: [x] }, expect: { invalid: "" } }
`,
  );
  const withCheck = (text: string): string =>
    project({
      "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\n",
      "specs/c.tool.yaml": checked,
      "src/tools/c.ts": text,
    });

  test("asks them, with the context of the test; what could not be asked is skipped, with the reason", async () => {
    const folder = withCheck(
      "export const isKnown = async (input: { id: string }, { context }: { context: { known: string[] } }): Promise<boolean> => context.known.includes(input.id);\n",
    );
    const run = await haspJson(folder, ["test"]);
    expect(run).toMatchObject({ code: 0, summary: { passed: 2, failed: 0, skipped: 1 } });
    expect(run.diagnostics).toMatchObject([
      {
        code: "cli/test-skipped",
        severity: "info",
        message: expect.stringContaining("isKnown, which reads the context of the call"),
      },
    ]);
    const { out } = await hasp(folder, ["test", "--format", "junit"]);
    expect(out).toContain('<testsuite name="c" tests="3" failures="0" skipped="1">');
    expect(out).toContain("<skipped");
  });

  test("a context of the project's own stands in where a test brings none", async () => {
    const folder = withCheck(
      "export const isKnown = async (input: { id: string }, { context }: { context: { known(id: string): boolean } }): Promise<boolean> => context.known(input.id);\n",
    );
    let files = 0;
    const withContext = (text: string): void => {
      // A module that was imported once stays what it is.
      const file = `src/test-context-${(files += 1)}.ts`;
      const settings = `specs: [specs]\ndialects: [mcp]\ncontext: { test: ./${file}#make }\n`;
      put(folder, {
        "specs/c.tool.yaml": checked.replaceAll("context: { known: [x] }, ", ""),
        "hasp.config.yaml": settings,
        [file]: text,
      });
    };
    withContext("export const make = async (): Promise<object> => ({ known: (id: string): boolean => id === 'x' });\n");
    expect(await haspJson(folder, ["test"])).toMatchObject({ code: 0, summary: { passed: 3, failed: 0, skipped: 0 } });
    withContext("export const make = { known: (id: string): boolean => id === 'x' };\n");
    expect(await haspJson(folder, ["test"])).toMatchObject({ code: 0, summary: { passed: 3 } });
    const faults = [
      ["export const make = 1;\n", "it exports neither a context nor a function"],
      ["export const make = (): number => 1;\n", "it does not return an object"],
      ["export const make = (): never => { throw new Error('no key'); };\n", "no key"],
      ["throw new Error('no file');\n", "no file"],
      ["process.exit(0);\n", "it ended its process (0)"],
    ] as const;
    for (const [text, why] of faults) {
      withContext(text);
      const finding = {
        code: "serve/context-fails",
        message: expect.stringContaining(`did not create a context: ${why}`) as string,
      };
      expect(await haspJson(folder, ["test"])).toMatchObject({
        code: 2,
        diagnostics: expect.arrayContaining([expect.objectContaining(finding)]),
      });
    }
    put(folder, { "hasp.config.yaml": "specs: [specs]\ncontext: { test: ../other.ts#make }\n" });
    expect(await haspJson(folder, ["test"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "config/outside-project", line: 2 }],
    });
  });

  test("the context is put away in the end, and who cannot put it away is told", async () => {
    const folder = withCheck(
      "export const isKnown = (_input: unknown, { context }: { context: object }): boolean => context !== undefined;\n",
    );
    const log =
      "import { writeFileSync } from 'node:fs';\nexport const make = () => ({ [Symbol.asyncDispose]: async () => ";
    put(folder, {
      "hasp.config.yaml": "specs: [specs]\ncontext: { test: ./src/context.ts#make }\n",
      "specs/c.tool.yaml": checked.replace(/tests:[^]*/u, ""),
    });
    put(folder, { "src/context.ts": `${log}writeFileSync(new URL("../closed", import.meta.url), "") });\n` });
    expect(await haspJson(folder, ["test"])).toMatchObject({ code: 0, diagnostics: [] });
    expect(existsSync(join(folder, "closed"))).toBe(true);
    put(folder, { "src/context.ts": `${log}{ throw new Error("busy"); } });\n` });
    expect(await haspJson(folder, ["test"])).toMatchObject({
      code: 0,
      diagnostics: [
        { code: "serve/context-not-closed", severity: "warning", message: expect.stringContaining("busy") },
      ],
    });
  });

  test("one that reads no context is asked for examples, too", async () => {
    expect(
      await haspJson(
        withCheck(
          "export const isKnown = (input: { id: string }): boolean | string => input.id === 'x' || 'unknown';\n",
        ),
        ["test"],
      ),
    ).toMatchObject({ code: 0, summary: { passed: 3 } });
    const refusing = await haspJson(withCheck("export const isKnown = (): string => 'closed today';\n"), ["test"]);
    expect(refusing).toMatchObject({ code: 1, summary: { failed: 2 } });
    expect(refusing.diagnostics[0]?.message).toContain("The input is rejected: closed today");
  });

  test("a handler that lacks the function could not check", async () => {
    expect(await haspJson(withCheck("export {};\n"), ["test"])).toMatchObject({
      code: 2,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: "cli/no-function" })]),
    });
  });
});

describe("code of the user's that ends the process", () => {
  test("at import gives 2, never a green run", () => {
    const run = startHasp(withHandler("process.exit(0);\n"), ["test"]);
    expect(run).toMatchObject({
      code: 2,
      out: expect.stringContaining('The handler "src/tools/c.ts" could not be loaded (it ended its process (0))'),
    });
    expect(startHasp(project({ "hasp.config.mjs": "process.exit(0);", "c.tool.yaml": spec }), ["check"])).toMatchObject(
      {
        code: 2,
        out: expect.stringContaining("it ended its process (0)"),
      },
    );
  });

  const exits = [
    "process.on('exit', () => { process.exitCode = 0; });",
    "process.prependListener('exit', () => { process.exitCode = 0; });",
    "process.on('exit', () => process.exit(0));",
  ];

  test.each([
    [...exits, "process.on('beforeExit', () => process.exit(0));"],
    [
      "const { exit } = process; process.exit = () => exit(0);",
      "process.reallyExit = () => process.kill(process.pid);",
      "process.removeAllListeners('exit');",
    ],
    [
      "setTimeout(() => process.exit(0), 1);",
      "Array.prototype.some = () => false;",
      "process.stdout.write = () => true;",
    ],
  ])("a configuration cannot turn a red run green: %s, %s, %s", (...tricks) => {
    const text = `${tricks.join("\n")}\nexport default { specs: ["specs"] };\n`;
    const name = tricks[0] === exits[0] ? "hasp.config.ts" : "hasp.config.mjs";
    const folder = project({ [name]: text, "specs/c.tool.yaml": spec });
    expect(startHasp(folder, ["check"])).toMatchObject({
      code: 1,
      out: expect.stringContaining("Nobody has approved"),
    });
  });

  test("a handler that runs in hasp's own process cannot turn a failed call into a success", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/c.tool.yaml": minimalSpec("c") });
    expect((await hasp(folder, ["build"])).code).toBe(0);
    for (const trick of exits) {
      put(folder, {
        "src/tools/c.ts": `${trick}\nexport const c = () => { throw new Error("no"); };\nexport default c;\n`,
      });
      expect([trick, startHasp(folder, ["call", "c", '{"id":"x"}', "--yes"]).code]).not.toEqual([trick, 0]);
    }
  });

  test("in a function fails the test", async () => {
    const run = await haspJson(withHandler("export const isSafe = (): boolean => process.exit(0);\n"), ["test"]);
    expect(run).toMatchObject({
      code: 1,
      diagnostics: [
        { code: "cli/test-failed", tool: "c", message: expect.stringMatching(/^isSafe ended its process \(0\)\./u) },
      ],
    });
  });

  test("open handles of the user's code do not keep the process", () => {
    const run = startHasp(withHandler("setInterval(() => {}, 1000);\nexport const isSafe = (): boolean => true;\n"), [
      "test",
    ]);
    expect(run).toMatchObject({ code: 0, out: "1 of 1 test passed\n" });
  });
});

describe("code of the user's that never ends", () => {
  const two = spec.replace("tests: [", "tests: [{ input: { id: y }, expect: { class: READ_ONLY } }, ");
  const endless = (text: string): string => {
    const folder = withHandler(text);
    put(folder, {
      "specs/c.tool.yaml": two,
      "specs/d.tool.yaml": spec.replace("name: c", "name: d"),
      "src/tools/d.ts": "export const isSafe = (): boolean => true;\n",
    });
    return folder;
  };

  test.each([
    ["a loop", "export const isSafe = (): boolean => { for (;;); };\n"],
    [
      "a loop for one input",
      "export const isSafe = ({ id }: { id: string }): boolean => { while (id === 'y'); return true; };\n",
    ],
  ])("%s costs its time once, is named with its tool, and the other tools are tested", async (_what, text) => {
    const run = await haspJson(endless(text), ["test", "--timeout", "1"]);
    expect(run).toMatchObject({
      code: 1,
      summary: { passed: 1, failed: 2 },
      diagnostics: [
        {
          code: "cli/test-failed",
          tool: "c",
          pointer: "/tests/0/input",
          message: expect.stringMatching(/^isSafe did not answer within 1 second\./u),
        },
        {
          code: "cli/test-failed",
          tool: "c",
          pointer: "/tests/1/input",
          message: expect.stringMatching(/^isSafe was not called, because in an earlier test it did not answer/u),
        },
      ],
    });
  });

  test("a loop does not outlive hasp", async () => {
    const loop =
      "import { writeFileSync } from 'node:fs';\nexport const isSafe = () => { writeFileSync(new URL('../../pid', import.meta.url), String(process.pid)); for (;;); };\n";
    const folder = endless(loop);
    const running = spawn(process.execPath, [bin, "test"], { cwd: folder, stdio: "ignore" });
    const pid = await vi.waitFor(() => Number(readFileSync(join(folder, "pid"), "utf8")) || expect.fail("not yet"), {
      timeout: 20_000,
    });
    running.kill("SIGKILL");
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), { timeout: 20_000 });
  });

  test("a check that waits for what never comes fails its test, although a call would be refused in the end", async () => {
    const waiting = minimalSpec(
      "c",
      'validate: [{ custom: isKnown }]\ntests: [{ input: { id: x }, expect: { invalid: "" } }]\n',
    );
    const folder = project({
      "c.tool.yaml": waiting,
      "src/tools/c.ts": "export const isKnown = () => new Promise(() => {});\n",
    });
    expect(await haspJson(folder, ["test", "--timeout", "0.5"])).toMatchObject({
      code: 1,
      diagnostics: [{ message: expect.stringContaining("isKnown did not answer within 0.5 seconds") }],
    });
  });
});

test("output of the user's functions does not mix with the findings", () => {
  const folder = withHandler(
    "import { writeSync } from 'node:fs';\nexport const isSafe = () => { console.log('by console'); writeSync(1, 'by the file'); return true; };\n",
  );
  const run = startHasp(folder, ["test", "--format", "json"]);
  expect(JSON.parse(run.out)).toMatchObject({ summary: { passed: 1 } });
  expect(run.error).toMatch(/by console|by the file/u);
});
