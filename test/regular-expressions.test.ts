import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { analyse } from "scslre";
import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { SOURCE_PACKAGES } from "./source-packages.js";

const root = resolve(import.meta.dirname, "..");

/** Patterns that may take more than linear time, with the reason why they never read a long text. */
const BOUNDED: Readonly<Record<string, string>> = {
  "packages/base/src/conditions.ts /(\\d*)(?:\\.(\\d*))?(h|ms|m|s|us|µs|ns)/gu": "reads at most 64 characters",
  "packages/catalogue/src/app/parts/words.ts /\\B(?=(\\d{3})+$)/gu": "reads the digits of a number",
  "packages/language-server/src/completion/completion.ts /[^\\s,:{}[\\]()\"'`!&|<>=+*?]*$/u":
    "reads at most 500 characters",
  "packages/project/src/modules/emitted/parse-emitted.ts /^(?<before>[^\"'`\\n]*\\([\\w, \\n]*\\)): (?:unknown|HttpRequest|object|string|readonly \\w+\\[\\]) =>/gmu":
    "reads what hasp itself prints",
};

/** Lists the regular-expression literals of a module that may take more than linear time. */
function findSlowPatterns(text: string): readonly string[] {
  const file = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) && isSlow(node.text)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isSlow(literal: string): boolean {
  const end = literal.lastIndexOf("/");
  const pattern = { source: literal.slice(1, end), flags: literal.slice(end + 1) };
  return analyse(pattern, { maxReports: 1 }).reports.length > 0;
}

function listSources(): readonly string[] {
  return SOURCE_PACKAGES.flatMap((name) =>
    readdirSync(join(root, "packages", name, "src"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
      .filter((path) => !/\.(?:test|testing)\.ts$/u.test(path)),
  ).toSorted();
}

test("each regular expression takes linear time, or reads only short texts", () => {
  const paths = listSources();
  expect(paths.length).toBeGreaterThan(500);
  const slow = paths.flatMap((path) =>
    findSlowPatterns(readFileSync(join(root, path), "utf8")).map((pattern) => `${path} ${pattern}`),
  );
  expect(slow).toEqual(Object.keys(BOUNDED));
});

test.each([
  [String.raw`text.replace(/0+$/u, "")`, true],
  [String.raw`text.replace(/(?<!0)0+$/u, "")`, false],
  [String.raw`/'(?:[^'\\]+|\\[^])*'/u.test(text)`, true],
  [String.raw`/'(?:[^'\\]|\\[^])*'/u.test(text)`, false],
  [String.raw`/^(\S*)[ \t]*(.*)$/u.test(text)`, true],
  [String.raw`/^\d+(?:\.\d+)?$/u.test(text)`, false],
])("the search for slow patterns judges %s: %s", (text, isFound) => {
  expect(findSlowPatterns(text).length > 0).toBe(isFound);
});
