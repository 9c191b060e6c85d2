import { spawnSync } from "node:child_process";
import { chmodSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, startHasp, tree } from "./command-line.js";

const config = "specs: [specs]\n";
const good = { "hasp.config.yaml": config, "specs/good.tool.yaml": minimalSpec("good") };

/** A project whose last build was good, and which is then broken by further files. */
async function brokenProject(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly folder: string; readonly generated: Readonly<Record<string, string>> }> {
  const folder = project(good);
  const run = await hasp(folder, ["build"]);
  expect([run.code, run.error]).toEqual([0, ""]);
  const generated = generatedIn(folder);
  expect(Object.keys(generated).length).toBeGreaterThan(3);
  put(folder, files);
  return { folder, generated };
}

function generatedIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tree(folder)).filter(([path]) => path.startsWith("src/")));
}

const ref = (target: string): string =>
  minimalSpec("bad").replace("required: [id]", `required: [id]\n  allOf: [{ $ref: "${target}" }]`);

/** Broken inputs, each with its one finding and the words at the place. */
const findings: readonly (readonly [
  string,
  Readonly<Record<string, string>>,
  { readonly code: string; readonly uri: string; readonly at: string },
])[] = [
  [
    "broken YAML",
    { "specs/bad.tool.yaml": "hasp: 1\nname: bad: worse\ndescription: x\n" },
    { code: "load/yaml-syntax", uri: "specs/bad.tool.yaml", at: "2:" },
  ],
  [
    "broken JSON",
    { "specs/bad.tool.json": '{ "hasp": 1,\n  "name": bad }' },
    { code: "load/json-syntax", uri: "specs/bad.tool.json", at: "2:11" },
  ],
  [
    "a duplicate key",
    { "specs/bad.tool.yaml": `${minimalSpec("bad")}name: worse\n` },
    { code: "load/duplicate-key", uri: "specs/bad.tool.yaml", at: "12:1" },
  ],
  [
    "a $ref to a definition that is not there",
    { "specs/bad.tool.yaml": ref("#/$defs/Gone") },
    { code: "schema/", uri: "specs/bad.tool.yaml", at: "8:" },
  ],
  [
    "a $ref to a file that is not there",
    { "specs/bad.tool.yaml": ref("./gone.yaml#/$defs/X") },
    { code: "resolve/ref-file-not-found", uri: "specs/bad.tool.yaml", at: "8:" },
  ],
  [
    "a $ref out of the project",
    { "specs/bad.tool.yaml": ref("../../etc/passwd#/x") },
    { code: "resolve/ref-outside-project", uri: "specs/bad.tool.yaml", at: "8:" },
  ],
  [
    "two tools of one name",
    { "specs/other.tool.yaml": minimalSpec("good") },
    { code: "resolve/duplicate-name", uri: "specs/other.tool.yaml", at: "2:7" },
  ],
  [
    "__proto__ as a key",
    { "specs/bad.tool.yaml": `${minimalSpec("bad")}__proto__: { polluted: true }\n` },
    { code: "load/unsafe-key", uri: "specs/bad.tool.yaml", at: "12:1" },
  ],
  [
    "__proto__ as a key of JSON",
    { "specs/bad.tool.json": '{ "hasp": 1, "name": "bad", "description": "x",\n"__proto__": {}, "input": {} }' },
    { code: "load/unsafe-key", uri: "specs/bad.tool.json", at: "2:1" },
  ],
  [
    "an unknown key",
    { "specs/bad.tool.yaml": `${minimalSpec("bad")}is_destructive: false\n` },
    { code: "resolve/unknown-key", uri: "specs/bad.tool.yaml", at: "12:1" },
  ],
  [
    "an invisible character in a name",
    { "specs/bad.tool.yaml": minimalSpec("ba\u200bd") },
    { code: "resolve/wrong-value", uri: "specs/bad.tool.yaml", at: "2:7" },
  ],
  [
    "an invisible character in a key",
    {
      "specs/bad.tool.yaml": minimalSpec("bad").replace(
        "    id:",
        '    "a\u202eb": { type: string, description: A. }\n    id:',
      ),
    },
    { code: "supply-chain/hidden-text", uri: "specs/bad.tool.yaml", at: "9:5" },
  ],
  [
    "an unapproved claim",
    { "specs/bad.tool.yaml": minimalSpec("bad", "concurrency: { class: READ_ONLY }\n") },
    { code: "ledger/not-approved", uri: "specs/bad.tool.yaml", at: "12:" },
  ],
  [
    "an unapproved claim about results",
    { "specs/bad.tool.yaml": minimalSpec("bad").replace("block }", "block, returnsPrivate: false }") },
    { code: "ledger/not-approved", uri: "specs/bad.tool.yaml", at: "10:55" },
  ],
  [
    "a waiver of the guard on a wildcard",
    {
      "hasp.config.yaml": `${config}toolsets: { all: { policy: policies/all.yaml } }\n`,
      "policies/all.yaml": "hasp: 1\nrules:\n  - { tool: go*, decision: ask, flow: allow }\n",
    },
    { code: "policy/cannot-waive", uri: "policies/all.yaml", at: "3:" },
  ],
];

describe("a broken spec", () => {
  test.each(findings)(
    "%s: one finding at its place, exit 1, the last good files stay",
    async (_what, files, { code, uri, at }) => {
      const { folder, generated } = await brokenProject(files);
      for (const command of ["check", "build"]) {
        const run = await haspJson(folder, [command]);
        const errors = run.diagnostics.filter(({ severity }) => severity === "error");
        expect(errors.map((finding) => finding.code)).toEqual([expect.stringContaining(code)]);
        expect(
          `${errors[0]?.line}:${errors[0]?.column}`.startsWith(at),
          `${errors[0]?.line}:${errors[0]?.column} begins with ${at}`,
        ).toBe(true);
        expect(errors[0]).toMatchObject({ uri });
        expect(run.code).toBe(1);
      }
      expect(generatedIn(folder)).toEqual(generated);
      const shown = await hasp(folder, ["check"]);
      expect(shown.out).toMatch(/^ *> +\d+ │ /m);
      expect(shown.out + shown.error).not.toMatch(/^ +at /m);
    },
  );

  test("a destination that names a missing member is refused with one line, approved or not", async () => {
    const spec = minimalSpec("bad").replace("block }", "block, destination: input.recipient }");
    const { folder } = await brokenProject({ "specs/bad.tool.yaml": spec });
    const { code, out } = await hasp(folder, ["check"]);
    expect(code).toBe(1);
    expect(out).toContain('10:52  error  The schema of `input` declares no field "recipient".  flatten/predicate');
    expect(out).toContain('Nobody has approved "behavior.destination: input.recipient"');
    await hasp(folder, ["approve", "bad", "--reason", "looked at", "--yes"]);
    expect((await haspJson(folder, ["build"])).diagnostics.map((each) => each.code)).toContain("flatten/predicate");
  });

  test("every mistake is reported in one run", async () => {
    const { folder } = await brokenProject(
      Object.assign({}, ...(findings.map(([, files], index) => renamed(files, index)) as object[])),
    );
    const codes = new Set((await haspJson(folder, ["check"])).diagnostics.map(({ code }) => code));
    expect([...codes]).toEqual(
      expect.arrayContaining([
        "load/yaml-syntax",
        "load/duplicate-key",
        "resolve/ref-outside-project",
        "load/unsafe-key",
        "resolve/unknown-key",
      ]),
    );
  });

  test("a link that points outside the project is not followed", async () => {
    const { folder } = await brokenProject({ "specs/bad.tool.yaml": ref("./link.yaml#/$defs/X") });
    symlinkSync("/etc/hostname", join(folder, "specs/link.yaml"));
    const errors = (await haspJson(folder, ["check"])).diagnostics.filter(({ severity }) => severity === "error");
    expect(errors).toMatchObject([{ code: "resolve/ref-unreadable", uri: "specs/bad.tool.yaml" }]);
  });

  test("the tape of a test is no way out of the project", async () => {
    const outside = join(project({ "key.txt": "a key of this machine" }), "key.txt");
    const named = [outside, `../../${relative(tmpdir(), outside)}`, "link.jsonl"];
    const tests = named.map((tape) => `{ input: { id: a }, tape: ${tape}, expect: { output: b } }`);
    const text = `${minimalSpec("good")}handler: { command: { argv: [echo, "{id}"] } }\ntests: [${tests.join(", ")}]\n`;
    const folder = project({ "hasp.config.yaml": config, "specs/good.tool.yaml": text });
    symlinkSync(outside, join(folder, "specs/link.jsonl"));
    const { code, diagnostics } = await haspJson(folder, ["test"]);
    expect([code, diagnostics.map(({ message }) => message.split("\n")[0])]).toEqual([
      1,
      named.map((tape) => `The tape cannot be used. There is no file "${tape}" in the project.`),
    ]);
  });
});

function renamed(files: Readonly<Record<string, string>>, index: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path.replace("bad.", `bad${index}.`),
      text.replace("name: bad\n", `name: bad${index}\n`),
    ]),
  );
}

/** Characters that a terminal obeys or hides. */
function controls(text: string): readonly string[] {
  return [...text].filter((character) => /[\p{Cc}\p{Cf}]/u.test(character) && character !== "\n");
}

describe("a hostile spec", () => {
  const hostile =
    'Ends */ the comment, `tick` ${process.exit(3)} </script> \\u0041 "quoted" \u001b[2J\u202e and \u2028 lines.';
  const spec = minimalSpec("hostile").replace(/description: >-\n.*\n/, `description: ${JSON.stringify(hostile)}\n`);

  test("is carried exactly and drives no terminal", async () => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\nemit: { jsonLists: true }\n",
      "specs/hostile.tool.yaml": spec,
    });
    const build = await hasp(folder, ["build", "--unlocked"]);
    expect(controls(build.out + build.error)).toEqual([]);
    for (const words of [["check"], ["show", "hostile"], ["show", "hostile", "--for", "anthropic"]]) {
      const run = await hasp(folder, words);
      expect(controls(run.out + run.error), words.join(" ")).toEqual([]);
    }
    const listed = generatedIn(folder)["src/generated/providers/anthropic.json"];
    if (build.code === 0) {
      expect(listed && (JSON.parse(listed) as { description: string }[])[0]?.description).toContain(hostile);
    } else expect(build.code).toBe(1);
  });
});

describe("what cannot be checked gives 2", () => {
  test.each([
    ["no tools", { "hasp.config.yaml": config, "specs/note.md": "x" }, "project/no-specs"],
    ["a folder that is not there", { "hasp.config.yaml": "specs: [tools]\n" }, "project/specs-not-found"],
    ["an unknown key in the configuration", { ...good, "hasp.config.yaml": "spec: [specs]\n" }, "config/unknown-key"],
    [
      "an unknown dialect in the configuration",
      { ...good, "hasp.config.yaml": "specs: [specs]\ndialects: [anthropc]\n" },
      "config/wrong-value",
    ],
    ["broken YAML in the configuration", { ...good, "hasp.config.yaml": "specs: [\n" }, "load/yaml-syntax"],
    ["two configurations", { ...good, "hasp.config.json": "{}" }, "config/two-configurations"],
  ])("the run ends with 2: %s", async (_what, files, code) => {
    const folder = project(files as Readonly<Record<string, string>>);
    for (const command of ["check", "build", "test"]) {
      const run = await haspJson(folder, [command]);
      expect(run.diagnostics.map((finding) => finding.code)).toContain(code);
      expect(run.code).toBe(2);
      expect((await hasp(folder, [command])).error).not.toMatch(/^ +at /m);
    }
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("src/"))).toEqual([]);
  });

  test("a pipe that is called like a spec", () => {
    const folder = project(good);
    const pipe = join(folder, "specs/pipe.tool.yaml");
    spawnSync("mkfifo", [pipe]);
    const run = startHasp(folder, ["check"]);
    expect([run.code, run.error]).toEqual([2, ""]);
    expect(run.out).toContain("project/not-a-file");
  });

  test.each(["nowhere", "hasp.config.yaml"])("--cwd that names no folder: %s", async (cwd) => {
    const folder = project(good);
    for (const words of [
      ["check"],
      ["build"],
      ["ci"],
      ["init"],
      ["new", "a", "--kind", "read"],
      ["import", "openai", "x.json"],
    ]) {
      const run = await haspJson(folder, [...words, "--cwd", cwd]);
      expect([run.code, run.diagnostics.map(({ code }) => code)], words.join(" ")).toEqual([2, ["project/no-project"]]);
    }
    expect(tree(folder)).toEqual(good);
  });

  test("a mistake in the configuration is shown in its text", async () => {
    const folder = project({ ...good, "hasp.config.yaml": "specs: [specs]\noutdir: x\n" });
    const run = await hasp(folder, ["check"]);
    expect(run.out).toContain("hasp.config.yaml");
    expect(run.out).toContain("> 2 │ outdir: x");
  });

  test.each([["--config"], ["HASP_CONFIG"]])("a configuration that is not there (%s)", async (how) => {
    const folder = project(good);
    const run =
      how === "--config"
        ? await haspJson(folder, ["check", "--config", "gone.yaml"])
        : await haspJson(folder, ["check"], { HASP_CONFIG: "gone.yaml" });
    expect(run).toMatchObject({ code: 2, diagnostics: [{ code: "config/not-found" }] });
  });

  test("a folder that is not there", async () => {
    expect((await haspJson(project(), ["check", "--cwd", "gone"])).code).toBe(2);
  });

  test("an output folder that cannot be written", async () => {
    const folder = project({ ...good, "src/generated": "a file of the user's" });
    const run = await haspJson(folder, ["build"]);
    expect(run.code).toBe(2);
    expect(run.diagnostics.map(({ severity }) => severity)).toContain("error");
    expect(tree(folder)["src/generated"]).toBe("a file of the user's");
    const again = await hasp(folder, ["build"]);
    expect(again.out + again.error).not.toMatch(/^ +at /m);
  });

  test.skipIf(process.getuid?.() === 0)(
    "an output folder without the right to write (skipped for root, who may write anywhere)",
    async () => {
      const { folder, generated } = await brokenProject({ "specs/more.tool.yaml": minimalSpec("more") });
      const path = join(folder, "src/generated");
      const { mode } = statSync(path);
      chmodSync(path, 0o555);
      try {
        expect((await haspJson(folder, ["build"])).code).toBe(2);
        expect(generatedIn(folder)).toEqual(generated);
      } finally {
        chmodSync(path, mode);
      }
    },
  );

  test("--unlocked where CI is set", async () => {
    const folder = project(good);
    expect(await haspJson(folder, ["build", "--unlocked"], { CI: "true" })).toMatchObject({
      code: 2,
      diagnostics: [{ code: "cli/unlocked-in-ci" }],
    });
    expect(await haspJson(folder, ["check", "--unlocked"], { CI: "1" })).toMatchObject({ code: 2 });
    expect(await haspJson(folder, ["check", "--unlocked"], { CI: "false" })).toMatchObject({ code: 0 });
  });
});

test("a misspelt description hides no fault of the rest", async () => {
  const { diagnostics } = await haspJson(
    project({
      "hasp.config.yaml": "specs: [specs]\n",
      "specs/a.tool.yaml":
        "hasp: 1\nname: a\ndescripton: Reads a.\ninput: { type: object, require: [b], properties: { b: { type: strng } } }\n",
    }),
    ["check"],
  );
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code }) => code).toSorted()).toEqual([
    "resolve/missing-key",
    "resolve/unknown-key",
    "schema/unknown-keyword",
    "schema/unknown-type",
  ]);
});

test("no tool at all is 2, never green: neither a folder nor a file without any", async () => {
  expect((await haspJson(project({ "hasp.config.yaml": config, "specs/readme.md": "" }), ["check"])).code).toBe(2);
  const empty = await haspJson(
    project({ "hasp.config.yaml": config, "specs/all.tools.yaml": "hasp: 1\ntools: []\n" }),
    ["check"],
  );
  expect(empty).toMatchObject({ code: 2, diagnostics: [{ code: "resolve/no-tools", uri: "specs/all.tools.yaml" }] });
});

test("a description of a megabyte is read, and no report repeats it", async () => {
  const folder = project({
    "hasp.config.yaml": config,
    "specs/long.tool.yaml": minimalSpec("process_data").replace("Look one", `Look ${"one more ".repeat(120_000)}one`),
  });
  const run = await hasp(folder, ["check", "--fail-on", "naming"]);
  expect(run.code).toBe(1);
  expect(run.out).toContain("naming/vague-name");
  expect(run.out.length).toBeLessThan(10_000);
});
