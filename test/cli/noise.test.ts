import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, type JsonFinding } from "./command-line.js";

describe("a report for people", () => {
  test("counts notes, and prints them with --verbose", async () => {
    const folder = project({
      "hasp.config.yaml": "dialects: [anthropic]\nfindings: [{ rule: naming/vague-name, severity: info }]\n",
      "process_data.tool.yaml": minimalSpec("process_data"),
    });
    const quiet = await hasp(folder, ["check"]);
    expect(quiet.out).not.toContain("naming/vague-name");
    expect(quiet.out).toContain("2 notes; --verbose prints notes");
    const verbose = await hasp(folder, ["check", "--verbose"]);
    expect(verbose.out).toContain("naming/vague-name");
    expect(verbose.out).not.toContain("--verbose");
    // What makes a run fail is printed.
    const failing = await hasp(folder, ["check", "--fail-on", "info"]);
    expect([failing.code, failing.out.includes("naming/vague-name")]).toEqual([1, true]);
    const { diagnostics, paths } = await haspJson(folder, ["check"]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["naming/vague-name"]);
    expect(paths.map(({ message }) => message)).toEqual([
      expect.stringContaining("process_data claims nothing about its results and its input"),
    ]);
  });

  test("counts, after a build, the warnings that `hasp check` prints, unless they fail it", async () => {
    const folder = project({
      "hasp.config.yaml": "dialects: [anthropic]\n",
      "process_data.tool.yaml": minimalSpec("process_data"),
    });
    expect((await hasp(folder, ["check"])).out).toContain("naming/vague-name");
    for (const words of [["build"], ["build"], ["build", "--check"]]) {
      const { code, out } = await hasp(folder, words);
      expect([code, out.includes("naming/vague-name")]).toEqual([0, false]);
      expect(out).toMatch(/1 warning.*; --verbose prints all/u);
    }
    expect((await hasp(folder, ["build", "--verbose"])).out).toContain("naming/vague-name");
    expect((await hasp(folder, ["build", "--max-warnings", "0"])).out).toContain("naming/vague-name");
  });

  test("puts errors last, and after them only the line that counts", async () => {
    const folder = project({
      "a.tool.yaml": minimalSpec("a", "concurrency: { class: SAFE }\n"),
      "process_data.tool.yaml": minimalSpec("process_data"),
    });
    const { out } = await hasp(folder, ["check"]);
    const marks = Array.from(out.matchAll(/^ +\d+:\d+ {2}(error|warning) /gmu), ([, mark]) => mark);
    expect(marks).toContain("warning");
    expect(marks).toEqual(marks.toSorted().toReversed());
    expect(out.trimEnd().split("\n").at(-1)).toMatch(/^\d+ errors?, \d+ warnings? and \d+ notes? in \d+ files/u);
  });

  test.each(["error", "warning"])("beyond 20 findings of one rule, the rest is a number: %s", async (severity) => {
    const rule = "description/when-not-to-use";
    const names = Array.from({ length: 25 }, (_, index) => `find_${index}`);
    const specs = names.map((name) => [
      `${name}.tool.yaml`,
      minimalSpec(name).replace("Do not use it to search.", `It reads shelf ${name}.`),
    ]);
    const config = `dialects: [anthropic]\nfindings: [{ rule: ${rule}, severity: ${severity} }]\n`;
    const folder = project({ "hasp.config.yaml": config, ...Object.fromEntries(specs) });
    const { diagnostics } = await haspJson(folder, ["check"]);
    expect(diagnostics.filter(({ code }) => code === rule)).toHaveLength(25);
    const { out } = await hasp(folder, ["check"]);
    expect(out).toContain(`… and 5 more ${rule}`);
    expect(out.split(rule)).toHaveLength(22);
    expect(out).toContain(`25 ${severity}s`);
  });

  test("a finding that is no rule says why it cannot be suppressed, and what to do", async () => {
    const folder = project({
      "hasp.config.yaml": "dialects: [anthropic]\n",
      "a.tool.yaml": minimalSpec(
        "a",
        "# hasp-ignore ledger/not-approved -- we know\nconcurrency: { class: READ_ONLY }\n",
      ),
    });
    const { diagnostics } = await haspJson(folder, ["check"]);
    const finding = diagnostics.find(({ code }) => code === "check/silence-of-unknown-rule");
    expect(finding?.message).toMatch(/cannot be suppressed: .* decides what is built\. Remove the comment/u);
    put(folder, {
      "hasp.config.yaml": "dialects: [anthropic]\nfindings: [{ rule: lower/uncarried, severity: off }]\n",
    });
    const [config] = (await haspJson(folder, ["check"])).diagnostics;
    expect(config).toMatchObject({ code: "config/unknown-rule", line: 2 });
    expect(config?.message).toMatch(/neither suppressed nor changed in severity/u);
    expect((await hasp(folder, ["show", "lower/uncarried"])).out).toMatch(/cannot be suppressed: .* Fix the cause/u);
  });
});

describe("after a syntax error", () => {
  const files = {
    "hasp.config.yaml": `specs: [specs]
dialects: [anthropic]
toolsets:
  one: { include: [alpha_tool, { tag: first }] }
  two: { include: [beta_tool, alpha_tool, { tag: second }] }
findings:
  - { in: alpha_other, severity: exclude, reason: not yet }
  - { in: specs/process_data.tools.yaml, rule: naming/vague-name, reason: known }
`,
    "specs/process_data.tools.yaml": `hasp: 1
tools:
${["alpha_tool", "alpha_other", "process_data"]
  .map(
    (name) =>
      `  - ${minimalSpec(name, "tags: [first]\n").replace("hasp: 1\n", "").trimEnd().replaceAll("\n", "\n    ")}\n`,
  )
  .join("")}`,
    "specs/beta_tool.tool.yaml": minimalSpec("beta_tool", "tags: [second]\n").replace(
      "Do not use it to search.",
      "Do not use it to search: use `alpha_tool` for that.",
    ),
    "hasp-ledger/alpha_tool.yaml": "approved: []\n",
  };
  const findingsIn = async (folder: string): Promise<readonly JsonFinding[]> =>
    (await haspJson(folder, ["check"])).diagnostics.filter(({ severity }) => severity !== "info");
  const named = ({ uri, code, message }: JsonFinding): string => `${uri} ${code} ${message}`;

  test("nothing is suggested that presumes its cause away", async () => {
    const folder = project(files);
    const before = (await findingsIn(folder)).map(named);
    expect(before.filter((finding) => /ledger|toolset|ignores|exclude/u.test(finding))).toEqual([]);
    for (const broken of ["specs/process_data.tools.yaml", "specs/beta_tool.tool.yaml"] as const) {
      put(folder, { ...files, [broken]: `${files[broken]}\n  : "\n` });
      const found = await findingsIn(folder);
      expect(found.some(({ uri, code }) => uri === broken && code.startsWith("load/"))).toBe(true);
      const others = found.filter(({ uri }) => uri !== broken).map(named);
      expect(others.filter((finding) => !before.includes(finding))).toEqual([]);
      expect((await hasp(folder, ["check"])).out).not.toContain("--prune");
    }
  });

  test("approve --prune keeps the approvals of a tool that cannot be read", async () => {
    const folder = project({ ...files, "specs/process_data.tools.yaml": '"' });
    const run = await haspJson(folder, ["approve", "--prune"]);
    expect(run.code).toBe(1);
    expect(run.diagnostics.filter(({ code }) => !code.startsWith("load/"))).toEqual([]);
  });
});

describe("hasp call", () => {
  test("prints no lint", async () => {
    const folder = project({ "process_data.tool.yaml": minimalSpec("process_data") });
    expect((await hasp(folder, ["check"])).out).toContain("naming/vague-name");
    expect((await hasp(folder, ["build"])).code).toBe(0);
    put(folder, { "src/tools/process-data.ts": "export const execute = () => undefined;\n" });
    const run = await hasp(folder, ["call", "process_data", '{"id":"1"}', "--dry-run"]);
    expect(run.error).not.toContain("naming/vague-name");
    expect((await haspJson(folder, ["call", "process_data", "{}", "--dry-run"])).diagnostics).toEqual([]);
  });
});

test("a toolset does not call a tool missing whose spec is wrong", async () => {
  const folder = project({
    "hasp.config.yaml": "toolsets: { some: { include: [a] } }\n",
    "specs/a.tool.yaml": `${minimalSpec("a")}providers: { openai: { strict: auto } }\n`,
    "specs/b.tool.yaml": minimalSpec("b"),
  });
  expect((await haspJson(folder, ["check"])).diagnostics.map(({ code }) => code)).toEqual(["resolve/wrong-value"]);
});
