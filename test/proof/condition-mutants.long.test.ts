import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { builtInPlugins, compile } from "@hasp/project/built-in";
import { completePlan } from "@hasp/compiler/model";
import type { EmitInput } from "@hasp/compiler/plugins";
import type { PrintedPredicate } from "@hasp/compiler/conditions";
import {
  answersOf,
  faultyTrees,
  noteValues,
  OPERATOR_CONDITIONS,
  OPERATOR_INPUT,
  operatorInput,
  type Part,
  printTree,
  type SeenValues,
} from "../compiler/printer-faults.testing.js";
import { listExpectations, type Expectation, verifyModules } from "@hasp/builtin/verify";
import { emitFiles } from "../compiler/built-in.testing.js";
import { groupBy } from "@hasp/base/json";
import { answerQuestions } from "../../packages/project/src/modules/emitted/answer-questions.js";
import { createContextFor } from "@hasp/compiler/plugins";
import { prepare } from "@hasp/builtin";

/**
 * Gives the printer of conditions each fault that it can have, one at a time: it prints the tree of a condition with one
 * part changed. `build --check` must refuse each one that some valid input can tell from the condition.
 */

const conditions = Object.entries(OPERATOR_CONDITIONS).flatMap(([operator, all]) =>
  all.map((condition) => ({ operator, source: condition.replaceAll(/\bit\b/gu, "input") })),
);

const EXAMPLE =
  "{ mode: read, text: a, count: 1, ratio: 1, flag: true, other: false, tags: [a], more: [], at: 1h, map: {}, map2: {}, maps: [], scope: null, nested: { inner: { x: 1 } } }";

const spec = (condition: string): string => `hasp: 1
name: act
description: Act on something. Use it to act.
input: ${JSON.stringify(OPERATOR_INPUT)}
concurrency: { rules: [{ when: ${JSON.stringify(condition)}, class: READ_ONLY }] }
examples: [{ input: ${EXAMPLE} }]
`;

const plan = completePlan({ dialects: [], unlocked: true, today: "2027-01-01" });
const sourcesOf = (condition: string) => [{ uri: "act.tool.yaml", text: spec(condition), role: "spec" as const }];

/** A sound build of a condition, and what is expected of its modules: the same for every fault of the printer. */
interface Sound {
  readonly tree: Part;
  readonly expectations: readonly Expectation[];
  /** The input of the emitters if the printer had printed something else. */
  printedAs(printed: PrintedPredicate): EmitInput;
}

async function compileSound(condition: string): Promise<Sound> {
  const { tools, toolsets } = await compile(sourcesOf(condition), plan, { emits: false });
  const [tool] = tools;
  const [rule] = tool?.rules ?? [];
  if (tool === undefined || rule?.when?.kind !== "expression") return expect.fail(condition);
  const { when } = rule;
  return {
    tree: when.expression as unknown as Part,
    expectations: [
      ...listExpectations(
        prepare({ tools, toolsets, plan }, createContextFor({ tools, toolsets, plan }, builtInPlugins)),
      ),
    ],
    printedAs: (printed) => ({
      tools: [{ ...tool, rules: [{ ...rule, when: { ...when, ...printed } }] }],
      toolsets,
      plan,
    }),
  };
}

/** Emits the modules with a condition as it was printed, and verifies them. */
async function verify({ printedAs, expectations }: Sound, printed: PrintedPredicate): Promise<void> {
  const { value, diagnostics } = await emitFiles(printedAs(printed));
  expect(diagnostics).toEqual([]);
  await verifyModules(expectations, value, answerQuestions);
}

const inputs = fc.sample(operatorInput, { numRuns: 400, ...seedOfRun() });

/** The seed that the environment asks for; the same one otherwise, so that every run proves the same. */
function seedOfRun(): { readonly seed: number } {
  return { seed: fc.readConfigureGlobal().seed ?? 1 };
}

const seen: SeenValues = new Map();

const table: { readonly operator: string; readonly isObservable: boolean; readonly isRefused: boolean }[] = [];

afterAll(() => {
  const lines = [...groupBy(table, ({ operator }) => operator)].map(([operator, all]) => {
    const [observable, refused] = [all.filter((each) => each.isObservable), all.filter((each) => each.isRefused)];
    const counts = [all, observable, refused].map(({ length }) => String(length).padStart(10));
    return `${operator.padEnd(18)}${counts.join("")}\n`;
  });
  process.stdout.write(
    `\nfaults of the printer of conditions, against build --check\n${"operator".padEnd(18)}    faults  observed   refused\n${lines.join("")}`,
  );
});

async function isRefused(sound: Sound, printed: PrintedPredicate): Promise<boolean> {
  try {
    await verify(sound, printed);
    return false;
  } catch (error) {
    expect(String(error)).toMatch(/hasp generated .*\bact\b|oxfmt|cannot be (?:read|formatted)|does not parse/u);
    return true;
  }
}

const builds = new Map<string, Sound>();

describe("a fault of the printer", () => {
  test("is found in nothing that is sound", async () => {
    for (const { source } of conditions) {
      const sound = await compileSound(source);
      await verify(sound, printTree(sound.tree) ?? expect.fail("nothing is printed"));
      builds.set(source, sound);
      noteValues(sound.tree, seen);
    }
  });

  test.each(conditions)("is refused if an input shows it: $operator, $source", async ({ operator, source }) => {
    const sound = builds.get(source) ?? expect.fail("no build");
    const original = printTree(sound.tree)?.javascript ?? expect.fail("nothing is printed");
    const tried = new Set<string | undefined>([original, undefined]);
    const answers = answersOf(original, inputs)?.join();
    const missed: string[] = [];
    for (const [change, faulty] of faultyTrees(sound.tree, seen)) {
      const printed = printTree(faulty);
      const text = printed?.javascript;
      // A change that prints the same, or nothing, is no fault of the printer.
      if (printed === undefined || text === undefined || tried.has(text)) continue;
      tried.add(text);
      const isObservable = answersOf(text, inputs)?.join() !== answers;
      const refused = await isRefused(sound, printed);
      table.push({ operator, isObservable, isRefused: refused });
      if (isObservable && !refused) missed.push(`printed as ${text} (${change})`);
    }
    expect(missed).toEqual([]);
    expect(tried.size, source).toBeGreaterThan(2);
  });
});
