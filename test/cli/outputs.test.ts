import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { beforeAll, describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";
import { reportFormats, type FormatName } from "@hasp/report";
import { sarifSchema } from "./sarif-schema.js";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const isSarif = ajv.compile(sarifSchema);

const FORMATS = Object.keys(reportFormats) as FormatName[];

/** A clean project that is built; one with findings of every severity; one that cannot be checked. */
const clean = {
  "hasp.config.yaml": "specs: [specs]\n",
  "specs/a.tool.yaml": minimalSpec("find_record", "tests: [{ input: { id: x }, expect: { class: UNSAFE } }]\n"),
};
const faulty = {
  "hasp.config.yaml": "specs: [specs]\nfindings: [{ rule: naming/vague-name, severity: info }]\n",
  "specs/a b&c.tool.yaml": minimalSpec(
    "process_data",
    "tests: [{ input: { id: '' }, expect: { class: UNSAFE } }]\n",
  ).replace("Do not use it to search.", ""),
  "specs/worse.tool.yaml": minimalSpec("worse", 'concurrency: { class: READ_ONLY }\nnonsense: <b>&"\n'),
};
const uncheckable = { "hasp.config.yaml": "specz: 1\n" };

/** Every command that reports, with words that make it. */
const COMMANDS: readonly (readonly string[])[] = [
  ["check"],
  ["build", "--dry-run"],
  ["build", "--check"],
  ["test"],
  ["ci"],
  ["diff", "."],
  ["approve", "--prune"],
  ["show", "find_record"],
  ["show", "rule:"],
  ["init"],
];

/** Throws if a text is not of its format. */
function validate(format: (typeof FORMATS)[number], text: string): void {
  switch (format) {
    case "json": {
      const { diagnostics, summary } = JSON.parse(text) as {
        readonly diagnostics: readonly object[];
        readonly summary: Readonly<Record<string, unknown>>;
      };
      for (const each of diagnostics) {
        expect(Object.keys(each)).toEqual([
          "code",
          "severity",
          "message",
          "tool",
          "uri",
          "line",
          "column",
          "pointer",
          "help",
          "data",
          "fix",
        ]);
      }
      expect(summary).toMatchObject({
        errors: expect.any(Number) as number,
        warnings: expect.any(Number) as number,
        infos: expect.any(Number) as number,
      });
      return;
    }
    case "sarif":
      expect(isSarif(JSON.parse(text)), JSON.stringify(isSarif.errors, undefined, 1)).toBe(true);
      return;
    case "junit":
      expectJunit(text);
      return;
    case "github":
      for (const line of text.split("\n").slice(0, -1)) {
        expect(line).toMatch(
          /^::(?:error|warning|notice) (?:file=[^\r\n:,]+,line=\d+,col=\d+,endLine=\d+(?:,endColumn=\d+)?,)?title=[^:,]+::[^\r]+$/u,
        );
      }
      return;
    case "markdown":
      expect(text).toMatch(/^### hasp: /);
      for (const line of text.split("\n").filter((each) => each.startsWith("|"))) {
        expect(line.match(/(?<!\\)\|/gu)).toHaveLength(5);
      }
      return;
    case "pretty":
      expect(text).not.toContain("\u001b");
  }
}

interface XmlSuite {
  readonly "@name": string;
  readonly "@tests": string;
  readonly "@failures": string;
  readonly "@skipped": string;
  readonly testcase: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The rules that the readers of JUnit files share: which elements and attributes there are, and that the counts are
 * true.
 */
function expectJunit(text: string): void {
  expect(XMLValidator.validate(text)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    isArray: (name) => ["testsuite", "testcase"].includes(name),
    processEntities: false,
  });
  const { testsuites: root } = parser.parse(text) as {
    readonly testsuites: Omit<XmlSuite, "testcase"> & { readonly testsuite: readonly XmlSuite[] };
  };
  expect(Object.keys(root).toSorted()).toEqual(["@failures", "@name", "@tests", "testsuite"]);
  for (const suite of root.testsuite) {
    expect(Object.keys(suite).toSorted()).toEqual(["@failures", "@name", "@skipped", "@tests", "testcase"]);
    for (const each of suite.testcase) {
      expect(each).toMatchObject({ "@name": expect.any(String) as string, "@classname": suite["@name"] });
      expect(
        Object.keys(each).filter((key) => !["@name", "@classname", "failure", "skipped", "system-out"].includes(key)),
      ).toEqual([]);
    }
    const count = (key: string): number => suite.testcase.filter((each) => key in each).length;
    expect([suite["@tests"], suite["@failures"], suite["@skipped"]].map(Number)).toEqual([
      suite.testcase.length,
      count("failure"),
      count("skipped"),
    ]);
  }
  const sum = (key: "@tests" | "@failures"): number =>
    root.testsuite.reduce((total, suite) => total + Number(suite[key]), 0);
  expect([Number(root["@tests"]), Number(root["@failures"])]).toEqual([sum("@tests"), sum("@failures")]);
}

describe.each(COMMANDS.map((words) => [words.join(" "), words] as const))("hasp %s", (_, words) => {
  const codes: (number | null)[] = [];
  beforeAll(async () => {
    for (const files of [clean, faulty, uncheckable]) codes.push((await hasp(project(files), words)).code);
  });

  test.each(FORMATS)("prints %s that is valid, with the exit code of every other format", async (format) => {
    for (const [index, files] of [clean, faulty, uncheckable].entries()) {
      const { out, code } = await hasp(project(files), [...words, "--format", format]);
      validate(format, words[0] === "show" && format === "pretty" ? "" : out);
      expect(code).toBe(codes[index]);
      if (files === uncheckable && !["show", "init"].includes(words[0] ?? "")) expect(code).toBe(2);
    }
  });
});

describe("--output", () => {
  test("writes what --format prints, beside it, in every format at once", async () => {
    const folder = project(faulty);
    const outputs = FORMATS.flatMap((format) => ["--output", `${format}=reports/deep/out.${format}`]);
    const run = await hasp(folder, ["check", ...outputs]);
    expect(run.code).toBe(1);
    expect(readdirSync(join(folder, "reports/deep")).toSorted()).toEqual(
      FORMATS.map((format) => `out.${format}`).toSorted(),
    );
    for (const format of FORMATS) {
      const written = readFileSync(join(folder, `reports/deep/out.${format}`), "utf8");
      validate(format, written);
      if (format !== "pretty") expect(written).toBe((await hasp(folder, ["check", "--format", format])).out);
    }
    expect(run.out).toBe((await hasp(folder, ["check"])).out);
    // An old report goes; --quiet is for the terminal, not for the files.
    put(folder, { "reports/deep/out.json": '{\n  "diagnostics": [' });
    await hasp(folder, ["check", "--quiet", "--output", "json=reports/deep/out.json"]);
    expect(JSON.parse(readFileSync(join(folder, "reports/deep/out.json"), "utf8")).summary.infos).toBeGreaterThan(0);
    expect(readdirSync(join(folder, "reports/deep"))).toHaveLength(FORMATS.length);
  });

  test("is relative to the folder to work in, and written where nothing could be checked, too", async () => {
    const parent = project({ "app/hasp.config.yaml": "specz: 1\n" });
    const run = await hasp(parent, ["check", "--cwd", "app", "--output", "sarif=out.sarif"]);
    expect(run.code).toBe(2);
    const log = JSON.parse(readFileSync(join(parent, "app/out.sarif"), "utf8")) as {
      readonly runs: readonly { readonly results: readonly unknown[]; readonly invocations: unknown }[];
    };
    expect(log.runs[0]?.results).toMatchObject([
      {
        ruleId: "config/unknown-key",
        locations: [{ physicalLocation: { artifactLocation: { uri: "app/hasp.config.yaml" } } }],
      },
    ]);
    expect(log.runs[0]?.invocations).toEqual([{ executionSuccessful: false }]);
  });

  test("an output that cannot be written gives 2; the findings are printed all the same", async () => {
    const folder = project({ ...clean, file: "" });
    const run = await haspJson(folder, ["check", "--output", "sarif=file/out.sarif"]);
    expect([run.code, run.diagnostics.map(({ code }) => code)]).toEqual([2, ["cli/cannot-write"]]);
    mkdirSync(join(folder, "closed"));
    chmodSync(join(folder, "closed"), 0o500);
    if (process.getuid?.() !== 0) {
      expect((await hasp(folder, ["check", "--output", "sarif=closed/out.sarif"])).code).toBe(2);
    }
  });

  test("replaces a report, and nothing else that holds something", async () => {
    const kept = { "package.json": "{}", "README.md": "# Ours\n", "report.sarif": "{}", "deploy.sh": "make\n" };
    const folder = project({ ...clean, ...kept, "empty.md": "" });
    for (const output of [
      "json=package.json",
      "json=hasp.config.yaml",
      "markdown=README.md",
      "sarif=report.sarif",
      "github=deploy.sh",
      "pretty=deploy.sh",
    ]) {
      const run = await haspJson(folder, ["check", "--output", output]);
      expect([run.code, run.diagnostics.map(({ code }) => code)], output).toEqual([2, ["cli/output-over-file"]]);
    }
    expect(tree(folder)).toEqual({ ...clean, ...kept, "empty.md": "" });
    for (const output of [
      "markdown=empty.md",
      "markdown=empty.md",
      "pretty=out.txt",
      "pretty=out.txt",
      "junit=out.xml",
      "junit=out.xml",
    ]) {
      expect((await hasp(folder, ["check", "--output", output])).code, output).toBe(0);
    }
  });

  test("keeps a link a link, and refuses a folder", async () => {
    const folder = project({ ...clean, "reports/real.json": "", "out/a.txt": "" });
    symlinkSync("reports/real.json", join(folder, "latest.json"));
    expect((await hasp(folder, ["check", "--output", "json=latest.json"])).code).toBe(0);
    expect(readlinkSync(join(folder, "latest.json"))).toBe("reports/real.json");
    expect(JSON.parse(readFileSync(join(folder, "reports/real.json"), "utf8"))).toHaveProperty("diagnostics");
    expect(await haspJson(folder, ["check", "--output", "json=out"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "cli/cannot-write", message: expect.stringContaining("it is a folder") }],
    });
  });

  test("a folder of the catalogue that is linked out of the project stays as it is", async () => {
    const [folder, elsewhere] = [project(clean), project({ "kept.txt": "" })];
    symlinkSync(elsewhere, join(folder, "catalogue"));
    expect(await haspJson(folder, ["catalogue"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "cli/cannot-write", message: expect.stringContaining("links lead out of the folder") }],
    });
    expect(readdirSync(elsewhere)).toEqual(["kept.txt"]);
  });

  test("over a file that was read is refused", async () => {
    const folder = project(clean);
    const run = await haspJson(folder, ["check", "--output", "json=specs/../specs/a.tool.yaml"]);
    expect([run.code, run.diagnostics.map(({ code }) => code)]).toEqual([2, ["cli/output-over-source"]]);
    expect(readFileSync(join(folder, "specs/a.tool.yaml"), "utf8")).toBe(clean["specs/a.tool.yaml"]);
  });
});

describe("what counts as a failure", () => {
  const code = async (...words: readonly string[]): Promise<number | null> =>
    (await hasp(project({ ...clean, "specs/b.tool.yaml": minimalSpec("process_data") }), ["check", ...words])).code;

  test("--max-warnings and --fail-on", async () => {
    expect(await code()).toBe(0);
    expect(await code("--max-warnings", "1")).toBe(0);
    expect(await code("--max-warnings", "0")).toBe(1);
    expect(await code("--fail-on", "error")).toBe(0);
    expect(await code("--fail-on", "warning")).toBe(1);
    expect(await code("--fail-on", "info")).toBe(1);
    expect(await code("--fail-on", "safety")).toBe(0);
    expect(await code("--fail-on", "safety", "--fail-on", "naming")).toBe(1);
  });

  test("says why it fails without an error, also when it is quiet", async () => {
    const folder = project({ ...clean, "specs/b.tool.yaml": minimalSpec("process_data") });
    const quiet = await hasp(folder, ["check", "--quiet", "--max-warnings", "0"]);
    expect(quiet.out).toBe("Failed: 1 warning, and --max-warnings allows 0.\n");
    const failing = await hasp(folder, ["check", "--quiet", "--fail-on", "naming"]);
    expect(failing.out).toContain("naming/vague-name");
    expect(failing.out).toContain("Failed: 1 finding matched by --fail-on naming.");
  });

  test("a group of findings that is switched off cannot fail", async () => {
    const folder = project({
      ...clean,
      "hasp.config.yaml": "specs: [specs]\nfindings: [{ rule: naming/vague-name, severity: off }]\n",
      "specs/b.tool.yaml": minimalSpec("process_data"),
    });
    expect((await hasp(folder, ["check", "--fail-on", "naming"])).code).toBe(0);
  });
});

describe("a wrong command line", () => {
  test.each([
    [["check", "--format", "json", "--quite"], "unknown option '--quite' (Did you mean --quiet?)"],
    [["chek", "--format=json"], "unknown command 'chek' (Did you mean check?)"],
    [["check", "--output", "sarif", "--format", "json"], 'It must be a format, "=" and a path'],
    [["check", "--output", "pdf=x", "--format", "json"], "Formats are github, json"],
    [
      ["check", "--output", "json=x", "--output", "sarif=x", "--format", "json"],
      "Two reports would be written to one file.",
    ],
    [
      ["check", "--fail-on", "safty", "--format", "json"],
      "It must be one of error, warning, info, fail-closed, safety",
    ],
    [["--format", "json"], "No command given."],
  ])("%j gives JSON where JSON was asked for, and 2", async (words, problem) => {
    const run = await hasp(project(), words);
    expect(run.code).toBe(2);
    validate("json", run.out);
    const { diagnostics } = JSON.parse(run.out) as {
      readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
    };
    expect(diagnostics).toMatchObject([{ code: "cli/usage", message: expect.stringContaining(problem) as string }]);
    expect(run.error).not.toBe("");
  });

  test.each(["sarif", "junit", "github", "markdown"] as const)("gives %s where that was asked for", async (format) => {
    const run = await hasp(project(), ["check", "--nonsense", "--format", format]);
    validate(format, run.out);
    expect(run.out).toContain(format === "github" ? "cli/usage" : "nonsense");
  });
});
