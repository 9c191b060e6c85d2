import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkTaskInputs } from "./task-inputs.js";

const READ = [
  "hasp.a.yaml",
  "presets/strict.yaml",
  "policies/all.yaml",
  "./hasp-plugins/acme.mjs",
  "specs/a.tool.yaml",
];
const script = (words = ""): string =>
  JSON.stringify({ name: "@x/a", scripts: { "tools:build": `hasp build${words}` } });

const home = mkdtempSync(join(tmpdir(), "hasp-inputs-"));
afterAll(() => rmSync(home, { recursive: true }));

function workspace(files: Readonly<Record<string, unknown>>): string {
  const root = mkdtempSync(join(home, "workspace-"));
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof value === "string" ? value : JSON.stringify(value));
  }
  return root;
}

const turbo = (inputs?: readonly string[], more: object = {}): object => ({
  tasks: { "tools:build": { inputs } },
  ...more,
});
const nx = (inputs?: readonly string[], more: object = {}): object => ({
  targetDefaults: { "tools:build": { cache: true, inputs } },
  ...more,
});
const ROOT = ["*.yaml", "presets/**", "policies/**", "hasp-plugins/**", "specs/**"];
const inRoot = (paths = ROOT): string[] => paths.map((path) => `$TURBO_ROOT$/${path}`);
const inNx = (paths = ROOT): string[] => paths.map((path) => `{workspaceRoot}/${path}`);

describe("checkTaskInputs", () => {
  const side = { root: "", outDir: "packages/a/src/generated", config: "hasp.a.yaml" };
  const here = { root: "packages/a", outDir: "src/generated", config: undefined };
  const named = { "packages/a/package.json": script(" --config ../../hasp.a.yaml") };
  const own = { "packages/a/package.json": script() };
  const without = (name: string): string[] => ROOT.filter((path) => !path.startsWith(name));

  test.each([
    ["all files of the package", here, { "turbo.json": turbo(), ...own }, []],
    ["patterns from the root", side, { "turbo.json": turbo(inRoot()), ...named }, []],
    ["global dependencies", side, { "turbo.json": turbo(["src/**"], { globalDependencies: ROOT }), ...named }, []],
    [
      "alternatives",
      side,
      { "turbo.json": turbo(["$TURBO_ROOT$/{hasp.*,presets/**,policies/**,hasp-plugins/**,specs/**}"]), ...named },
      [],
    ],
    [
      "no preset",
      side,
      { "turbo.json": turbo(inRoot(without("presets"))), ...named },
      ["$TURBO_ROOT$/presets/strict.yaml"],
    ],
    [
      "no policy",
      side,
      { "turbo.json": turbo(inRoot(without("policies"))), ...named },
      ["$TURBO_ROOT$/policies/all.yaml"],
    ],
    [
      "no plugin",
      side,
      { "turbo.json": turbo(inRoot(without("hasp-plugins"))), ...named },
      ["$TURBO_ROOT$/hasp-plugins/acme.mjs"],
    ],
    [
      "an exclusion",
      here,
      { "turbo.json": turbo(["$TURBO_DEFAULT$", "!presets/**"]), ...own },
      ["$TURBO_ROOT$/packages/a/presets/strict.yaml"],
    ],
    [
      "a task of the package",
      here,
      { "turbo.json": turbo([]), "packages/a/turbo.json": turbo(["**"], { extends: ["//"] }), ...own },
      [],
    ],
    [
      "a task of the package that keeps the root's inputs",
      here,
      {
        "turbo.json": turbo(["src/**"]),
        "packages/a/turbo.json": { extends: ["//"], tasks: { "tools:build": { outputs: ["src/generated/**"] } } },
        ...own,
      },
      ["$TURBO_ROOT$/packages/a/presets/strict.yaml"],
    ],
    [
      "a task of the root",
      { ...here, root: "" },
      { "turbo.json": { tasks: { "//#tools:build": { inputs: ["src/**"] } } }, "package.json": script() },
      ["$TURBO_ROOT$/presets/strict.yaml"],
    ],
    [
      "a task that is not cached",
      side,
      { "turbo.json": { tasks: { "tools:build": { cache: false, inputs: [] } } }, ...named },
      [],
    ],
    ["a script that builds another configuration", side, { "turbo.json": turbo([]), ...own }, []],
    ["nothing that can be read", side, { "turbo.json": "{ nonsense", ...named }, []],
    ["the default of nx", here, { "nx.json": nx(), ...own }, []],
    ["patterns of nx", side, { "nx.json": nx(inNx()), ...named }, []],
    [
      "named inputs of nx",
      side,
      { "nx.json": nx(["tools"], { namedInputs: { tools: ["default", ...inNx()] } }), ...named },
      [],
    ],
    [
      "no preset for nx",
      side,
      { "nx.json": nx(inNx(without("presets"))), ...named },
      ["{workspaceRoot}/presets/strict.yaml"],
    ],
    [
      "no preset for all scripts of nx",
      side,
      {
        "nx.json": { targetDefaults: { "nx:run-script": { cache: true, inputs: inNx(without("presets")) } } },
        ...named,
      },
      ["{workspaceRoot}/presets/strict.yaml"],
    ],
    [
      "no preset for a pattern of nx",
      side,
      {
        "nx.json": {
          targetDefaults: {
            "*": { cache: false },
            "{tools,docs}:*": { cache: true, inputs: inNx(without("presets")) },
          },
        },
        ...named,
      },
      ["{workspaceRoot}/presets/strict.yaml"],
    ],
  ])("finds what a task with %s does not name", (_what, { root: below, ...at }, files, missing) => {
    const root = workspace(files);
    const found = checkTaskInputs({ ...at, root: join(root, below) }, READ);
    expect(found.map(({ code }) => code)).toEqual(missing.length === 0 ? [] : ["drift/inputs"]);
    for (const pattern of missing) expect(found[0]?.help).toContain(`\`${pattern}\``);
  });

  test("places the finding in the file of the workspace, and names the task, the package and what is not named", () => {
    const root = workspace({ "turbo.json": turbo([]), ...own });
    const [finding] = checkTaskInputs({ ...here, root: join(root, "packages/a") }, READ);
    expect(finding?.location?.uri).toBe("../../turbo.json");
    expect(finding?.message).toBe(
      'The inputs of the task "tools:build" of turbo in packages/a lack "packages/a/hasp.a.yaml" and 4 more, which the build reads. After a change there alone, turbo restores the old build.',
    );
  });
});
