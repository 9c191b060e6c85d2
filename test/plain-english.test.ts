import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** Packages whose comments and titles are plain throughout. */
const PACKAGES = ["adapters", "runtime", "stores"];

const CLAUSE = /^(What|Whether|Where|Which|Of|That|How|Why)\b/;
const FRAGMENT = /^(of|that|none|what|whoever|whatever)\b/i;

/** Lists the places in a package's sources for which a check finds something. */
function offenders(name: string, find: (code: string) => Iterable<readonly [index: number, text: string]>): string[] {
  const folder = join(root, "packages", name, "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  expect(files.length, `${name} has sources`).toBeGreaterThan(3);
  return files.toSorted().flatMap((path) => {
    const code = readFileSync(join(folder, path), "utf8");
    return [...find(code)].map(([index, text]) => {
      const line = code.slice(0, index).split("\n").length;
      return `${relative(root, join(folder, path))}:${line} ${text}`;
    });
  });
}

/** Finds docblocks that begin with the clause of a noun instead of a verb or a noun phrase. */
function* clauses(code: string): Generator<readonly [number, string]> {
  for (const { 1: text = "", index } of code.matchAll(/\/\*\*[\s*]*([^\n]*)/g)) {
    if (CLAUSE.test(text)) yield [index, text];
  }
}

/** Finds titles of tests that are no sentences. */
function* fragments(code: string): Generator<readonly [number, string]> {
  const titles =
    /(?<!\.)\b(?:test|it)(?:\.\w+)*\(\s*(["'`])((?:\\.|(?!\1).)*)\1\s*,|\)\(\s*(["'`])((?:\\.|(?!\3).)*)\3,\s*(?:async\s)?\(/g;
  for (const { 2: plain, 4: each, index } of code.matchAll(titles)) {
    const title = plain ?? each ?? "";
    if (FRAGMENT.test(title) || title.trim().split(/\s+/).length < 3) yield [index, title];
  }
}

describe.each(PACKAGES)("packages/%s", (name) => {
  test("docblocks begin with a verb or a noun phrase", () => {
    expect(offenders(name, clauses)).toEqual([]);
  });

  test("titles of tests are sentences of at least three words", () => {
    expect(offenders(name, fragments)).toEqual([]);
  });
});

test("the check refuses clauses and fragments", () => {
  expect([...clauses("/** Whether it fits. */\n/**\n * What is left.\n */\n/** True if it fits. */")]).toHaveLength(2);
  expect([...fragments('test("of one", f); test.each([1])("%s", () => f); test("a gate is shared", f);')]).toHaveLength(
    2,
  );
});
