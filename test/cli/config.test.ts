import { mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, startHasp, type JsonFinding } from "./command-line.js";

const vague = minimalSpec("process_data");
const specs = { "specs/a.tool.yaml": vague, "specs/old/b.tool.yaml": minimalSpec("handle_data") };

/** `severity code uri:line:column`, what the naming rule and the configuration draw. */
function lines(findings: readonly JsonFinding[]): readonly string[] {
  return findings
    .filter(({ code }) => /^(?:config|project|check|load|lower)\/|vague-name/u.test(code))
    .map(({ severity, code, uri, line, column }) => `${severity} ${code} ${uri}:${line}:${column}`);
}

async function check(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly found: readonly string[]; readonly folder: string }> {
  const folder = project({ ...specs, ...files });
  const { code, diagnostics } = await haspJson(folder, ["check"]);
  return { code, found: lines(diagnostics), folder };
}

describe("extends", () => {
  test("files and packages, the later over the earlier and the project over all", async () => {
    const { code, found } = await check({
      "hasp.config.yaml":
        "extends: ['@acme/hasp-preset', plain/strict.json, ./presets/own.yaml]\nspecs: [specs]\nfindings: [{ rule: description/when-to-use, severity: 'off' }]\n",
      "node_modules/@acme/hasp-preset/hasp.config.yaml":
        "extends: ./deep/base.yaml\nfindings: [{ rule: naming/vague-name, severity: error }, { rule: description/when-to-use, severity: error }]\n",
      "node_modules/@acme/hasp-preset/deep/base.yaml": "findings: [{ rule: naming/vague-name, severity: 'off' }]\n",
      "node_modules/plain/strict.json": '{ "findings": [{ "rule": "naming/vague-name", "severity": "info" }] }',
      "presets/own.yaml": "extends: ../more.mjs\n",
      "more.mjs": "export default { findings: [{ rule: 'naming/vague-name', severity: 'error' }] };\n",
    });
    expect(found).toEqual([
      "error naming/vague-name specs/a.tool.yaml:2:7",
      "error naming/vague-name specs/old/b.tool.yaml:2:7",
    ]);
    expect(code).toBe(1);
  });

  test("a package of the workspace may lie outside the project, and build on files of its own", async () => {
    const workspace = project({
      "app/hasp.config.yaml": "extends: hasp-preset-team\nspecs: [specs]\n",
      "app/specs/a.tool.yaml": vague,
      "team/hasp.config.yaml": "extends: ./base.yaml\n",
      "team/base.yaml": "findings: [{ rule: naming/vague-name, severity: error }]\n",
    });
    mkdirSync(join(workspace, "node_modules"));
    symlinkSync(join(workspace, "team"), join(workspace, "node_modules/hasp-preset-team"));
    expect(lines((await haspJson(join(workspace, "app"), ["check"])).diagnostics)).toEqual([
      "error naming/vague-name specs/a.tool.yaml:2:7",
    ]);
    put(workspace, { "team/base.yaml": "findings: [{ rule: naming/vague, severity: error }]\n" });
    expect(lines((await haspJson(join(workspace, "app"), ["check"])).diagnostics)).toEqual([
      "error config/unknown-rule ../team/base.yaml:1:20",
    ]);
  });

  test("the preset for directories of MCP clients asks each tool for a title", async () => {
    const folder = project({
      ...specs,
      "hasp.config.yaml": "extends: hasp/presets/mcp-directory.yaml\nspecs: [specs]\n",
      "specs/c.tool.yaml": `${vague.replace("name: ", "title: Things\nname: titled_")}`,
    });
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    symlinkSync(join(import.meta.dirname, "../../packages/hasp"), join(folder, "node_modules/hasp"));
    const { diagnostics } = await haspJson(folder, ["check"]);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code, uri }) => `${code} ${uri}`)).toEqual([
      "mcp-directory/title specs/a.tool.yaml",
      "mcp-directory/title specs/old/b.tool.yaml",
    ]);
  });

  test.each<readonly [string, Readonly<Record<string, string>>, string, string]>([
    [
      "a file that is not there",
      { "hasp.config.yaml": "specs: [specs]\nextends: ./gone.yaml\n" },
      "config/preset-not-found hasp.config.yaml:2:10",
      'no file "gone.yaml"',
    ],
    [
      "a package that is not installed",
      { "hasp.config.yaml": "extends: [gone]\n" },
      "config/preset-not-found hasp.config.yaml:1:11",
      'no package "gone" is installed',
    ],
    [
      "a file without ./",
      { "hasp.config.yaml": "extends: strict.yaml\n", "strict.yaml": "" },
      "config/preset-not-found hasp.config.yaml:1:10",
      "./strict.yaml",
    ],
    [
      "a package without a preset",
      { "hasp.config.yaml": "extends: empty\n", "node_modules/empty/package.json": "{}" },
      "config/preset-not-found hasp.config.yaml:1:10",
      "holds no hasp.config.yaml",
    ],
    [
      "a way out of the project",
      { "hasp.config.yaml": "extends: ../x.yaml\n" },
      "config/preset-outside hasp.config.yaml:1:10",
      "points outside the project",
    ],
    [
      "a way out of a package",
      { "hasp.config.yaml": "extends: p/../../x.yaml\n", "node_modules/p/a": "", "x.yaml": "" },
      "config/preset-outside hasp.config.yaml:1:10",
      "points outside",
    ],
    [
      "itself",
      { "hasp.config.yaml": "extends: ./hasp.config.yaml\n" },
      "config/preset-cycle hasp.config.yaml:1:10",
      "hasp.config.yaml → hasp.config.yaml",
    ],
    [
      "a circle",
      {
        "hasp.config.yaml": "extends: ./a.yaml\n",
        "a.yaml": "extends: ./b.yaml\n",
        "b.yaml": "\nextends:\n  - ./a.yaml\n",
      },
      "config/preset-cycle b.yaml:3:5",
      "a.yaml → b.yaml → a.yaml",
    ],
    [
      "a preset that names paths",
      { "hasp.config.yaml": "extends: ./a.yaml\n", "a.yaml": "specs: [x]\n" },
      "config/not-in-preset a.yaml:1:1",
      "sets specs",
    ],
    [
      "a preset that silences",
      {
        "hasp.config.yaml": "extends: ./a.yaml\n",
        "a.yaml": "findings: [{ in: a, rule: naming/vague-name, reason: b }]\n",
      },
      "config/not-in-preset a.yaml:1:12",
      "sets an entry with `in`",
    ],
    [
      "a broken preset",
      { "hasp.config.yaml": "extends: ./a.yaml\n", "a.yaml": "findings: [\n" },
      "load/yaml-syntax a.yaml:",
      "",
    ],
  ])("%s: 2, with its place", async (_what, files, place, words) => {
    const folder = project({ ...specs, ...files });
    const { code, diagnostics } = await haspJson(folder, ["check"]);
    expect(lines(diagnostics)).toEqual([expect.stringContaining(place)]);
    expect(`${diagnostics[0]?.message} ${diagnostics[0]?.help}`).toContain(words);
    expect(code).toBe(2);
    // People see the place, too.
    expect((await hasp(folder, ["check"])).out).toContain("│");
  });

  test("a link that points outside the project is no way in", async () => {
    const outside = project({ "x.yaml": "findings: []\n" });
    const folder = project({ ...specs, "hasp.config.yaml": "extends: ./x.yaml\n" });
    symlinkSync(join(realpathSync(outside), "x.yaml"), join(folder, "x.yaml"));
    expect(lines((await haspJson(folder, ["check"])).diagnostics)).toEqual([
      "error config/preset-outside hasp.config.yaml:1:10",
    ]);
  });

  test("no preset switches off what keeps the promise, and the finding stands in the preset", async () => {
    const { code, found } = await check({
      "hasp.config.yaml": "extends: ./a.yaml\nspecs: [specs]\n",
      "a.yaml":
        "findings:\n  - { rule: naming/vague-name, severity: off }\n  - { rule: fail-closed/program-pattern, severity: off }\n",
    });
    expect(found).toEqual(["error check/fixed-severity a.yaml:3:5"]);
    expect(code).toBe(1);
  });
});

describe("findings", () => {
  test("an entry for some files holds there only; a path that covers nothing is an error", async () => {
    const { code, found } = await check({
      "hasp.config.yaml":
        "specs: [specs]\nfindings:\n  - { in: specs/old, rule: naming/vague-name, severity: error }\n  - { in: specs/new, rule: naming/vague-name, severity: off }\n",
    });
    expect(found).toEqual([
      "error config/unused-override hasp.config.yaml:4:11",
      "error naming/vague-name specs/old/b.tool.yaml:2:7",
      "warning naming/vague-name specs/a.tool.yaml:2:7",
    ]);
    expect(code).toBe(1);
  });
});

describe("places in the user's own text", () => {
  const config = (entries: string): Readonly<Record<string, string>> => ({
    "hasp.config.ts": `import type { HaspConfig } from "hasp";\n\nconst config: HaspConfig = {\n  specs: ["specs"],\n${entries}\n};\nexport default config;\n`,
    "hasp.config.json": `{\n  "specs": ["specs"],\n\n\n${entries.replaceAll("'", '"').replace(/,$/u, "")}\n}\n`,
    "hasp.config.yaml": `specs: [specs]\n\n\n\n${entries.replaceAll("'", "").replace(/,$/u, "").replace(/^ {2}/u, "")}\n`,
  });

  const columns = { "hasp.config.ts": 2, "hasp.config.json": 2, "hasp.config.yaml": 0 };
  describe.each(Object.keys(columns))("%s", (name) => {
    const shift = columns[name as keyof typeof columns];
    test.each([
      ["  'findings': [{ 'rule': 'naming/vague', 'severity': 'off' }],", `error config/unknown-rule ${name}:5:`, 24],
      ["  'findingz': [{ 'rule': 'naming/vague' }],", `error config/unknown-key ${name}:5:`, 1],
      ["  'rules': { 'naming/vague-name': 'off' },", `error config/earlier-key ${name}:5:`, 1],
      [
        "  'findings': [{ 'rule': 'naming/vague-name', 'severity': 'loud' }],",
        `error config/wrong-value ${name}:5:`,
        57,
      ],
      [
        "  'findings': [{ 'rule': 'fail-closed/program-pattern', 'severity': 'off' }],",
        `error check/fixed-severity ${name}:5:`,
        14,
      ],
      [
        "  'findings': [{ 'in': 'nowhere', 'rule': 'naming/vague-name', 'reason': 'x' }],",
        `error check/unused-ignore ${name}:5:`,
        14,
      ],
      [
        "  'findings': [{ 'in': 'nowhere', 'rule': 'naming/vague-name', 'severity': 'off' }],",
        `error config/unused-override ${name}:5:`,
        22,
      ],
      ["  'toolsets': { 'few': { 'include': ['gone', 'process_data'] } },", `error lower/unknown-tool ${name}:5:`, 36],
      ["  'outDir': '../x',", `error config/outside-project ${name}:5:`, 11],
    ])("the finding points at its own place: %s", async (entry, finding, column) => {
      const folder = project({ ...specs, [name]: config(entry)[name] ?? "" });
      const { diagnostics } = await haspJson(folder, ["check"]);
      const found = lines(diagnostics).find((line) => line.includes(name));
      expect(found).toContain(finding);
      // YAML has no quotes here, so its columns differ; the place must still hold what is meant.
      if (name !== "hasp.config.yaml") expect(found).toBe(`${finding}${column + shift}`);
      const { line = 1, column: at = 1 } = diagnostics.find(({ uri }) => uri === name) ?? {};
      const named = readFileSync(join(folder, name), "utf8").split("\n")[(line ?? 1) - 1];
      expect(named?.slice((at ?? 1) - 1)).not.toBe("");
    });
  });

  test("a program that does not load is reported at the line that its error names", async () => {
    const broken = await check({
      "hasp.config.mjs": "const a = 1;\n\nthrow new Error('not today');\nexport default {};\n",
    });
    expect(broken).toMatchObject({ code: 2, found: ["error config/cannot-load hasp.config.mjs:3:7"] });
    // The test runner imports modules in its own way; a process of its own does as users' do.
    const unparsed = startHasp(project({ ...specs, "hasp.config.mjs": "const a = 1;\nexport default { ( };\n" }), [
      "check",
    ]);
    expect(unparsed.out).toMatch(
      /^ {2}2:17 {2}error {2}The configuration "hasp\.config\.mjs" cannot be loaded: Unexpected token/m,
    );
    expect(unparsed.code).toBe(2);
    expect((await check({ "hasp.config.mjs": "export const a = 1;\n" })).found).toEqual([
      "error config/cannot-load hasp.config.mjs:1:1",
    ]);
  });

  test("a program may hold values that no data file can; a key without a value counts as absent", async () => {
    const program = (text: string): Readonly<Record<string, string>> => ({ "hasp.config.mjs": text });
    expect(
      await check(program("export default { specs: ['specs'],\n  rules: () => ({}), budgets: undefined };\n")),
    ).toMatchObject({ code: 2, found: ["error config/not-data hasp.config.mjs:2:10"] });
    expect((await check(program("export default Promise.resolve({});\n"))).found).toEqual([
      "error config/not-data hasp.config.mjs:1:1",
    ]);
    expect((await check(program("const a = { specs: ['specs'] };\na.rules = a;\nexport default a;\n"))).found).toEqual([
      "error config/not-data hasp.config.mjs:1:11",
    ]);
    expect(
      (await check(program("export default { specs: ['specs'], budgets: undefined, findings: [] };\n"))).code,
    ).toBe(0);
  });

  test("a second configuration, and folders that hold no spec", async () => {
    expect((await check({ "hasp.config.yaml": "specs: [specs]\n", "hasp.config.mjs": "" })).found).toEqual([
      "error config/two-configurations hasp.config.mjs:1:1",
    ]);
    expect((await check({ "hasp.config.yaml": "\nspecs: [empty]\n", "empty/readme.md": "" })).found).toEqual([
      "error project/no-specs hasp.config.yaml:2:9",
    ]);
  });

  test("folders of specs that are not there", async () => {
    expect((await check({ "hasp.config.yaml": "specs:\n  - specs\n  - gone\n" })).found).toEqual([
      "error project/specs-not-found hasp.config.yaml:3:5",
    ]);
  });
});

test("clients count the name of the package without its scope before the names of its tools", async () => {
  const folder = project({
    "package.json": '{ "name": "@acme/fifty-characters-of-a-name-and-four-more-than-it-is" }',
    "hasp.config.yaml": "clients: [cursor, claude-code]\nspecs: [specs]\n",
    "specs/a.tool.yaml": minimalSpec("get_a"),
    "specs/b.tool.yaml": minimalSpec("get_weather"),
  });
  const { diagnostics } = await haspJson(folder, ["check"]);
  const found = diagnostics.filter(({ code }) => code === "providers/mcp-client");
  expect(found.map(({ uri, line, column, message }) => `${uri}:${line}:${column} ${message.split(",")[0]}`)).toEqual([
    expect.stringMatching(
      /^specs\/b\.tool\.yaml:2:7 Claude Code fails every request: "mcp__fifty-.*__get_weather" has 69 characters$/u,
    ),
    expect.stringMatching(
      /^specs\/b\.tool\.yaml:2:7 Cursor leaves the tool out: "fifty-.*get_weather" has 62 characters$/u,
    ),
  ]);
});
