// One bad tool does not stop the rest: `build --keep-going`, and `exclude` in the configuration.
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

const good = { "specs/good.tool.yaml": minimalSpec("good"), "specs/fine.tool.yaml": minimalSpec("fine") };

interface Manifest {
  readonly tools: Readonly<Record<string, unknown>>;
  readonly excluded?: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest => JSON.parse(tree(folder)["src/generated/manifest.json"] ?? "{}");

const bad = {
  "an unknown key": ["bad", minimalSpec("bad", "colour: red\n"), "resolve/unknown-key"],
  "a syntax error": ["bad", "hasp: 1\nname: bad: worse\n", "load/yaml-syntax"],
  "a merge conflict": ["bad", `<<<<<<< HEAD\n${minimalSpec("bad")}=======\n>>>>>>> other\n`, "load/merge-conflict"],
  "a claim without approval": ["bad", minimalSpec("bad", "concurrency: { class: READ_ONLY }\n"), "ledger/not-approved"],
  "a name that another tool has": ["good", minimalSpec("good"), "resolve/duplicate-name"],
  "a schema that nothing satisfies": [
    "bad",
    minimalSpec("bad").replace("type: object", "allOf: [{ type: string }]\n  type: object"),
    "schema/",
  ],
} as const;

describe.each(Object.entries(bad))("a tool with %s", (_what, [tool, spec, code]) => {
  test("is left out by --keep-going, recorded, and fails the run", async () => {
    const folder = project({ ...good, "specs/bad.tool.yaml": spec });
    expect((await haspJson(folder, ["build"])).code).toBe(1);
    expect(Object.keys(tree(folder))).not.toContain("src/generated/registry.ts");

    for (const _round of [1, 2]) {
      const run = await haspJson(folder, ["build", "--keep-going"]);
      expect(run.code).toBe(1);
      expect(run.diagnostics.some((each) => each.code.startsWith(code))).toBe(true);
      expect(run.summary).toMatchObject({ excluded: [{ tool, reason: expect.stringContaining(code) }] });
    }
    const { tools, excluded } = manifestOf(folder);
    expect(Object.keys(tools)).toEqual(["fine", "good"].filter((name) => name !== tool));
    expect(Object.keys(excluded ?? {})).toEqual([tool]);
    const text = Object.entries(tree(folder)).find(([path]) => path === "src/generated/registry.ts")?.[1] ?? "";
    expect(text).not.toContain(`"${tool}"`);

    const check = await haspJson(folder, ["build", "--check", "--keep-going"]);
    expect([check.code, check.summary["drift"]]).toEqual([1, []]);
    expect((await hasp(folder, ["build", "--keep-going"])).out).toContain(`${tool} is left out: `);
  });
});

test("a file that several tools share and that has an error leaves all of them out", async () => {
  const sharing = (name: string): string =>
    minimalSpec(name).replace(
      "id: { type: string",
      'id: { $ref: "./common.yaml#/$defs/Id" }\n    other: { type: string',
    );
  const folder = project({
    ...good,
    "specs/a.tool.yaml": sharing("a"),
    "specs/b.tool.yaml": sharing("b"),
    "specs/common.yaml": "$defs: { Id: { type: strin } }\n",
  });
  await hasp(folder, ["build", "--keep-going"]);
  expect(Object.keys(manifestOf(folder).tools)).toEqual(["fine", "good"]);
  expect(Object.keys(manifestOf(folder).excluded ?? {})).toEqual(["a", "b"]);
});

test("a bad configuration stops the build all the same", async () => {
  const folder = project({ ...good, "hasp.config.yaml": "specs: [specs]\ntoolsets: { all: { include: [nobody] } }\n" });
  const run = await haspJson(folder, ["build", "--keep-going"]);
  expect([run.code, run.summary["files"]]).toEqual([1, null]);
});

test("no tool is left: nothing is written", async () => {
  const folder = project({ "specs/bad.tool.yaml": minimalSpec("bad", "colour: red\n") });
  const run = await haspJson(folder, ["build", "--keep-going"]);
  expect([run.code, run.summary["files"]]).toEqual([1, null]);
});

test("a tool that was built before loses its module and keeps its handler", async () => {
  const folder = project({ ...good, "specs/bad.tool.yaml": minimalSpec("bad") });
  await hasp(folder, ["build"]);
  put(folder, { "specs/bad.tool.yaml": minimalSpec("bad", "colour: red\n") });
  const run = await haspJson(folder, ["build", "--keep-going"]);
  expect(run.diagnostics.map(({ code }) => code)).not.toContain("write/handler-without-tool");
  const paths = Object.keys(tree(folder));
  expect(paths).toContain("src/tools/bad.ts");
  expect(paths).not.toContain("src/generated/tools/bad.ts");
});

describe("exclude", () => {
  const config = 'specs: [specs]\nfindings: [{ in: bad, severity: exclude, reason: "waits for the API" }]\n';

  test("leaves a tool out: nothing is said of it, the rest is clean, the manifest says why", async () => {
    const others = {
      "hasp-ledger/bad.yaml": "tool: bad\napproved: []\n",
      "specs/good.tool.yaml": minimalSpec("good", "examples: [{ input: { id: x } }]\n"),
    };
    const specs = Object.values(bad).flatMap(([tool, spec]) => (tool === "bad" ? [spec] : []));
    for (const [index, spec] of specs.entries()) {
      const folder = project({ ...good, ...others, "specs/bad.tool.yaml": spec, "hasp.config.yaml": config });
      const run = await haspJson(folder, ["build"]);
      expect([run.code, run.diagnostics.filter(({ severity }) => severity === "error")]).toEqual([0, []]);
      expect(manifestOf(folder).excluded).toEqual({ bad: "waits for the API" });
      expect(Object.keys(manifestOf(folder).tools)).toEqual(["fine", "good"]);
      // Every command reads these in the same way, so one fault is enough.
      if (index > 0) continue;
      expect((await hasp(folder, ["build", "--check"])).code).toBe(0);
      expect((await hasp(folder, ["check"])).out).toContain("bad is left out: waits for the API");
      expect((await hasp(folder, ["ci"])).code).toBe(0);
    }
  });

  test("one tool of a file with several", async () => {
    const tools = ["bad", "kept"].map((name) =>
      minimalSpec(name)
        .split("\n")
        .filter((line) => line !== "hasp: 1" && line !== "")
        .map((line, index) => `${index === 0 ? "  - " : "    "}${line}`)
        .join("\n"),
    );
    const folder = project({
      "specs/both.tools.yaml": `hasp: 1\ntools:\n${tools.join("\n").replace("limits:", "colour: red\n    limits:")}\n`,
      "hasp.config.yaml": config,
    });
    expect((await haspJson(folder, ["build"])).code).toBe(0);
    expect(Object.keys(manifestOf(folder).tools)).toEqual(["kept"]);
  });

  test.each([
    [
      "a tool that nobody declares",
      "[{ in: goof, severity: exclude, reason: x }]",
      "resolve/unknown-exclusion",
      /did you mean "good"/iu,
    ],
    [
      "a tool twice",
      "[{ in: fine, severity: exclude, reason: x }, { in: fine, severity: exclude, reason: y }]",
      "resolve/duplicate-exclusion",
      /twice/u,
    ],
    ["a tool without a reason", "[{ in: fine, severity: exclude }]", "config/missing-key", /reason/u],
  ])("refuses %s, at its place", async (_what, list, code, message) => {
    const folder = project({ ...good, "hasp.config.yaml": `specs: [specs]\nfindings: ${list}\n` });
    const { code: exit, diagnostics } = await haspJson(folder, ["check"]);
    expect(exit).not.toBe(0);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors).toMatchObject([{ code, uri: "hasp.config.yaml", line: 2, message: expect.stringMatching(message) }]);
  });

  test("a toolset may name it", async () => {
    const folder = project({
      ...good,
      "specs/bad.tool.yaml": minimalSpec("bad"),
      "hasp.config.yaml": `${config}toolsets: { all: { include: [good, bad] } }\n`,
    });
    expect((await haspJson(folder, ["build"])).code).toBe(0);
  });

  test("diff shows it, with the reason", async () => {
    const folder = project({
      ...good,
      "specs/bad.tool.yaml": minimalSpec("bad"),
      "hasp.config.yaml": "specs: [specs]\n",
    });
    const git = (...words: readonly string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: folder, encoding: "utf8" });
    git("init", "--quiet");
    git("add", "-A");
    git("commit", "--quiet", "--message", "start");
    put(folder, { "hasp.config.yaml": config });
    const { code, diagnostics } = await haspJson(folder, ["diff", "HEAD"]);
    expect(code).toBe(1);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "diff/tool-excluded", tool: "bad", line: 2, message: expect.stringContaining("waits for the API") },
    ]);
    git("commit", "--quiet", "--all", "--message", "exclude");
    put(folder, { "hasp.config.yaml": "specs: [specs]\n" });
    const back = await haspJson(folder, ["diff", "HEAD"]);
    expect(back.diagnostics).toMatchObject([{ code: "diff/path-opened" }, { code: "diff/tool-added", tool: "bad" }]);
  });
});
