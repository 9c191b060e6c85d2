import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { bin, hasp, haspJson, minimalSpec, project, put, tree, type Run } from "./command-line.js";

const templates = resolve(import.meta.dirname, "../../templates");
const read = (path: string): string => readFileSync(join(templates, path), "utf8");

interface WorkflowStep {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly WorkflowStep[] };
}

interface Workflow {
  readonly on: object;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly "runs-on": string; readonly steps: readonly WorkflowStep[] }>>;
}

const action = parse(read("actions/hasp/action.yml")) as Action;
const spec = minimalSpec("find_record", "tests: [{ input: { id: x }, expect: { class: UNSAFE } }]\n");

/** A repository with a built and committed project in a folder of it, and a `hasp` that `npx --no-install` finds. */
async function repository(folder = "."): Promise<string> {
  const made = (repositories[folder] ??= makeRepository(folder));
  const root = project();
  cpSync(await made, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return root;
}

const repositories: Record<string, Promise<string>> = {};

async function makeRepository(folder: string): Promise<string> {
  const root = project({
    ".gitignore": "node_modules\nreports\n",
    [join(folder, "hasp.config.yaml")]: "specs: [specs]\n",
    [join(folder, "specs/a.tool.yaml")]: spec,
  });
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(root, "node_modules/.bin/hasp"), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(join(root, "node_modules/.bin/hasp"), 0o755);
  expect((await hasp(join(root, folder), ["build"])).code).toBe(0);
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "first");
  return root;
}

function git(folder: string, ...words: readonly string[]): Run {
  return start(folder, [
    "git",
    "-c",
    "user.name=T",
    "-c",
    "user.email=t@example.com",
    "-c",
    "commit.gpgsign=false",
    ...words,
  ]);
}

function start(
  cwd: string,
  [program = "", ...words]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Run {
  const { CI: _ci, GITHUB_WORKSPACE: _workspace, HASP_CONFIG: _config, ...inherited } = process.env;
  const path = [quickNpx, process.env["PATH"] ?? ""].join(delimiter);
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd,
    encoding: "utf8",
    env: { ...inherited, PATH: path, npm_config_offline: "true", ...environment },
  });
  // What npm thinks of the settings of the machine is not a word of ours.
  return { code: status, out: stdout, error: stderr.replaceAll(/^npm warn .*\n/gmu, "") };
}

/** A folder with an `npx` that finds `hasp` as the real one does, in a fraction of its time. */
const quickNpx = project({
  npx: `#!/bin/sh\nif [ "$1 $2" != "--no-install hasp" ]; then exit 99; fi\nshift 2\nexec "${process.execPath}" "${bin}" "$@"\n`,
});
chmodSync(join(quickNpx, "npx"), 0o755);

/** Runs one step of the action as GitHub does: fills in its expressions and calls its shell. */
function runStep(
  root: string,
  inputs: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Run & { readonly summary: string; readonly outputs: string; readonly reports: readonly string[] } {
  const [step] = action.runs.steps;
  const temporary = project({ summary: "", output: "" });
  const values: Readonly<Record<string, string>> = Object.fromEntries([
    ...Object.entries(action.inputs).map(([name, { default: value = "" }]) => [
      `inputs.${name}`,
      inputs[name] ?? value,
    ]),
    ["runner.temp", temporary],
  ]) as Record<string, string>;
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/gu, (whole, name: string) => values[name] ?? whole);
  const environment = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, value]) => [name, filled(value)]));
  const folder = resolve(root, inputs["working-directory"] ?? ".");
  const run = start(folder, ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step?.run ?? ""], {
    ...environment,
    CI: "true",
    GITHUB_WORKSPACE: root,
    GITHUB_OUTPUT: join(temporary, "output"),
    GITHUB_STEP_SUMMARY: join(temporary, "summary"),
    ...more,
  });
  const files = tree(temporary);
  return {
    ...run,
    summary: files["summary"] ?? "",
    outputs: (files["output"] ?? "").replaceAll(temporary, ""),
    reports: Object.keys(files).filter((path) => path.startsWith("hasp/")),
  };
}

describe("the action", () => {
  test("passes a clean pull request, with reports and a summary", async () => {
    const root = await repository();
    // With the real npx, once.
    const run = runStep(root, { base: "main" }, { PATH: process.env["PATH"] ?? "" });
    // The note on flows annotates the pull request.
    const lines = run.out.trimEnd().split("\n");
    expect([run.code, lines.length, run.error]).toEqual([0, 1, ""]);
    expect(lines[0]).toMatch(/^::notice title=flow\/paths::/u);
    expect(run.reports).toEqual(["hasp/hasp.md", "hasp/hasp.sarif"]);
    expect(run.outputs).toBe("sarif=/hasp/hasp.sarif\nmarkdown=/hasp/hasp.md\n");
    expect(run.summary).toMatch(/^### hasp: no errors, no warnings/);
  });

  test("fails one with findings, places them from the root of the checkout, and still writes its reports", async () => {
    const root = await repository("packages/agent tools");
    put(root, { "packages/agent tools/specs/a.tool.yaml": spec.replace("find_record", "process_data") });
    const run = runStep(root, { base: "main", "working-directory": "packages/agent tools" });
    expect(run.code).toBe(1);
    expect(run.out).toContain("::warning file=packages/agent tools/specs/a.tool.yaml,line=2,");
    expect(run.out).toContain("title=diff/");
    expect(run.summary).toContain("packages/agent tools/specs/a.tool.yaml:2");
    expect(run.reports).toEqual(["hasp/hasp.md", "hasp/hasp.sarif"]);
  });

  test("says with 2 that the base is not there, and fails on what it is told to", async () => {
    const root = await repository();
    expect(runStep(root, { base: "origin/main" })).toMatchObject({
      code: 2,
      out: expect.stringContaining("diff/ref-not-found") as string,
    });
    put(root, { "specs/b.tool.yaml": minimalSpec("process_data") });
    expect((await hasp(root, ["build"])).code).toBe(0);
    expect(runStep(root, {}).code).toBe(0);
    expect(runStep(root, { "fail-on": "naming" }).code).toBe(1);
  });

  test("lets through what a reviewer has agreed to, and nothing else", async () => {
    const root = await repository();
    put(root, { "specs/a.tool.yaml": spec.replace("find_record", "find_entry") });
    expect((await hasp(root, ["build"])).code).toBe(0);
    expect(runStep(root, { base: "main", allow: " loosens may-loosen\n" }).code).toBe(1);
    expect(runStep(root, { base: "main", allow: "breaks may-break loosens" }).code).toBe(0);
    // A word that is not a list is refused, and is neither an option nor a pattern of files.
    const refused = runStep(root, { base: "main", allow: "breaks *" });
    expect([refused.code, refused.error]).toEqual([2, expect.stringContaining("'*' is invalid")]);
  });

  test("runs no input as a program", async () => {
    const root = await repository();
    const run = runStep(root, {
      base: '$(touch owned)"; touch owned; "',
      "fail-on": "`touch owned`",
      allow: "$(touch owned)",
    });
    expect(run.code).toBe(2);
    expect(readdirSync(root)).not.toContain("owned");
  });

  test("uses each of its inputs and no other, and names each step that an output rests on", () => {
    const text = read("actions/hasp/action.yml");
    const used = new Set([...text.matchAll(/inputs\.([\w-]+)/gu)].map(([, name]) => name ?? ""));
    expect([...used].toSorted()).toEqual(Object.keys(action.inputs).toSorted());
    const ids = new Set(action.runs.steps.flatMap(({ id }) => id ?? []));
    for (const [, id = ""] of text.matchAll(/steps\.([\w-]+)\./gu)) expect(ids).toContain(id);
    for (const [, id, output = ""] of text.matchAll(/steps\.([\w-]+)\.outputs\.([\w-]+)/gu)) {
      expect(action.runs.steps.find((step) => step.id === id)?.run).toContain(`${output}=`);
    }
    for (const { description } of [...Object.values(action.inputs), ...Object.values(action.outputs)]) {
      expect(description).not.toBe("");
    }
    expect(action.runs.using).toBe("composite");
    // Code of the pull request would read it.
    expect(text).not.toMatch(/^ +GITHUB_TOKEN:/mu);
    // A composite action has no default shell.
    for (const { run, shell } of action.runs.steps) if (run !== undefined) expect(shell).toBe("bash");
  });
});

describe.each(readdirSync(join(templates, "workflows")))("the workflow %s", (name) => {
  const text = read(`workflows/${name}`);
  const workflow = parse(text) as Workflow;
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  test("has what GitHub asks for, and no more rights than it needs", () => {
    expect(Object.keys(workflow)).toEqual(["name", "on", "permissions", "jobs"]);
    expect(workflow.permissions).toEqual({ contents: "read", "pull-requests": "write" });
    for (const job of Object.values(workflow.jobs)) expect(job["runs-on"]).toBe("ubuntu-latest");
    for (const { uses, run } of [...steps, ...action.runs.steps]) {
      expect((uses === undefined) !== (run === undefined)).toBe(true);
      if (uses !== undefined) {
        expect(uses).toMatch(/^(?:\.\/\.github\/actions\/[\w-]+|[\w-]+\/[\w./-]+@[0-9a-f]{40})$/u);
      }
      // What an expression says would be run as part of the script.
      expect(run ?? "").not.toContain("${{");
    }
  });

  test("gives the action inputs that it has, once the base can be compared with", () => {
    const own = steps.find(({ uses }) => uses === "./.github/actions/hasp");
    expect(Object.keys(own?.with ?? {}).filter((input) => !Object.hasOwn(action.inputs, input))).toEqual([]);
    expect(steps[0]).toMatchObject({
      uses: expect.stringMatching(/^actions\/checkout@[0-9a-f]{40}$/u),
      with: { "fetch-depth": 0 },
    });
  });

  test("starts again when a label says that a change is meant, and takes nothing but labels for that", () => {
    expect(workflow.on).toMatchObject({
      pull_request: { types: expect.arrayContaining(["labeled", "unlabeled"]) as [] },
    });
    const given = String(steps.find(({ uses }) => uses === "./.github/actions/hasp")?.with?.["allow"]);
    const parts = given
      .split(/(?<=\}\}) /u)
      .map((part) => /^\$\{\{ contains\(([\w.*]+), '(.+)'\) && '(.+)' \|\| '' \}\}$/u.exec(part));
    expect(parts.map((part) => part?.slice(1))).toEqual([
      ["github.event.pull_request.labels.*.name", "hasp: breaks", "breaks may-break"],
      ["github.event.pull_request.labels.*.name", "hasp: loosens", "loosens may-loosen"],
    ]);
  });

  test("comes with the action", async () => {
    const lock = name === "pnpm.yml" ? { "pnpm-lock.yaml": "" } : {};
    const folder = project({ ".git/HEAD": "", ...lock });
    expect((await hasp(folder, ["init"], { CI: "true" })).code).toBe(0);
    const files = tree(folder);
    const filled = text.replace("__MANAGER__", "npm").replace("__INSTALL__", "npm ci");
    expect(files[".github/workflows/hasp.yml"]).toBe(filled);
    expect(files[".github/actions/hasp/action.yml"]).toBe(read("actions/hasp/action.yml"));
  });
});

describe("the pre-commit hook", () => {
  test.each([".", "it's a $(touch owned) folder"])(
    "in %j refuses a commit that is not clean, and lets one that is",
    async (folder) => {
      const root = await repository(folder);
      expect((await hasp(join(root, folder), ["init", "--hook"])).code).toBe(0);
      git(root, "config", "core.hooksPath", ".githooks");
      git(root, "add", "-A");
      const clean = git(root, "commit", "-q", "-m", "clean");
      expect([clean.code, clean.error]).toEqual([0, ""]);

      put(root, { [join(folder, "specs/a.tool.yaml")]: `${spec}nonsense: 1\n` });
      git(root, "add", "-A");
      const refused = git(root, "commit", "-q", "-m", "broken");
      expect(refused.code).toBe(1);
      expect(refused.out + refused.error).toContain("resolve/unknown-key");
      expect(git(root, "log", "--format=%s").out).toBe("clean\nfirst\n");
      expect(readdirSync(root)).not.toContain("owned");
      if (folder === ".") return;

      // Unstaged changes are neither checked nor accepted as a remedy.
      put(root, { [join(folder, "specs/a.tool.yaml")]: spec });
      expect(git(root, "commit", "-q", "-m", "broken").code).toBe(1);
      put(root, { [join(folder, "specs/a.tool.yaml")]: spec.replace("Look one", "Find one") });
      git(root, "add", "-A");
      expect(git(root, "commit", "-q", "-m", "stale").error).toContain("drift/");
      expect((await hasp(join(root, folder), ["build"])).code).toBe(0);
      expect(git(root, "commit", "-q", "-m", "stale").error).toContain("drift/");
      git(root, "add", "-A");
      put(root, { [join(folder, "specs/a.tool.yaml")]: `${spec}nonsense: 1\n` });
      const staged = git(root, "commit", "-q", "-m", "staged");
      expect([staged.code, staged.error]).toEqual([0, ""]);
    },
  );

  test("somebody else's hook stays, and the command says so", async () => {
    const folder = project({ ".git/HEAD": "", ".githooks/pre-commit": "#!/bin/sh\n" });
    const run = await haspJson(folder, ["init", "--hook"]);
    expect(run.diagnostics).toMatchObject([
      { code: "cli/file-kept", message: expect.stringContaining(".githooks/pre-commit") as string },
    ]);
    expect(tree(folder)[".githooks/pre-commit"]).toBe("#!/bin/sh\n");
  });

  test.each([
    [
      "a list of blocks",
      "# ours\nrepos:\n-   repo: https://example.com/x # pinned\n    rev: v1\n    hooks:\n    -   id: x\n\n# the end\nfail_fast: true\n",
    ],
    ["an indented list", "repos:\n  - repo: local # here\n    hooks: [{ id: y, name: y, entry: y, language: system }]"],
    ["a list on one line", "repos: [] # none yet\n"],
  ])("becomes an entry of the framework's file: %s", async (what, text) => {
    const root = await repository();
    put(root, { ".pre-commit-config.yaml": text });
    expect((await hasp(root, ["init", "--hook"])).code).toBe(0);
    const written = tree(root)[".pre-commit-config.yaml"] ?? "";
    const before = parse(text) as { readonly repos: readonly object[] };
    const after = parse(written) as {
      readonly repos: readonly { readonly hooks: readonly Readonly<Record<string, unknown>>[] }[];
    };
    expect(after).toEqual({
      ...before,
      repos: [...before.repos, parse(read("hooks/pre-commit-config.yaml").replace("__FOLDER__", '"."')).repos[0]],
    });
    for (const comment of text.match(/#.*/gu) ?? []) expect(written).toContain(comment);
    for (const line of text.split("\n").filter((each) => !each.includes("[]"))) {
      expect(written.split("\n")).toContain(line);
    }
    expect(tree(root)).not.toHaveProperty([".githooks/pre-commit"]);
    // A second run changes nothing.
    await hasp(root, ["init", "--hook"]);
    expect(tree(root)[".pre-commit-config.yaml"]).toBe(written);
    // Its entry is a command, the same in each form: run once.
    const hook = after.repos.at(-1)?.hooks[0] ?? {};
    expect(hook).toMatchObject({ id: "hasp", language: "system", pass_filenames: false });
    const words = [...String(hook["entry"]).split(" "), ...(hook["args"] as readonly string[])];
    if (what !== "a list of blocks") return;
    expect(start(root, words)).toMatchObject({ code: 0 });
    put(root, { "specs/a.tool.yaml": `${spec}nonsense: 1\n` });
    expect(start(root, words)).toMatchObject({ code: 1 });
  });
});

describe("the turbo tasks", () => {
  test("run the scripts that init adds, and are held by turbo itself to be tasks", async () => {
    const folder = project({
      "package.json": '{ "name": "mine", "packageManager": "npm@10.0.0", "workspaces": ["app"] }',
      "package-lock.json":
        '{ "name": "mine", "lockfileVersion": 3, "packages": { "": { "name": "mine", "workspaces": ["app"] }, "app": { "name": "app", "version": "1.0.0" } } }',
      "turbo.json": '{ "tasks": {} }',
      "app/package.json": '{ "name": "app", "version": "1.0.0" }',
      "app/turbo.json": '{ "extends": ["//"], "tasks": {} }',
    });
    git(folder, "init", "-q");
    await hasp(join(folder, "app"), ["init"]);
    const { scripts } = JSON.parse(tree(folder)["app/package.json"] ?? "") as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const { tasks } = JSON.parse(tree(folder)["app/turbo.json"] ?? "") as {
      readonly tasks: Readonly<Record<string, unknown>>;
    };
    expect(Object.keys(tasks)).toEqual(Object.keys(scripts));
    const turbo = resolve(import.meta.dirname, "../../node_modules/.bin/turbo");
    const planned = start(folder, [turbo, "run", ...Object.keys(tasks), "--dry=json", "--no-update-notifier"], {
      TURBO_TELEMETRY_DISABLED: "1",
      DO_NOT_TRACK: "1",
    });
    expect([planned.code, planned.error]).toEqual([0, expect.not.stringContaining("error")]);
    const plan = JSON.parse(planned.out) as {
      readonly tasks: readonly {
        readonly task: string;
        readonly command: string;
        readonly inputs: object;
        readonly outputs: readonly string[] | null;
      }[];
    };
    expect(plan.tasks.map(({ task, command }) => [task, command]).toSorted()).toEqual(
      Object.entries(scripts).toSorted(),
    );
    // Whatever a spec, a preset or a shared schema says, and wherever it is in the package, a change of it is seen.
    for (const { inputs } of plan.tasks) {
      expect(Object.keys(inputs)).toEqual(expect.arrayContaining(["hasp.config.yaml", "package.json"]));
    }
    expect(plan.tasks.find(({ task }) => task === "tools:build")?.outputs).toEqual(["src/generated/**"]);
  });
});
