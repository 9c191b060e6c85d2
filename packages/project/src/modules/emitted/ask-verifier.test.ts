import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { askVerifier, VerifierError } from "./ask-verifier.js";

const folder = mkdtempSync(join(tmpdir(), "hasp-verifier-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Asks a process that runs this program instead of the generated modules. */
async function askProgram(name: string, text: string): Promise<unknown> {
  const program = join(folder, `${name}.mjs`);
  writeFileSync(program, text);
  return askVerifier({ modules: [], entries: {}, questions: [] }, { program, seconds: 5 });
}

test.each([
  ["hangs", "for (;;);", "did not answer within 5 seconds"],
  ["dies", `process.once("message", () => process.kill(process.pid, "SIGKILL"));`, "ended (SIGKILL)"],
  ["exits", "process.exit(3);", "ended (3)"],
  ["throws", `process.once("message", () => { throw new Error("x"); });`, "ended (1)"],
])("rejects if the process %s", async (name, text, reason) => {
  const asked = askProgram(name, text);
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
