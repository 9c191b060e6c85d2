import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import type { Expression } from "../../packages/hasp/src/cel/model/expression.js";
import { compile, type CompileResult } from "../../packages/hasp/src/compile.js";
import { completePlan } from "../../packages/hasp/src/config/complete-plan.js";
import { groupBy } from "../../packages/hasp/src/model/group-by.js";
import { readBackAll } from "../../packages/hasp/src/phases/6-emit/read-back-all.js";
import { emittedTools } from "../../packages/hasp/src/spec-tests/index.js";
import type { PrintedPredicate } from "../../packages/hasp/src/cel/print/print-javascript.js";

/**
 * The printer of conditions has each fault that it can have, one at a time: it prints the tree of a condition with one
 * part changed. Every build, `build --check` and `hasp test` must stop, each by itself.
 */

const planted = vi.hoisted(() => ({
  fault: undefined as ((printed: Expression) => Expression) | undefined,
  isProved: true,
}));

vi.mock("../../packages/hasp/src/cel/print/print-javascript.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../packages/hasp/src/cel/print/print-javascript.js")>();
  const printJavaScript = (expression: Expression): PrintedPredicate =>
    original.printJavaScript(planted.fault?.(expression) ?? expression);
  return { ...original, printJavaScript };
});

// A build that does not prove its parts shows what `build --check` finds by itself.
vi.mock("../../packages/hasp/src/phases/6-emit/prove-tool.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../packages/hasp/src/phases/6-emit/prove-tool.js")>();
  const proveTool: typeof original.proveTool = (...parameters) => {
    if (planted.isProved) original.proveTool(...parameters);
  };
  return { ...original, proveTool };
});

/** Conditions with every kind of expression: a kind that is added to the language is a type error here. */
const CONDITIONS: { readonly [Kind in Expression["kind"]]: readonly string[] } = {
  literal: ["input.flag == true", "input.text == 'a'", "input.count == -3", "input.scope == null"],
  input: ["input.flag"],
  variable: ["input.tags.exists(one, input.more.exists(two, one == two))"],
  member: ["input.flag", "input.nested.inner.x == 1"],
  has: ["has(input.maybe)", "has(input.nested.inner.y)", "present(input, 'max-rows')"],
  list: ["input.mode in ['read', 'list']"],
  not: ["!input.flag"],
  and: ["input.flag && input.other"],
  or: ["input.flag || input.other"],
  condition: ["input.flag ? input.other : input.count == 2"],
  equals: ["input.mode == 'read'", "input.mode != 'read'", "input.map == input.map2", "input.map != input.map2"],
  order: [
    ...["<", "<=", ">", ">="].map((operator) => `input.count ${operator} 3`),
    ...["<", "<=", ">", ">="].map((operator) => `input.text ${operator} 'b'`),
    "timestamp(input.at) < timestamp('2026-01-31T12:00:00Z')",
  ],
  "in-list": ["'a' in input.tags", "input.map in input.maps"],
  "in-map": ["input.text in input.map"],
  arithmetic: [
    ...["+", "-", "*", "/", "%"].map((operator) => `input.count ${operator} 2 == 1`),
    ...["+", "-", "*", "/"].map((operator) => `input.ratio ${operator} 2.0 == 1.0`),
    "input.text + 'x' == 'ax'",
    "timestamp(input.at) + duration('1h') < timestamp('2026-01-31T12:00:00Z')",
    "duration(input.at) - duration('1m') > duration('2h')",
  ],
  negate: ["-input.count == 3"],
  size: ["size(input.text) > 1", "size(input.tags) > 1", "size(input.map) > 1"],
  "string-test": ["input.text.startsWith('a')", "input.text.endsWith('a')", "input.text.contains('a')"],
  matches: ["input.text.matches('^a+$')"],
  time: ["timestamp(input.at) > timestamp('2026-01-31T12:00:00Z')", "duration(input.at) > duration('1h')"],
  quantifier: ["input.tags.all(tag, tag != 'x')", "input.tags.exists(tag, tag == 'x')"],
};

const spec = (condition: string): string => `hasp: 1
name: act
description: Act on something. Use it to act.
input:
  type: object
  required: [mode, text, count, ratio, flag, other, tags, more, at, map, map2, maps, nested, scope]
  properties:
    mode: { enum: [read, write, list] }
    text: { type: string, maxLength: 9 }
    count: { type: integer }
    ratio: { type: number }
    flag: { type: boolean }
    other: { type: boolean }
    tags: { type: array, maxItems: 4, items: { type: string, maxLength: 9 } }
    more: { type: array, maxItems: 4, items: { type: string, maxLength: 9 } }
    at: { type: string, maxLength: 40 }
    map: { type: object, additionalProperties: { type: string } }
    map2: { type: object, additionalProperties: { type: string } }
    maps: { type: array, maxItems: 4, items: { type: object, additionalProperties: { type: string } } }
    maybe: { type: string }
    scope: { type: [string, "null"] }
    max-rows: { type: integer }
    nested: { type: object, required: [inner], properties: { inner: { type: object, required: [x], properties: { x: { type: integer }, y: { type: integer } } } } }
concurrency: { rules: [{ when: ${JSON.stringify(condition)}, class: READ_ONLY }] }
examples: [{ input: { mode: read, text: a, count: 1, ratio: 1, flag: true, other: false, tags: [a], more: [], at: 1h, map: {}, map2: {}, maps: [], scope: null, nested: { inner: { x: 1 } } } }]
`;

const plan = completePlan({ dialects: [], unlocked: true, today: "2030-01-01" });
const build = (condition: string): Promise<CompileResult> =>
  compile([{ uri: "act.tool.yaml", text: spec(condition), role: "spec" }], plan);

const conditions = Object.entries(CONDITIONS).flatMap(([kind, sources]) => sources.map((source) => ({ kind, source })));

/** A part of a tree, as far as mutants go: kinds and fields of any name. */
type Part = Readonly<Record<string, unknown>>;

/** The values that a field of a kind of expression has anywhere; a fault may put one in another's place. */
const seen = new Map<string, Set<unknown>>();

function note(part: Part): void {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value !== "object" || value === null) {
      const known = seen.get(`${String(part["kind"])}.${key}`) ?? new Set();
      seen.set(`${String(part["kind"])}.${key}`, known.add(value));
    } else for (const inner of Array.isArray(value) ? (value as Part[]) : [value as Part]) note(inner);
  }
}

/** Every tree with one field of one part changed, and what was changed. Positions in the schema are not part of it. */
function* mutants(part: Part): Generator<readonly [change: string, mutant: Part]> {
  const kind = String(part["kind"]);
  for (const [key, value] of Object.entries(part)) {
    if (key === "pointer") continue;
    const changed = (change: string, other: unknown): readonly [string, Part] => [
      `${kind}.${key}: ${change}`,
      { ...part, [key]: other },
    ];
    if (Array.isArray(value)) {
      const items = value as readonly Part[];
      yield changed("without its first item", items.slice(1));
      yield changed("with its first item twice", [...items.slice(0, 1), ...items]);
      for (const [index, item] of items.entries()) {
        for (const [change, mutant] of mutants(item)) yield [change, { ...part, [key]: items.with(index, mutant) }];
      }
    } else if (typeof value === "object" && value !== null) {
      yield changed("negated", { kind: "not", operand: value });
      yield changed("left out", { kind: "literal", value: true });
      for (const [change, mutant] of mutants(value as Part)) yield [change, { ...part, [key]: mutant }];
    } else {
      for (const other of others(kind, key, value)) yield changed(`${String(value)} → ${String(other)}`, other);
    }
  }
  const children = Object.entries(part).filter(
    ([, value]) => typeof value === "object" && value !== null && !Array.isArray(value),
  );
  const [[first = "", left] = [], [second = "", right] = []] = children;
  if (children.length === 2) {
    yield [`${kind}: ${first} and ${second} swapped`, { ...part, [first]: right, [second]: left }];
  }
  for (const [key, child] of children) yield [`${kind}: ${key} in its place`, child as Part];
}

function others(kind: string, key: string, value: unknown): readonly unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1, -value - 1];
  const known = [...(seen.get(`${kind}.${key}`) ?? [])].filter(
    (other) => other !== value && typeof other === typeof value,
  );
  if (key === "kind") return kind === "and" ? ["or"] : kind === "or" ? ["and"] : [];
  // A name, a pattern or a text may be any; the rest is one of few words.
  const isFree = ["name", "pattern", "value", "variable"].includes(key);
  return isFree && typeof value === "string" ? [`${value}x`, ...known.slice(0, 2)] : known;
}

const table: { readonly kind: string; readonly change: string; readonly survived: readonly string[] }[] = [];

afterEach(() => {
  planted.fault = undefined;
  planted.isProved = true;
});

afterAll(() => {
  const kinds = groupBy(table, ({ kind }) => kind);
  const lines = [...kinds].map(
    ([kind, all]) =>
      `${kind.padEnd(12)}  ${String(all.length).padStart(7)}  ${String(all.filter(({ survived }) => survived.length > 0).length).padStart(8)}\n`,
  );
  process.stdout.write(
    `\nfaults of the printer of conditions, each against build, build --check and hasp test\n${"construct".padEnd(12)}   faults  survived\n${lines.join("")}`,
  );
});

/** The text that is printed for a tree; `undefined` where none can be printed. */
async function printed(tree: Part): Promise<string | undefined> {
  const { printJavaScript } = await vi.importActual<
    typeof import("../../packages/hasp/src/cel/print/print-javascript.js")
  >("../../packages/hasp/src/cel/print/print-javascript.js");
  try {
    return printJavaScript(tree as unknown as Expression).javascript;
  } catch {
    return undefined;
  }
}

async function isCaught(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return false;
  } catch (error) {
    expect(String(error)).toMatch(/hasp generated .*act\.ts|oxfmt|cannot be (?:read|formatted)/u);
    return true;
  }
}

const trees = new Map<string, Part>();

describe("a fault of the printer", () => {
  test("is found in nothing that is sound", async () => {
    for (const { source } of conditions) {
      const result = await build(source);
      expect(
        result.diagnostics.filter(({ severity }) => severity === "error"),
        source,
      ).toEqual([]);
      const input = { tools: result.tools, toolsets: result.toolsets, plan };
      readBackAll(input, result.files);
      await emittedTools(input, () => true);
      const when = result.tools[0]?.rules[0]?.when;
      if (when?.kind !== "expression") return expect.fail(source);
      trees.set(source, when.expression as unknown as Part);
      note(when.expression as unknown as Part);
    }
  });

  test.each(conditions)("stops build, check and test: $kind, $source", async ({ kind, source }) => {
    const tree = trees.get(source) ?? expect.fail("no tree");
    const sound = await printed(tree);
    const tried = new Set([sound, undefined]);
    for (const [change, mutant] of mutants(tree)) {
      const text = await printed(mutant);
      // A change that prints the same, or nothing, is no fault of the printer.
      if (tried.has(text)) continue;
      tried.add(text);
      planted.fault = () => mutant as unknown as Expression;
      planted.isProved = true;
      const survived: string[] = [];
      if (!(await isCaught(() => build(source)))) survived.push("build");
      planted.isProved = false;
      let faulty: CompileResult | undefined;
      try {
        faulty = await build(source);
      } catch {
        // No module at all: the formatter cannot read it.
      }
      if (faulty !== undefined) {
        const { tools, toolsets, files } = faulty;
        const input = { tools, toolsets, plan };
        if (!(await isCaught(async () => readBackAll(input, files)))) survived.push("build --check");
        planted.isProved = true;
        if (!(await isCaught(() => emittedTools(input, () => true)))) survived.push("hasp test");
      }
      planted.fault = undefined;
      table.push({ kind, change, survived });
      expect(survived, `${source} printed as ${String(text)} (${change})`).toEqual([]);
    }
    expect(tried.size, source).toBeGreaterThan(2);
  });
});
