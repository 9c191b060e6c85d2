// Where commands find their project, and where the user's code runs.
import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, startHasp, tree } from "./command-line.js";

const handler = `import { readFileSync } from "node:fs";
export const execute = ({ id }) => readFileSync(id, "utf8");
`;

const files = {
  "package.json": '{ "type": "module" }',
  "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n",
  "specs/read_it.tool.yaml": minimalSpec("read_it"),
  "src/tools/read-it.ts": handler,
  passwd: "of the project",
  "sub/deeper/package.json": "{}",
  "sub/deeper/passwd": "of a folder below",
};

describe("a folder below the project", () => {
  test("works on the project: check, build, new, and paths that are relative to the folder", async () => {
    const root = project(files);
    const below = join(root, "sub/deeper");
    expect((await hasp(below, ["check"])).code).toBe(0);
    expect((await hasp(below, ["build"])).code).toBe(0);
    expect((await hasp(below, ["build", "--check", "--output", "json=report.json"])).code).toBe(0);
    expect((await hasp(below, ["new", "add_it", "--kind", "write"])).out).toContain("../../specs/add_it.tool.yaml");
    expect((await hasp(below, ["new", "drop_it", "--kind", "write", "--out", "specs"])).code).toBe(0);
    const paths = Object.keys(tree(root));
    expect(paths).toContain("src/generated/registry.ts");
    expect(paths).toContain("specs/add_it.tool.yaml");
    expect(paths).toContain("sub/deeper/specs/drop_it.tool.yaml");
    expect(paths).toContain("sub/deeper/report.json");
    expect(tree(root)["specs/add_it.tool.yaml"]).toContain("$schema=../node_modules/");
    expect(tree(root)["sub/deeper/specs/drop_it.tool.yaml"]).toContain("$schema=../../../node_modules/");
    expect(paths.filter((path) => path.startsWith("sub/deeper/src"))).toEqual([]);
  });

  test("finds nothing above its repository", async () => {
    const root = project({ ...files, "sub/.git/HEAD": "", "sub/specs/other.tool.yaml": minimalSpec("other") });
    const { summary } = await haspJson(join(root, "sub"), ["show", "read_it"]);
    expect(summary).not.toMatchObject({ tools: 1 });
    expect((await haspJson(join(root, "sub"), ["check"])).diagnostics).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)(
    "refuses a configuration of another user, and says how to trust it",
    async () => {
      const root = project(files);
      chownSync(join(root, "hasp.config.yaml"), 12345, 12345);
      const { code, diagnostics } = await haspJson(join(root, "sub"), ["check"]);
      expect([code, diagnostics]).toMatchObject([
        2,
        [{ code: "cli/foreign-config", help: expect.stringContaining("--config ../") }],
      ]);
      expect((await hasp(join(root, "sub"), ["check", "--config", "../hasp.config.yaml"])).code).toBe(0);
      expect((await hasp(root, ["check"])).code).toBe(0);
    },
  );
});

test("handlers run in the project's root, from wherever hasp is started", async () => {
  const root = project(files);
  expect((await hasp(root, ["build"])).code).toBe(0);
  const call = ["call", "read_it", '{"id":"passwd"}', "--allow"];
  for (const [folder, words] of [
    ["/etc", [...call, "--cwd", root]],
    [join(root, "sub/deeper"), call],
    [root, [...call, "--cwd", "sub"]],
  ] as const) {
    const run = startHasp(folder, words);
    expect(run.out + run.error).toContain("of the project");
    expect(run.code).toBe(0);
  }
});

test.each(["hasp.yaml", "hasp.yml", ".hasprc", "hasp.config.js", "hasp-config.json"])(
  "a %s is reported",
  async (name) => {
    const root = project({ "specs/read_it.tool.yaml": minimalSpec("read_it"), [name]: '{ "specs": ["specs"] }' });
    for (const folder of [root, join(root, "specs")]) {
      const { code, diagnostics } = await haspJson(folder, ["check"]);
      expect(code).toBe(2);
      expect(diagnostics).toMatchObject([{ code: "config/misnamed", help: expect.stringContaining(name) }]);
    }
    expect((await hasp(root, ["check", "--config", name.endsWith("js") ? "none" : name])).code).toBe(
      name.endsWith("js") ? 2 : 0,
    );
  },
);

test("a project inside another is a project of its own, and the outer one must leave it out", async () => {
  const root = project({
    "hasp.config.yaml": "specs: [.]\n",
    "a.tool.yaml": minimalSpec("a"),
    "packages/in/hasp.config.yaml": "specs: [specs]\n",
    "packages/in/specs/b.tool.yaml": minimalSpec("b"),
  });
  expect((await haspJson(join(root, "packages/in/specs"), ["check"])).summary).toMatchObject({ tools: 1 });
  const { code, diagnostics } = await haspJson(root, ["check"]);
  expect([code, diagnostics]).toMatchObject([
    2,
    [{ code: "project/nested-project", message: expect.stringContaining('"packages/in/specs/b.tool.yaml"') }],
  ]);
  put(root, { "hasp.config.yaml": "specs: [a.tool.yaml]\n" });
  expect((await haspJson(root, ["check"])).code).toBe(0);
});

describe("hasp check TOOL…", () => {
  const faulty = {
    "specs/good.tool.yaml": minimalSpec("good", "aliases: [fine]\n"),
    "specs/odd.tool.yaml": minimalSpec("odd", "colour: red\n"),
    "specs/broken.tool.yaml": "a: b: c\n",
  };

  test("reports what concerns these tools only", async () => {
    const root = project(faulty);
    const check = async (...names: readonly string[]): Promise<readonly [number | null, readonly string[]]> => {
      const { code, diagnostics } = await haspJson(root, ["check", ...names]);
      return [code, diagnostics.filter(({ severity }) => severity === "error").map((each) => each.code)];
    };
    for (const _round of [1, 2]) {
      expect(await check()).toEqual([1, ["load/yaml-syntax", "resolve/unknown-key"]]);
      expect(await check("good")).toEqual([0, []]);
      expect(await check("fine")).toEqual([0, []]);
      expect(await check("odd")).toEqual([1, ["resolve/unknown-key"]]);
      expect(await check("broken", "good")).toEqual([1, ["load/yaml-syntax"]]);
      expect(await check("goood")).toEqual([2, ["cli/unknown-tool"]]);
    }
    expect((await haspJson(root, ["check", "good", "--fix"])).diagnostics[0]?.code).toBe("cli/fix-of-some");
  });
});

test("a folder that may not be entered is said", async () => {
  const root = project();
  mkdirSync(join(root, "gone"));
  expect(startHasp(root, ["check", "--cwd", "none"]).code).toBe(2);
});
