import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { bin, hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

describe("hasp init", () => {
  test("makes a configuration and a CODEOWNERS line, and says what is next", async () => {
    const folder = project({
      ".git/HEAD": "",
      "package.json": '{\n  "name": "mine",\n  "scripts": { "test": "x" }\n}\n',
    });
    const run = await hasp(folder, ["init"]);
    expect([run.code, run.error]).toEqual([0, ""]);
    expect(run.out).toContain("hasp new");
    const files = tree(folder);
    expect(Object.keys(files)).toEqual([
      ".git/HEAD",
      ".gitattributes",
      ".github/CODEOWNERS",
      ".github/actions/hasp/action.yml",
      ".github/workflows/hasp.yml",
      ".gitignore",
      ".prettierignore",
      ".vscode/settings.json",
      "hasp.config.yaml",
      "package.json",
    ]);
    expect(files[".github/CODEOWNERS"]).toContain("# /hasp-ledger/ @your/reviewers");
    expect(JSON.parse(files["package.json"] ?? "")).toEqual({
      name: "mine",
      scripts: { test: "x", "tools:check": "hasp check", "tools:build": "hasp build", "tools:test": "hasp test" },
    });
  });

  test("makes no configuration beside those with names of their own, and checks all of these", async () => {
    const folder = project({
      ".git/HEAD": "",
      "package.json": "{}\n",
      "hasp.data.yaml": "specs: [data]\noutDir: src/data\n",
      "hasp.travel.yaml": "specs: [travel]\noutDir: src/travel\n",
    });
    expect((await hasp(folder, ["init"])).code).toBe(0);
    const files = tree(folder);
    expect(files).not.toHaveProperty(["hasp.config.yaml"]);
    expect(files[".gitattributes"]).toMatch(/^\/src\/data\/\*\*(?:.|\n)*^\/src\/travel\/\*\*/mu);
    expect(files["package.json"]).toBe("{}\n");
    const workflow = parse(files[".github/workflows/hasp.yml"] ?? "") as {
      readonly jobs: { readonly tools: { readonly steps: readonly object[] } };
    };
    expect(workflow.jobs.tools.steps.at(-1)).toMatchObject({
      with: { comment: true, configs: "hasp.data.yaml hasp.travel.yaml" },
    });
  });

  test("runs the workflow again after a review where code owners verify approvals", async () => {
    const workflows = ["", "approvals: { verify: codeowners }\n"].map(async (more) => {
      const folder = project({ ".git/HEAD": "", "hasp.config.yaml": `specs: [specs]\n${more}` });
      await hasp(folder, ["init"]);
      return parse(tree(folder)[".github/workflows/hasp.yml"] ?? "") as {
        readonly on: Readonly<Record<string, object>>;
        readonly jobs: { readonly tools: { readonly steps: readonly { readonly with?: object }[] } };
      };
    });
    const [usual, verified] = await Promise.all(workflows);
    expect(Object.keys(usual?.on ?? {})).toEqual(["pull_request", "push"]);
    expect(usual?.jobs.tools.steps.at(-1)?.with).not.toHaveProperty("reviews");
    expect(verified?.on).toMatchObject({ pull_request_review: { types: ["submitted", "dismissed"] } });
    // `github.base_ref` is empty in a run after a review, which would then compare nothing.
    expect(verified?.jobs.tools.steps.at(-1)).toMatchObject({
      with: { base: expect.stringContaining("github.event.pull_request.base.ref") as string, reviews: true },
    });
  });

  test("names each file once, and the configurations that it cannot read", async () => {
    const folder = project({
      ".git/HEAD": "",
      "a/hasp.config.yaml": "specs: [specs]\n",
      "b/hasp.config.yaml": "specs: [specs]\nnonsense: 1\n",
    });
    const { out } = await hasp(folder, ["init"]);
    expect(out.match(/^ {2}\.gitattributes /gmu)).toHaveLength(1);
    expect(out).toContain("What b/hasp.config.yaml names is not covered yet: run `hasp check --all`");
  });

  test("in a workspace, covers the configurations of its packages, and names what their cached builds read", async () => {
    const folder = project({
      ".git/HEAD": "",
      "package.json": "{}",
      "yarn.lock": "",
      "turbo.json": "{}",
      "nx.json": "{}",
      "presets/strict.yaml": "findings: []\n",
      "hasp.a.yaml":
        "extends: ./presets/strict.yaml\nspecs: [specs]\noutDir: packages/a/gen\nhandlers: packages/a/src\n",
      "packages/a/package.json":
        '{ "name": "a", "scripts": { "tools:build": "hasp build --config ../../hasp.a.yaml" } }',
      "specs/find_it.tool.yaml": minimalSpec("find_it", "tests: [{ input: { id: x }, expect: { class: UNSAFE } }]\n"),
      "packages/b/package.json": '{ "name": "b" }',
      "packages/b/hasp.config.yaml": "specs: [specs]\n",
    });
    expect((await hasp(folder, ["init", "--owner", "@acme/agents"])).code).toBe(0);
    const files = tree(folder);
    expect(files).not.toHaveProperty(["hasp.config.yaml"]);
    expect(files[".gitattributes"]).toMatch(/^\/packages\/a\/gen\/\*\*(?:.|\n)*^\/packages\/b\/src\/generated\/\*\*/mu);
    for (const path of ["/hasp-ledger/", "/packages/b/hasp-ledger/", "/packages/b/hasp.*.*"]) {
      expect(files[".github/CODEOWNERS"]).toContain(`${path} @acme/agents\n`);
    }
    const workflow = files[".github/workflows/hasp.yml"];
    expect(workflow).toContain("configs: hasp.a.yaml packages/b/hasp.config.yaml\n");
    expect(workflow).toContain("cache: yarn\n      - run: yarn install --frozen-lockfile\n");
    expect(JSON.parse(files["turbo.json"] ?? "")).toMatchObject({
      tasks: {
        // An approval may end from one day to the next.
        "tools:check": { cache: false },
        "tools:build": {
          inputs: [
            "$TURBO_DEFAULT$",
            "!gen/**",
            "!src/generated/**",
            "$TURBO_ROOT$/presets/strict.yaml",
            "$TURBO_ROOT$/hasp.a.yaml",
            "$TURBO_ROOT$/specs/**",
            "$TURBO_ROOT$/hasp-ledger/**",
          ],
          outputs: ["gen/**", "src/generated/**"],
        },
      },
    });
    expect(files["nx.json"]).toContain('"{workspaceRoot}/presets/strict.yaml"');
    // The inputs that init wrote are complete; without the preset, the check names it.
    expect((await hasp(folder, ["build", "--config", "hasp.a.yaml"])).code).toBe(0);
    const words = ["build", "--check", "--config", "hasp.a.yaml"];
    // The second check finds the first in the cache.
    const cached = { XDG_CACHE_HOME: project() };
    expect(await haspJson(folder, words, cached)).toMatchObject({ code: 0, diagnostics: [] });
    put(folder, { "turbo.json": (files["turbo.json"] ?? "").replaceAll('"$TURBO_ROOT$/presets/strict.yaml",', "") });
    expect(await haspJson(folder, words, cached)).toMatchObject({
      code: 1,
      diagnostics: [{ code: "drift/inputs", uri: "turbo.json", help: expect.stringContaining("presets/strict.yaml") }],
    });
  });

  test("makes an example that is clean: checked, tested and built, its handler kept", async () => {
    const folder = project();
    await hasp(folder, ["init", "--example"]);
    expect(await haspJson(folder, ["check"])).toMatchObject({
      code: 0,
      diagnostics: [],
      summary: { tools: 1, relaxations: 0 },
    });
    expect((await haspJson(folder, ["test"])).summary).toMatchObject({ passed: 3, failed: 0, untested: [] });
    const handler = tree(folder)["src/tools/count-words.ts"];
    expect((await haspJson(folder, ["build"])).code).toBe(0);
    expect(tree(folder)["src/tools/count-words.ts"]).toBe(handler);
    expect(tree(folder)["src/generated/tools/count-words.ts"]).toContain("CountWordsHandler");
  });

  test("run twice, changes nothing", async () => {
    const folder = project({
      ".git/HEAD": "",
      "package.json": '{ "name": "mine" }',
      "turbo.json": '{ /* ours */ "tasks": {} }',
    });
    await hasp(folder, ["init", "--example", "--hook"]);
    const before = tree(folder);
    expect(before["turbo.json"]).toContain("/* ours */");
    const again = await hasp(folder, ["init", "--example", "--hook"]);
    expect(again.code).toBe(0);
    expect(again.out).toContain("Everything already exists");
    expect(tree(folder)).toEqual(before);
  });

  test("adds to the settings of an editor what they lack, and keeps the rest", async () => {
    const settings = `{
  // ours
  "editor.tabSize": 4,
  "json.schemas": [{ "fileMatch": ["a.json"], "url": "./a.schema.json" }],
  "yaml.schemas": { "./node_modules/hasp/schema/tool-spec.schema.json": "tools/*.yaml" }
}
`;
    const folder = project({ ".vscode/settings.json": settings });
    await hasp(folder, ["init"]);
    const text = tree(folder)[".vscode/settings.json"] ?? "";
    expect(text).toContain("// ours");
    expect(JSON.parse(text.replace("// ours", ""))).toEqual({
      "editor.tabSize": 4,
      "json.schemas": [
        { fileMatch: ["a.json"], url: "./a.schema.json" },
        { fileMatch: ["*.tool.json", "*.tools.json"], url: "./node_modules/hasp/schema/tool-spec.schema.json" },
        { fileMatch: ["hasp.config.json"], url: "./node_modules/hasp/schema/hasp-config.schema.json" },
      ],
      "yaml.schemas": {
        "./node_modules/hasp/schema/tool-spec.schema.json": "tools/*.yaml",
        "./node_modules/hasp/schema/hasp-config.schema.json": ["hasp.config.yaml", "hasp.config.yml"],
      },
    });
    await hasp(folder, ["init"]);
    expect(tree(folder)[".vscode/settings.json"]).toBe(text);
  });

  test("puts the folder of generated files that the configuration names into .gitattributes", async () => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\noutDir: lib/out\n",
      ".gitattributes": "* text=auto",
    });
    await hasp(folder, ["init"]);
    expect(tree(folder)[".gitattributes"]).toMatch(
      /^\* text=auto\n\n# .*\n\/lib\/out\/\*\* linguist-generated merge=union\n/u,
    );
  });

  test("keeps formatters from what it writes, beside what their settings say already", async () => {
    const config = "specs: [specs]\noutDir: lib/out\n";
    const settingsAfter = async (files: Readonly<Record<string, string>>): Promise<Record<string, string>> => {
      const folder = project({ "hasp.config.yaml": config, ...files });
      await hasp(folder, ["init"]);
      const before = tree(folder);
      await hasp(folder, ["init"]);
      expect(tree(folder)).toEqual(before);
      return before;
    };
    const first = await settingsAfter({ "biome.json": "{}\n", ".prettierignore": "dist/\n" });
    expect(first[".prettierignore"]).toMatch(/^dist\/\n\n# .*\n\/lib\/out\/\n\/hasp-ledger\/\n$/u);
    expect(JSON.parse(first["biome.json"] ?? "")).toEqual({ files: { includes: ["**", "!lib/out"] } });
    const { "biome.jsonc": second = "" } = await settingsAfter({
      "biome.jsonc": '{\n  // ours\n  "files": { "includes": ["src/**"], "maxSize": 9 }\n}\n',
    });
    expect(second).toContain("// ours");
    expect(JSON.parse(second.replace("// ours", ""))).toEqual({
      files: { includes: ["src/**", "!lib/out"], maxSize: 9 },
    });
  });

  test("adds the folders of a second configuration below the comment about those of the first", async () => {
    const config = (out: string): string => `specs: [${out}-specs]\noutDir: ${out}\n`;
    const folder = project({ "hasp.a.yaml": config("a"), "hasp.b.yaml": config("b") });
    await hasp(folder, ["init", "--config", "hasp.a.yaml"]);
    await hasp(folder, ["init", "--config", "hasp.b.yaml"]);
    const files = tree(folder);
    expect(files[".gitattributes"]).toMatch(/^# .*\n\/a\/\*\* .*\n\/b\/\*\* .*\n$/u);
    expect(files[".prettierignore"]).toMatch(/^# .*\n\/a\/\n\/hasp-ledger\/\n\/b\/\n$/u);
  });

  test("never touches a file that says something else", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [tools]\n", CODEOWNERS: "* @me\n", ".git/HEAD": "" });
    const run = await haspJson(folder, ["init", "--owner", "@acme/agents"]);
    expect(run.code).toBe(0);
    expect(run.diagnostics.map(({ code }) => code)).toEqual(["cli/file-kept"]);
    const files = tree(folder);
    expect(files["hasp.config.yaml"]).toBe("specs: [tools]\n");
    expect(files["CODEOWNERS"]).toMatch(
      /^\* @me\n\n# .*\n\/hasp-ledger\/ @acme\/agents\n(?:\/[^ ]+ @acme\/agents\n)+$/,
    );
  });

  test("escapes what has a meaning in lists of patterns", async () => {
    const root = project({ ".git/HEAD": "", "my tools #1/hasp.config.yaml": 'outDir: "gen [1]"\n' });
    await hasp(root, ["init", "--owner", "@acme/agents", "--cwd", "my tools #1"]);
    const files = tree(root);
    expect(files[".github/CODEOWNERS"]).toContain("\n/my\\ tools\\ ?1/hasp-ledger/ @acme/agents\n");
    expect(files["my tools #1/.gitattributes"]).toContain('\n"/gen \\\\[1]/**" linguist-generated merge=union\n');
    expect(files["my tools #1/.prettierignore"]).toContain("\n/gen \\[1]/\n");
  });

  test("names the owner of each file that the configuration names, wherever it is, and of the workflow", async () => {
    const folder = project({
      ".git/HEAD": "",
      "hasp.config.yaml":
        'extends: ./security/hasp.base.yaml\nplugins: [./src/plugins/acme.mjs]\ntoolsets: { shop: { include: ["*"], policy: security/shop.yaml }, other: { include: ["*"], policy: policies/other.yaml }, third: { include: ["*"], policy: hasp.yaml } }\n',
      "security/hasp.base.yaml": "findings: []\n",
      "src/plugins/acme.mjs": 'export default { name: "acme", rules: [] };\n',
    });
    await hasp(folder, ["init", "--owner", "@acme/agents"]);
    const owned = tree(folder)[".github/CODEOWNERS"]?.match(/^\/\S+(?= @acme\/agents$)/gmu) ?? [];
    expect(owned.filter((path) => /security|plugins\/.|workflows|other|config|hasp\.yaml/u.test(path))).toEqual([
      "/security/hasp.base.yaml",
      "/src/plugins/acme.mjs",
      "/security/shop.yaml",
      "/hasp.yaml",
      "/.github/workflows/hasp.yml",
    ]);
  });

  test.each([
    ["a later line that gives it to others", ".github/CODEOWNERS", "/hasp-ledger/ @acme/agents\n* @acme/all\n", true],
    ["a later line about YAML", "CODEOWNERS", "/hasp-ledger/ @acme/agents\n*.yaml @acme/all\n", true],
    ["a later line about modules", "CODEOWNERS", "/hasp-ledger/ @acme/agents\n*.mjs @acme/all\n", true],
    ["nobody", "docs/CODEOWNERS", "/hasp-ledger/\n", true],
    ["somebody else", "CODEOWNERS", "* @acme/all\n/hasp-ledger/ @acme/security\n", false],
    ["a general line of GitLab's", ".gitlab/CODEOWNERS", "* @acme/all\n", true],
  ])("gives the ledger to its owner where CODEOWNERS gives it to %s", async (_what, path, rules, isAdded) => {
    const folder = project({ ".git/HEAD": "", "hasp.config.yaml": "", [path]: rules });
    await hasp(folder, ["init", "--owner", "@acme/agents"]);
    const written = tree(folder)[path] ?? "";
    expect(written.slice(rules.length).includes("\n/hasp-ledger/ @acme/agents\n")).toBe(isAdded);
    expect(written).toContain("\n/policies/ @acme/agents\n");
    await hasp(folder, ["init", "--owner", "@acme/agents"]);
    expect(tree(folder)[path]).toBe(written);
  });

  test("adds the owners that no line names, to the file that GitHub reads, once", async () => {
    const folder = project({
      ".git/HEAD": "",
      CODEOWNERS: "* @old\n",
      ".github/CODEOWNERS": "# /hasp-ledger/ @your/reviewers\n/packages/a/hasp-ledger/ @a\n/policies/\t@b\n",
      ".gitattributes": "/packages/a/src/generated/** merge=union\n",
    });
    const init = async (): Promise<ReturnType<typeof tree>> => {
      await hasp(folder, ["init", "--owner", "@acme/agents"]);
      return tree(folder);
    };
    const files = await init();
    expect(files["CODEOWNERS"]).toBe("* @old\n");
    expect(files[".github/CODEOWNERS"]).toContain("\n/hasp-ledger/ @acme/agents\n");
    expect(files[".github/CODEOWNERS"]).not.toContain("/policies/ @acme/agents");
    expect(files[".gitattributes"]).toContain("\n/src/generated/** ");
    expect(await init()).toEqual(files);
    put(folder, { "packages/b/hasp.config.yaml": "specs: [specs]\n" });
    await hasp(folder, ["init", "--owner", "@b", "--cwd", "packages/b"]);
    expect(tree(folder)[".github/CODEOWNERS"]).toContain("\n/packages/b/hasp-ledger/ @b\n");
  });

  test.each([
    ['{ "name": "mine" }', true],
    ['{ "name": "mine", "type": "commonjs" }', true],
    ['{ "name": "mine", "type": "module" }', false],
    ["{ broken", false],
  ])("says of the package %s whether its modules are not what is generated: %s", async (text, isSaid) => {
    const run = await hasp(project({ "package.json": text }), ["init"]);
    expect(run.out.includes("`npm pkg set type=module`")).toBe(isSaid);
  });

  test("outside a repository, says that there is no workflow and how it comes to be", async () => {
    const folder = project();
    expect((await hasp(folder, ["init"])).out).toContain(
      "There is no Git repository here, so no workflow was written: run `git init`, then `hasp init` again.",
    );
    expect(Object.keys(tree(folder))).toEqual([
      ".gitattributes",
      ".github/CODEOWNERS",
      ".gitignore",
      ".prettierignore",
      ".vscode/settings.json",
      "hasp.config.yaml",
    ]);
  });

  test("in a package of a monorepo, writes its owner at the top and no workflow", async () => {
    const root = project({ ".git/HEAD": "", "packages/agent/package.json": "{}" });
    const run = await hasp(root, ["init", "--cwd", "packages/agent"]);
    expect(run.code).toBe(0);
    expect(run.out).toContain(
      "There is no workflow yet: install hasp in the root of the repository (../..) as well, and run `hasp init` there.",
    );
    expect(tree(root)[".github/CODEOWNERS"]).toContain("# /packages/agent/policies/ @your/reviewers");
    expect(Object.keys(tree(root))).not.toContain(".github/workflows/hasp.yml");
    expect((await hasp(root, ["init"])).code).toBe(0);
    expect(Object.keys(tree(root))).toContain(".github/workflows/hasp.yml");
    expect((await hasp(root, ["init", "--cwd", "packages/agent"])).out).not.toContain("There is no workflow yet");
  });
});

describe("hasp new", () => {
  test.each(["read", "write", "destructive", "shell"])(
    "writes a %s spec that lacks its description only",
    async (kind) => {
      const folder = project();
      expect((await hasp(folder, ["new", "do_it", "--kind", kind])).code).toBe(0);
      const spec = tree(folder)["specs/do_it.tool.yaml"] ?? "";
      expect(spec).toContain("name: do_it\n");
      expect(spec).not.toMatch(/__[A-Z]/);
      const findings = (await haspJson(folder, ["check", "--unlocked"])).diagnostics.filter(
        ({ severity }) => severity === "error",
      );
      expect(new Set(findings.map(({ uri, pointer }) => `${uri}#${pointer}`))).toEqual(
        new Set(["specs/do_it.tool.yaml#/description"]),
      );

      put(folder, {
        "specs/do_it.tool.yaml": spec.replace(
          'description: ""',
          "description: Does one thing. Use it for that thing. Do not use it for another.",
        ),
      });
      const described = await haspJson(folder, ["check", "--unlocked"]);
      expect(described.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(described.code).toBe(0);
      expect((await hasp(folder, ["test"])).code).toBe(0);
    },
  );

  test.each([
    ["command", []],
    ["http", ["/handler/http/connection"]],
    ["sql", ["/handler/sql/connection"]],
    ["mcp", ["/handler/mcp/connection"]],
  ])("writes a spec with a %s handler, which lacks its description and its connection", async (kind, places) => {
    const folder = project();
    expect((await hasp(folder, ["new", "do_it", "--kind", kind])).code).toBe(0);
    const spec = tree(folder)["specs/do_it.tool.yaml"] ?? "";
    put(folder, {
      "specs/do_it.tool.yaml": spec.replace('description: ""', "description: Does one thing. Use it for that."),
    });
    const { diagnostics } = await haspJson(folder, ["check", "--unlocked"]);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map(({ pointer }) => pointer)).toEqual(places);
  });

  test("claims nothing that a ledger would not ask about", async () => {
    const folder = project();
    await hasp(folder, ["new", "wipe", "--kind", "destructive"]);
    const spec = tree(folder)["specs/wipe.tool.yaml"] ?? "";
    put(folder, {
      "specs/wipe.tool.yaml": spec.replace(
        'description: ""',
        "description: Wipes. Use it to wipe. Do not use it otherwise.",
      ),
    });
    expect((await haspJson(folder, ["check"])).summary["relaxations"]).toBe(0);
  });

  test("refuses a name that no provider takes, and a file that is there", async () => {
    const folder = project({ "specs/a.tool.yaml": minimalSpec("a") });
    expect(await haspJson(folder, ["new", "9 lives", "--kind", "read"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "cli/invalid-name" }],
    });
    expect(await haspJson(folder, ["new", "mcp__a", "--kind", "read"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "cli/invalid-name" }],
    });
    expect(await haspJson(folder, ["new", "a", "--kind", "read"])).toMatchObject({
      code: 1,
      diagnostics: [{ code: "cli/file-exists" }],
    });
    expect(tree(folder)).toEqual({ "specs/a.tool.yaml": minimalSpec("a") });
  });
});

describe("in a folder inside of a project", () => {
  const files = { "hasp.config.yaml": "specs: [specs]\n", "specs/a.tool.yaml": minimalSpec("find_record") };

  test("naming the configuration or the folder is no mistake, nor is a command that needs no project", async () => {
    const folder = join(project(files), "specs");
    for (const words of [
      ["check", "--config", "../hasp.config.yaml"],
      ["check", "--cwd", ".."],
      ["show", "naming/vague-name"],
    ]) {
      expect((await hasp(folder, words)).code).toBe(0);
    }
    expect((await hasp(folder, ["check"], { HASP_CONFIG: "../hasp.config.yaml" })).code).toBe(0);
    expect(await haspJson(folder, ["init"])).toMatchObject({
      code: 0,
      diagnostics: [{ code: "cli/project-above", message: expect.stringContaining('"../hasp.config.yaml"') as string }],
    });
  });

  test("a repository of its own is a project of its own", async () => {
    const root = project({ ...files, "inner/.git/HEAD": "" });
    expect(await haspJson(join(root, "inner"), ["check"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "project/no-specs" }],
    });
  });
});

test.skipIf(!existsSync("/dev/full"))(
  "output that cannot be printed is no verdict: exit code 2, and a line that says why",
  () => {
    const folder = project({
      "specs/a.tool.yaml": minimalSpec("a"),
      "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\n",
    });
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [bin, "check", "--no-cache"], {
      cwd: folder,
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    expect([status, stderr]).toEqual([2, "The findings could not be printed: the system says ENOSPC.\n"]);
  },
);

test("pnpm start compiles the worked example and prints few lines, none of them a warning", () => {
  const script = join(import.meta.dirname, "../../packages/hasp/scripts/start.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8", timeout: 120_000 });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).not.toMatch(/warning/u);
  expect(stdout).toMatch(/^Next/mu);
  expect(stdout.split("\n").length).toBeLessThan(15);
});
