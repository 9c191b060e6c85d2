import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { hasp, haspJson, type JsonFinding, minimalSpec, project } from "./command-line.js";

const CONFIG = "specs: [specs]\ndialects: [mcp]\nplugins: [./plugins/acme.js]\n";

/** A rule that finds fault with every tool, as the text of a plugin's module. */
const rule = (check: string, more = ""): string => `{
  id: "acme/needs-owner", severity: "error", summary: "Every tool has an owner.", why: "Somebody must answer.",
  messages: { missing: "Name the owner of {tool}." },
  examples: { bad: [{ spec: "a", reports: ["missing"] }], good: ["b"] },
  checkTool(tool, { report, plan }) { ${check} }, ${more}
}`;
const REPORT = `report("missing", { location: tool.locate("/name") }, { tool: tool.name });`;
const plugin = (parts: string): string => `export default { name: "acme", ${parts} };\n`;

const withPlugin = (text: string, files: { readonly [path: string]: string } = {}): string =>
  project({ "hasp.config.yaml": CONFIG, "specs/c.tool.yaml": minimalSpec("c"), "plugins/acme.js": text, ...files });

const codesOf = async (root: string, words: readonly string[] = ["check"]): Promise<readonly string[]> =>
  (await haspJson(root, words)).diagnostics.map(({ code }) => code);

describe("the rules of a plugin", () => {
  const fact = `{ date: "2026-08-18", source: "acme/desk#1", effect: "warns", most: 80 }`;
  const clients = `clients: [{ id: "acme/desk", title: "Desk", facts: { tools: ${fact} } }]`;
  const root = withPlugin(plugin(`rules: [${rule(REPORT)}], ${clients}`));

  test("check, lint, ci and SARIF report a plugin's findings, and explain knows its rule", async () => {
    for (const command of ["check", "lint", "ci"]) expect(await codesOf(root, [command])).toContain("acme/needs-owner");
    const sarif = JSON.parse((await hasp(root, ["check", "--format", "sarif"])).out) as {
      readonly runs: readonly [{ readonly tool: { readonly driver: { readonly rules: readonly object[] } } }];
    };
    expect(sarif.runs[0].tool.driver.rules).toContainEqual(
      expect.objectContaining({ id: "acme/needs-owner", fullDescription: { text: "Somebody must answer." } }),
    );
    expect((await hasp(root, ["show", "acme/needs-owner"])).out).toContain("Somebody must answer.");
    expect((await hasp(root, ["show", "client:acme/desk"])).out).toMatch(
      /^acme\/desk +tools +80, warns, acme\/desk#1, 2026-08-18$/mu,
    );
  });

  test("the page of `hasp catalogue` shows a plugin's findings", async () => {
    const warned = withPlugin(plugin(`rules: [${rule(REPORT).replace('severity: "error"', 'severity: "warning"')}]`));
    expect((await hasp(warned, ["catalogue", "--out", "page"])).code).toBe(0);
    const page = readFileSync(join(warned, "page/index.html"), "utf8");
    expect(page).toContain('"acme/needs-owner"');
    expect(page).toContain("Name the owner of c.");
  });

  test("a plugin's rule can be suppressed with a reason and given a severity, like hasp's own", async () => {
    const suppressed = withPlugin(plugin(`rules: [${rule(REPORT)}]`), {
      "specs/c.tool.yaml": minimalSpec("c").replace(/^name:/mu, "# hasp-ignore acme/needs-owner -- known\nname:"),
    });
    expect(await codesOf(suppressed)).not.toContain("acme/needs-owner");
    const info = withPlugin(plugin(`rules: [${rule(REPORT)}]`), {
      "hasp.config.yaml": `${CONFIG}findings: [{ rule: acme/needs-owner, severity: info }]\n`,
    });
    expect((await haspJson(info, ["check"])).code).toBe(0);
    const misspelt = withPlugin(plugin(`rules: [${rule(REPORT)}]`), {
      "hasp.config.yaml": `${CONFIG}findings: [{ rule: acme/needs-ownr, severity: info }]\n`,
    });
    expect(await codesOf(misspelt)).toContain("check/unknown-rule");
  });

  test("`compile` runs a plugin's rules for a program that calls the library", () => {
    const library = JSON.stringify(new URL("../../packages/hasp/dist/index.js", import.meta.url).href);
    const program = `
      import { compile, readProject } from ${library};
      const { sources, plan, plugins } = await readProject(process.argv[1]);
      const { diagnostics } = await compile(sources, plan, { plugins });
      console.log(diagnostics.map(({ code }) => code).join("\\n"));
    `;
    const run = spawnSync(process.execPath, ["--input-type=module", "--eval", program, root], { encoding: "utf8" });
    expect(run.stderr).toBe("");
    expect(run.stdout.split("\n")).toContain("acme/needs-owner");
  });

  test("a plugin's rules run again once a module that it imports changes", async () => {
    const text = `import { asks } from "./asks.js";\n${plugin(`rules: [${rule(`if (asks) ${REPORT}`)}]`)}`;
    const changed = withPlugin(text, { "plugins/asks.js": "export const asks = false;\n" });
    expect(await codesOf(changed)).not.toContain("acme/needs-owner");
    writeFileSync(join(changed, "plugins/asks.js"), "export const asks = true;\n");
    expect(await codesOf(changed)).toContain("acme/needs-owner");
  });

  test.each([
    ["a file beside it", 'join(import.meta.dirname, "words.txt")', "plugins/words.txt"],
    ["a file above it", 'join(import.meta.dirname, "..", "words.txt")', "words.txt"],
    ["a file in a folder below it", 'join(import.meta.dirname, "data/words.txt")', "plugins/data/words.txt"],
    [
      "a folder's files",
      'join(import.meta.dirname, "data", readdirSync(join(import.meta.dirname, "data"))[0])',
      "plugins/data/w",
    ],
  ])("a plugin's rules run again once what it reads changes: %s", async (_what, place, path) => {
    const head = 'import { readdirSync, readFileSync } from "node:fs";\nimport { join } from "node:path";\n';
    const text = `${head}const words = readFileSync(${place}, "utf8");\n${plugin(`rules: [${rule(`if (words.includes("yes")) ${REPORT}`)}]`)}`;
    const changed = withPlugin(text, { [path]: "no\n" });
    expect(await codesOf(changed)).not.toContain("acme/needs-owner");
    writeFileSync(join(changed, path), "yes\n");
    expect(await codesOf(changed)).toContain("acme/needs-owner");
  });
});

test("the files of an emitter are written below the plugin's folder, in the manifest, and compared", async () => {
  const emitter = `emitters: [{ name: "acme/names", emit: (model) => [
    { path: "py/names.txt", text: model.tools.map((tool) => tool.name).join("\\n") + "\\n" }] }]`;
  const root = withPlugin(plugin(emitter));
  expect((await hasp(root, ["build"])).code).toBe(0);
  const path = join(root, "src/generated/acme/py/names.txt");
  expect(readFileSync(path, "utf8")).toBe("c\n");
  const manifest = JSON.parse(readFileSync(join(root, "src/generated/manifest.json"), "utf8")) as {
    readonly plugins: object;
    readonly outputs: object;
  };
  expect(manifest.plugins).toEqual({ acme: expect.stringMatching(/^sha256-/u) as string });
  expect(Object.keys(manifest.outputs)).toContain("src/generated/acme/py/names.txt");
  expect((await hasp(root, ["build", "--check"])).code).toBe(0);
  writeFileSync(path, "edited\n");
  expect(await codesOf(root, ["build", "--check"])).toEqual(["drift/edited"]);
});

const dialect = (changes = ""): string => `dialects: [{
  id: "acme/chat", title: "Acme's chat API.",
  entry: { kind: "function", name: "$name", about: "$description", args: "$input" },
  keywords: { minLength: "words", not: "refuse" }, limits: { tools: 2 }, ${changes}
}]`;

describe("the dialects of a plugin", () => {
  const config = CONFIG.replace("[mcp]", "[acme/chat]");
  const withDialect = (text: string, settings: string, files: { readonly [path: string]: string } = {}): string =>
    withPlugin(plugin(text), { "hasp.config.yaml": `${config}${settings}`, ...files });
  const textSpec = (name: string, keyword: string): string =>
    minimalSpec(name).replace(/^input:.*\n(?: .*\n)*/mu, "") +
    `input: { type: object, required: [id], properties: { id: { type: string, ${keyword} } } }\n`;

  test("builds the lists of a plugin's dialect, with their losses, and compares them", async () => {
    const root = withDialect(dialect(), "emit: { jsonLists: true }\n", {
      "specs/c.tool.yaml": textSpec("c", "minLength: 3"),
    });
    expect(await hasp(root, ["build"])).toMatchObject({ code: 0 });
    const list = JSON.parse(readFileSync(join(root, "src/generated/providers/acme/chat.json"), "utf8")) as object[];
    expect(list).toMatchObject([
      { kind: "function", name: "c", args: { properties: { id: { description: "At least 3 characters." } } } },
    ]);
    const losses = JSON.parse(readFileSync(join(root, "src/generated/losses.json"), "utf8")) as object;
    expect(losses).toMatchObject({ "acme/chat": { losses: { c: [{ keyword: "minLength" }] } } });
    expect((await hasp(root, ["build", "--check"])).code).toBe(0);
    expect((await hasp(root, ["show", "--for", "acme/chat"])).out).toContain("c ");
    expect((await hasp(root, ["show", "c", "--for", "acme/chat"])).out).toContain('"kind": "function"');
    const base = withDialect(dialect(), "", { "specs/c.tool.yaml": textSpec("c", "minLength: 4") });
    expect(await codesOf(root, ["diff", base])).toContain("diff/prompt-changed");
  });

  test("a constant in a dialect's entry is a warning: everything is checked and built", async () => {
    const constant = dialect().replace('args: "$input"', 'args: "$input", strict: true');
    const root = withDialect(constant, "", { "specs/c.tool.yaml": textSpec("c", "pattern: '('") });
    expect(await codesOf(root)).toEqual(["schema/invalid-pattern", "config/constant-in-entry"]);
    writeFileSync(join(root, "specs/c.tool.yaml"), textSpec("c", "minLength: 3"));
    expect((await hasp(root, ["build"])).code).toBe(0);
    expect(await codesOf(root, ["build", "--check"])).toContain("config/constant-in-entry");
    expect((await hasp(root, ["build", "--check"])).code).toBe(0);
    expect((await hasp(root, ["build", "--clean"])).code).toBe(0);
  });

  test("builds the lists of a dialect that is named like a function of generated code", async () => {
    for (const [name, id] of [
      ["create", "create/registry"],
      ["text", "text/length"],
    ] as const) {
      const root = withPlugin(plugin(dialect()).replace('"acme"', `"${name}"`).replace('"acme/chat"', `"${id}"`), {
        "hasp.config.yaml": CONFIG.replace("[mcp]", `["${id}"]`),
        "specs/c.tool.yaml": textSpec("c", "minLength: 3"),
      });
      expect(await hasp(root, ["build"])).toMatchObject({ code: 0 });
      expect(await hasp(root, ["build", "--check"])).toMatchObject({ code: 0 });
    }
  });

  test("a plugin's dialect refuses what it cannot carry, and a list that is too long", async () => {
    const refused = withDialect(dialect(), "", { "specs/c.tool.yaml": textSpec("c", "not: { const: x }") });
    expect(await codesOf(refused)).toContain("lower/uncarried");
    const long = withDialect(dialect(), "", {
      "specs/d.tool.yaml": minimalSpec("d"),
      "specs/e.tool.yaml": minimalSpec("e"),
    });
    expect(await codesOf(long)).toContain("lower/request");
  });

  test.each([
    [
      "that no plugin provides",
      CONFIG.replace("[mcp]", "[acme/chta]"),
      "config/unknown-dialect",
      'Did you mean "acme/chat"?',
    ],
    ["without any plugin", "specs: [specs]\ndialects: [acme/chat]\n", "config/unknown-dialect", "No plugin provides"],
    [
      "with a field that its entry has",
      CONFIG.replace("[mcp]", "{ acme/chat: { extra: { about: x } } }"),
      "config/taken-field",
      'hasp decides about "about"',
    ],
  ])("refuses a dialect where it is named: one %s", async (_, settings, code, words) => {
    const { diagnostics, code: exit } = await haspJson(
      withPlugin(plugin(dialect()), { "hasp.config.yaml": settings }),
      ["build"],
    );
    expect(diagnostics).toMatchObject([
      { code, uri: "hasp.config.yaml", line: 2, message: expect.stringContaining(words) as string },
    ]);
    expect(exit).toBe(2);
  });
});

const IMPORTER = `importers: [{ name: "acme/csv", read: ({ text }) => text.trim().split("\\n").map((line) => {
  const [name, description] = line.split(",");
  return { name, description, inputSchema: { type: "object", properties: {} }, annotations: { readOnlyHint: true } };
}) }]`;

test("an importer writes specs that trust no claim of the source", async () => {
  const root = withPlugin(plugin(IMPORTER), { "tools.csv": "find_order,Find one order.\n" });
  expect((await hasp(root, ["import", "acme/csv", "tools.csv"])).code).toBe(0);
  const spec = readFileSync(join(root, "specs/find_order.tool.yaml"), "utf8");
  expect(spec).toContain("description: Find one order.");
  expect(spec).toMatch(/^ {2}suggested:/mu);
  expect(spec).not.toMatch(/^(?:behavior|concurrency):/mu);
});

test("a reporter prints findings on the terminal and into files", async () => {
  const reporter = `reporters: [{ name: "acme/count", print: ({ diagnostics }) => diagnostics.length + " findings\\n" }]`;
  const root = withPlugin(plugin(`${reporter}, rules: [${rule(REPORT)}]`));
  const run = await hasp(root, ["check", "--format", "acme/count", "--output", "acme/count=report.txt"]);
  expect(run).toMatchObject({ code: 1, out: "2 findings\n" });
  expect(readFileSync(join(root, "report.txt"), "utf8")).toBe("2 findings\n");
});

test.each([
  [
    "a reporter that throws",
    `reporters: [{ name: "acme/r", print() { throw new Error("oops"); } }]`,
    ["check", "--format", "acme/r"],
    "oops",
  ],
  [
    "a reporter that returns no text",
    `reporters: [{ name: "acme/r", print: () => 7 }]`,
    ["check", "--format", "acme/r"],
    "returns a text",
  ],
  ["a reporter that is missing", "", ["check", "--format", "acme/r"], 'has a reporter "acme/r"'],
  [
    "an importer that throws",
    `importers: [{ name: "acme/i", read() { throw new Error("oops"); } }]`,
    ["import", "acme/i", "a.txt"],
    "oops",
  ],
  [
    "an importer that returns garbage",
    `importers: [{ name: "acme/i", read: () => [7] }]`,
    ["import", "acme/i", "a.txt"],
    "each tool has a name",
  ],
  ["an importer that is missing", "", ["import", "acme/i", "a.txt"], 'has an importer "acme/i"'],
])("%s is an error, and the command could not do its work", async (_, parts, words, message) => {
  const run = await hasp(withPlugin(plugin(parts), { "a.txt": "" }), words);
  expect(run.code).toBe(2);
  expect(`${run.out}${run.error}`).toContain(message);
});

test("hasp show model: prints what emitters receive, as its schema says, and nothing beside an error", async () => {
  const emitter = `emitters: [{ name: "acme/model", emit: (model) => [{ path: "model.json", text: JSON.stringify(model) }] }]`;
  const root = withPlugin(plugin(emitter));
  const { code, out } = await hasp(root, ["show", "model:"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ version: 1, tools: [{ name: "c", spec: "specs/c.tool.yaml" }] });
  const schema = JSON.parse(readFileSync("packages/hasp/schema/compiled-model.schema.json", "utf8")) as object;
  expect(new Ajv2020({ allowUnionTypes: true, strict: false }).validate(schema, JSON.parse(out))).toBe(true);
  expect((await hasp(root, ["build"])).code).toBe(0);
  expect(JSON.parse(readFileSync(join(root, "src/generated/acme/model.json"), "utf8"))).toEqual(JSON.parse(out));
  writeFileSync(join(root, "specs/c.tool.yaml"), "hasp: 1\n");
  const refused = await hasp(root, ["show", "model:"]);
  expect([refused.code, refused.out.includes('"version"')]).toEqual([1, false]);
});

const emits = (file: string): string => plugin(`emitters: [{ name: "acme/x", emit: (model) => ${file} }]`);

describe("a plugin that misbehaves is one error with its name and place, and nothing is written", () => {
  test.each<[what: string, text: string, code: string, words: string]>([
    ["throws when it is loaded", `throw new Error("no key");`, "plugin/invalid", "no key"],
    ["does not parse", `export default {`, "plugin/invalid", "Unexpected"],
    ["ends its process", `process.exit(0);`, "plugin/invalid", "ended its thread"],
    ["exports nothing", `export const a = 1;`, "plugin/invalid", "it has no default export"],
    [
      "has an unknown key",
      plugin("rulez: []"),
      "plugin/invalid",
      'The key "rulez" is not known. Did you mean "rules"?',
    ],
    [
      "throws in a rule",
      plugin(`rules: [${rule(`throw new Error("oops");`)}]`),
      "plugin/failed",
      'in "acme/needs-owner": oops',
    ],
    ["ends its process in a rule", plugin(`rules: [${rule("process.exit(0);")}]`), "plugin/failed", "ended its thread"],
    [
      "reports without a place",
      plugin(`rules: [${rule(`report("missing", {}, { tool: "c" });`)}]`),
      "plugin/failed",
      "acme/needs-owner",
    ],
    [
      "reports a place outside the project",
      plugin(
        `rules: [${rule(`report("missing", { location: { ...tool.locate("/name"), uri: "/etc/passwd" } }, { tool: "c" });`)}]`,
      ),
      "plugin/wrong-answer",
      "no place in a file of the project",
    ],
    [
      "reports a fix",
      plugin(
        `rules: [${rule(`report("missing", { location: tool.locate("/name"), fix: { kind: "comment" } }, { tool: "c" });`)}]`,
      ),
      "plugin/wrong-answer",
      "reports a fix",
    ],
    ["changes the spec", plugin(`rules: [${rule("tool.spec.owner = 'me';")}]`), "plugin/failed", "acme/needs-owner"],
    ["throws in an emitter", emits(`{ throw new Error("oops"); }`), "plugin/failed", "in acme/x: oops"],
    ["emits a function", emits("[() => 1]"), "plugin/failed", "it returned a value that is not data"],
    [
      "emits above its folder",
      emits(`[{ path: "../registry.ts", text: "" }]`),
      "plugin/wrong-answer",
      "may only write below",
    ],
  ])("a plugin that misbehaves is one error: %s", async (_, text, code, words) => {
    const root = withPlugin(text);
    const { code: exit, diagnostics } = await haspJson(root, ["build"]);
    const [first, ...others] = diagnostics.filter(({ severity }) => severity === "error");
    expect(first).toMatchObject({
      code,
      uri: "hasp.config.yaml",
      line: 3,
      message: expect.stringContaining(words) as string,
    });
    expect(first?.message).toContain("acme");
    expect([others, exit]).toEqual([[], 2]);
    expect(existsSync(join(root, "src"))).toBe(false);
  });

  test.each([
    ["is missing", "./plugins/other.js", "no such file is in the project"],
    ["is outside the project", "../acme.js", "it points outside the project"],
    ["is not installed", "@acme/nothing", "no such package is installed"],
  ])("a plugin that cannot be loaded is one error: it %s", async (_, module, words) => {
    const root = withPlugin("", { "hasp.config.yaml": CONFIG.replace("./plugins/acme.js", JSON.stringify(module)) });
    const { code, diagnostics } = await haspJson(root, ["build"]);
    expect(diagnostics).toMatchObject([
      { code: "plugin/not-found", line: 3, message: expect.stringContaining(words) as string },
    ]);
    expect(code).toBe(2);
  });

  test.each([
    ["another plugin", `plugins: [./plugins/acme.js, ./plugins/b.js]`, "is named"],
    ["a toolset", `plugins: [./plugins/acme.js]\ntoolsets: { acme: {} }`, "a toolset is named"],
    ["a custom rule", `plugins: [./plugins/acme.js, ./plugins/rules.yaml]`, "a file of rules declares"],
  ])("shares a name with %s", async (_, settings, words) => {
    const text = plugin(`rules: [${rule(REPORT)}]`);
    const root = withPlugin(text, {
      "hasp.config.yaml": `specs: [specs]\n${settings}\n`,
      "plugins/b.js": text,
      "plugins/rules.yaml": "rules: { acme/needs-owner: { on: spec, field: owner, required: true, message: m } }\n",
    });
    const { diagnostics } = await haspJson(root, ["build"]);
    expect(diagnostics).toMatchObject([{ code: "plugin/invalid", message: expect.stringContaining(words) as string }]);
  });
});

describe("a plugin cannot remove or soften a finding", () => {
  const files = {
    "hasp.config.yaml": CONFIG.replace("./plugins/acme.js", "./plugins/acme.js, ./plugins/other.js"),
    "plugins/other.js": plugin(`rules: [${rule(REPORT)}]`).replaceAll("acme", "other"),
    "specs/c.tool.yaml": minimalSpec("c", "concurrency: { class: READ_ONLY }\n"),
  };
  let honest: readonly JsonFinding[];
  beforeAll(async () => {
    honest = (await haspJson(withPlugin(plugin(""), files), ["check"])).diagnostics;
    expect(honest.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["ledger/not-approved", "other/needs-owner"]),
    );
  });

  // Each of these would hide findings of hasp or of the other plugin if they shared anything.
  test.each([
    [
      "by replacing what all code uses",
      "Array.prototype.filter = () => []; Array.prototype.push = () => 0; Array.prototype.flatMap = () => [];",
    ],
    [
      "by answering for hasp",
      `import { parentPort } from "node:worker_threads"; for (let id = 0; id < 9; id += 1) parentPort.postMessage({ id, value: [] });`,
    ],
    [
      "by answering for hasp as its worker does",
      `import { parentPort } from "node:worker_threads";
      const answers = [undefined, 1, { value: [] }, { reason: 1 }];
      for (let id = 0; id < 9; id += 1) for (const answer of answers) parentPort.postMessage({ id, answer });`,
    ],
    ["by the exit code", "process.exitCode = 0; process.on('exit', () => { process.exitCode = 0; });"],
    [
      "by closing the output",
      "process.stdout.write = () => true; process.stderr.write = () => true; console.log('{}');",
    ],
    ["by the environment", `process.env.HASP_CONFIG = "other.yaml"; process.env.CI = "";`],
  ])("a plugin cannot soften a finding: %s", async (_, attack) => {
    const attacked = await haspJson(withPlugin(`${attack}\n${plugin("")}`, files), ["check"]);
    const own = attacked.diagnostics.filter(({ code }) => !code.startsWith("plugin/"));
    // Either the plugin is refused as a whole, or nothing is missing.
    expect(attacked.code).not.toBe(0);
    if (own.length === attacked.diagnostics.length) expect(own).toEqual(honest);
  });

  test("a plugin cannot soften a finding: by a reporter that prints nothing", async () => {
    const spec = { "specs/c.tool.yaml": minimalSpec("c", "concurrency: { class: READ_ONLY }\n") };
    const silent = `reporters: [{ name: "acme/none", print(report) {
      report.diagnostics.length = 0; report.summary.errors = 0; return ""; } }]`;
    const root = withPlugin(plugin(silent), spec);
    expect(await hasp(root, ["check", "--format", "acme/none", "--output", "json=found.json"])).toMatchObject({
      code: 1,
      out: "",
    });
    const { diagnostics } = JSON.parse(readFileSync(join(root, "found.json"), "utf8")) as {
      readonly diagnostics: readonly object[];
    };
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: "ledger/not-approved", severity: "error" }));
  });

  test("by reporting under another rule's name", async () => {
    const check = `report("missing", { location: tool.locate("/name") }, { tool: "c" });`;
    const text = `const rule = ${rule(check)};\nsetTimeout(() => { rule.id = "naming/vague-name"; }, 0);\n${plugin("rules: [rule]")}`;
    const codes = await codesOf(withPlugin(text));
    expect(codes.every((code) => code === "acme/needs-owner" || code.startsWith("plugin/"))).toBe(true);
    expect(codes).toHaveLength(1);
  });
});
