import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { SOURCE_PACKAGES } from "./source-packages.js";

const root = resolve(import.meta.dirname, "..");

/** Code that does I/O may hold state of its own: disk, processes, terminal. */
const IMPURE =
  /^packages\/(?:hasp\/src\/(?:host|cli)|project\/src|import\/src\/sources|runtime\/src\/node|stores\/src\/files)\//u;

const COLLECTIONS: ReadonlySet<string> = new Set(["Map", "Set", "WeakMap", "WeakSet"]);
const MUTATORS: ReadonlySet<string> = new Set(
  "add clear copyWithin delete fill pop push reverse set shift sort splice unshift".split(" "),
);

/** Values of a module that change, or that can only be meant to: state that no caller passes. */
function stateIn(text: string): readonly string[] {
  const file = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const constants = new Set<string>();
  for (const statement of file.statements.filter(ts.isVariableStatement)) {
    const isConstant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { name, type, initializer } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(name)) continue;
      if (isConstant) constants.add(name.text);
      const isReadonly = type !== undefined && text.slice(type.pos, type.end).trim().startsWith("Readonly");
      // An empty collection is there to be filled.
      if (!isConstant || (isEmptyCollection(initializer) && !isReadonly)) found.push(name.text);
    }
  }
  const note = (changed: ts.Expression): void => {
    if (ts.isIdentifier(changed) && constants.has(changed.text)) found.push(changed.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      if (MUTATORS.has(node.expression.name.text)) note(node.expression.expression);
    }
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) {
      const { left } = node;
      if (ts.isPropertyAccessExpression(left) || ts.isElementAccessExpression(left)) note(left.expression);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...new Set(found)];
}

function isEmptyCollection(value: ts.Expression | undefined): boolean {
  return (
    value !== undefined &&
    ts.isNewExpression(value) &&
    ts.isIdentifier(value.expression) &&
    COLLECTIONS.has(value.expression.text) &&
    (value.arguments ?? []).length === 0
  );
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

test("pure folders hold no state of their own", () => {
  const paths = SOURCE_PACKAGES.flatMap((name) =>
    readdirSync(join(root, "packages", name, "src"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
      .filter((path) => !/\.(?:test|testing)\.ts$/u.test(path) && !IMPURE.test(path)),
  );
  expect(paths.length).toBeGreaterThan(500);
  const state = paths.toSorted().flatMap((path) => {
    return stateIn(readFileSync(join(root, path), "utf8")).map((name) => `${path}: ${name}`);
  });
  expect(state).toEqual([]);
});

test.each([
  ["let last: string | undefined;", ["last"]],
  ["const known = new Map<string, number>();", ["known"]],
  ["const seen = new WeakSet<object>();", ["seen"]],
  ["const words = new Set(['a']); export const note = (word: string) => words.add(word);", ["words"]],
  ["const list: string[] = []; export function note(word: string) { list.push(word); }", ["list"]],
  ["const counts = { calls: 0 }; export function count() { counts.calls += 1; }", ["counts"]],
  ["const counts: number[] = [0]; export function count() { counts[0] = 1; }", ["counts"]],
  ["const none: ReadonlySet<string> = new Set();", []],
  ["const words = new Set(['a']); export const has = (word: string) => words.has(word);", []],
  ["export function unique(words: string[]) { const seen = new Set<string>(); seen.add(words[0] ?? ''); }", []],
] as const)("state is recognized: %s", (text, names) => {
  expect(stateIn(text)).toEqual(names);
});
