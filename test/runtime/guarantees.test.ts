import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import GUARANTEES from "../guarantees.json" with { type: "json" };

const root = resolve(import.meta.dirname, "../..");

test.each(GUARANTEES)("a test proves the guarantee: $holds", ({ tests }) => {
  expect(Object.keys(tests)).not.toEqual([]);
  for (const [file, names] of Object.entries<readonly string[] | undefined>(tests)) {
    const path = resolve(root, file);
    expect(existsSync(path), `${file} exists`).toBe(true);
    const titles = titlesOf(readFileSync(path, "utf8"));
    for (const name of names ?? []) {
      expect(
        titles.some((title) => title.includes(name)),
        `${file} has a test "${name}"`,
      ).toBe(true);
    }
  }
});

/** The titles of tests and groups in a file: the text that opens a call, as it is written. */
function titlesOf(source: string): readonly string[] {
  return [...source.matchAll(/(?:\btest|\bdescribe|\)|\])\(\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
}
