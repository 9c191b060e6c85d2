import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testContext } from "../../../../test/compiler/built-in.testing.js";
import { check } from "@hasp/compiler/plugins";
import { flatTools, plainPlan, specSource } from "../../../../test/compiler/flat-tools.testing.js";
import { rules } from "./index.js";
import { INSTRUCTIONS, SUBJECTS } from "./supply-chain.js";
import { groupName, RULE_GROUPS } from "@hasp/compiler/model";

test("lists the rules of the folder", () => {
  const folder = new URL(".", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /^[\w-]+(?:[/\\][\w-]+)?\.ts$/u.test(path),
  );
  const defined = files.flatMap((path) => {
    const ids = readFileSync(new URL(path.replaceAll("\\", "/"), folder), "utf8").matchAll(
      /defineRule\(\{\n  id: "(.*)",$/gmu,
    );
    return Array.from(ids, ([, id = ""]) => {
      expect(id).toMatch(new RegExp(`^${path.split(/[/\\.]/u)[0]}/[\\w-]+$`, "u"));
      return id;
    });
  });
  expect(rules.map(({ id }) => id).toSorted()).toEqual(defined.toSorted());
  for (const rule of rules) expect(RULE_GROUPS).toContain(groupName(rule));
});

describe("a long text is read in time that grows with its length", () => {
  // Rescanned from every possible start, any of these would take minutes.
  // prettier-ignore
  const units = [
    "a.", "a-", "eyJ-", "ghp_", "://", "a://b:c", "use `", "`a", "ignore ", "always call ", "read ~", "import ",
    ") => ", "sql ", "_", "\u200d", "\ufe0f", "<important ", "(", " \n", "\n", " ",
  ];
  test.each(units)("reads repetitions of %j in linear time", { timeout: 20_000 }, async (unit) => {
    const text = `<${unit.repeat(Math.ceil(100_000 / unit.length))}`;
    const spec = {
      hasp: 1,
      name: "tool",
      description: `Tool ${text}.`,
      input: { type: "object", properties: { [`a${text}`]: { type: "string", description: `Of ${text}.` } } },
    };
    const { tools, documents } = flatTools([specSource(JSON.stringify(spec))]);
    expect(tools).toHaveLength(1);
    const found = (await check({ tools, refused: [] }, testContext({ plan: plainPlan, documents }))).diagnostics;
    expect(found.filter(({ code }) => code === "check/rule-crashed")).toEqual([]);
  });
});

test.each(INSTRUCTIONS)("each text that %s matches holds one of the subjects", ({ source }) => {
  // fast-check writes no boundaries and lookaheads; without them, the form matches more texts.
  const wider = new RegExp(source.replaceAll("\\b", "").replace("(?! (?:file )?(?:variable|format))", ""), "u");
  fc.assert(fc.property(fc.stringMatching(wider), (text) => SUBJECTS.test(text)));
});
