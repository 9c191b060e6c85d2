import { expect, test, vi } from "vitest";
import type { JsonObject, SchemaObject } from "@hasp/schema";
import { testContext } from "../../../../test/compiler/built-in.testing.js";
import { check } from "@hasp/compiler/plugins";
import { flatTools, plainPlan } from "../../../../test/compiler/flat-tools.testing.js";
import { programPattern } from "./fail-closed.js";
import { rowShadowed } from "./safety/rows.js";

/** Counts the items of lists searched and the prefixes compared while all rules check a tool with this input. */
async function countWork(input: JsonObject): Promise<number> {
  const text = JSON.stringify({ hasp: 1, name: "a", description: "A.", input });
  const { tools, documents } = flatTools([{ uri: "specs/a.tool.yaml", text, role: "spec" }]);
  let count = 0;
  const { includes } = Array.prototype;
  const { startsWith } = String.prototype;
  const searches = vi.spyOn(Array.prototype, "includes").mockImplementation(function search(this: unknown[], ...asked) {
    count += this.length;
    return Reflect.apply(includes, this, asked);
  });
  const comparisons = vi.spyOn(String.prototype, "startsWith").mockImplementation(function compare(
    this: string,
    ...asked
  ) {
    count += 1;
    return Reflect.apply(startsWith, this, asked);
  });
  try {
    expect(tools).toHaveLength(1);
    await check({ tools, refused: [] }, testContext({ plan: plainPlan, documents }));
    return count;
  } finally {
    searches.mockRestore();
    comparisons.mockRestore();
  }
}

const names = (size: number): readonly string[] => Array.from({ length: size }, (_, index) => `p${index}`);

const SHAPES: { readonly [name: string]: (size: number) => JsonObject } = {
  "required properties": (size) => ({
    type: "object",
    properties: Object.fromEntries(names(size).map((name) => [name, { type: "string" }])),
    required: names(size),
  }),
  "conditions on properties of one letter": (size) => ({
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "string" } },
    allOf: names(size).map((_, index) => ({
      if: { properties: { a: { const: index } }, required: ["a"] },
      then: { properties: { b: { minLength: index } } },
    })),
  }),
};

test.each(Object.entries(SHAPES))("the rules do twice the work for twice as many %s", async (_, shape) => {
  const once = await countWork(shape(150));
  const twice = await countWork(shape(300));
  expect(twice).toBeLessThan(2.3 * once);
});

/** Counts the reads of the rows of a decision table while the rule about programs compares them with each other. */
function countRowReads(size: number): number {
  const input = { type: "object", required: ["key"], properties: { key: { type: "string" } } };
  const rows = names(size).map((key) => ({ when: `input.key == '${key}'`, class: "READ_ONLY" }));
  const text = JSON.stringify({ hasp: 1, name: "pick", description: "Picks.", input, concurrency: { rules: rows } });
  const [tool] = flatTools([{ uri: "specs/a.tool.yaml", text, role: "spec" }]).tools;
  if (tool === undefined) return expect.fail("there is a tool");
  let count = 0;
  const rules = tool.rules.map((rule) => {
    const counted: ProxyHandler<typeof rule> = {
      get(target, key) {
        count += 1;
        return Reflect.get(target, key) as unknown;
      },
    };
    return new Proxy(rule, counted);
  });
  const report = vi.fn();
  if ("checkTool" in programPattern) programPattern.checkTool({ ...tool, rules }, { plan: plainPlan, report });
  expect(report).not.toHaveBeenCalled();
  return count;
}

test("the rules read twice as many rows for a table of twice the length", () => {
  const once = countRowReads(150);
  expect(once).toBeGreaterThan(150);
  expect(countRowReads(300)).toBeLessThan(2.3 * once);
});

/** Counts the reads of a list of values while the rule about shadowed rows checks a table of such rows. */
function countValueReads(size: number): number {
  const inputWith = (key: readonly string[]): SchemaObject => ({
    type: "object",
    required: ["key", "count"],
    properties: { key: { enum: key }, count: { type: "number", minimum: 0 } },
  });
  const input = inputWith(names(size));
  const rules = names(size).map((_, index) => ({ when: `input.count > ${index}.5`, class: "READ_ONLY" }));
  const text = JSON.stringify({ hasp: 1, name: "pick", description: "Picks.", input, concurrency: { rules } });
  const [tool] = flatTools([{ uri: "specs/a.tool.yaml", text, role: "spec" }]).tools;
  if (tool === undefined || !("checkTool" in rowShadowed)) return expect.fail("there is a tool");
  let count = 0;
  const counted = new Proxy(names(size), {
    get(target, key) {
      count += 1;
      return Reflect.get(target, key) as unknown;
    },
  }) as string[];
  const schema = inputWith(counted);
  const report = vi.fn();
  rowShadowed.checkTool({ ...tool, input: { ...tool.input, schema } }, { plan: plainPlan, report });
  expect(report).toHaveBeenCalledTimes(size - 1);
  return count;
}

test("a table of rows that an earlier one covers is checked with as many reads of each listed value as it has rows", () => {
  const once = countValueReads(50);
  expect(once).toBeGreaterThan(50);
  expect(countValueReads(100)).toBeLessThan(4.3 * once);
});
