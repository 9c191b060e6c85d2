import { createDispatcher } from "@hasp/runtime";
import { createPrograms } from "@hasp/programs";
import { expect, test } from "vitest";
import { ESCAPES } from "./escapes.testing.js";
import { echo, fail } from "./programs.testing.js";

const dispatcher = createDispatcher({ tools: [echo, fail] as never, extensions: [createPrograms()] });

/** Runs an attempt and returns what it reached, as far as it belongs to the host. */
const judged = (code: string): string => `
  const reached = await (async function () { ${code} }).call(undefined, 0).catch(() => undefined);
  const isObject = (typeof reached === "object" && reached !== null) || typeof reached === "function";
  if (typeof globalThis.process !== "undefined" || typeof globalThis.out?.process !== "undefined") return "the global object";
  if (typeof reached === "string") return /node|\\/bin|root:/.test(reached) ? reached : null;
  return isObject && (reached.versions || reached.env || reached.readFileSync || reached.execSync) ? "a host object" : null;
`;

test("the list holds sixty different escapes, each with its source", () => {
  expect(new Set(ESCAPES.map(({ code }) => code)).size).toBe(60);
  expect(ESCAPES.filter(({ source }) => source === "")).toEqual([]);
});

test.each(ESCAPES)("a program stays in its sandbox: $name", async ({ code }) => {
  const [result] = await dispatcher.dispatch([{ id: "p", name: "run_program", input: { code: judged(code) } }]);
  if (result?.error === undefined) expect(result?.output).toMatchObject({ result: null });
  else expect(result.error.code).toMatch(/^program-/);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test("the judge notices a host object", () => {
  const judge = new Function(
    `return (async () => { ${judged("return globalThis.process")} })()`,
  ) as () => Promise<unknown>;
  return expect(judge()).resolves.toBe("the global object");
});
