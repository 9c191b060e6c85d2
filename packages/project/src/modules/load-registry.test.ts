import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContext } from "./load-registry.js";

const folder = mkdtempSync(join(tmpdir(), "hasp-context-"));
const file = join(folder, "context.mjs");
const exported = {
  none: '() => "everybody"',
  byDefault: '(caller = { principal: "dev" }) => caller.principal',
  destructured: '({ principal = "dev" } = {}) => principal',
  rest: "(...callers) => callers.length",
  later: "(limit = 1, { principal }) => principal",
  first: "({ principal }) => principal",
  value: '{ principal: "everybody" }',
};
beforeAll(() => {
  const lines = Object.entries(exported).map(([name, text]) => `export const ${name} = ${text};`);
  writeFileSync(file, lines.join("\n"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("loadContext, where callers are told apart,", () => {
  test.each(["none", "byDefault", "destructured", "rest", "later"])(
    "refuses a function without a caller: %s",
    async (name) =>
      expect(await loadContext(file, name, true)).toMatchObject({
        fault: "fails",
        reason: expect.stringContaining("has to take the caller"),
      }),
  );

  test("creates a context for each caller by a function that takes one, and shares what is none", async () => {
    const made = await loadContext(file, "first", true);
    expect("forCaller" in made ? await made.forCaller?.({ principal: "ann" }) : made).toBe("ann");
    expect(await loadContext(file, "value", true)).toMatchObject({ context: { principal: "everybody" } });
  });
});

test("loadContext calls a function without a caller once, where callers are not told apart", async () => {
  expect(await loadContext(file, "none")).toMatchObject({ context: "everybody" });
  expect(await loadContext(file, "byDefault")).toMatchObject({ context: "dev" });
});
