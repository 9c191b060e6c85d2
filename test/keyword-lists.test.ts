import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { isKeyword } from "@hasp/schema/vocabulary";
import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { SOURCE_PACKAGES } from "./source-packages.js";

const root = resolve(import.meta.dirname, "..");

/**
 * Lists that copy nothing from the vocabulary's table, by file, with the reason. A provider's subset of JSON Schema is a
 * fact about that provider, so `dialects/` is not looked at.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  "compiler/src/cel/check/input-type.ts": "what its own walk follows; anything else is unknown",
  "compiler/src/model/inclusion/keywords.ts": "keywords that are compared together; which bounds grow and which shrink",
  "compiler/src/model/inclusion/repairs.ts": "where several schemas decide about one value; then nothing is proved",
  "runtime/src/codegen/v1/listing.ts":
    "what Gemini drops: its dialect is too large for a host, and each build compares both",
  "runtime/src/tool/close-plainly.ts": "what closing follows in words; anything else is refused or left as it is",
  "import/src/sources/export-schemas-child.ts": "where Zod writes names; a process that loads nothing of the compiler",
  "import/src/importers/specs/merge-import.ts": "keywords whose lists are merged item by item",
  "import/src/importers/translation/object-type.ts": "what the root of an input has no use for",
  "import/src/importers/translation/translate-words.ts": "numbers that protocol buffers write as strings",
  "import/src/importers/translation/schema-root.ts": "keywords that give a schema a name",
  "import/src/importers/translation/translate-schema.ts": "what makes an object more than bare; anything else asks",
  "compiler/src/ledger/coverage.ts": "what ties no field to another; anything else is covered whole",
  "compiler/src/phases/3-flatten/hide-bound.ts": "where a bound name is taken out; left anywhere else it is reported",
  "builtin/src/rules/reading/stated-bounds.ts": "what a description can state in words",
  "builtin/src/rules/schema/keywords.ts": "keywords whose items must differ",
  "builtin/src/rules/schema/unused-definition.ts": "keywords that give a schema a name",
  "compiler/src/spec/hasp-config-schema.ts": "what a declared rule may ask of a field, some in the words of keywords",
  "builtin/src/typescript/type-of-schema.ts": "what no type can express",
  "schema/src/flatten/output-nodes.ts": "annotations whose values are merged alike",
  "schema/src/flatten/merge/scalars.ts": "bounds between which no number or string is left",
  "schema/src/lower/lower-root.ts": "what folding a union understands; anything else is left alone",
  "schema/src/lower/keywords/arrays.ts": "keywords that are lowered together",
  "schema/src/lower/keywords/unions-and-conditions.ts": "keywords that are lowered together",
  "schema/src/resolve/local-references.ts": "keywords that name a schema, which its copy leaves out",
  "schema/src/resolve/read-schema.ts": "what is read apart from the rest",
  "schema/src/validate/keywords/objects-and-arrays.ts": "keywords that are validated together",
};

/** The arrays of strings in a file of which most are keywords of JSON Schema, at least three. */
function keywordListsIn(text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node)) {
      const words = node.elements.flatMap((each) => (ts.isStringLiteral(each) ? [each.text] : []));
      const keywords = words.filter((word) => isKeyword(word));
      if (keywords.length >= 3 && keywords.length > words.length / 2) found.push(words.join(" "));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest));
  return found;
}

test("no list of keywords stands beside the vocabulary's table without a reason", () => {
  const packages = join(root, "packages");
  const paths = SOURCE_PACKAGES.flatMap((name) =>
    readdirSync(join(packages, name, "src"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => relative(packages, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
      .filter((path) => !/\.(?:test|testing)\.ts$/u.test(path) && !path.startsWith("schema/src/dialects/")),
  );
  expect(paths.length).toBeGreaterThan(500);
  const found = paths.flatMap((path) =>
    keywordListsIn(readFileSync(join(packages, path), "utf8")).map((list) => ({ path, list })),
  );
  expect(found.filter(({ path }) => !Object.hasOwn(ALLOWED, path))).toEqual([]);
  expect(Object.keys(ALLOWED).filter((path) => !found.some((each) => each.path === path))).toEqual([]);
});

test.each([
  ['const A = ["if", "then", "else"];', ["if then else"]],
  ['const A = new Set(["minimum", "maximum", "multipleOf", "nullable"]);', ["minimum maximum multipleOf nullable"]],
  ['const A = ["if", "then"];', []],
  ['const A = ["title", "name", "owner", "description", "format", "kind"];', []],
] as const)("a list is recognized: %s", (text, lists) => {
  expect(keywordListsIn(text)).toEqual(lists);
});
