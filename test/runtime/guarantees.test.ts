import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** The pages that state guarantees, and how many at least. */
describe.each([
  ["calls-at-run-time.md", 20],
  ["durable-calls.md", 12],
])("the guarantees on the page %s", (name, least) => {
  const page = readFileSync(resolve(root, "packages/hasp/docs", name), "utf8");
  const table = /## Guarantees\n([\s\S]*?)\n## /.exec(page)?.[1] ?? "";
  const rows = table.split("\n").filter((line) => line.startsWith("| ") && line.includes(".test.ts`"));

  test("are found", () => expect(rows.length).toBeGreaterThan(least));

  test.each(rows)("%s", (row) => {
    const proofs = [...row.matchAll(/`([^`\s]+\.test\.ts)`: (.*?)(?=; `[^`\s]+\.test\.ts`: | \|$)/g)];
    expect(proofs.length).toBe(row.split(".test.ts`").length - 1);
    for (const [, file = "", name = ""] of proofs) {
      const path = resolve(root, "packages/runtime/src", file);
      expect(existsSync(path), `${file} exists`).toBe(true);
      expect(
        titlesOf(readFileSync(path, "utf8")).some((title) => title.includes(name)),
        `${file} has a test "${name}"`,
      ).toBe(true);
    }
  });
});

/** The titles of tests and groups in a file: the text that opens a call, as it is written. */
function titlesOf(source: string): readonly string[] {
  return [...source.matchAll(/(?:\btest|\bdescribe|\)|\])\(\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
}
