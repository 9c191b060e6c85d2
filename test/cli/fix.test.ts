import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, tree } from "./command-line.js";

const spec = minimalSpec("find_record").replace("    id: {", "    # which one\n    id: {");
const faulty = `${spec}tags: [a, b, a] # ours\n# hasp-ignore naming/vague-name -- was process_data once\nowner: us\n`;
const config = `# what we compile
specs: [specs]
findings:
  # nothing is vague any more
  - { in: specs, rule: naming/vague-name, reason: Our users call it so. }
  - { in: specs, rule: description/when-to-use, reason: "Short." }
  - { rule: naming/vague-name, severity: error }
  - { rule: fail-closed/program-pattern, severity: warning }
`;

const quoted = (key: string): string => expect.stringContaining(`"${key}"`) as string;

describe("hasp check --fix", () => {
  test("fixes specs and configuration, keeps comments and layout, and reports what is left", async () => {
    // A file with an error hides what the rules would find in it; a second run comes to that.
    const folder = project({
      "hasp.config.yaml": config,
      "specs/a.tool.yaml": faulty,
      "specs/b.tool.yaml": minimalSpec("other", "nonsense: 1\n"),
    });
    const before = await haspJson(folder, ["check"]);
    expect(before.code).toBe(1);
    const run = await haspJson(folder, ["check", "--fix"]);
    expect(run.diagnostics.map(({ code }) => code)).toEqual(["resolve/unknown-key"]);
    expect(run.code).toBe(1);
    expect(readFileSync(join(folder, "specs/a.tool.yaml"), "utf8")).toBe(
      faulty.replace(", a] # ours", "] # ours").replace(/# hasp-ignore.*\n/u, ""),
    );
    expect(readFileSync(join(folder, "hasp.config.yaml"), "utf8")).toBe(
      config.replace("  - { rule: fail-closed/program-pattern, severity: warning }\n", ""),
    );
    expect(run.data).toMatchObject({ changed: ["specs/a.tool.yaml", "hasp.config.yaml"] });
    expect(run.data["fixed"]).toEqual([
      { code: "resolve/wrong-value", uri: "specs/a.tool.yaml", line: 13 },
      { code: "check/fixed-severity", uri: "hasp.config.yaml", line: 8 },
      { code: "check/unused-silence", uri: "specs/a.tool.yaml", line: 14 },
    ]);
    expect((await haspJson(folder, ["check", "--fix"])).data).toMatchObject({ fixed: [], changed: [] });
  });

  test("takes what silences nothing out of a configuration, in YAML and JSON", async () => {
    const findings = [
      { in: "specs", rule: "naming/vague-name", reason: "Old." },
      { in: "specs", rule: "description/when-to-use", reason: "Short." },
    ];
    const files = { "specs/a.tool.yaml": spec };
    const yaml = project({ ...files, "hasp.config.yaml": config });
    expect((await hasp(yaml, ["check", "--fix"])).code).toBe(0);
    expect(readFileSync(join(yaml, "hasp.config.yaml"), "utf8")).toBe(
      "# what we compile\nspecs: [specs]\nfindings:\n  # nothing is vague any more\n  - { rule: naming/vague-name, severity: error }\n",
    );
    const json = project({
      ...files,
      "hasp.config.json": JSON.stringify({ specs: ["specs"], findings }, undefined, 2),
    });
    expect((await hasp(json, ["check", "--fix"])).code).toBe(0);
    expect(JSON.parse(readFileSync(join(json, "hasp.config.json"), "utf8"))).toEqual({
      specs: ["specs"],
      findings: [],
    });
  });

  test("says what to write in a configuration that is a program, and leaves it as it is", async () => {
    const program =
      'export default { specs: ["specs"], rules: { "naming/vague-name": "off" }, jsonLists: true, customRules: { "acme/a": { on: "spec" } } };\n';
    const folder = project({ "hasp.config.mjs": program, "specs/a.tool.yaml": spec });
    const { code, out } = await hasp(folder, ["check", "--fix"]);
    expect(code).toBe(2);
    expect(out.slice(out.indexOf("\nhasp.config.mjs is a program"))).toBe(`
hasp.config.mjs is a program, which --fix does not rewrite. In what it exports, replace rules, jsonLists, customRules with:
  findings: [{"rule":"naming/vague-name","severity":"off"}],
  emit: {"jsonLists":true},
and name a new file in "plugins", such as ./hasp-plugins/rules.yaml, with:
  {"rules":{"acme/a":{"on":"spec"}}}
`);
    expect(tree(folder)["hasp.config.mjs"]).toBe(program);
  });

  test("rewrites a configuration of an earlier version with its presets, and diff finds nothing", async () => {
    const files = {
      "hasp.config.yaml":
        "extends: ./strict.yaml\nspecs: [specs]\n# ours\nignore: [{ rule: description/when-to-use, path: specs, reason: Short. }]\njsonLists: true\n" +
        "exclude: [{ tool: other, reason: waits }]\noverrides: [{ path: specs/a.tool.yaml, rules: { naming/vague-name: off } }]\n",
      "strict.yaml":
        "rules: { description/when-not-to-use: warning } # strict\n" +
        "customRules: { acme/owner: { on: spec, field: owner, required: true, severity: warning, message: Name the owner. } }\n",
      "specs/a.tool.yaml": spec,
      "specs/b.tool.yaml": minimalSpec("other"),
    };
    const [earlier, folder] = [project(files), project(files)];
    const refused = await haspJson(folder, ["check"]);
    expect(refused.code).toBe(2);
    expect(refused.diagnostics).toMatchObject([
      ...["rules", "customRules"].map((key) => ({
        code: "config/earlier-key",
        uri: "strict.yaml",
        message: quoted(key),
      })),
      ...["ignore", "jsonLists", "exclude", "overrides"].map((key) => ({
        uri: "hasp.config.yaml",
        message: quoted(key),
      })),
    ]);

    const shown = await hasp(folder, ["check", "--fix", "--dry-run"]);
    expect(shown.out).toContain("-jsonLists: true\n");
    expect(shown.out).toContain("hasp.config.yaml would be rewritten.\n");
    expect(tree(folder)).toEqual(files);

    const run = await haspJson(folder, ["check", "--fix"]);
    expect(run.data["changed"]).toEqual(["hasp-plugins/strict.rules.yaml", "strict.yaml", "hasp.config.yaml"]);
    expect(run.diagnostics.filter(({ severity }) => severity !== "info").map(({ code }) => code)).toEqual([
      "acme/owner",
    ]);
    const { "hasp.config.yaml": own = "", "strict.yaml": strict = "" } = tree(folder);
    expect(own).toContain("# ours\n  - { in: specs, rule: description/when-to-use, reason: Short. }\n");
    expect(strict).toContain("# strict\n");
    expect(strict).toContain("- ./hasp-plugins/strict.rules.yaml\n");
    expect((await haspJson(folder, ["check", "--fix"])).data["changed"]).toEqual([]);

    const diff = await haspJson(folder, ["diff", earlier]);
    expect([diff.code, diff.diagnostics]).toEqual([0, []]);
    expect((await haspJson(earlier, ["diff", folder])).diagnostics.map(({ code }) => code)).toContain(
      "config/earlier-key",
    );
  });

  test("moves keys of an earlier version in specs, and diff finds nothing", async () => {
    const earlier = `${minimalSpec("a")}searchHint: words, and more # seldom said
needs: { context: [plan] }
describe: { custom: tell }
suggested:
  from: annotations
  isOpenWorld: false
origin: { kind: mcp-list, name: a }
`;
    const list =
      "hasp: 1\ntools:\n  - name: b\n    description: It does b.\n    searchHint: b\n    visibility: { searchHint: c }\n    input: { type: object, properties: {} }\n";
    const files = {
      "specs/a.tool.yaml": earlier,
      "specs/b.tools.yaml": list.replace("    visibility: { searchHint: c }\n", ""),
    };
    const [base, folder] = [project(files), project(files)];
    const moved = (await haspJson(folder, ["check"])).diagnostics.filter(({ code }) => code === "resolve/moved-key");
    expect(moved.map(({ message }) => message)).toEqual([
      '"searchHint" has moved: write `visibility: { searchHint: … }`.',
      '"describe" has moved: write `visibility: { describe: … }`.',
      '"suggested" has moved: write `origin: { suggested: … }`.',
      '"searchHint" has moved: write `visibility: { searchHint: … }`.',
    ]);
    expect((await haspJson(folder, ["check", "--fix"])).data["changed"]).toEqual(Object.keys(files));
    expect(tree(folder)["specs/a.tool.yaml"]).toBe(`${minimalSpec("a")}# seldom said
needs: { context: [plan] }
origin: { suggested: { from: annotations, isOpenWorld: false }, kind: mcp-list, name: a }
visibility: { searchHint: "words, and more", describe: { custom: tell } }
`);
    const diff = await haspJson(folder, ["diff", base]);
    expect([diff.code, diff.diagnostics]).toEqual([0, []]);

    // Half moved: nobody but the author knows which of the two is meant.
    const half = project({ "specs/b.tools.yaml": list });
    expect((await haspJson(half, ["check", "--fix"])).data["changed"]).toEqual([]);
  });

  test.each([
    ["{ shouldDefer: true } # later", "{ load: deferred } # later", ["`load: deferred`"]],
    ["{ shouldDefer: false, alwaysLoad: true }", "{ load: always }", ["`load: always`", "`load: always`"]],
    ["{ shouldDefer: false, alwaysLoad: false }", "{}", ["`load: normal`", "`load: normal`"]],
    ["\n  shouldDefer: true # c", "\n  # c\n  load: deferred", ["`load: deferred`"]],
    ["{ load: always, alwaysLoad: true }", "{ load: always }", ["`load: always`"]],
    [
      "{ shouldDefer: true, alwaysLoad: true }",
      undefined,
      Array.from({ length: 2 }, () => "`load: deferred` or `load: always`"),
    ],
    ["{ load: deferred, alwaysLoad: true }", undefined, ["`load: deferred` or `load: always`"]],
    ['{ shouldDefer: "yes" }', undefined, ["`load: deferred`"]],
    ["deferred\nsearchHint: a b", undefined, ["`visibility: { load: deferred, searchHint: … }`"]],
  ])("makes one word of two flags, and diff finds nothing: %j", async (earlier, now, said) => {
    const files = { "specs/a.tool.yaml": `${minimalSpec("a")}visibility: ${earlier}\n` };
    const [base, folder] = [project(files), project(files)];
    const moved = (await haspJson(folder, ["check"])).diagnostics.filter(({ code }) => code === "resolve/moved-key");
    expect(moved.map(({ message }) => /write (.*)\.$/u.exec(message)?.[1])).toEqual(said);
    await haspJson(folder, ["check", "--fix"]);
    expect(tree(folder)["specs/a.tool.yaml"]).toBe(`${minimalSpec("a")}visibility: ${now ?? earlier}\n`);
    if (now === undefined) return;
    const diff = await haspJson(folder, ["diff", base]);
    expect([diff.code, diff.diagnostics]).toEqual([0, []]);
  });

  test("--dry-run shows the differences and writes nothing", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/a.tool.yaml": faulty });
    const before = tree(folder);
    const run = await hasp(folder, ["check", "--fix", "--dry-run", "--no-cache"]);
    expect(tree(folder)).toEqual(before);
    expect(run.code).toBe(1);
    expect(run.out).toContain("--- specs/a.tool.yaml\n+++ specs/a.tool.yaml\n@@ -10,6 +10,5 @@");
    expect(run.out).toContain(
      "-tags: [a, b, a] # ours\n-# hasp-ignore naming/vague-name -- was process_data once\n+tags: [a, b] # ours\n",
    );
    expect(run.out).toContain("2 findings would be fixed in 1 file.\n  specs/a.tool.yaml:13  resolve/wrong-value\n");
    expect((await haspJson(folder, ["check", "--dry-run"])).diagnostics.map(({ code }) => code)).toEqual([
      "cli/dry-run-alone",
    ]);
  });

  test("the plain check says that there is a remedy", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/a.tool.yaml": faulty });
    expect((await hasp(folder, ["check"])).out).toContain('1 error; "hasp check --fix" can fix one');
  });

  test("leaves programs and installed presets alone", async () => {
    const files = {
      "specs/a.tool.yaml": spec,
      "hasp.config.mjs":
        "export default { extends: 'p', specs: ['specs'], findings: [{ rule: 'fail-closed/program-pattern', severity: 'off' }] };\n",
      "node_modules/p/hasp.config.yaml": "findings: [{ rule: fail-closed/program-pattern, severity: off }]\n",
    };
    const folder = project(files);
    const run = await haspJson(folder, ["check", "--fix"]);
    expect(run.diagnostics.map(({ code }) => code)).toEqual(["check/fixed-severity"]);
    for (const [path, text] of Object.entries(files)) expect(readFileSync(join(folder, path), "utf8")).toBe(text);
  });

  // Nothing is closed to root.
  test.skipIf(process.getuid?.() === 0)("a file that cannot be written is an error, and 2", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/a.tool.yaml": faulty });
    chmodSync(join(folder, "specs"), 0o500);
    const run = await haspJson(folder, ["check", "--fix"]);
    chmodSync(join(folder, "specs"), 0o700);
    expect(run.code).toBe(2);
    expect(run.diagnostics.map(({ code }) => code)).toContain("cli/cannot-write");
    expect(existsSync(join(folder, "specs/a.tool.yaml"))).toBe(true);
  });
});
