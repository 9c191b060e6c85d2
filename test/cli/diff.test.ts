import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, tree, type JsonFinding } from "./command-line.js";

const config = "specs: [specs]\ndialects: [anthropic]\n";

function git(folder: string, ...words: readonly string[]): string {
  const run = spawnSync(
    "git",
    ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false", ...words],
    { cwd: folder, encoding: "utf8" },
  );
  expect([words, run.status, run.stderr]).toMatchObject([words, 0, expect.anything()]);
  return run.stdout.trim();
}

function commit(folder: string): void {
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", "x");
}

/** A repository whose first commit, called `base`, holds these files. */
function repository(files: Readonly<Record<string, string>>, below = ""): string {
  const top = project();
  git(top, "init", "-q", "-b", "main");
  const folder = join(top, below);
  mkdirSync(folder, { recursive: true });
  put(folder, { "hasp.config.yaml": config, ...files });
  commit(top);
  git(top, "tag", "base");
  return folder;
}

const spec = (input: string, extra = ""): string => `hasp: 1
name: a
description: Look one record up. Use it when an id is known. Do not use it to search.
input: ${input}
limits: { maxResultSizeChars: 20000 }
${extra}`;

const inputOf = (properties: string, required = "[]", extra = ""): string =>
  `{ type: object, required: ${required}, properties: { ${properties} }${extra} }`;

/** Runs `hasp diff` between two texts of one spec and returns the findings that fail. Folders need no git. */
async function between(before: string, after: string): Promise<readonly JsonFinding[]> {
  const top = project({
    "before/hasp.config.yaml": config,
    "before/specs/a.tool.yaml": before,
    "after/hasp.config.yaml": config,
    "after/specs/a.tool.yaml": after,
  });
  const run = await haspJson(join(top, "after"), ["diff", "../before"]);
  const found = run.diagnostics.filter(({ severity }) => severity !== "info");
  expect(run.code).toBe(found.some(({ severity }) => severity === "error") ? 1 : 0);
  return found;
}

const codes = (found: readonly JsonFinding[]): readonly string[] => found.map(({ code }) => code.slice("diff/".length));

describe("hasp diff <ref>", () => {
  test("finds nothing where nothing has changed, and leaves work tree, index and temporary files alone", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a") });
    put(folder, { "notes.txt": "untracked" });
    const copies = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("hasp-base-"));
    const before = [tree(folder), git(folder, "status", "--porcelain")];
    const earlier = copies();
    const run = await hasp(folder, ["diff", "base"]);
    expect([run.code, run.error]).toEqual([0, ""]);
    expect(run.out).toContain("Nothing that affects callers, safety or the prompt has changed since base.");
    expect([tree(folder), git(folder, "status", "--porcelain")]).toEqual(before);
    expect(copies().filter((name) => !earlier.includes(name))).toEqual([]);
  });

  test("a history: a call refused with its witness, a claim with its own approval, a text with its tokens", async () => {
    const folder = repository({
      "specs/a.tool.yaml": minimalSpec("a"),
      "specs/b.tool.yaml": minimalSpec("b"),
      "specs/c.tool.yaml": minimalSpec("c"),
    });
    put(folder, {
      "specs/a.tool.yaml": minimalSpec("a").replace("maxLength: 100", "maxLength: 20"),
      "specs/b.tool.yaml": minimalSpec("b", "concurrency: { class: READ_ONLY }\n"),
      "specs/c.tool.yaml": minimalSpec("c").replace("Which record.", "Which of all the records it is."),
    });
    expect((await hasp(folder, ["approve", "b", "--yes", "--reason", "It reads."])).code).toBe(0);
    commit(folder);
    const run = await haspJson(folder, ["diff", "HEAD~1"]);
    expect(run.code).toBe(1);
    expect(run.summary).toMatchObject({ base: "HEAD~1", breaks: 1, loosens: 1, prompt: 2, errors: 2 });
    expect(run.diagnostics).toMatchObject([
      { code: "diff/input-refused", tool: "a", uri: "specs/a.tool.yaml", line: 9 },
      {
        code: "diff/self-approved",
        tool: "b",
        uri: "hasp-ledger/b.yaml",
        message: expect.stringMatching(/was UNSAFE and is now looser: READ_ONLY\. Self-approved: .*It reads\./u),
      },
      { code: "diff/prompt-changed", tool: "a" },
      {
        code: "diff/prompt-changed",
        tool: "c",
        line: 9,
        message: expect.stringMatching(
          /the text of "id"\. "Which record\." → "Which of all the records it is\."\. About \d+ → \d+ tokens/,
        ),
      },
    ]);
    // The witness is a call: valid before, rejected now.
    const [, witness = ""] = /is now rejected: (\{.*?\})\. /.exec(run.diagnostics[0]?.message ?? "") ?? [];
    expect((JSON.parse(witness) as { id: string }).id.length).toBeGreaterThan(20);
    expect((await hasp(folder, ["diff", "HEAD"])).code).toBe(0);
    expect((await haspJson(folder, ["diff", "base", "--allow", "breaks", "loosens"])).code).toBe(0);
    expect((await haspJson(folder, ["diff", "base", "--allow", "breaks"])).code).toBe(1);
    const markdown = await hasp(folder, ["diff", "base", "--format", "markdown"]);
    const headings = markdown.out.split("\n").filter((line) => line.startsWith("#"));
    expect(headings).toEqual([
      "### hasp: 2 errors, no warnings, 2 notes",
      "#### Loosens safety: 1",
      "#### Breaks callers: 1",
      "#### Changes the prompt only: 2",
      "#### Costs",
    ]);
    expect(markdown.out).toMatch(
      /^- toolset all, anthropic: about \d+ → \d+ tokens in every request \(\+\d+\); its prompt cache is invalidated$/m,
    );
    expect(markdown.out).toContain("| `specs/a.tool.yaml:9` |");
    const pretty = await hasp(folder, ["diff", "base"]);
    expect(pretty.out).toContain("1 change breaks callers, or may");
    expect(pretty.out).toMatch(
      /toolset all, anthropic: about \d+ → \d+ tokens in every request \(\+\d+\); its prompt cache is invalidated/,
    );
  });

  test("a project in a folder of a repository, read as it was there", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a") }, "packages/tools");
    put(folder, { "specs/a.tool.yaml": minimalSpec("a").replace("[id]", "[]") });
    expect(await haspJson(folder, ["diff", "main"])).toMatchObject({ code: 0 });
    put(folder, {
      "specs/a.tool.yaml": minimalSpec("a", "behavior: { requiresPermission: false }\n").replace(
        "behavior: { interruptBehavior: block }\n",
        "",
      ),
    });
    expect((await haspJson(folder, ["diff", "main"])).diagnostics).toMatchObject([
      { code: "diff/loosened", message: expect.stringContaining("requiresPermission") },
    ]);
  });

  test("another folder instead of a ref", async () => {
    const other = project({
      "hasp.config.yaml": config,
      "specs/a.tool.yaml": minimalSpec("a"),
      "specs/b.tool.yaml": minimalSpec("b"),
    });
    const folder = project({ "hasp.config.yaml": config, "specs/a.tool.yaml": minimalSpec("a") });
    expect(await haspJson(folder, ["diff", other])).toMatchObject({
      code: 1,
      diagnostics: [{ code: "diff/tool-gone", tool: "b", uri: null }],
    });
    expect(await haspJson(folder, ["diff", "./nowhere"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "diff/base-unreadable" }],
    });
  });

  test.each(["origin/main", "main~9", "src", "C:x", "refs/heads/none", "..."])(
    "a folder that the change adds cannot stand in for the ref %s",
    async (ref) => {
      const spec = minimalSpec("a", "concurrency: { class: READ_ONLY }\n");
      for (const isRepository of [true, false]) {
        const files = { "hasp.config.yaml": config, "specs/a.tool.yaml": spec };
        const folder = isRepository ? repository(files) : project(files);
        put(folder, { [join(ref, "hasp.config.yaml")]: config, [join(ref, "specs/a.tool.yaml")]: spec });
        const run = await haspJson(folder, ["diff", ref]);
        const code = isRepository ? "diff/ref-not-found" : "diff/no-repository";
        expect(run).toMatchObject({
          code: 2,
          diagnostics: [{ code, message: expect.stringContaining(`write "./${ref}"`), help: expect.anything() }],
        });
        expect(await haspJson(folder, ["diff", `./${ref}`])).toMatchObject({ code: 0, diagnostics: [] });
      }
    },
  );

  test("an input that cannot be compared gives 2, with the remedy", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a") });
    const missing = await haspJson(folder, ["diff", "origin/main"]);
    expect(missing).toMatchObject({
      code: 2,
      diagnostics: [
        {
          code: "diff/ref-not-found",
          help: expect.stringContaining("git fetch --depth=1 origin main:refs/remotes/origin/main"),
        },
      ],
    });
    expect(
      await haspJson(project({ "hasp.config.yaml": config, "specs/a.tool.yaml": minimalSpec("a") }), ["diff", "main"]),
    ).toMatchObject({ code: 2, diagnostics: [{ code: "diff/no-repository" }] });
    // A hyphen makes no option of git's, and shell words are a name like any other.
    expect((await hasp(folder, ["--format", "json", "diff", "--", "--all"])).out).toContain("diff/ref-not-found");
    expect((await haspJson(folder, ["diff", "$(touch pwned)"])).code).toBe(2);
    expect(Object.keys(tree(folder))).not.toContain("pwned");
    git(folder, "checkout", "-q", "--orphan", "empty");
    git(folder, "rm", "-rq", "--cached", ".");
    git(folder, "commit", "-q", "--allow-empty", "-m", "empty");
    expect(await haspJson(folder, ["diff", "HEAD"])).toMatchObject({
      code: 1,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: "diff/project-new" })]),
    });
    put(folder, { "specs/a.tool.yaml": `${minimalSpec("a")}nonsense: 1\n` });
    expect(await haspJson(folder, ["diff", "base"])).toMatchObject({
      code: 1,
      diagnostics: [{ code: "resolve/unknown-key" }],
    });
  });

  test("a comment on a pull request has its headings and totals even where nothing changed, and stays short enough to be one", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a") });
    const calm = await hasp(folder, ["diff", "base", "--format", "markdown"]);
    expect(calm.out).toBe(
      "### hasp: no errors, no warnings, no notes\n\n#### Loosens safety: nothing\n\nNo new claims, and no milder values.\n\n" +
        "#### Breaks callers: nothing\n\nEvery call that was valid still is.\n\n#### Changes the prompt only: nothing\n\nModels read the same as before.\n",
    );
    const names = Array.from({ length: 150 }, (_, index) => `t${index}`);
    put(folder, Object.fromEntries(names.map((name) => [`specs/${name}.tool.yaml`, minimalSpec(name)])));
    const long = await hasp(folder, ["diff", "base", "--format", "markdown"]);
    expect(long.out).toContain("#### Changes the prompt only: 151\n");
    expect(long.out).toContain("| 150 tools |");
    expect(long.out).toContain(" and 142 more");
    expect(long.out.length).toBeLessThan(65_536);
  });

  test("hasp ci puts what loosens and breaks above its own findings, and what only rewords below", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a") });
    put(folder, { "specs/a.tool.yaml": minimalSpec("a", "concurrency: { class: READ_ONLY }\n") });
    const { out } = await hasp(folder, ["ci", "--base", "base", "--format", "markdown"]);
    const order = [
      "#### Loosens",
      "`diff/loosened`",
      "#### Breaks callers: nothing",
      "ledger/not-approved",
      "#### Changes",
    ];
    expect(order.map((text) => out.indexOf(text)).toSorted((a, b) => a - b)).toEqual(
      order.map((text) => out.indexOf(text)),
    );
    expect(out.split("`diff/loosened`")).toHaveLength(2);
  });

  test("levels come from the configuration, the stricter of both versions", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a") });
    put(folder, {
      "specs/a.tool.yaml": minimalSpec("a").replace("maxLength: 100", "maxLength: 20"),
      "hasp.config.yaml": `${config}diff: { breaks: warning, prompt: info }\n`,
    });
    // The change that lowers the level is judged by the old one.
    expect(await haspJson(folder, ["diff", "base"])).toMatchObject({
      code: 1,
      diagnostics: [{ code: "diff/input-refused", severity: "error" }, { severity: "info" }],
    });
    commit(folder);
    put(folder, { "specs/a.tool.yaml": minimalSpec("a").replace("maxLength: 100", "maxLength: 10") });
    expect(await haspJson(folder, ["diff", "HEAD"])).toMatchObject({
      code: 0,
      diagnostics: [{ code: "diff/input-refused", severity: "warning" }, { severity: "info" }],
    });
    // One that raises it is judged by the new one.
    put(folder, {
      "specs/a.tool.yaml": minimalSpec("a").replace("maxLength: 100", "maxLength: 20").replace("Which", "What"),
      "hasp.config.yaml": `${config}diff: { prompt: error }\n`,
    });
    expect(await haspJson(folder, ["diff", "HEAD"])).toMatchObject({
      code: 1,
      diagnostics: [{ code: "diff/prompt-changed", severity: "error" }],
    });
    put(folder, { "hasp.config.yaml": `${config}diff: { loosen: error }\n` });
    expect(await haspJson(folder, ["diff", "HEAD"])).toMatchObject({
      code: 2,
      diagnostics: [
        { code: expect.stringContaining("config/"), line: 3, message: expect.stringContaining('"loosens"') },
      ],
    });
  });

  test("a ref that hides another of the same name is refused", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a") });
    git(folder, "update-ref", "refs/remotes/origin/main", "base");
    put(folder, { "specs/a.tool.yaml": minimalSpec("a", "concurrency: { class: READ_ONLY }\n") });
    commit(folder);
    const found = async (ref: string): Promise<readonly unknown[]> => {
      const { code, diagnostics } = await haspJson(folder, ["diff", ref]);
      return [code, ...diagnostics.map((each) => each.code)];
    };
    expect(await found("origin/main")).toEqual([1, "diff/loosened"]);
    for (const kind of ["tag", "branch"]) {
      git(folder, kind, "origin/main");
      for (const ref of ["origin/main", "origin/main~0"]) {
        expect([kind, ref, ...(await found(ref))]).toEqual([kind, ref, 2, "diff/ref-ambiguous"]);
      }
      expect(await found("refs/remotes/origin/main")).toEqual([1, "diff/loosened"]);
      git(folder, kind, "-d", "origin/main");
    }
  });

  test("a word that git would take for an option is no ref", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a") });
    for (const ref of ["--upload-pack=touch pwned", "--output=pwned", "-O", "--exec=touch pwned"]) {
      const run = await hasp(folder, ["--format", "json", "diff", "--", ref]);
      expect([ref, run.code]).toEqual([ref, 2]);
      expect(run.out).toContain("diff/ref-not-found");
    }
    expect(Object.keys(tree(folder))).not.toContain("pwned");
  });

  test("a shallow clone names the command that brings the base, and it does", async () => {
    const origin = repository({ "specs/a.tool.yaml": minimalSpec("a") });
    put(origin, { "specs/a.tool.yaml": minimalSpec("a").replace("maxLength: 100", "maxLength: 20") });
    git(origin, "checkout", "-q", "-b", "change");
    commit(origin);
    const folder = project();
    git(folder, "clone", "-q", "--depth=1", "--branch", "change", `file://${origin}`, "clone");
    const clone = join(folder, "clone");
    const missing = await haspJson(clone, ["diff", "origin/main"]);
    expect(missing).toMatchObject({ code: 2, diagnostics: [{ code: "diff/ref-not-found" }] });
    const [, command = ""] = /fetch the other one: git (fetch .+)$/.exec(missing.diagnostics[0]?.help ?? "") ?? [];
    git(clone, ...command.split(" "));
    expect(await haspJson(clone, ["diff", "origin/main"])).toMatchObject({
      code: 1,
      diagnostics: [{ code: "diff/input-refused" }, {}],
    });
  });

  test("files that git has not got are a comparison that could not be made", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a") });
    const blob = git(folder, "rev-parse", "base:specs/a.tool.yaml");
    rmSync(join(folder, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    expect(await haspJson(folder, ["diff", "base"])).toMatchObject({
      code: 2,
      diagnostics: [
        { code: "diff/git-failed", message: expect.stringContaining("no contents for specs/a.tool.yaml at base") },
      ],
    });
  });

  test("a spec that moved to another file, with what it refers to, is the same tool", async () => {
    const shared = "$defs: { Id: { type: string, description: Which record. } }\n";
    const moved = (path: string): string => spec(`{ type: object, properties: { id: { $ref: "${path}#/$defs/Id" } } }`);
    const folder = repository({ "specs/a.tool.yaml": moved("./common.yaml"), "specs/common.yaml": shared });
    rmSync(join(folder, "specs"), { recursive: true });
    put(folder, { "specs/deep/z.tool.yaml": moved("../shared/ids.yaml"), "specs/shared/ids.yaml": shared });
    expect(await haspJson(folder, ["diff", "base"])).toMatchObject({ code: 0, diagnostics: [] });
  });

  test("a configuration that cannot be read at the base", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a"), "hasp.config.yaml": "specs: [specs\n" });
    put(folder, { "hasp.config.yaml": config });
    expect(await haspJson(folder, ["diff", "base"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "diff/base-unreadable", message: expect.stringContaining("at base") }],
    });
  });

  test.each<[what: string, base: Readonly<Record<string, string>>, gone: string | undefined, added?: string]>([
    ["hasp itself", { "hasp.config.yaml": "" }, "hasp.config.yaml"],
    ["the first tool", {}, undefined],
    [
      "a configuration of its own name beside others, with a tool that these name, too",
      {
        "hasp.config.yaml": "",
        "hasp.pear.yaml": "specs: [pear]\noutDir: pear/generated\n",
        "pear/a.tool.yaml": minimalSpec("a", "concurrency: { class: READ_ONLY }\n"),
      },
      "hasp.config.yaml",
      "hasp.apple.yaml",
    ],
  ])("a change that brings %s lists each claim, and passes once a reviewer agrees", async (_, base, gone, name) => {
    const folder = repository(base);
    if (gone !== undefined) {
      rmSync(join(folder, gone));
      commit(folder);
    }
    const claiming = minimalSpec("a", "concurrency: { class: READ_ONLY }\n");
    put(folder, { [name ?? "hasp.config.yaml"]: config, "specs/a.tool.yaml": claiming });
    const words = ["diff", "HEAD", ...(name === undefined ? [] : ["--config", name])];
    const { code, diagnostics } = await haspJson(folder, words);
    expect([code, codes(diagnostics)]).toEqual([1, expect.arrayContaining(["claim-added", "project-new"])]);
    expect((await hasp(folder, [...words, "--allow", "breaks", "may-loosen"])).code).toBe(1);
    expect((await hasp(folder, [...words, "--allow", "loosens"])).code).toBe(0);
  });

  test("a configuration in another format is compared with the earlier one", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a") });
    renameSync(join(folder, "hasp.config.yaml"), join(folder, "hasp.config.yml"));
    const run = await haspJson(folder, ["diff", "base", "--config", "hasp.config.yml"]);
    expect(run).toMatchObject({ code: 0, diagnostics: [] });
  });

  test("a tool that had errors is not compared, and says so", async () => {
    const folder = repository({
      "specs/a.tool.yaml": `${minimalSpec("a")}nonsense: 1\n`,
      "specs/b.tool.yaml": minimalSpec("b"),
    });
    put(folder, { "specs/a.tool.yaml": minimalSpec("a", "concurrency: { class: READ_ONLY }\n") });
    expect(codes((await haspJson(folder, ["diff", "base"])).diagnostics)).toEqual([
      "claim-added",
      "not-comparable",
      "path-opened",
    ]);
  });

  test.each([[["diff", ""]], [["diff", " "]], [["ci", "--base", ""]]])(
    "an empty name of what to compare with is refused: %j",
    async (words) => {
      const folder = repository({ "specs/a.tool.yaml": minimalSpec("a") });
      expect((await hasp(folder, ["build"])).code).toBe(0);
      const { code, diagnostics } = await haspJson(folder, words);
      expect(code).toBe(2);
      expect(diagnostics).toContainEqual(
        expect.objectContaining({
          code: "cli/usage",
          message: expect.stringContaining("It is empty; perhaps a variable is not set."),
        }),
      );
    },
  );

  test("a renamed tool that keeps its old name as an alias is the same tool; without it, it is gone", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a", "aliases: [old]\n") });
    const renamed = (extra: string): string => minimalSpec("a", extra).replace("name: a\n", "name: b\n");
    const file = (name: string): string => join(folder, "specs", name);
    renameSync(file("a.tool.yaml"), file("b.tool.yaml"));
    put(folder, { "specs/b.tool.yaml": renamed("aliases: [a, old]\n") });
    expect(await haspJson(folder, ["diff", "base"])).toMatchObject({ code: 0 });
    put(folder, { "specs/b.tool.yaml": renamed("aliases: [a]\n") });
    expect(await haspJson(folder, ["diff", "base"])).toMatchObject({
      code: 1,
      diagnostics: [
        { code: "diff/alias-gone" },
        { code: "diff/renamed-with-alias", message: expect.stringContaining('"a" is now "b"') },
      ],
    });
    put(folder, { "specs/b.tool.yaml": minimalSpec("b") });
    expect(codes((await haspJson(folder, ["diff", "base"])).diagnostics)).toEqual([
      "tool-gone",
      "path-opened",
      "tool-added",
    ]);
    rmSync(file("b.tool.yaml"));
    expect(await haspJson(folder, ["diff", "base"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "project/no-specs" }],
    });
  });

  test("a rename is one finding, and its approvals are not new ones", async () => {
    const text = minimalSpec("some_name", "concurrency: { class: READ_ONLY }\n");
    const folder = repository({ "specs/a.tool.yaml": text.replace("name: some_name", "name: cancel_order") });
    expect((await hasp(folder, ["approve", "*", "--yes", "--reason", "It reads."])).code).toBe(0);
    commit(folder);
    rmSync(join(folder, "hasp-ledger/cancel_order.yaml"));
    put(folder, { "specs/a.tool.yaml": text.replace("name: some_name", "name: stop_order") });
    expect((await hasp(folder, ["approve", "*", "--yes", "--reason", "It reads."])).code).toBe(0);
    expect((await haspJson(folder, ["diff", "HEAD"])).diagnostics).toMatchObject([
      { code: "diff/tool-renamed", message: expect.stringContaining('"cancel_order" is now "stop_order"') },
    ]);
    const alias = text.replace("name: some_name", "name: stop_order\naliases: [cancel_order]");
    put(folder, { "specs/a.tool.yaml": alias });
    const kept = await haspJson(folder, ["diff", "HEAD"]);
    expect([kept.code, codes(kept.diagnostics)]).toEqual([0, ["renamed-with-alias"]]);
  });

  test("a setting that moves many tools is one finding, at the setting", async () => {
    const specs = Object.fromEntries(
      ["a", "b", "c"].map((name) => [`specs/${name}.tool.yaml`, minimalSpec(name, "tags: [data]\n")]),
    );
    const config = (include: string): string =>
      `specs: [specs]\ndialects: [mcp]\ntoolsets:\n  support:\n    include: [${include}]\n`;
    const folder = repository({ ...specs, "specs/d.tool.yaml": minimalSpec("d"), "hasp.config.yaml": config("d") });
    put(folder, { "hasp.config.yaml": config("d, { tag: data }") });
    const place = { uri: "hasp.config.yaml", line: 5, tool: null };
    expect((await haspJson(folder, ["diff", "base"])).diagnostics).toMatchObject([
      {
        code: "diff/joined-toolset",
        ...place,
        message: expect.stringMatching(/3 tools join .*3 may destroy.*a, b, c/u),
      },
      { code: "diff/path-opened", severity: "info", message: expect.stringContaining(", and 2 more paths") },
    ]);
    commit(folder);
    put(folder, { "hasp.config.yaml": config("d") });
    expect((await haspJson(folder, ["diff", "HEAD"])).diagnostics).toMatchObject([
      { code: "diff/left-toolset", uri: "hasp.config.yaml", line: 4, message: expect.stringContaining("3 tools out") },
    ]);
  });

  test("lists, toolsets and dialects that are made no more", async () => {
    const toolsets = "toolsets: { one: { include: [a, b] }, two: { include: [a] } }\n";
    const folder = repository({
      "hasp.config.yaml": `specs: [specs]\ndialects: [anthropic, mcp]\n${toolsets}`,
      "specs/a.tool.yaml": minimalSpec("a"),
      "specs/b.tool.yaml": minimalSpec("b"),
    });
    put(folder, { "hasp.config.yaml": `${config}toolsets: { one: { include: [a] } }\n` });
    expect(codes((await haspJson(folder, ["diff", "base"])).diagnostics)).toEqual([
      "dialect-gone",
      "toolset-gone",
      "left-toolset",
    ]);
  });
});

test("a row stricter than its tool, which the runtime refuses, does not stop a comparison", async () => {
  const table = `concurrency:
  class: WRITE_EXCLUSIVE
  rules: [{ when: input.mode == 'drop', class: UNSAFE }]
`;
  const input = (most: number): string =>
    `{ type: object, required: [mode, n], properties: { mode: { enum: [read, drop], description: M. }, n: { type: integer, maximum: ${most}, description: N. } } }`;
  const folder = repository({ "specs/a.tool.yaml": spec(input(10), table) });
  put(folder, { "specs/a.tool.yaml": spec(input(5), table) });
  const run = await haspJson(folder, ["diff", "base"]);
  expect(run.diagnostics.map(({ code }) => code)).toContain("diff/input-refused");
});

describe("breaks callers", () => {
  test.each([
    ["a new required property", inputOf("x: { type: string }"), inputOf("x: { type: string }", "[x]")],
    ["a property taken away", inputOf("x: { type: string }, y: { type: integer }"), inputOf("x: { type: string }")],
    ["a value taken away", inputOf("x: { enum: [p, q, r] }"), inputOf("x: { enum: [p, r] }")],
    ["another type", inputOf("x: { type: integer }"), inputOf("x: { type: boolean }")],
    ["a lower maximum", inputOf("x: { type: integer, maximum: 900 }"), inputOf("x: { type: integer, maximum: 899 }")],
    [
      "fewer items",
      inputOf("x: { type: array, maxItems: 9, items: { type: string } }"),
      inputOf("x: { type: array, maxItems: 8, items: { type: string } }"),
    ],
    ["a format", inputOf("x: { type: string }"), inputOf("x: { type: string, format: date }")],
    ["a pattern", inputOf("x: { type: string }"), inputOf("x: { type: string, pattern: '^[a-z]+$' }")],
    [
      "a deep bound",
      inputOf("x: { type: array, items: { type: object, properties: { y: { type: string, maxLength: 9 } } } }"),
      inputOf("x: { type: array, items: { type: object, properties: { y: { type: string, maxLength: 8 } } } }"),
    ],
    ["null", inputOf("x: { type: [string, 'null'] }", "[x]"), inputOf("x: { type: string }", "[x]")],
    [
      "a branch of a union",
      inputOf("x: { anyOf: [{ type: string }, { type: integer }] }"),
      inputOf("x: { type: integer }"),
    ],
    ["a closed object", inputOf("", "[]", ", additionalProperties: true"), inputOf("")],
  ])("%s: a call that shows it", async (_what, before, after) => {
    const found = await between(spec(before), spec(after));
    expect(codes(found).filter((code) => code !== "check-gone")).toContain("input-refused");
    expect(codes(found)).not.toContain("input-may-be-refused");
    expect(found[0]).toMatchObject({ uri: "specs/a.tool.yaml", line: 4 });
  });

  test.each([
    ["a new optional property", inputOf("x: { type: string }"), inputOf("x: { type: string }, y: { type: integer }")],
    ["one more value", inputOf("x: { enum: [p] }"), inputOf("x: { enum: [p, q] }")],
    ["a wider bound", inputOf("x: { type: integer, minimum: 2 }"), inputOf("x: { type: integer, minimum: 1 }")],
    ["integer to number", inputOf("x: { type: integer }"), inputOf("x: { type: number }")],
    ["required no longer", inputOf("x: { type: string }", "[x]"), inputOf("x: { type: string }")],
    [
      "one more branch",
      inputOf("x: { anyOf: [{ type: string }, { type: integer }] }"),
      inputOf("x: { anyOf: [{ type: integer }, { type: string }, { type: boolean }] }"),
    ],
    ["a value instead of a text", inputOf("x: { const: p }"), inputOf("x: { type: string, maxLength: 3 }")],
    [
      "a shared definition written out",
      "{ $ref: '#/$defs/i', $defs: { i: { type: object, properties: { x: { type: string } } } } }",
      inputOf("x: { type: string }"),
    ],
  ])("breaks no caller: %s", async (_what, before, after) => {
    expect(await between(spec(before), spec(after))).toEqual([]);
  });

  test("an inclusion of patterns is decided, with the shortest text that only one matches", async () => {
    const narrow = spec(inputOf("x: { type: string, pattern: '^c[0-9]+$' }"));
    const wide = spec(inputOf("x: { type: string, pattern: '^[cu][0-9]+$' }"));
    expect(await between(narrow, wide)).toEqual([]);
    expect(await between(wide, narrow)).toMatchObject([
      { code: "diff/input-refused", message: expect.stringContaining('{"x":"u0"}') },
    ]);
  });

  test("a change that is neither proved nor shown may break callers", async () => {
    const found = await between(
      spec(inputOf("x: { type: string, pattern: '^[0-9]{3}-[0-9]{4}$' }")),
      spec(inputOf("x: { type: string, pattern: '^(?=.)[0-8]{3}-[0-9]{4}$' }")),
    );
    expect(found).toMatchObject([
      {
        code: "diff/input-may-be-refused",
        severity: "error",
        line: 4,
        message: expect.stringContaining('"pattern" at /x'),
      },
    ]);
  });

  test("an example of the spec is a witness that no search would find", async () => {
    const before = spec(
      inputOf("x: { type: string, pattern: '^[0-9]{3}-[0-9]{4}$' }"),
      "examples: [{ input: { x: 999-0000 } }]\n",
    );
    const found = await between(before, before.replace("[0-9]{3}", "[0-8]{3}").replace("999-0000", "111-0000"));
    expect(found).toMatchObject([{ code: "diff/input-refused", message: expect.stringContaining('{"x":"999-0000"}') }]);
  });

  test("a new check, with a call that it refuses; a check taken away loosens", async () => {
    const input = inputOf("x: { type: integer }, y: { type: integer }", "[x, y]");
    const checked = spec(input, "validate: [{ that: input.x <= input.y, message: x must not exceed y }]\n");
    expect(await between(spec(input), checked)).toMatchObject([
      { code: "diff/input-refused", line: 6, message: expect.stringContaining("x must not exceed y") },
    ]);
    expect(codes(await between(checked, spec(input)))).toEqual(["check-gone"]);
  });

  test("the message quotes only the beginning of a long condition", async () => {
    const input = inputOf("x: { type: integer }", "[x]");
    const condition = Array.from({ length: 99 }, (_, index) => `input.x != ${index}`).join(" && ");
    const checked = spec(
      input,
      `concurrency: { rules: [{ when: "${condition}", class: READ_ONLY }] }\nvalidate: [{ that: "${condition}", message: no }]\n`,
    );
    const found = [...(await between(checked, spec(input))), ...(await between(spec(input), checked))];
    expect(codes(found)).toEqual(expect.arrayContaining(["check-gone", "input-refused"]));
    for (const { message } of found) expect(message.length).toBeLessThan(400);
  });

  test("another default breaks callers", async () => {
    expect(
      codes(
        await between(
          spec(inputOf("x: { type: integer, default: 1 }")),
          spec(inputOf("x: { type: integer, default: 2 }")),
        ),
      ),
    ).toEqual(["default-changed"]);
  });

  test("an output that promises less, but not one that promises more", async () => {
    const answer = (output: string): string => spec(inputOf("x: { type: string }"), `output: ${output}\n`);
    const whole = answer("{ type: object, required: [n], properties: { n: { type: integer }, m: { type: string } } }");
    const less = answer("{ type: object, properties: { n: { type: integer }, m: { type: string } } }");
    expect(codes(await between(whole, less))).toEqual(["output-weakened"]);
    expect(await between(less, whole)).toEqual([]);
    // Open, the output may now hold any "m"; closed, it holds none.
    expect(await between(whole, whole.replace(", m: { type: string }", ""))).toMatchObject([
      { code: "diff/output-weakened", message: expect.stringContaining('"m":') },
    ]);
    const closed = whole.replace("output: {", "output: { additionalProperties: false,");
    expect(codes(await between(closed, closed.replace(", m: { type: string }", "")))).toEqual(["output-field-gone"]);
    expect(codes(await between(whole, spec(inputOf("x: { type: string }"))))).toEqual(["output-gone"]);
  });
});

describe("loosens safety", () => {
  const input = inputOf("mode: { enum: [read, write, purge] }", "[mode]");
  const table = (when: string, own = "UNSAFE"): string =>
    spec(input, `concurrency: { class: ${own}, rules: [{ when: "${when}", class: READ_ONLY }] }\n`);

  test("a row that is wider, with a call; one that is narrower is none", async () => {
    const narrow = table("input.mode == 'read'");
    const wide = table("input.mode in ['read', 'write']");
    expect(await between(narrow, wide)).toMatchObject([
      {
        code: "diff/call-loosened",
        line: 6,
        message: expect.stringMatching(
          /^For some calls, concurrency\.class was UNSAFE and is now READ_ONLY, .*Example: \{"mode":"write"\}\.$/u,
        ),
      },
    ]);
    expect(await between(wide, narrow)).toEqual([]);
    expect(await between(wide, spec(input))).toEqual([]);
    expect(codes(await between(spec(input), narrow))).toEqual(["call-loosened"]);
  });

  test("a row above that is taken away", async () => {
    const rows =
      "concurrency: { rules: [{ when: input.mode == 'write', class: WRITE_EXCLUSIVE }, { when: \"input.mode != 'purge'\", class: READ_ONLY }] }\n";
    const found = await between(
      spec(input, rows),
      spec(input, rows.replace("{ when: input.mode == 'write', class: WRITE_EXCLUSIVE }, ", "")),
    );
    expect(codes(found)).toEqual(["call-loosened", "covers-changed"]);
    expect(found[0]?.message).toContain('{"mode":"write"}');
  });

  test("a flag that varies", async () => {
    const flag = (when: string): string => spec(input, `behavior: { requiresPermission: { unless: "${when}" } }\n`);
    expect(await between(flag("input.mode == 'read'"), flag("input.mode != 'purge'"))).toMatchObject([
      { code: "diff/call-loosened", message: expect.stringContaining("requiresPermission was true and is now false") },
    ]);
  });

  test("a condition that nobody here can read", async () => {
    const custom = spec(input, "concurrency: { rules: [{ custom: isHarmless, class: READ_ONLY }] }\n");
    expect(codes(await between(spec(input), custom))).toEqual(["call-may-be-loosened"]);
  });

  test("limits: raised, also below the default; lowered is none", async () => {
    const limited = (seconds: string): string =>
      spec(input).replace("maxResultSizeChars: 20000", `maxResultSizeChars: 20000, timeoutSeconds: ${seconds}`);
    expect(codes(await between(limited("10"), limited("50")))).toEqual(["loosened"]);
    expect(codes(await between(limited("100"), limited("unlimited")))).toEqual(["loosened"]);
    expect(await between(limited("300"), limited("200"))).toEqual([]);
  });

  test("an open object, a gate, a flag that tightened", async () => {
    expect(codes(await between(spec(input), spec(input.replace(/ \}$/, ", additionalProperties: true }"))))).toEqual([
      "claim-added",
    ]);
    expect(codes(await between(spec(input, "visibility: { featureGate: G }\n"), spec(input)))).toEqual(["gate-gone"]);
    expect(codes(await between(spec(input, "behavior: { requiresUserInteraction: true }\n"), spec(input)))).toEqual([
      "loosened",
    ]);
  });

  test("every claim of a new tool; a milder class is one claim with what it entails", async () => {
    const folder = repository({ "specs/b.tool.yaml": minimalSpec("b") });
    put(folder, { "specs/a.tool.yaml": spec(input, "concurrency: { class: READ_ONLY }\n") });
    expect(codes((await haspJson(folder, ["diff", "base"])).diagnostics)).toEqual([
      "claim-added",
      "path-opened",
      "tool-added",
    ]);
  });

  test("reports a claim that covers more calls than before, though its text is the same", async () => {
    const before = spec(input, "concurrency: { class: READ_ONLY }\n");
    expect(await between(before, before.replace("purge]", "purge, drop]"))).toMatchObject([
      { code: "diff/covers-changed", severity: "error", message: expect.stringContaining("has to be renewed") },
    ]);
    expect(
      codes(await between(before, before.replace("purge]", "read]").replace("[read, write, read]", "[read, write]"))),
    ).toEqual(["input-refused"]);
  });
});

describe("what callers may no longer find", () => {
  test("a gate, a user who must be there, a tool that waits to be searched for", async () => {
    const plain = spec(inputOf("x: { type: string }"));
    expect(await between(plain, `${plain}visibility: { featureGate: G }\n`)).toMatchObject([
      { code: "diff/gate-added", line: 6 },
    ]);
    expect(await between(plain, `${plain}behavior: { requiresUserInteraction: true }\n`)).toMatchObject([
      { code: "diff/interaction-added", line: 6 },
    ]);
    const folder = repository({ "specs/a.tool.yaml": plain });
    put(folder, { "specs/a.tool.yaml": `${plain}visibility: deferred\n` });
    const run = await haspJson(folder, ["diff", "base"]);
    expect(codes(run.diagnostics)).toContain("deferred");
    expect(run.summary["tokens"]).toMatchObject([{ toolset: "all", dialect: "anthropic", after: 0, isOther: true }]);
  });

  test("a list that can no longer express the tool", async () => {
    const strict = "specs: [specs]\ndialects: { openai-responses-strict: {}, anthropic: {} }\n";
    const folder = repository({
      "specs/a.tool.yaml": spec(inputOf("x: { type: string }", "[x]")),
      "hasp.config.yaml": strict,
    });
    put(folder, { "specs/a.tool.yaml": spec(inputOf("x: { type: object, additionalProperties: true }", "[x]")) });
    const run = await haspJson(folder, ["diff", "base"]);
    expect(codes(run.diagnostics)).toContain("left-list");
    expect(run.diagnostics.find(({ code }) => code === "diff/left-list")?.message).toContain("openai-responses-strict");
  });
});

describe("approvals", () => {
  const claim = "concurrency: { class: READ_ONLY }\n";
  const approveAll = async (folder: string, ...words: readonly string[]): Promise<void> => {
    expect((await hasp(folder, ["approve", "a", "--yes", "--reason", "It reads.", ...words])).code).toBe(0);
  };

  test("an approval shows for a claim that waited, and for one that now holds longer", async () => {
    const folder = repository({ "specs/a.tool.yaml": minimalSpec("a", claim) });
    await approveAll(folder, "--expires", "2999-01-31");
    expect(await haspJson(folder, ["diff", "base"])).toMatchObject({
      code: 0,
      diagnostics: [{ code: "diff/approved-here", severity: "warning", uri: "hasp-ledger/a.yaml" }],
    });
    commit(folder);
    const ledger = tree(folder)["hasp-ledger/a.yaml"] ?? "";
    for (const [changed, ends] of [
      [ledger.replace("2999-01-31", "2999-02-28"), "on 2999-02-28"],
      [ledger.replace(/^.*expires.*\n/m, ""), "never"],
    ] as const) {
      put(folder, { "hasp-ledger/a.yaml": changed });
      const { diagnostics } = await haspJson(folder, ["diff", "HEAD"]);
      expect(diagnostics).toMatchObject([
        {
          code: "diff/approval-prolonged",
          message: expect.stringContaining(`ended on 2999-01-31 and now ends ${ends}`),
        },
      ]);
    }
    put(folder, { "hasp-ledger/a.yaml": ledger.replace("2999-01-31", "2998-01-31") });
    expect((await haspJson(folder, ["diff", "HEAD"])).diagnostics).toEqual([]);
  });
});

describe("what each provider is sent", () => {
  const four = "specs: [specs]\ndialects: [anthropic, mcp]\n";

  test("the lists that carry a change are named", async () => {
    const before = spec(inputOf("x: { type: string }"));
    const folder = repository({ "specs/a.tool.yaml": before, "hasp.config.yaml": four });
    const after = async (text: string): Promise<readonly JsonFinding[]> => {
      put(folder, { "specs/a.tool.yaml": text });
      return (await haspJson(folder, ["diff", "base"])).diagnostics.filter(({ severity }) => severity === "info");
    };
    expect(await after(before.replace("Look one", "Look a"))).toMatchObject([
      {
        code: "diff/prompt-changed",
        message: expect.stringContaining(
          'the description. "Look one record up. Use …" → "Look a record up. Use …". About',
        ),
      },
    ]);
    expect((await after(before.replace("Look one", "Look a")))[0]?.message).toContain("; in every list.");
    expect((await after(`${before}title: A\n`))[0]?.message).toContain("; in the list for mcp.");
    expect((await after(`${before}visibility: { searchHint: records by id }\n`))[0]?.message).toContain(
      "no configured list carries the change",
    );
    // A hint of MCP's is not text.
    expect(await after(`${before}behavior: { isDestructive: false }\n`)).toMatchObject([
      { code: "diff/entry-changed", message: expect.stringContaining('"annotations", in the list for mcp') },
    ]);
  });

  test("strict mode that is lost", async () => {
    const auto = "specs: [specs]\ndialects: { openai-responses: { strict: auto } }\n";
    const folder = repository({
      "specs/a.tool.yaml": spec(inputOf("x: { type: string }", "[x]")),
      "hasp.config.yaml": auto,
    });
    put(folder, { "specs/a.tool.yaml": spec(inputOf("x: { type: object, additionalProperties: true }", "[x]")) });
    expect((await haspJson(folder, ["diff", "base"])).diagnostics).toContainEqual(
      expect.objectContaining({ code: "diff/strict-lost", severity: "warning" }),
    );
  });
});

describe("changes the prompt only", () => {
  test("order, titles and examples are notes and fail nothing", async () => {
    const folder = repository({ "specs/a.tool.yaml": spec(inputOf("x: { type: string }, y: { type: string }")) });
    put(folder, {
      "specs/a.tool.yaml": spec(
        inputOf("y: { type: string }, x: { type: string }"),
        "title: A\nexamples: [{ input: { x: q } }]\n",
      ),
    });
    expect(await haspJson(folder, ["diff", "base"])).toMatchObject({
      code: 0,
      diagnostics: [
        {
          code: "diff/prompt-changed",
          severity: "info",
          message: expect.stringContaining("the title, the examples and the order of properties or values"),
        },
      ],
      summary: { breaks: 0, loosens: 0, prompt: 1 },
    });
  });
});
