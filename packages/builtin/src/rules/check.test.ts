import { describe, expect, test } from "vitest";
import { type Found, sortDiagnostics } from "@hasp/base/diagnostics";
import type { CompilePlan } from "@hasp/compiler";
import { joinPlugins } from "@hasp/compiler/plugins";
import { compile, testContext } from "../../../../test/compiler/built-in.testing.js";
import { builtIn } from "../plugin.js";
import { flatTools, plainPlan } from "../../../../test/compiler/flat-tools.testing.js";
import { check as checkTools } from "@hasp/compiler/plugins";
import { defineRule, type Rule } from "@hasp/compiler/plugin";

const VAGUE =
  "hasp: 1\nname: process_data\ndescription: Use it for all shapes.\ninput: { type: object, properties: {} }\n";

/** Checks tools. Flows have tests of their own. */
async function check(...given: Parameters<typeof checkTools>): Promise<Pick<Found<unknown>, "diagnostics">> {
  const { diagnostics } = await checkTools(...given);
  return { diagnostics: diagnostics.filter(({ code }) => !code.startsWith("flow/")) };
}

/** `severity code line: message` of everything found. */
async function findCodes(
  text: string,
  plan: Partial<CompilePlan> = {},
  given: readonly Rule[] = [],
  uri = "specs/one.tool.yaml",
): Promise<readonly string[]> {
  const { tools, documents, diagnostics } = flatTools([{ uri, text, role: "spec" }]);
  expect(diagnostics).toEqual([]);
  const plugins = joinPlugins([...builtIn, { name: "test", rules: given }]);
  const context = testContext({ plan: { ...plainPlan, ...plan }, plugins, documents });
  const found = await check({ tools, refused: [] }, context);
  return found.diagnostics.map(
    ({ severity, code, location }) => `${severity} ${code} ${location?.range.start.line ?? "-"}`,
  );
}

test("a table that is too long to prove is named at the first row without a proof", async () => {
  const rows = Array.from(
    { length: 1100 },
    (_, index) => `    - { when: input.key == 'k${index}', class: READ_ONLY }\n`,
  );
  const text = `hasp: 1
name: read_record
description: Read a record.
input: { type: object, required: [key], properties: { key: { type: string } } }
concurrency:
  rules:
${rows.join("")}`;
  const { tools, documents } = flatTools([{ uri: "specs/one.tool.yaml", text, role: "spec" }]);
  const plugins = joinPlugins([]);
  const { diagnostics } = await check({ tools, refused: [] }, testContext({ plan: plainPlan, plugins, documents }));
  const found = diagnostics.filter(({ code }) => code.startsWith("check/"));
  // A thousand rows meet a thousand values, and one value that no row names.
  expect(found).toMatchObject([
    { code: "check/rows-not-proved", severity: "warning", location: { range: { start: { line: 1006 } } } },
  ]);
});

test("instructions that some clients cut are a warning", async () => {
  const fits = "x".repeat(2048);
  expect(await findCodes(VAGUE, { instructions: fits })).toEqual(["warning naming/vague-name 2"]);
  expect(await findCodes(VAGUE, { instructions: `${fits}.` })).toEqual([
    "warning check/long-instructions -",
    "warning naming/vague-name 2",
  ]);
});

describe("severities", () => {
  test("a severity is the rule's own or the configuration's", async () => {
    expect(await findCodes(VAGUE)).toEqual(["warning naming/vague-name 2"]);
    expect(await findCodes(VAGUE, { rules: { "naming/vague-name": "error" } })).toEqual(["error naming/vague-name 2"]);
    expect(await findCodes(VAGUE, { rules: { "naming/vague-name": "off" } })).toEqual([]);
    expect(await findCodes(VAGUE, { rules: { "description/when-not-to-use": "info" } })).toEqual([
      "warning naming/vague-name 2",
      "info description/when-not-to-use 3",
    ]);
  });

  test("the last override that covers the file and names the rule decides", async () => {
    const off = { path: "specs", rules: { "naming/vague-name": "off" } } as const;
    const error = { path: "*.tool.yaml", rules: { "naming/vague-name": "error" } } as const;
    expect(await findCodes(VAGUE, { overrides: [off] })).toEqual([]);
    expect(await findCodes(VAGUE, { overrides: [{ ...off, path: "elsewhere" }] })).toEqual([
      "warning naming/vague-name 2",
    ]);
    expect(await findCodes(VAGUE, { overrides: [off, error] })).toEqual(["error naming/vague-name 2"]);
    expect(
      await findCodes(VAGUE, {
        overrides: [error, off, { path: "specs", rules: { "description/when-to-use": "info" } }],
      }),
    ).toEqual([]);
    // A rule that is off elsewhere runs where an override asks for it.
    expect(await findCodes(VAGUE, { rules: { "naming/vague-name": "off" }, overrides: [error] })).toEqual([
      "error naming/vague-name 2",
    ]);
  });

  test("keeps the severity of fail-closed rules, also against overrides", async () => {
    expect(
      await findCodes(VAGUE, { overrides: [{ path: "specs", rules: { "fail-closed/program-pattern": "off" } }] }),
    ).toContain("error check/fixed-severity -");
    expect((await findCodes(VAGUE, { rules: { "fail-closed/program-pattern": "off" } }))[0]).toBe(
      "error check/fixed-severity -",
    );
    const { tools, documents } = flatTools([{ uri: "a.tool.yaml", text: programSpec, role: "spec" }]);
    const changed = { ...plainPlan, rules: { "fail-closed/program-pattern": "info" } } as const;
    const { diagnostics } = await check({ tools, refused: [] }, testContext({ plan: changed, documents }));
    expect(diagnostics.find(({ code }) => code === "fail-closed/program-pattern")).toMatchObject({
      severity: "error",
      fixed: true,
    });
  });

  test("reports the severity of an unknown rule", async () => {
    const { tools, documents } = flatTools([{ uri: "a.tool.yaml", text: VAGUE, role: "spec" }]);
    const misspelt = { ...plainPlan, rules: { "naming/vague-names": "off" } } as const;
    const [first] = (await check({ tools, refused: [] }, testContext({ plan: misspelt, documents }))).diagnostics;
    expect(first).toMatchObject({
      code: "check/unknown-rule",
      message: expect.stringContaining('Did you mean "naming/vague-name"?') as string,
    });
  });
});

const programSpec = `hasp: 1
name: run_shell
description: Use it to run one command.
input: { type: object, required: [command], properties: { command: { type: string, description: The command. } } }
concurrency:
  rules:
    # hasp-ignore fail-closed/program-pattern -- we trust it
    - { when: "input.command.startsWith('ls')", class: WRITE_EXCLUSIVE }
`;

describe("suppression in place", () => {
  test("works above the line and at its end, with a reason", async () => {
    expect(
      await findCodes(VAGUE.replace("name:", "# hasp-ignore naming/vague-name -- our users call it so\nname:")),
    ).toEqual([]);
    expect(
      await findCodes(
        VAGUE.replace("process_data", "process_data # hasp-ignore naming/vague-name -- our users call it so"),
      ),
    ).toEqual([]);
    expect(
      await findCodes(VAGUE.replace("name:", "# hasp-ignore naming/vague-name -- why\n# a comment between\nname:")),
    ).toEqual([]);
    expect(
      await findCodes(
        VAGUE.replaceAll("\n", "\r\n").replace("process_data", "process_data # hasp-ignore naming/vague-name -- why"),
      ),
    ).toEqual([]);
  });

  test("without a reason is an error, and suppresses nothing", async () => {
    expect(await findCodes(VAGUE.replace("name:", "# hasp-ignore naming/vague-name\nname:"))).toEqual([
      "warning naming/vague-name 3",
      "error check/silence-without-reason 2",
    ]);
  });

  test("reports suppressions of absent findings, unknown rules and fixed rules", async () => {
    expect(
      await findCodes(VAGUE.replace("description:", "# hasp-ignore naming/vague-name -- why\ndescription:")),
    ).toEqual(["warning naming/vague-name 2", "error check/unused-silence 3"]);
    expect(await findCodes(VAGUE.replace("name:", "# hasp-ignore naming/vague -- why\nname:"))).toContain(
      "error check/silence-of-unknown-rule 2",
    );
    expect(await findCodes(VAGUE.replace("name:", "# hasp-ignore:naming/vague-name -- why\nname:"))).toContain(
      "error check/silence-of-unknown-rule 2",
    );
    const fixed = await findCodes(programSpec);
    expect(fixed).toContain("error fail-closed/program-pattern 8");
    expect(fixed).toContain("error check/silence-of-fixed-rule 7");
  });

  test("is a comment, not the same words in a text", async () => {
    const text = VAGUE.replace(
      "description: Use it for all shapes.",
      "description: >-\n  Use it for all shapes.\n  # hasp-ignore naming/vague-name -- no comment\nowner: '# hasp-ignore naming/vague-name -- nor this'",
    );
    expect(await findCodes(text)).toEqual(["warning naming/vague-name 2"]);
  });
});

describe("suppression in the configuration", () => {
  const entry = { rule: "naming/vague-name", path: "specs", reason: "old names" };

  test("works for folders and files, also in JSON", async () => {
    expect(await findCodes(VAGUE, { ignore: [entry] })).toEqual([]);
    expect(await findCodes(VAGUE, { ignore: [{ ...entry, path: "specs/*.yaml" }] })).toEqual([]);
    const json = JSON.stringify({
      hasp: 1,
      name: "process_data",
      description: "Use it on shapes.",
      input: { type: "object", properties: {} },
    });
    expect(await findCodes(json, { ignore: [{ ...entry, path: "*.json" }] }, undefined, "specs/one.tool.json")).toEqual(
      [],
    );
  });

  test("problems stand where the configuration says the entry", async () => {
    const at = {
      uri: "hasp.config.yaml",
      pointer: "/ignore/0",
      range: { start: { offset: 9, line: 7, column: 3 }, end: { offset: 9, line: 7, column: 3 } },
    };
    const problems = [
      { ...entry, path: "elsewhere" },
      { ...entry, reason: " " },
      { ...entry, rule: "fail-closed/program-pattern" },
      { ...entry, rule: "nope/nope" },
    ];
    for (const problem of problems) {
      expect(
        (await findCodes(VAGUE, { ignore: [problem], locations: { "/ignore/0": at } })).filter((each) =>
          each.includes("check/"),
        ),
      ).toHaveLength(1);
    }
    for (const problem of problems) {
      expect((await findCodes(VAGUE, { ignore: [problem], locations: { "/ignore/0": at } })).join()).toMatch(
        /error check\/[a-z-]+ 7/u,
      );
    }
  });

  test("must be used, have a reason, and name a rule that may be suppressed", async () => {
    const codes = (ignore: CompilePlan["ignore"]): Promise<readonly string[]> => findCodes(VAGUE, { ignore });
    expect(await codes([{ ...entry, path: "elsewhere" }])).toEqual([
      "warning naming/vague-name 2",
      "error check/unused-ignore -",
    ]);
    expect(await codes([{ ...entry, reason: " " }])).toContain("error check/ignore-without-reason -");
    expect(await codes([{ ...entry, rule: "nope/nope" }])).toContain("error check/unknown-rule -");
    expect(await codes([{ ...entry, rule: "fail-closed/program-pattern" }])).toContain(
      "error check/ignore-of-fixed-rule -",
    );
  });
});

test("a tool with errors of its own draws no findings about its absence", async () => {
  const good =
    "hasp: 1\nname: find\ndescription: Use it before `broken`. Or use `nowhere_at_all`.\ninput: { type: object, properties: {} }\n";
  const broken =
    "# hasp-ignore naming/vague-name -- why\nhasp: 1\nname: broken\ndescription: x\ninput: { type: object, properties: {}, sorry: 1 }\n";
  const ledger = "approved: []\n";
  const { tools, documents } = flatTools([
    { uri: "a.tool.yaml", text: good, role: "spec" },
    { uri: "b.tool.yaml", text: broken, role: "spec" },
    { uri: "hasp-ledger/broken.yaml", text: ledger, role: "ledger" },
    { uri: "hasp-ledger/gone.yaml", text: ledger, role: "ledger" },
  ]);
  expect(tools.map(({ name }) => name)).toEqual(["find"]);
  const plan = { ...plainPlan, ignore: [{ rule: "naming/vague-name", path: "b.tool.yaml", reason: "why" }] };
  const { diagnostics } = await check({ tools, refused: [] }, testContext({ plan, documents }));
  expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "description/unknown-tool-mention: There is no tool `nowhere_at_all` in this project; correct the name, or describe the alternative in words.",
    'ledger/unknown-tool: This ledger belongs to no tool: there is no tool "gone".',
  ]);
});

const crash = (): never => {
  throw new TypeError("cannot read x");
};

test.each([
  ["checkTool", { checkTool: crash }],
  ["visitTool", { visitTool: crash }],
  ["a visitor", { visitTool: () => ({ input: crash, text: crash, end: crash }) }],
  ["checkProject", { checkProject: crash }],
  ["readTool", { readTool: crash, checkProject: crash }],
])("reports a rule that crashes in %s as our bug, once, and runs the others", async (_, checks) => {
  const crashing = defineRule({
    id: "safety/crashing",
    severity: "info",
    summary: "It crashes.",
    why: "To show it.",
    messages: {},
    examples: { bad: [], good: [] },
    ...checks,
  });
  const { tools, documents } = flatTools([{ uri: "a.tool.yaml", text: VAGUE, role: "spec" }]);
  const plugins = joinPlugins([...builtIn, { name: "test", rules: [crashing] }]);
  const { diagnostics } = await check({ tools, refused: [] }, testContext({ plan: plainPlan, plugins, documents }));
  expect(diagnostics.map(({ code }) => code).toSorted()).toEqual(["check/rule-crashed", "naming/vague-name"]);
  expect(diagnostics.find(({ code }) => code === "check/rule-crashed")?.message).toBe(
    'The rule "safety/crashing" crashed: cannot read x. This is a bug in hasp. The other rules ran.',
  );
});

test("one cause is one finding, however many tools and parameters refer to it", async () => {
  const shared = "$defs: { Page: { type: object, properties: { size: { type: integer }, raw: { type: integer } } } }\n";
  const property = `{ $ref: "./shared.yaml#/$defs/Page", description: A page. }`;
  const spec = (name: string): string =>
    `hasp: 1\nname: ${name}\ndescription: Use it for ${name}.\n` +
    `input: { type: object, properties: { first: ${property}, other: { type: array, description: More., items: ${property} } } }\n`;
  const { tools, documents } = flatTools([
    { uri: "a.tool.yaml", text: spec("find_a"), role: "spec" },
    { uri: "b.tool.yaml", text: spec("find_b"), role: "spec" },
    { uri: "shared.yaml", text: shared, role: "shared" },
  ]);
  const { diagnostics } = await check({ tools, refused: [] }, testContext({ plan: plainPlan, documents }));
  expect(
    sortDiagnostics(diagnostics).map(
      ({ code, tool, location }) => `${code} ${location?.uri}:${location?.pointer} ${tool ?? "(of the file)"}`,
    ),
  ).toEqual([
    "description/undescribed-parameter shared.yaml:/$defs/Page/properties/size (of the file)",
    "description/undescribed-parameter shared.yaml:/$defs/Page/properties/raw (of the file)",
  ]);
});

test("reports a repeated item of a shared file, once for all tools that refer to it", async () => {
  const spec = (name: string): string =>
    `hasp: 1\nname: ${name}\ndescription: Use it for ${name}.\ninput: { $ref: "./shared.yaml#/$defs/Page" }\n`;
  const page = "{ type: object, required: [size, size], properties: { size: { type: integer, description: Rows. } } }";
  const { tools, documents } = flatTools([
    { uri: "a.tool.yaml", text: spec("find_a"), role: "spec" },
    { uri: "b.tool.yaml", text: spec("find_b"), role: "spec" },
    { uri: "shared.yaml", text: `$defs: { Page: ${page} }\n`, role: "shared" },
  ]);
  const { diagnostics } = await check({ tools, refused: [] }, testContext({ plan: plainPlan, documents }));
  expect(diagnostics.map(({ code, location }) => `${code} ${location?.uri}:${location?.pointer}`)).toEqual([
    "schema/repeated-item shared.yaml:/$defs/Page/required/1",
  ]);
});

describe("an error of a spec hides no other finding", () => {
  const codesOf = async (...lines: readonly string[]): Promise<readonly string[]> => {
    const text = ["hasp: 1", "name: process_data", "description: Use it for all shapes.", ...lines, ""].join("\n");
    const { diagnostics } = await compile([{ uri: "specs/one.tool.yaml", text, role: "spec" }], { dialects: [] });
    return diagnostics.map(({ code, location }) => `${location?.range.start.line ?? "-"} ${code}`);
  };
  const input = "input: { type: object, properties: { raw: { type: string } } }";

  test("an unknown key", async () => {
    expect(await codesOf("colour: red", input)).toEqual([
      "2 naming/vague-name",
      "4 resolve/unknown-key",
      "5 description/undescribed-parameter",
    ]);
  });

  test("a wrong value, but nothing is said that rests on it", async () => {
    expect(await codesOf(input, "behavior: { isDestructive: maybe, requiresPermission: false }")).toEqual([
      "2 naming/vague-name",
      "4 description/undescribed-parameter",
      "5 resolve/wrong-value",
    ]);
  });

  test("reports all findings beside a contradiction", async () => {
    expect(await codesOf(input, "behavior: { isReadOnly: true, isDestructive: true }")).toEqual([
      "2 naming/vague-name",
      "4 description/undescribed-parameter",
      "5 resolve/contradiction",
    ]);
  });

  test("a reference that leads nowhere, but nothing is said of what it would have given", async () => {
    const lost = "lost: { $ref: ./nowhere.yaml }";
    expect(
      await codesOf(
        `input: { type: object, properties: { ${lost}, raw: { type: strng } } }`,
        "concurrency: { rules: [{ when: input.lost.size > 1, class: READ_ONLY }] }",
      ),
    ).toEqual(["4 resolve/ref-file-not-found", "4 schema/unknown-type"]);
    expect(await codesOf(`input: { type: object, properties: { ${lost}, raw: { type: string } } }`)).toEqual([
      "2 naming/vague-name",
      "4 resolve/ref-file-not-found",
      "4 description/undescribed-parameter",
    ]);
  });
});
