import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { askVerifier, VerifierError } from "./ask-verifier.js";

const folder = mkdtempSync(join(tmpdir(), "hasp-verifier-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Asks a process that runs this program instead of the generated modules. */
async function askProgram(name: string, text: string, seconds: number): Promise<unknown> {
  const program = join(folder, `${name}.mjs`);
  writeFileSync(program, text);
  return askVerifier({ modules: [], entries: {}, questions: [] }, { program, seconds });
}

test.each([
  ["hangs", "for (;;);", "did not answer within 1 second", 1],
  ["dies", `process.once("message", () => process.kill(process.pid, "SIGKILL"));`, "ended (SIGKILL)", 60],
  ["exits", "process.exit(3);", "ended (3)", 60],
  ["throws", `process.once("message", () => { throw new Error("x"); });`, "ended (1)", 60],
])("rejects if the process %s", async (name, text, reason, seconds) => {
  const asked = askProgram(name, text, seconds);
  await expect(asked).rejects.toThrow(VerifierError);
  await expect(asked).rejects.toThrow(reason);
});

test("runs modules without eval and Node's globals", async () => {
  const text = (value: string): string => `export const found: unknown = ${value};\n`;
  const values = ["typeof process", "typeof require", "typeof fetch", `Function("return 1")()`];
  const modules = values.map((value, index) => ({ path: `${index}.ts`, text: text(value) }));
  const questions = modules.map(({ path }) => ({ path, name: "found" }));
  const { answers } = await askVerifier({ modules, entries: {}, questions });
  expect(answers.slice(0, 3)).toEqual(['"undefined"', '"undefined"', '"undefined"']);
  expect(answers[3]).toHaveProperty("reason");
});
