// The first hour of `docs/start.md`, from `npm pack` to an answered call: its own blocks, in their order, in an empty
// folder with the packed packages. Then the marks of a fresh project.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blocksOf, commandsOf, shows, type Block } from "../guides/guide.js";
import { installedCost, installPacked } from "./packed.testing.js";

const start = readFileSync(join(import.meta.dirname, "../../packages/hasp/docs/start.md"), "utf8");

const folder = mkdtempSync(join(tmpdir(), "hasp-first-hour-"));
// Not in the project: hasp keeps nothing of its own there.
const cache = mkdtempSync(join(tmpdir(), "hasp-cache-"));
const { CI: _ci, FORCE_COLOR: _force, HASP_CONFIG: _config, ...inherited } = process.env;
const environment = {
  ...inherited,
  NO_COLOR: "1",
  PATH: [join(folder, "node_modules/.bin"), inherited["PATH"]].join(delimiter),
  XDG_CACHE_HOME: cache,
};

beforeAll(() => installPacked(folder), 120_000);
afterAll(() => {
  for (const each of [folder, cache]) rmSync(each, { recursive: true, force: true });
});

interface Printed {
  readonly status: number | null;
  readonly printed: string;
}

function run(script: string, cwd = folder): Printed {
  const { status, stdout, stderr } = spawnSync(script, {
    cwd,
    env: environment,
    shell: true,
    encoding: "utf8",
  });
  return { status, printed: status === 0 ? stdout : stdout + stderr };
}

describe("the first hour", () => {
  test("runs from the install line to an answered call", () => {
    const blocks = blocksOf(start);
    expect(blocks.map(({ language }) => language)).toContain("text");
    let printed = "";
    for (const block of blocks) printed = follow(block, printed);
    expect(printed).toContain("lamp");
  });

  test("ends with a call on the command line that is answered", () => {
    const [, call = ""] = /`npx (hasp call [^`]+)`/u.exec(start) ?? [];
    const { status, printed } = run(call);
    expect(printed).toContain('[{"id":"o1","customerId":"c1","item":"lamp"}]');
    expect(status).toBe(0);
  });
});

describe("the days after, with the installed packages", () => {
  /** A spec that says as little as a spec may, and states no bound that lint asks for. */
  const spec = (name: string, extra = ""): string => `hasp: 1
name: ${name}
description: Look one record up by its id. Use it when an id of ${name} is known.
input: { type: object, required: [id], properties: { id: { type: string, description: Which record. } } }
${extra}`;

  /** A project of its own, below the folder in which the packages are installed. */
  const projectOf = (name: string, files: Readonly<Record<string, string>>): ((script: string) => Printed) => {
    const root = join(folder, name);
    const all = { "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n", ...files };
    for (const [path, text] of Object.entries(all)) {
      if (text === "") continue;
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return (script) => run(script, root);
  };
  const git = "git -c user.name=a -c user.email=a@example.com -c init.defaultBranch=main";

  test("two branches that each add a tool merge, and a build makes of them what neither has", () => {
    const inProject = projectOf("merges", { "specs/first.tool.yaml": spec("first") });
    const add = (name: string): string =>
      `${git} checkout -q -b ${name} main && cp specs/first.tool.yaml specs/${name}.tool.yaml && ` +
      `sed -i.old 's/first/${name}/' specs/${name}.tool.yaml && rm specs/*.old && hasp build && ${git} add -A && ${git} commit -qm ${name}`;
    for (const script of [
      `${git} init -q && hasp init && hasp build && ${git} add -A && ${git} commit -qm first`,
      add("second"),
      add("third"),
      // Git keeps one side of what is generated, and says so.
      `${git} merge -q --no-edit second; hasp build && ${git} add -A && ${git} commit -qm merged`,
      "hasp build --check",
    ]) {
      expect(inProject(script), script).toMatchObject({ status: 0 });
    }
    expect(inProject("hasp show").printed).toMatch(/^first[^]*^second[^]*^third/mu);
  });

  test("a hundred tools with one fault each are twenty findings and a number, and a call prints none of them", () => {
    const names = Array.from({ length: 100 }, (_, index) => `find_record_${index}`);
    const inProject = projectOf(
      "many",
      Object.fromEntries(names.map((name) => [`specs/${name}.tool.yaml`, spec(name, "tags: [a, a]\n")])),
    );
    const checked = inProject("hasp check");
    expect(checked.printed.split("\n").length).toBeLessThan(250);
    const built = inProject("hasp build");
    expect(built.printed.split("\n").length).toBeLessThan(250);
  });

  test("one bad tool is left out, recorded, and fails the run; the others are built and called", () => {
    const inProject = projectOf("keep-going", {
      "specs/good.tool.yaml": spec("good"),
      "specs/bad.tool.yaml": spec("bad", "nonsense: true\n"),
    });
    expect(inProject("hasp build --keep-going")).toMatchObject({ status: 1 });
    expect(inProject("cat src/generated/manifest.json").printed).toContain('"bad"');
    expect(inProject(`hasp call good '{"id":"1"}' --dry-run`).printed).toContain("class");
  });

  test("claims are approved by a glob, from any folder below the project", () => {
    const claim = "concurrency: { class: READ_ONLY }\n";
    const inProject = projectOf("approvals", {
      "specs/a.tool.yaml": spec("find_a", claim),
      "specs/b.tool.yaml": spec("find_b", claim),
    });
    expect(inProject("cd specs && hasp check")).toMatchObject({ status: 1 });
    const approved = inProject(`cd specs && hasp approve 'find_*' --yes --reason "only reads"`);
    expect(approved).toMatchObject({ status: 0 });
    expect(approved.printed).toMatch(/concurrency\.class: READ_ONLY +2/u);
    expect(inProject("hasp check find_a && hasp check")).toMatchObject({ status: 0 });
  });

  test.each<readonly [string, Readonly<Record<string, string>>, string, string, string]>([
    [
      "conflict markers",
      { "specs/a.tool.yaml": `<<<<<<< ours\n${spec("a")}=======\n>>>>>>> theirs\n` },
      "check",
      "conflict",
      "help",
    ],
    ["a glob without matches", { "hasp.config.yaml": "specs: [other/**]\n" }, "check", "no-specs", "help"],
    [
      "a misnamed configuration",
      { "hasp.config.yaml": "", "hasp.yaml": "specs: [specs]\n", "specs/a.tool.yaml": spec("a") },
      "check",
      "hasp.config",
      "help",
    ],
    ["no commits", { "specs/a.tool.yaml": spec("a") }, "diff HEAD", "no", "help"],
  ])("%s is one finding with the next step", (name, files, words, said, help) => {
    const inProject = projectOf(name.replaceAll(" ", "-"), files);
    const { status, printed } = inProject(`${git} init -q; hasp ${words}`);
    expect(status).not.toBe(0);
    expect(printed).toContain(said);
    expect(printed).toContain(help);
    expect(printed).not.toMatch(/^ +at /mu);
  });
});

/** Does what a block says. Gives what was printed last. */
function follow({ language, path, text, ...block }: Block, before: string): string {
  if (path !== "") {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return before;
  }
  if (language === "text") {
    expect(shows(text, before), `printed was:\n${before}`).toBe(true);
    return before;
  }
  return commandsOf({ language, path, text, ...block }).reduce((_, { script, code }) => {
    // The packages are there already; npx would only be slower to find them.
    if (script.startsWith("npm install")) return "";
    const { status, printed } = run(script.replace(/^npx /u, ""));
    expect(status, `${script}\n${printed}`).toBe(code);
    return printed;
  }, "");
}

describe("what it costs", () => {
  test("to install hasp: at most 55 MB and 40 packages", () => {
    const cost = installedCost(join(folder, "node_modules/hasp"));
    expect(cost.packages).toBeLessThanOrEqual(40);
    expect(cost.megabytes).toBeLessThanOrEqual(55);
  });

  test("to install @hasp/runtime: at most 3 MB", () => {
    const { packages, megabytes } = installedCost(join(folder, "node_modules/@hasp/runtime"));
    expect(packages).toBe(2);
    expect(megabytes).toBeLessThanOrEqual(3);
  });
});
