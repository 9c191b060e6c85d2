import { describe, expect, test } from "vitest";
import { haspJson, minimalSpec, project, startHasp } from "./command-line.js";

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
