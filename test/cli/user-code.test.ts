import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, startHasp } from "./command-line.js";

const spec = minimalSpec(
  "c",
  `concurrency: { class: UNSAFE, rules: [{ custom: isSafe, class: READ_ONLY }] }
tests: [{ input: { id: x }, expect: { class: READ_ONLY } }]
`,
);

const withHandler = (text: string): string =>
  project({ "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\n", "specs/c.tool.yaml": spec, "src/tools/c.ts": text });

describe("hasp test with a handler", () => {
  test("asks its function", async () => {
    expect(await haspJson(withHandler("export const isSafe = (): boolean => true;\n"), ["test"])).toMatchObject({ code: 0, summary: { passed: 1 } });
    expect(await haspJson(withHandler("export const isSafe = (): boolean => false;\n"), ["test"])).toMatchObject({ code: 1, summary: { failed: 1 } });
  });

  test.each([
    ["throws", 'throw new Error("no database");\n', "cli/cannot-load", "no database"],
    ["exports something else", "export const isSafe = 1;\n", "cli/no-function", 'a function "isSafe", and what it exports is of type number'],
    ["exports nothing", "export {};\n", "cli/no-function", "it exports nothing of that name"],
  ])("that %s could not check", async (_what, text, code, words) => {
    const run = await haspJson(withHandler(text), ["test"]);
    expect(run.code).toBe(2);
    expect(run.diagnostics.find((finding) => finding.code === code)?.message).toContain(words);
  });

  test("that is not there could not check", async () => {
    const run = await haspJson(project({ "specs/c.tool.yaml": spec }), ["test"]);
    expect(run).toMatchObject({ code: 2, diagnostics: expect.arrayContaining([expect.objectContaining({ code: "cli/cannot-load" })]) });
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
  const withCheck = (text: string): string => project({ "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\n", "specs/c.tool.yaml": checked, "src/tools/c.ts": text });

  test("asks them, with the context of the test; what could not be asked is skipped, with the reason", async () => {
    const folder = withCheck("export const isKnown = async (input: { id: string }, { context }: { context: { known: string[] } }): Promise<boolean> => context.known.includes(input.id);\n");
    const run = await haspJson(folder, ["test"]);
    expect(run).toMatchObject({ code: 0, summary: { passed: 2, failed: 0, skipped: 1 } });
    expect(run.diagnostics).toMatchObject([{ code: "cli/test-skipped", severity: "info", message: expect.stringContaining("isKnown, which reads the context of the call") }]);
    const { out } = await hasp(folder, ["test", "--format", "junit"]);
    expect(out).toContain('<testsuite name="c" tests="3" failures="0" skipped="1">');
    expect(out).toContain("<skipped");
  });

  test("a context of the project's own stands in where a test brings none", async () => {
    const folder = withCheck("export const isKnown = async (input: { id: string }, { context }: { context: { known(id: string): boolean } }): Promise<boolean> => context.known(input.id);\n");
    let files = 0;
    const withContext = (text: string): void => {
      // A module that was imported once stays what it is.
      const file = `src/test-context-${(files += 1)}.ts`;
      const settings = `specs: [specs]\ndialects: [mcp]\ntestContext: ./${file}#make\n`;
      put(folder, { "specs/c.tool.yaml": checked.replaceAll("context: { known: [x] }, ", ""), "hasp.config.yaml": settings, [file]: text });
    };
    withContext("export const make = async (): Promise<object> => ({ known: (id: string): boolean => id === 'x' });\n");
    expect(await haspJson(folder, ["test"])).toMatchObject({ code: 0, summary: { passed: 3, failed: 0, skipped: 0 } });
    for (const [text, why] of [["export const make = 1;\n", "neither a context nor a function"], ["export const make = (): never => { throw new Error('no key'); };\n", '"make" threw: no key'], ["throw new Error('no file');\n", "no file"]] as const) {
      withContext(text);
      expect(await haspJson(folder, ["test"])).toMatchObject({ code: 2, diagnostics: expect.arrayContaining([expect.objectContaining({ code: "cli/cannot-load", message: expect.stringContaining(why) })]) });
    }
    put(folder, { "hasp.config.yaml": "specs: [specs]\ntestContext: ../other.ts#make\n" });
    expect(await haspJson(folder, ["test"])).toMatchObject({ code: 2, diagnostics: [{ code: "config/outside-project", line: 2 }] });
  });

  test("one that reads no context is asked for examples, too", async () => {
    expect(await haspJson(withCheck("export const isKnown = (input: { id: string }): boolean | string => input.id === 'x' || 'unknown';\n"), ["test"])).toMatchObject({ code: 0, summary: { passed: 3 } });
    const refusing = await haspJson(withCheck("export const isKnown = (): string => 'closed today';\n"), ["test"]);
    expect(refusing).toMatchObject({ code: 1, summary: { failed: 2 } });
    expect(refusing.diagnostics[0]?.message).toContain("The input is refused: closed today");
  });

  test("a handler that lacks the function could not check", async () => {
    expect(await haspJson(withCheck("export {};\n"), ["test"])).toMatchObject({ code: 2, diagnostics: expect.arrayContaining([expect.objectContaining({ code: "cli/no-function" })]) });
  });
});

describe("code of the user's that ends the process", () => {
  const line = "hasp was ended before it had finished, perhaps by a configuration or handler that calls process.exit.\n";

  test("at import gives 2, never a green run", () => {
    expect(startHasp(withHandler("process.exit(0);\n"), ["test"])).toEqual({ code: 2, out: "", error: line });
    expect(startHasp(project({ "hasp.config.mjs": "process.exit(0);", "c.tool.yaml": spec }), ["check"])).toEqual({ code: 2, out: "", error: line });
  });

  test("in a function gives 2", () => {
    expect(startHasp(withHandler("export const isSafe = (): boolean => process.exit(0);\n"), ["test"])).toMatchObject({ code: 2, error: line });
  });

  test("what it leaves open does not keep the process", () => {
    const run = startHasp(withHandler("setInterval(() => {}, 1000);\nexport const isSafe = (): boolean => true;\n"), ["test"]);
    expect(run).toMatchObject({ code: 0, out: "1 of 1 test passed\n" });
  });
});
