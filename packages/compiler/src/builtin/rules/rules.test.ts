import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSqlParser } from "../handlers/sql/parser.js";
import { check } from "../../phases/4-check/index.js";
import { joinPlugins } from "../../plugins/plugin.js";
import { testContext } from "../../phases/context.testing.js";
import { flatTools, plainPlan, specSource } from "./check-specs.testing.js";
import { rules } from "./index.js";
import { type GoodExample, groupName, RULE_GROUPS, type Rule } from "./rule.js";

beforeAll(loadSqlParser);

/** The names of the messages that a rule reports for an example, sorted. */
function findingsOf(rule: Rule, { spec, plan }: GoodExample): readonly string[] {
  const { tools, documents, diagnostics } = flatTools([specSource(spec)]);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(tools.length).toBeGreaterThan(0);
  // Approvals and declarations are checked elsewhere; a rule is judged even if it is off.
  const severities = { ...plainPlan.rules, ...(rule.severity === "off" ? { [rule.id]: "warning" as const } : {}) };
  const messages = Object.entries(rule.messages).map(([name, template]) => [name, `${name}\n${template}`] as const);
  const named: Rule = { ...rule, messages: Object.fromEntries(messages) };
  const found = check(
    { value: tools, refused: [] },
    testContext({
      plan: { ...plainPlan, rules: severities, ...plan },
      plugins: joinPlugins([{ name: "test", rules: [named] }]),
      documents,
    }),
  );
  return found.diagnostics
    .filter(({ code }) => !/^(?:ledger|handler)\//u.test(code))
    .map(({ code, message }) => (code === rule.id ? (message.split("\n")[0] ?? "") : `${code}: ${message}`))
    .toSorted();
}

test("the list of rules is the folder's", () => {
  const files = readdirSync(new URL(".", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((path) => /^[\w-]+[/\\][\w-]+\.ts$/u.test(path) && !path.startsWith("reading"))
    .map((path) => path.replaceAll("\\", "/").replace(/\.ts$/u, ""));
  expect(rules.map(({ id }) => id).toSorted()).toEqual(files.toSorted());
  for (const rule of rules) expect(RULE_GROUPS).toContain(groupName(rule));
});

describe.each(rules.map((rule) => [rule.id, rule] as const))("%s", (_, rule) => {
  test.each(rule.examples.bad.map((example, index) => [index + 1, example] as const))(
    "finds fault with bad example %i",
    (__, bad) => {
      expect(findingsOf(rule, bad)).toEqual([...bad.reports].toSorted());
    },
  );

  test.each(rule.examples.good.map((example, index) => [index + 1, example] as const))(
    "has nothing against good example %i",
    (__, good) => {
      expect(findingsOf(rule, typeof good === "string" ? { spec: good } : good)).toEqual([]);
    },
  );

  test("has both, and uses every message", () => {
    expect(rule.examples.good.length).toBeGreaterThan(0);
    const reported = new Set(rule.examples.bad.flatMap(({ reports }) => reports));
    expect([...reported].toSorted()).toEqual(Object.keys(rule.messages).toSorted());
  });
});

describe("a long text is read in time that grows with its length", () => {
  // Rescanned from every possible start, any of these would take minutes.
  // prettier-ignore
  const units = [
    "a.", "a-", "eyJ-", "ghp_", "://", "a://b:c", "use `", "`a", "ignore ", "always call ", "read ~", "import ",
    ") => ", "sql ", "_", "\u200d", "\ufe0f", "<important ", "(", " \n", "\n", " ",
  ];
  test.each(units)("repeats the unit %j", { timeout: 20_000 }, (unit) => {
    const text = `<${unit.repeat(Math.ceil(200_000 / unit.length))}`;
    const spec = {
      hasp: 1,
      name: "tool",
      description: `Tool ${text}.`,
      input: { type: "object", properties: { [`a${text}`]: { type: "string", description: `Of ${text}.` } } },
    };
    const { tools, documents } = flatTools([specSource(JSON.stringify(spec))]);
    expect(tools).toHaveLength(1);
    const found = check({ value: tools, refused: [] }, testContext({ plan: plainPlan, documents })).diagnostics;
    expect(found.filter(({ code }) => code === "check/rule-crashed")).toEqual([]);
  });
});
