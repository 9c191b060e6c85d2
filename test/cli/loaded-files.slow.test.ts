// The file that a program loads is the file that was judged: files that take the place of others, and packages of the
// same repository, which no lockfile pins.
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

function git(folder: string, ...words: readonly string[]): void {
  const identity = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
  const run = spawnSync("git", [...identity, ...words], { cwd: folder, encoding: "utf8" });
  expect([words, run.status, run.stderr]).toMatchObject([words, 0, expect.anything()]);
}

/** Commits everything in a folder as `base`. */
function commit(folder: string): void {
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", "x");
  git(folder, "tag", "base");
}

/** Links a folder under a name, as a package manager links the packages of a workspace. */
function link(top: string, path: string, target: string): void {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  symlinkSync(relative(dirname(join(top, path)), join(top, target)), join(top, path));
}

const config = "specs: [specs]\ndialects: [mcp]\n";
const plain = minimalSpec("do_it");
const custom = minimalSpec("do_it", "concurrency: { class: UNSAFE, rules: [{ custom: isRead, class: READ_ONLY }] }\n");
const handler = "export const execute = async (): Promise<string> => 'done';\n";

async function findings(folder: string, words: readonly string[]): Promise<readonly (string | null)[]> {
  const { diagnostics } = await haspJson(folder, words);
  return diagnostics.filter(({ severity }) => severity !== "info").flatMap(({ code, uri }) => [code, uri]);
}

describe("a file beside a handler that a program may load in its place", () => {
  const files = { "hasp.config.yaml": config, "specs/do_it.tool.yaml": plain, "src/tools/do-it.ts": handler };

  test.each(["do-it.js", "do-it.js.ts", "do-it.js/index.js", "Do-It.js"])("%s fails every command", async (name) => {
    const folder = project({ ...files, [`src/tools/${name}`]: handler });
    const path = `src/tools/${name.split("/")[0]}`;
    expect(await findings(folder, ["check"])).toEqual(["project/handler-twin", path]);
    expect(await findings(folder, ["build"])).toContain("project/handler-twin");
    expect((await hasp(folder, ["call", "do_it", '{"id":"x"}'])).code).toBe(2);
  });

  test.each(["do-it.test.ts", "do-it.d.ts", "do-it.js.map", "do-it-too.js", "do-it.json"])(
    "%s is no such file",
    async (name) => {
      expect(await findings(project({ ...files, [`src/tools/${name}`]: "" }), ["check"])).toEqual([]);
    },
  );

  test("a file that git ignores is what a compiler wrote, and does not count", async () => {
    const folder = project({ ...files, ".gitignore": "*.js\n", "src/tools/do-it.js": handler });
    expect(await findings(folder, ["check"])).toEqual(["project/handler-twin", "src/tools/do-it.js"]);
    git(folder, "init", "-q");
    expect(await findings(folder, ["check"])).toEqual([]);
    // Ignored files can be tracked all the same.
    git(folder, "add", "-f", "src/tools/do-it.js");
    expect(await findings(folder, ["check"])).toEqual(["project/handler-twin", "src/tools/do-it.js"]);
  });
});

describe("a file beside a generated module that a program may load in its place", () => {
  test.each(["specs/do_it.js", "registry.js.ts", "tools/do-it.js"])("%s fails a check of the build", async (name) => {
    const folder = project({ "hasp.config.yaml": config, "specs/do_it.tool.yaml": plain });
    // An earlier run must not hide it.
    const cache = { XDG_CACHE_HOME: project() };
    const check = async (): Promise<readonly unknown[]> => {
      const { code, diagnostics } = await haspJson(folder, ["build", "--check"], cache);
      return [code, ...diagnostics.flatMap((found) => (found.severity === "info" ? [] : [found.code, found.uri]))];
    };
    expect((await hasp(folder, ["build"], cache)).code).toBe(0);
    put(folder, { "src/tools/do-it.ts": handler });
    expect(await check()).toEqual([0]);
    put(folder, { [`src/generated/${name}`]: "export {};\n" });
    expect(await check()).toEqual([1, "drift/twin", `src/generated/${name}`]);
    const call = await hasp(folder, ["call", "do_it", '{"id":"x"}', "--allow"], cache);
    // A call loads the tool's own modules.
    expect([call.code, `${call.out}${call.error}`.includes("drift/twin")]).toEqual(
      name.startsWith("tools/") ? [2, true] : [0, false],
    );
    put(folder, { ".gitignore": "*.js\n*.js.ts\n" });
    git(folder, "init", "-q");
    // git ignores the file, so it is no twin. No compiler writes TypeScript, so such a file is a stranger.
    const isStrange = name.endsWith(".ts");
    expect(await check()).toEqual([0, ...(isStrange ? ["drift/stranger", `src/generated/${name}`] : [])]);
  });
});

describe("a program that imports generated modules without an ending", () => {
  const twins = [
    "registry.tsx",
    "registry.mts",
    "registry.mjs",
    "registry.cjs",
    "registry.json",
    "registry",
    "specs.ts",
  ];

  test.each([...twins, "specs/do_it.mts", "specs/index.jsx"])("gets no %s in their place", async (name) => {
    const folder = project({ "hasp.config.yaml": config, "specs/do_it.tool.yaml": plain });
    const cache = { XDG_CACHE_HOME: project() };
    const check = async (): Promise<readonly unknown[]> => {
      const { code, diagnostics } = await haspJson(folder, ["build", "--check"], cache);
      return [code, ...diagnostics.flatMap((found) => (found.severity === "info" ? [] : [found.code, found.uri]))];
    };
    expect((await hasp(folder, ["build"], cache)).code).toBe(0);
    put(folder, { "src/tools/do-it.ts": handler });
    expect([await check(), await check()]).toEqual([[0], [0]]);
    put(folder, { [`src/generated/${name}`]: "export {};\n" });
    expect(await check()).toEqual([1, "drift/twin", `src/generated/${name}`]);
  });

  test("is warned of other files there by every check, also if nothing else has changed", async () => {
    const folder = project({
      "hasp.config.yaml": config,
      "specs/do_it.tool.yaml": plain,
      "src/tools/do-it.ts": handler,
    });
    const cache = { XDG_CACHE_HOME: project() };
    const check = async (): Promise<readonly unknown[]> =>
      (await haspJson(folder, ["build", "--check"], cache)).diagnostics.map((found) => [found.code, found.uri]);
    await hasp(folder, ["build"], cache);
    expect([await check(), await check()]).toEqual([[], []]);
    put(folder, { "src/generated/more.mts": "", "src/generated/specs/old.json": "" });
    const strangers = ["more.mts", "specs/old.json"].map((name) => ["drift/stranger", `src/generated/${name}`]);
    expect([await check(), await check()]).toEqual([strangers, strangers]);
  });
});

describe("a generated file that programs would load from elsewhere", () => {
  const names = ["street", "city", "country"].map(
    (name) => `${name}: { type: string, maxLength: 99, description: A ${name}. }`,
  );
  const shared = `$defs: { Address: { type: object, required: [city], properties: { ${names.join(", ")} } } }\n`;
  const address = '{ $ref: "../shared/addresses.yaml#/$defs/Address" }';
  const files = {
    "hasp.config.yaml": `${config}toolsets: { support: { policy: policies/support.yaml } }\n`,
    "specs/do_it.tool.yaml": plain.replace("properties:\n", `properties:\n    from: ${address}\n    to: ${address}\n`),
    "shared/addresses.yaml": shared,
    "policies/support.yaml": "hasp: 1\nmode: ask\n",
    "src/tools/do-it.ts": handler,
    "package.json": '{ "type": "module" }\n',
  };
  const commands = [
    ["check"],
    ["build"],
    ["build", "--check"],
    ["diff", "base"],
    ["call", "do_it", '{"id":"x"}', "--allow"],
  ];
  const cache = { XDG_CACHE_HOME: project() };

  async function built(): Promise<string> {
    const folder = project(files);
    expect(await hasp(folder, ["build"], cache)).toMatchObject({ code: 0 });
    commit(folder);
    // An earlier run must not hide anything.
    for (const words of commands) expect([words, await errors(folder, words)]).toEqual([words, []]);
    return folder;
  }

  async function errors(folder: string, words: readonly string[]): Promise<readonly unknown[]> {
    const { diagnostics } = await haspJson(folder, words, cache);
    return diagnostics.flatMap(({ code, severity, uri, line }) => (severity === "error" ? [[code, uri, line]] : []));
  }

  /** Moves an entry to another folder, without its neighbours, and puts a link in its place. */
  function moveBehindLink(folder: string, path: string): () => void {
    const target = `elsewhere/${path}`;
    mkdirSync(dirname(join(folder, target)), { recursive: true });
    renameSync(join(folder, path), join(folder, target));
    link(folder, path, target);
    return () => {
      rmSync(join(folder, path));
      renameSync(join(folder, target), join(folder, path));
    };
  }

  test("is an error for every kind of file, behind a link and under a replacement", async () => {
    const folder = await built();
    const names = Object.keys(tree(join(folder, "src/generated")));
    const kinds = ["registry.ts", "specs/index.ts", "support/providers/mcp.ts", "support/policy.ts", "definitions.ts"];
    expect(names).toEqual(expect.arrayContaining([...kinds, "tools/do-it.ts", "manifest.json"]));
    const folders = names.map((name) => dirname(`src/generated/${name}`));
    const paths = new Set(["src", ...folders, ...names.map((name) => `src/generated/${name}`)]);
    for (const path of paths) {
      const restore = moveBehindLink(folder, path);
      expect(await errors(folder, ["check"])).toEqual([["drift/link", path, 1]]);
      restore();
    }
    for (const name of names) {
      const path = `src/generated/${name}`;
      for (const key of [`./${path}`, path, `./${path.replace(/\.ts$/u, ".js")}`, `./${path.replace(/\.ts$/u, "")}`]) {
        put(folder, { "package.json": `{\n  "browser": {\n    ${JSON.stringify(key)}: "./src/other.js"\n  }\n}\n` });
        expect([key, await errors(folder, ["check"])]).toEqual([key, [["drift/replaced", "package.json", 3]]]);
      }
    }
    put(folder, { "package.json": files["package.json"] });
    expect(await errors(folder, ["check"])).toEqual([]);
  });

  test.each(commands.map((words) => [words.join(" "), words] as const))("fails hasp %s", async (_, words) => {
    const folder = await built();
    const restore = moveBehindLink(folder, "src/generated/registry.ts");
    expect(await errors(folder, words)).toEqual([["drift/link", "src/generated/registry.ts", 1]]);
    restore();
    put(folder, { "src/package.json": '{ "browser": { "./generated/registry.js": false } }' });
    expect(await errors(folder, words)).toEqual([["drift/replaced", "src/package.json", 1]]);
    rmSync(join(folder, "src/package.json"));
    // The nearest file with such a field counts, and that of the folder of an index.
    put(folder, { "src/generated/specs/package.json": '{ "main": "./do_it.js" }' });
    expect(await errors(folder, words)).toEqual([["drift/replaced", "src/generated/specs/package.json", 1]]);
    rmSync(join(folder, "src/generated/specs/package.json"));
    expect(await errors(folder, words)).toEqual([]);
  });

  test.each(["check", "build", "build --check", "diff base", "ci", "ci --base base"])(
    "fails hasp %s, and is reported once, if a file beside it has its name",
    async (words) => {
      const folder = await built();
      put(folder, { "src/generated/specs/do_it.js": "export {};\n" });
      const found = [["drift/twin", "src/generated/specs/do_it.js", 1]];
      expect(await errors(folder, words.split(" "))).toEqual(found);
      git(folder, "tag", "--delete", "base");
      commit(folder);
      expect(await errors(folder, words.split(" "))).toEqual(found);
    },
  );

  test("is neither written nor deleted through a link", async () => {
    const folder = await built();
    moveBehindLink(folder, "src/generated");
    const before = tree(join(folder, "elsewhere"));
    put(folder, { "specs/do_it.tool.yaml": files["specs/do_it.tool.yaml"].replace("one record", "one Record") });
    for (const words of [["build"], ["build", "--clean"]]) {
      expect([words, await errors(folder, words)]).toEqual([words, [["drift/link", "src/generated", 1]]]);
    }
    expect(tree(join(folder, "elsewhere"))).toEqual(before);
  });

  test.each(["./elsewhere.js", "./src/generated.test.js", "src/tools/other.js", "lib/registry"])(
    "is no replacement of %s",
    async (key) => {
      const folder = project({ ...files, "package.json": JSON.stringify({ browser: { [key]: "./x.js" } }) });
      expect(await errors(folder, ["check"])).toEqual([]);
    },
  );
});

describe("a package that generated modules import", () => {
  const files = { "hasp.config.yaml": config, "specs/do_it.tool.yaml": plain, "src/tools/do-it.ts": handler };
  const runtime = "@hasp/runtime/codegen/v1";
  const other = { "src/other.ts": "export const failClosed = (each: unknown) => each;" };
  const lines = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
  const mapped = (paths: object): Readonly<Record<string, string>> => ({
    "tsconfig.json": lines({ compilerOptions: { paths } }),
  });
  const found = async (folder: string, words: readonly string[] = ["check"]): Promise<readonly unknown[]> =>
    (await haspJson(folder, words)).diagnostics.flatMap(({ code, uri }) =>
      code?.startsWith("drift/") === true ? [[code, uri]] : [],
    );

  test.each([
    ["tsconfig.json", mapped({ [runtime]: ["./src/other.ts"] })],
    ["tsconfig.json", mapped({ "@/*": ["./src/*"], "@hasp/*": ["./src/other.ts"] })],
    [
      "base.json",
      {
        "tsconfig.json": '{ "extends": "./base" }',
        "base.json": mapped({ "*": ["./src/other.ts"] })["tsconfig.json"] ?? "",
      },
    ],
    [
      `src/${runtime}.ts`,
      { "tsconfig.json": lines({ compilerOptions: { baseUrl: "src" } }), [`src/${runtime}.ts`]: "" },
    ],
    ["tsconfig.json", { "tsconfig.json": '{ "compilerOptions": {}, "compilerOptions": {} }' }],
    [
      "tsconfig.json",
      { "tsconfig.json": lines({ extends: "./gone", compilerOptions: { paths: { "*": ["./src/other.ts"] } } }) },
    ],
    ["package.json", { "package.json": lines({ browser: { [runtime]: "./src/other.ts" } }) }],
    ["package.json", { "package.json": lines({ browser: { [runtime]: false } }) }],
    ["package.json", { "package.json": lines({ "react-native": { [runtime]: "other" } }) }],
    ["package.json", { "package.json": lines({ alias: { "@hasp/handlers/http/v1": "./src/other.ts" } }) }],
    ["deno.json", { "deno.json": lines({ imports: { [runtime]: "./src/other.ts" } }) }],
    ["deno.json", { "deno.json": lines({ importMap: "./map.json" }) }],
    [
      "package.json",
      { "package.json": lines({ name: "@hasp/runtime", exports: { "./codegen/v1": "./src/other.ts" } }) },
    ],
  ])("is replaced, which is reported at %s: %j", async (uri, settings) => {
    const folder = project({ ...files, ...other, ...settings });
    expect(await found(folder)).toEqual([["drift/replaced", uri]]);
  });

  test("is replaced in every command", async () => {
    const folder = project(files);
    await hasp(folder, ["build"]);
    commit(folder);
    put(folder, { ...other, ...mapped({ [runtime]: ["./src/other.ts"] }) });
    for (const words of [["check"], ["build", "--check"], ["diff", "base"]]) {
      expect([words, await found(folder, words)]).toEqual([words, [["drift/replaced", "tsconfig.json"]]]);
    }
  });

  test("is replaced by a package of the repository that is linked under its name", async () => {
    const folder = project({ ...files, "packages/other/codegen/v1.js": "" });
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    link(folder, "node_modules/@hasp/runtime", "packages/other");
    expect(await found(folder)).toEqual([["drift/replaced", "packages/other/codegen/v1.js"]]);
  });

  test.each([
    ["paths to types", mapped({ "*": ["./types/*"], "@/*": ["./src/*"] })],
    ["a base without such a file", { "tsconfig.json": lines({ compilerOptions: { baseUrl: "." } }) }],
    [
      "paths to installed packages",
      { ...mapped({ "*": ["./node_modules/*"] }), "node_modules/@hasp/runtime/codegen/v1.js": "" },
    ],
    [
      "a replacement of another package",
      { "package.json": lines({ browser: { pg: false, "./src/a.js": "./src/b.js" } }) },
    ],
  ])("is not replaced by %s", async (_what, settings) => {
    const folder = project(files);
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    put(folder, settings);
    expect(await found(folder)).toEqual([]);
  });
});

describe("an approval of a function", () => {
  /** Approves the function of a handler, and tells whether the approval holds after a change. */
  async function holdsAfter(
    files: Readonly<Record<string, string>>,
    change: Readonly<Record<string, string>>,
    at = ".",
    prepare: (top: string) => void = () => undefined,
  ): Promise<boolean> {
    const inProject = { "hasp.config.yaml": config, "specs/do_it.tool.yaml": custom };
    const top = project(Object.fromEntries(Object.entries(inProject).map(([path, text]) => [join(at, path), text])));
    put(top, files);
    prepare(top);
    const folder = join(top, at);
    const approved = await hasp(folder, ["approve", "*", "--yes", "--reason", "It reads."]);
    expect(approved.code, approved.out).toBe(0);
    expect(await findings(folder, ["check"])).toEqual([]);
    put(top, change);
    const codes = await findings(folder, ["check"]);
    return !codes.includes("ledger/stale");
  }
  const importing = (specifier: string): string =>
    `import { isSafe } from ${JSON.stringify(specifier)};\nexport const isRead = (): boolean => isSafe();\n${handler}`;
  const before = "export const isSafe = () => false;\n";
  const after = "export const isSafe = () => true;\n";

  test("covers what the handler imports from the generated folder, unless a build made it", async () => {
    const files = { "src/tools/do-it.ts": importing("../generated/lib.js"), "src/generated/lib.js": before };
    expect(await holdsAfter(files, { "src/generated/lib.js": after })).toBe(false);
    const manifest = '{\n  "outputs": {\n    "src/generated/lib.js": "shared"\n  }\n}\n';
    const built = { ...files, "src/generated/manifest.json": manifest };
    expect(await holdsAfter(built, { "src/generated/lib.js": after })).toBe(true);
  });

  test("covers the packages of the same workspace, and those that they import", async () => {
    const files = {
      "package.json": '{ "workspaces": ["agent", "packages/*"] }',
      "agent/src/tools/do-it.ts": importing("@acme/lib"),
      "packages/lib/package.json": '{ "name": "@acme/lib", "exports": { "import": "./src/index.ts" } }',
      "packages/lib/src/index.ts": 'export * from "@acme/base/rules";\n',
      "packages/base/rules.js": before,
      "node_modules/installed/index.js": before,
    };
    const linked = (top: string): void => {
      link(top, "node_modules/@acme/lib", "packages/lib");
      link(top, "packages/lib/node_modules/@acme/base", "packages/base");
    };
    expect(await holdsAfter(files, { "packages/base/rules.js": after }, "agent", linked)).toBe(false);
    expect(await holdsAfter(files, { "packages/base/other.js": after }, "agent", linked)).toBe(true);
    const installed = { ...files, "agent/src/tools/do-it.ts": importing("installed") };
    expect(await holdsAfter(installed, { "node_modules/installed/index.js": after }, "agent", linked)).toBe(true);
  });

  test.each([
    { dependencies: { "@acme/lib": "file:./packages/lib" } },
    { dependencies: { "@acme/lib": "1.0.0" }, overrides: { other: { "@acme/lib": { ".": "file:packages/lib" } } } },
    { devDependencies: { "@acme/lib": "1.0.0" }, resolutions: { "**/@acme/lib@^1": "portal:./packages/lib" } },
    { dependencies: { "@acme/lib": "~1.0.0" }, pnpm: { overrides: { "other@1>@acme/lib": "./packages/lib" } } },
  ])("covers a folder of the repository that is copied as a package: %j", async (settings) => {
    const files = {
      "package.json": JSON.stringify(settings),
      "src/tools/do-it.ts": importing("@acme/lib"),
      "packages/lib/package.json": '{ "name": "@acme/lib", "exports": "./index.js" }',
      "packages/lib/index.js": before,
      "node_modules/@acme/lib/index.js": before,
    };
    expect(await holdsAfter(files, { "packages/lib/index.js": after })).toBe(false);
    expect(await holdsAfter(files, { "packages/lib/other.js": after })).toBe(true);
  });

  test("covers a handler behind a link", async () => {
    const files = { "shared/do-it.ts": `${before}export const isRead = isSafe;\n${handler}` };
    const linked = (top: string): void => link(top, "src/tools/do-it.ts", "shared/do-it.ts");
    const change = { "shared/do-it.ts": `${after}export const isRead = isSafe;\n${handler}` };
    expect(await holdsAfter(files, change, ".", linked)).toBe(false);
  });

  test("cannot be given for a copy whose folder is unknown", async () => {
    const folder = project({
      "hasp.config.yaml": config,
      "package.json": '{ "dependencies": { "@acme/lib": "workspace:*" } }',
      "specs/do_it.tool.yaml": custom,
      "src/tools/do-it.ts": importing("@acme/lib"),
      "node_modules/.pnpm/@acme+lib@file+packages+lib/node_modules/@acme/lib/index.js": before,
    });
    link(folder, "node_modules/@acme/lib", "node_modules/.pnpm/@acme+lib@file+packages+lib/node_modules/@acme/lib");
    await hasp(folder, ["approve", "*", "--yes", "--reason", "It reads."]);
    const { diagnostics } = await haspJson(folder, ["check"]);
    expect(diagnostics).toMatchObject([
      { code: "ledger/cannot-cover", message: expect.stringContaining("do-it.ts:1:24 imports") },
    ]);
  });

  test("cannot be given for code outside the repository", async () => {
    const folder = project({
      "hasp.config.yaml": config,
      "specs/do_it.tool.yaml": custom,
      "src/tools/do-it.ts": importing("@acme/lib"),
    });
    link(folder, "node_modules/@acme/lib", `../${project({ "index.js": before }).split("/").at(-1)}`);
    await hasp(folder, ["approve", "*", "--yes", "--reason", "It reads."]);
    expect(await findings(folder, ["check"])).toContain("ledger/cannot-cover");
  });
});

describe("hasp diff in a workspace", () => {
  /** Compares each change in a workspace, whose project is in `agent`, with the commit before. */
  async function changed(
    files: Readonly<Record<string, string>>,
    changes: readonly Readonly<Record<string, string>>[],
    prepare: (top: string) => void = () => undefined,
  ): Promise<readonly (readonly string[])[]> {
    const top = project({
      ".gitignore": "node_modules\ndist\n",
      "agent/specs/do_it.tool.yaml": plain,
      "packages/preset/hasp.config.yaml": "extends: ./rules.yaml\n",
      "packages/preset/rules.yaml": "findings: [{ rule: naming/vague-name, severity: error }]\n",
      ...files,
    });
    link(top, "node_modules/@acme/preset", "packages/preset");
    prepare(top);
    commit(top);
    const folder = join(top, "agent");
    const none = await haspJson(folder, ["diff", "base"]);
    expect([none.code, none.diagnostics]).toEqual([0, []]);
    const found: (readonly string[])[] = [];
    for (const change of changes) {
      put(top, change);
      found.push((await haspJson(folder, ["diff", "base"])).diagnostics.map(({ code }) => code));
      git(top, "reset", "-q", "--hard");
      git(top, "clean", "-fdq");
    }
    return found;
  }
  const lowered = "findings: [{ rule: naming/vague-name, severity: 'off' }]\n";

  test("sees a rule that a linked preset lowers", async () => {
    const files = { "agent/hasp.config.yaml": `extends: "@acme/preset"\n${config}` };
    expect(await changed(files, [{ "packages/preset/rules.yaml": lowered }])).toEqual([["diff/rule-lowered"]]);
  });

  const packaged = (severity: string): string =>
    `export default [{ rule: "naming/vague-name", severity: "${severity}", reason: "Ours." }];\n`;

  test("sees a rule that a configuration imports from a linked package", async () => {
    const files = {
      "agent/hasp.config.mjs":
        'import findings from "@acme/preset/rules.mjs";\nexport default { specs: ["specs"], dialects: ["mcp"], findings };\n',
      "packages/preset/package.json": '{ "name": "@acme/preset" }',
      "packages/preset/rules.mjs": packaged("error"),
    };
    expect(await changed(files, [{ "packages/preset/rules.mjs": packaged("off") }])).toEqual([["diff/rule-lowered"]]);
  });

  const pluginConfig = { "agent/hasp.config.yaml": `plugins: ["@acme/plugin"]\n${config}` };
  const pluginPackage = (main: string): string => `{ "name": "@acme/plugin", "type": "module", "main": "${main}" }`;
  const pluginText = 'import "@acme/base";\nexport default { name: "acme", rules: [] };\n';
  const linkPlugin = (top: string): void => {
    link(top, "node_modules/@acme/plugin", "packages/plugin");
    link(top, "packages/plugin/node_modules/@acme/base", "packages/base");
  };

  test("sees a change of a linked plugin and of what it imports", async () => {
    const files = {
      ...pluginConfig,
      "packages/plugin/package.json": pluginPackage("./index.js"),
      "packages/plugin/index.js": pluginText,
      "packages/base/package.json": '{ "name": "@acme/base", "exports": "./index.mjs" }',
      "packages/base/index.mjs": "",
    };
    const changes = [
      { "packages/plugin/index.js": `${pluginText}// more\n` },
      { "packages/base/index.mjs": "// more\n" },
    ];
    expect(await changed(files, changes, linkPlugin)).toEqual([["diff/plugin-changed"], ["diff/plugin-changed"]]);
  });

  test("sees a change of what a linked plugin reads, and of no other file", async () => {
    const files = {
      ...pluginConfig,
      "packages/plugin/package.json": pluginPackage("./index.js"),
      "packages/plugin/index.js": `import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
const here = dirname(fileURLToPath(import.meta.url));
readdirSync(join(here, "lists"));
export default { name: readFileSync(join(here, "name.csv"), "utf8").trim().slice(0, 4), rules: [] };
`,
      "packages/plugin/name.csv": "acme\n",
      "packages/plugin/lists/one.csv": "one\n",
    };
    const paths = ["name.csv", "lists/one.csv", "lists/more.csv", "other.csv"];
    const changes = paths.map((path) => ({ [`packages/plugin/${path}`]: "acme more\n" }));
    const isSeen = ["diff/plugin-changed"];
    expect(await changed(files, changes, linkPlugin)).toEqual([isSeen, isSeen, isSeen, []]);
  });

  test("takes a plugin whose compiled form git ignores for changed if any file of its package is", async () => {
    const files = {
      ...pluginConfig,
      "packages/plugin/package.json": pluginPackage("./dist/index.js"),
      "packages/plugin/src/index.ts": "export {};\n",
      "packages/plugin/rules.txt": "one\n",
      "packages/plugin/dist/index.js": pluginText.replace('import "@acme/base";\n', ""),
      "packages/plugin/dist/data.txt": "one\n",
    };
    const paths = ["src/index.ts", "src/added.ts", "rules.txt", "build.sh"];
    const changes = paths.map((path) => ({ [`packages/plugin/${path}`]: "export const more = 1;\n" }));
    expect(await changed(files, changes, linkPlugin)).toEqual(changes.map(() => ["diff/plugin-changed"]));
  });

  /** Builds and commits a project, and compares it with that commit after a change of what git ignores. */
  async function changedAfterBuild(
    files: Readonly<Record<string, string>>,
    change: Readonly<Record<string, string>>,
  ): Promise<readonly string[]> {
    const top = project({ ".gitignore": "node_modules\ndist\n", "agent/specs/do_it.tool.yaml": plain, ...files });
    link(top, "node_modules/@acme/plugin", "packages/plugin");
    git(top, "init", "-q", "-b", "main");
    const folder = join(top, "agent");
    expect(await hasp(folder, ["build"])).toMatchObject({ code: 0 });
    commit(top);
    put(top, { "README.md": "More.\n" });
    expect((await haspJson(folder, ["diff", "base"])).diagnostics).toEqual([]);
    put(top, change);
    const codes = (await haspJson(folder, ["diff", "base"])).diagnostics.map(({ code }) => code);
    expect(await findings(folder, ["build", "--check"])).toContain("drift/outdated");
    return codes;
  }
  const program =
    'import findings from "@acme/plugin";\nexport default { specs: ["specs"], dialects: ["mcp"], findings };\n';

  test.each([
    [
      "a plugin that was compiled from files outside its package",
      {
        ...pluginConfig,
        "packages/plugin/package.json": pluginPackage("./dist/index.js"),
        "packages/plugin/dist/index.js": pluginText.replace('import "@acme/base";\n', ""),
        "rules/rule.js": "1;\n",
      },
      {
        "packages/plugin/dist/index.js": `${pluginText.replace('import "@acme/base";\n', "")}2;\n`,
        "rules/rule.js": "2;\n",
      },
      "diff/plugin-changed",
    ],
    [
      "a plugin that is a copy",
      {
        "agent/hasp.config.yaml": `plugins: ["copied"]\n${config}`,
        "node_modules/copied/package.json": '{ "name": "copied", "type": "module", "main": "./index.js" }',
        "node_modules/copied/index.js": 'export default { name: "acme", rules: [] };\n',
      },
      { "node_modules/copied/index.js": 'export default { name: "acme", rules: [] };\n2;\n' },
      "diff/plugin-changed",
    ],
    [
      "a preset that is a copy",
      {
        "agent/hasp.config.yaml": `extends: copied/rules.yaml\n${config}`,
        "node_modules/copied/rules.yaml": "findings: [{ rule: naming/vague-name, severity: error }]\n",
      },
      { "node_modules/copied/rules.yaml": lowered },
      "diff/settings-unknown",
    ],
    [
      "a preset that is made",
      {
        "agent/hasp.config.yaml": `extends: "@acme/plugin/dist/rules.yaml"\n${config}`,
        "packages/plugin/dist/rules.yaml": "findings: [{ rule: naming/vague-name, severity: error }]\n",
      },
      { "packages/plugin/dist/rules.yaml": lowered },
      "diff/settings-unknown",
    ],
    [
      "a configuration that imports a compiled package",
      {
        "agent/hasp.config.mjs": program,
        "packages/plugin/package.json": pluginPackage("./dist/index.js"),
        "packages/plugin/dist/index.js": packaged("error"),
      },
      { "packages/plugin/dist/index.js": packaged("off") },
      "diff/settings-unknown",
    ],
    [
      "a configuration that imports a copy",
      {
        "agent/hasp.config.mjs": program.replace("@acme/plugin", "copied"),
        "node_modules/copied/package.json": '{ "name": "copied", "type": "module", "main": "./index.js" }',
        "node_modules/copied/index.js": packaged("error"),
      },
      { "node_modules/copied/index.js": packaged("off") },
      "diff/settings-unknown",
    ],
  ])("compares with what the last build read: %s", async (_, files, change, finding) => {
    expect(await changedAfterBuild(files, change as Readonly<Record<string, string>>)).toEqual([finding]);
  });

  test("reads at the ref whatever a handler, a configuration or a plugin reads", async () => {
    const reading = (path: string): string => `readFileSync(new URL("${path}", import.meta.url), "utf8")`;
    const files = {
      "agent/hasp.config.mjs": `import { readFileSync } from "node:fs";
const severity = ${reading("./severity.txt")}.trim();
export default { specs: ["specs"], dialects: ["mcp"], plugins: ["@acme/plugin"], findings: [{ rule: "naming/vague-name", severity }] };
`,
      "agent/severity.txt": "error\n",
      "agent/specs/do_it.tool.yaml": custom,
      "agent/src/tools/do-it.ts": `import { readFileSync } from "node:fs";
const ids = ${reading("./ids.txt")} + ${reading("./linked.sql")} + ${reading("./data")};
export const isRead = () => ids.length > 0;
${handler}`,
      "agent/src/tools/ids.txt": "a\n",
      "agent/src/tools/data": "a\n",
      "shared/query.sql": "SELECT 1;\n",
      "packages/plugin/package.json": pluginPackage("./index.js"),
      "packages/plugin/index.js": `import { readFileSync } from "node:fs";
export default { name: ${reading("./name.csv")}.trim(), rules: [] };
`,
      "packages/plugin/name.csv": "acme\n",
    };
    const prepare = (top: string): void => {
      linkPlugin(top);
      link(top, "agent/src/tools/linked.sql", "shared/query.sql");
    };
    const paths = ["agent/src/tools/ids.txt", "agent/src/tools/data", "shared/query.sql"];
    const changes = [{ "agent/severity.txt": "off\n" }, ...paths.map((path) => ({ [path]: "more\n" }))];
    const isCovered = ["diff/covers-changed"];
    expect(await changed(files, changes, prepare)).toEqual([["diff/rule-lowered"], isCovered, isCovered, isCovered]);
  });

  test("reads a package that the change has moved from where it was", async () => {
    const files = { "agent/hasp.config.yaml": `extends: "@acme/preset"\n${config}` };
    const top = project({
      ...files,
      "agent/specs/do_it.tool.yaml": plain,
      "packages/preset/hasp.config.yaml": lowered,
    });
    link(top, "node_modules/@acme/preset", "packages/preset");
    commit(top);
    renameSync(join(top, "packages/preset"), join(top, "packages/rules"));
    link(top, "packages/preset", "packages/rules");
    expect((await haspJson(join(top, "agent"), ["diff", "base"])).code).toBe(2);
  });

  test("follows tracked links and paths out of the project, as the project does", async () => {
    const files = {
      "agent/hasp.config.yaml": config,
      "agent/specs/do_it.tool.yaml": custom,
      "agent/src/tools/do-it.ts": `import "../../../shared/a.js";\nimport "./linked/b.js";\n${handler}`,
      "shared/a.ts": "",
      "shared/more/b.ts": "",
    };
    const changes = ["shared/a.ts", "shared/more/b.ts"].map((path) => ({ [path]: "export {};\n" }));
    const found = await changed(files, changes, (top) => link(top, "agent/src/tools/linked", "shared/more"));
    expect(found).toEqual([["diff/covers-changed"], ["diff/covers-changed"]]);
  });
});
