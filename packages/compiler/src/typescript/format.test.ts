import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { afterEach, expect, test, vi } from "vitest";
import { code, markAsCode } from "./code.js";
import { formatModule, NoFormatterError } from "./format.js";

const generated = join(import.meta.dirname, "../../../../tools-spec/src/generated");

afterEach(() => {
  vi.doUnmock("oxfmt");
  vi.doUnmock("prettier");
});

test("both formatters leave every committed module as it is", async () => {
  const paths = readdirSync(generated, { recursive: true, encoding: "utf8" }).filter((path) =>
    /(?<!\.d)\.ts$/.test(path),
  );
  expect(paths.length).toBeGreaterThan(15);
  for (const path of paths) {
    const text = readFileSync(join(generated, path), "utf8");
    expect(await formatModule(markAsCode(text)), path).toBe(text);
    expect(await format(text, { parser: "typescript" }), path).toBe(text);
  }
});

test("prettier formats where oxfmt does not load", async () => {
  vi.doMock("oxfmt", () => ({ format: () => Promise.reject(new Error("Cannot find native binding")) }));
  expect(await formatModule(code`const a   = 1`)).toBe("const a = 1;\n");
});

test.each([
  ["is not installed", () => expect.fail("not installed")],
  ["lays out modules in another way", () => ({ version: "3.10.1", format: () => "" })],
])("where oxfmt does not load and prettier %s, the error names the reason", async (_, prettier) => {
  vi.doMock("oxfmt", () => ({ format: () => Promise.reject(new Error("Cannot find native binding")) }));
  vi.doMock("prettier", prettier);
  await expect(formatModule(code`const a = 1`)).rejects.toThrow(NoFormatterError);
  await expect(formatModule(code`const a = 1`)).rejects.toThrow("Cannot find native binding");
});

test("code that does not parse is a bug in hasp", async () => {
  await expect(formatModule(markAsCode("const = 1"))).rejects.toThrow("Generated code does not parse");
});
