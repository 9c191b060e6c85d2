import { spawnSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bin, hasp, haspJson, minimalSpec, project, put, startHasp, tree } from "./command-line.js";

const claim = "concurrency: { class: READ_ONLY }\n";
/** A minimal spec with other words in its groups, which it states already. */
const specWith = (name: string, { behavior = "", limits = "" }, extra = ""): string =>
  minimalSpec(name, extra).replace("behavior: {", `behavior: {${behavior}`).replace("limits: {", `limits: {${limits}`);
const files = {
  "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n",
  "specs/a.tool.yaml": minimalSpec("a", claim),
  "specs/b.tool.yaml": minimalSpec("b", claim),
};

describe("hasp approve", () => {
  test("writes the ledger, after which check is clean; a changed input asks again", async () => {
    const folder = project(files);
    expect((await haspJson(folder, ["check"])).code).toBe(1);
    const run = await hasp(folder, ["approve", "a", "b", "--yes", "--reason", "They read one table."]);
    expect([run.code, run.error]).toEqual([0, ""]);
    expect(run.out).toContain("2 of 2 claims approved");
    const ledger = tree(folder)["hasp-ledger/a.yaml"] ?? "";
    expect(ledger).toContain('claim: "concurrency.class: READ_ONLY"');
    expect(ledger).toContain("reason: They read one table.");
    const [, day = ""] = /^ +on: (\S+)$/mu.exec(ledger) ?? [];
    expect(Math.abs(Date.parse(day) - Date.now())).toBeLessThan(48 * 3600 * 1000);
    expect(await haspJson(folder, ["check"])).toMatchObject({ code: 0, diagnostics: [] });

    put(folder, { "specs/a.tool.yaml": minimalSpec("a", claim).replace("maxLength: 100", "maxLength: 900") });
    expect(
      (await haspJson(folder, ["check"])).diagnostics.filter(({ severity }) => severity === "error"),
    ).toMatchObject([{ code: "ledger/stale", tool: "a" }]);
    expect((await hasp(folder, ["approve", "a", "--yes", "--reason", "Looked again."])).code).toBe(0);
    expect((await haspJson(folder, ["check"])).code).toBe(0);
    expect((await hasp(folder, ["approve", "a", "--yes", "--reason", "Again."])).out).toContain(
      "No claim waits for an approval.",
    );
  });

  test("cautions where one answer approves many claims of high risk", async () => {
    const names = Array.from({ length: 21 }, (_, index) => `read_${index}`);
    const specs = (some: readonly string[]): Record<string, string> =>
      Object.fromEntries(some.map((name) => [`specs/${name}.tool.yaml`, minimalSpec(name, claim)]));
    const words = ["approve", "*", "--yes", "--reason", "They read."];
    expect((await hasp(project(specs(names)), words)).out).toContain("21 claims of high risk were approved at once.");
    expect((await hasp(project(specs(names.slice(1))), words)).out).not.toContain("at once");
  });

  test("approves tools that exceed a token budget", async () => {
    const folder = project({
      ...files,
      "hasp.config.yaml": `${files["hasp.config.yaml"]}budgets: { toolTokens: 10 }\n`,
    });
    const codes = async (): Promise<readonly string[]> =>
      (await haspJson(folder, ["check"])).diagnostics
        .filter(({ severity }) => severity === "error")
        .map(({ code }) => code);
    expect(new Set(await codes())).toEqual(new Set(["size/over-budget", "ledger/not-approved"]));
    expect((await hasp(folder, ["approve", "*", "--yes", "--reason", "They read."])).code).toBe(0);
    expect(new Set(await codes())).toEqual(new Set(["size/over-budget"]));
  });

  test.each(["outside", "inside"])(
    "neither reads nor writes a folder of approvals that is a link: %s",
    async (where) => {
      const [folder, elsewhere] = [project(files), project()];
      put(folder, { "approvals/readme.md": "" });
      symlinkSync(where === "outside" ? elsewhere : join(folder, "approvals"), join(folder, "hasp-ledger"));
      for (const words of [["approve", "a", "--yes", "--reason", "x"], ["check"]]) {
        const run = await haspJson(folder, words);
        expect(run).toMatchObject({
          code: 2,
          diagnostics: [
            {
              code: "project/approval-not-a-file",
              message: expect.stringContaining('The approvals folder "hasp-ledger" is a symbolic link'),
            },
          ],
        });
      }
      expect([tree(elsewhere), Object.keys(tree(join(folder, "approvals")))]).toEqual([{}, ["readme.md"]]);
    },
  );

  test("only the tools that are named", async () => {
    const folder = project(files);
    expect((await hasp(folder, ["approve", "a", "--yes", "--reason", "x", "--expires", "2999-01-31"])).code).toBe(0);
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("hasp-ledger/"))).toEqual(["hasp-ledger/a.yaml"]);
    expect(tree(folder)["hasp-ledger/a.yaml"]).toContain("expires: ");
  });

  test.each([
    [["approve", "a", "--yes"], {}, "cli/no-reason"],
    [["approve", "a", "--yes", "--reason", "  "], {}, "cli/no-reason"],
    [["approve", "--yes", "--reason", "x"], {}, "cli/no-ledger-selection"],
    [["approve", "a", "--reason", "x"], {}, "cli/no-terminal"],
    [["approve", "a", "--yes", "--reason", "x"], { CI: "true" }, "cli/approve-in-ci"],
    [["approve", "c", "--yes", "--reason", "x"], {}, "cli/unknown-tool"],
  ])("%j in %j is refused with 2: %s", async (words, environment, code) => {
    const folder = project(files);
    const before = tree(folder);
    expect(await haspJson(folder, words, environment as Readonly<Record<string, string>>)).toMatchObject({
      code: 2,
      diagnostics: [{ code }],
    });
    expect(tree(folder)).toEqual(before);
  });

  test("the approval of a function covers its file, wherever the handler imports it from", async () => {
    const spec = minimalSpec("c", "concurrency: { class: UNSAFE, rules: [{ custom: isSafe, class: READ_ONLY }] }\n");
    const files = {
      "specs/c.tool.yaml": spec,
      "src/tools/c.ts": 'export { isSafe } from "../policy/safe.js";\n',
      "src/policy/safe.ts": "export const isSafe = (): boolean => false;\n",
    };
    const folder = project({ "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\n", ...files });
    expect((await hasp(folder, ["approve", "c", "--yes", "--reason", "Looked at."])).code).toBe(0);
    expect((await haspJson(folder, ["check"])).code).toBe(0);
    put(folder, {
      "specs/c.tool.yaml": spec.replace("Which record.", "Which of the records."),
      "src/policy/other.ts": "export {};\n",
    });
    expect((await haspJson(folder, ["check"])).code).toBe(0);
    // What has changed is named, and nothing else.
    const changes = {
      "a file that the handler imports": { "src/policy/safe.ts": "export const isSafe = (): boolean => true;\n" },
      "the handler that holds the function": { "src/tools/c.ts": `${files["src/tools/c.ts"]}export const x = 1;\n` },
      "the text of the rule, or a row above it": {
        "specs/c.tool.yaml": spec.replace("rules: [", "rules: [{ when: input.id == 'x', class: UNSAFE }, "),
      },
      "the schema of the fields that the rule reads": {
        "specs/c.tool.yaml": spec.replace("maxLength: 100", "maxLength: 900"),
      },
    };
    for (const [what, change] of Object.entries(changes)) {
      put(folder, { ...files, ...change });
      expect(await haspJson(folder, ["check"])).toMatchObject({
        code: 1,
        diagnostics: [
          { code: "ledger/stale", message: expect.stringContaining(`is stale; this has changed since: ${what}.`) },
        ],
      });
    }
    put(folder, { ...files, "src/policy/safe.ts": "export const isSafe = (await import(process.argv[1])).isSafe;\n" });
    for (const command of [["check"], ["approve", "c", "--yes", "--reason", "x"]]) {
      expect(await haspJson(folder, command)).toMatchObject({
        code: 1,
        diagnostics: [{ code: "ledger/cannot-cover", message: expect.stringContaining("src/policy/safe.ts") }],
      });
    }
  });

  test("show says what is approved, and what waits", async () => {
    const folder = project(files);
    await hasp(folder, ["approve", "a", "--yes", "--reason", "They read one table."]);
    expect((await hasp(folder, ["show", "a"])).out).toMatch(
      /READ_ONLY +line 12 +approved( by .+ \(as git says\))? on \d{4}-\d\d-\d\d: They read one table\./,
    );
    expect((await hasp(folder, ["show", "b"])).out).toMatch(/READ_ONLY +line 12 +not approved yet/);
    put(folder, { "specs/a.tool.yaml": minimalSpec("a", claim).replace("maxLength: 100", "maxLength: 900") });
    expect((await hasp(folder, ["show", "a"])).out).toContain("what it covers has changed since the approval");
  });

  describe("of many", () => {
    const many = {
      "hasp.config.yaml":
        "specs: [specs]\ndialects: [anthropic]\ntoolsets:\n  all: {}\n  mail: { include: [{ tag: mail }] }\n",
      "specs/mail/mail_read.tool.yaml": minimalSpec("mail_read", `tags: [mail]\n${claim}`),
      "specs/mail/mail_send.tool.yaml": specWith(
        "mail_send",
        { behavior: " requiresPermission: false,", limits: " timeoutSeconds: 90," },
        "tags: [mail]\n",
      ),
      "specs/mailbox.tool.yaml": specWith("mailbox", { limits: " timeoutSeconds: 120," }),
    };

    test.each([
      [["mail_*"], ["mail_read", "mail_send"]],
      [
        ["*box", "mail_read"],
        ["mail_read", "mailbox"],
      ],
      [
        ["--only", "tag:mail"],
        ["mail_read", "mail_send"],
      ],
      [
        ["--only", "toolset:mail"],
        ["mail_read", "mail_send"],
      ],
      [
        ["--only", "folder:specs/mail"],
        ["mail_read", "mail_send"],
      ],
      [["--only", "folder:specs/mailbox.tool.yaml"], ["mailbox"]],
      [
        ["--only", "folder:."],
        ["mail_read", "mail_send", "mailbox"],
      ],
      [["--only", "class:READ_ONLY"], ["mail_read"]],
      [["--only", "flag:requiresPermission=false"], ["mail_send"]],
      [["*_*", "--only", "tag:mail,class:UNSAFE"], ["mail_send"]],
    ])("%j selects what hasp show selects, and nothing else", async (words, expected) => {
      const folder = project(many);
      const listed = (await haspJson(folder, ["show", ...words])).data["tools"] as readonly { name: string }[];
      expect(listed.map(({ name }) => name)).toEqual(expected);
      expect((await hasp(folder, ["approve", ...words, "--yes", "--reason", "x"])).code).toBe(0);
      const ledgers = Object.keys(tree(folder)).filter((path) => path.startsWith("hasp-ledger/"));
      expect(ledgers).toEqual(expected.map((name) => `hasp-ledger/${name}.yaml`));
    });

    test.each([
      [["nail_*"], "cli/unknown-tool"],
      [["!mailbox"], "cli/unknown-tool"],
      [[""], "cli/unknown-tool"],
      [["--only", "tag:male"], "cli/unknown-filter"],
      [["--only", "folder:specs/mai"], "cli/unknown-filter"],
      [["--only", "folder:.."], "cli/unknown-filter"],
    ])("%j, which selects nothing, is a mistake", async (words, code) => {
      const folder = project(many);
      expect(await haspJson(folder, ["approve", ...words, "--yes", "--reason", "x"])).toMatchObject({
        code: 2,
        diagnostics: [{ code }],
      });
      expect(tree(folder)).toEqual(many);
    });

    test("says what was approved by claim, the riskiest first", async () => {
      const run = await hasp(project(many), ["approve", "*", "--yes", "--reason", "x"]);
      expect(run.out.split("\n").map((line) => line.trimEnd())).toEqual([
        "4 of 4 claims approved.",
        "",
        expect.stringMatching(/^risk +claim +tools +names$/u),
        expect.stringMatching(/^high +behavior\.requiresPermission: false +1 +mail_send$/u),
        expect.stringMatching(/^high +concurrency\.class: READ_ONLY +1 +mail_read$/u),
        expect.stringMatching(/^low +limits\.timeoutSeconds: … +2 +mail_send, mailbox$/u),
        "",
        // The row leaves out what differs.
        "limits.timeoutSeconds: …",
        "  mail_send  limits.timeoutSeconds: 90",
        "  mailbox  limits.timeoutSeconds: 120",
        "",
        "Next: hasp build",
        "",
      ]);
    });

    test("with a broken tool that a tag may mean is refused; one in another folder is not in the way", async () => {
      const folder = project({ ...many, "specs/broken.tool.yaml": `${minimalSpec("broken", claim)}nonsense: 1\n` });
      expect(await haspJson(folder, ["approve", "--only", "tag:mail", "--yes", "--reason", "x"])).toMatchObject({
        code: 1,
        diagnostics: [{ code: "resolve/unknown-key", tool: "broken" }],
      });
      expect((await haspJson(folder, ["approve", "--only", "folder:specs/mail", "--yes", "--reason", "x"])).code).toBe(
        0,
      );
    });
  });

  test("show says where a claim has no effect, since somebody is asked anyway", async () => {
    const unasked = minimalSpec("a").replace("interruptBehavior: block", "requiresPermission: false");
    const mild = unasked.replace("requiresPermission: false", "requiresPermission: false, isDestructive: false");
    const lineOf = async (spec: string): Promise<string | undefined> =>
      /^behavior\.requiresPermission .*$/mu.exec(
        (await hasp(project({ ...files, "specs/a.tool.yaml": spec }), ["show", "a"])).out,
      )?.[0];
    expect(await lineOf(unasked)).toMatch(
      / false +line 10, without effect: every call may destroy data, so somebody is asked$/u,
    );
    expect(await lineOf(mild)).toMatch(/ false +line 10$/u);
  });

  test("records who approved, from git, and the day; list and show say so", async () => {
    const folder = project({ ...files, ".gitconfig": "[user]\n\tname = Ada  L.\n\temail = ada@example.com\n" });
    const environment = { GIT_CONFIG_GLOBAL: join(folder, ".gitconfig"), GIT_CONFIG_NOSYSTEM: "1" };
    expect(startHasp(folder, ["approve", "a", "--yes", "--reason", "x"], environment).code).toBe(0);
    const [, day = ""] =
      /by: Ada L\. <ada@example\.com>\n +on: (.*)\n +covers:/u.exec(tree(folder)["hasp-ledger/a.yaml"] ?? "") ?? [];
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/u);
    expect((await hasp(folder, ["show", "a"])).out).toContain(
      `approved by Ada L. <ada@example.com> (as git says) on ${day}: x`,
    );
    expect((await haspJson(folder, ["show", "--only", "tool:a"])).data).toMatchObject({
      tools: [{ claims: [{ state: "approved", by: "Ada L. <ada@example.com>", on: day }] }],
    });
    // Where git knows nobody, the entry names nobody; without git, too.
    for (const unknown of [{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" }, { PATH: "" }]) {
      put(folder, files);
      expect(startHasp(folder, ["approve", "b", "--yes", "--reason", "x"], unknown).code).toBe(0);
      expect(tree(folder)["hasp-ledger/b.yaml"]).toMatch(/reason: x\n +on: \d/u);
      rmSync(join(folder, "hasp-ledger/b.yaml"));
    }
  });

  test("an entry without them, as earlier versions wrote it, stays valid", async () => {
    const folder = project(files);
    await hasp(folder, ["approve", "a", "b", "--yes", "--reason", "x"]);
    for (const path of ["hasp-ledger/a.yaml", "hasp-ledger/b.yaml"]) {
      put(folder, { [path]: (tree(folder)[path] ?? "").replace(/^ +(?:by|on): .*\n/gmu, "") });
    }
    expect(await haspJson(folder, ["check"])).toMatchObject({ code: 0, diagnostics: [] });
  });

  test("a day that is none, or over, is refused", async () => {
    for (const day of ["2027-02-30", "soon", "2020-01-31"]) {
      expect((await hasp(project(files), ["approve", "a", "--yes", "--reason", "x", "--expires", day])).code).toBe(2);
    }
  });

  test("a tool with a mistake is not judged", async () => {
    const folder = project({ ...files, "specs/c.tool.yaml": `${minimalSpec("c", claim)}nonsense: 1\n` });
    expect(await haspJson(folder, ["approve", "c", "--yes", "--reason", "x"])).toMatchObject({
      code: 1,
      diagnostics: [{ code: "resolve/unknown-key" }],
    });
    expect((await haspJson(folder, ["approve", "a", "--yes", "--reason", "x"])).code).toBe(0);
  });

  test("--prune takes away what is claimed no more, and nothing else", async () => {
    const folder = project(files);
    await hasp(folder, ["approve", "a", "b", "--yes", "--reason", "x"]);
    put(folder, { "specs/a.tool.yaml": minimalSpec("a") });
    const run = await hasp(folder, ["approve", "--prune"]);
    expect([run.code, run.error]).toEqual([0, ""]);
    expect(run.out).toContain("1 entry removed");
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("hasp-ledger/"))).toEqual(["hasp-ledger/b.yaml"]);
    expect(await haspJson(folder, ["check"])).toMatchObject({ code: 0, diagnostics: [] });
  });

  test("--prune and check leave alone what belongs to a configuration beside this one", async () => {
    const claim = "concurrency: { class: WRITE_EXCLUSIVE }\n";
    const folder = project({
      "hasp.code.yaml": "specs: [code]\noutDir: out/code\nhandlers: src/code\ndialects: [anthropic]\n",
      "hasp.data.yaml":
        "specs: [data]\noutDir: out/data\nhandlers: src/data\ndialects: [anthropic]\ntoolsets: { all: { policy: policies/data.yaml } }\n",
      "code/mine.tool.yaml": minimalSpec("mine", claim),
      "code/gone.tool.yaml": minimalSpec("gone", claim),
      "data/theirs.tool.yaml": minimalSpec("theirs", claim).replace("block }", "block, isOpenWorld: false }"),
      "policies/data.yaml": "hasp: 1\nrules: [{ tool: theirs, decision: allow }]\n",
    });
    for (const config of ["hasp.code.yaml", "hasp.data.yaml"]) {
      const words = ["--config", config];
      await hasp(folder, ["approve", "*", "--yes", "--reason", "x", ...words]);
      expect((await hasp(folder, ["build", ...words])).code).toBe(0);
    }
    rmSync(join(folder, "code/gone.tool.yaml"));
    const found = await haspJson(folder, ["check", "--config", "hasp.code.yaml"]);
    expect(found.diagnostics.map(({ code, uri }) => [code, uri])).toEqual([
      ["ledger/unknown-tool", "hasp-ledger/gone.yaml"],
    ]);
    expect((await hasp(folder, ["approve", "--prune", "--config", "hasp.code.yaml"])).out).toContain("1 entry removed");
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("hasp-ledger/"))).toEqual([
      "hasp-ledger/data.policy.yaml",
      "hasp-ledger/mine.yaml",
      "hasp-ledger/theirs.yaml",
    ]);
    expect((await haspJson(folder, ["check", "--config", "hasp.data.yaml"])).diagnostics).toEqual([]);
  });

  test("--unlocked goes on with a warning and marks what is built", async () => {
    const folder = project(files);
    const run = await haspJson(folder, ["build", "--unlocked"]);
    expect(run.code).toBe(0);
    expect(
      run.diagnostics.filter(({ code }) => code === "ledger/not-approved").map(({ severity }) => severity),
    ).toEqual(["warning", "warning"]);
    expect(JSON.parse(tree(folder)["src/generated/manifest.json"] ?? "")).toMatchObject({ unlocked: true });
  });
});

describe("hasp approve --suggested", () => {
  const list = JSON.stringify({
    tools: [
      { name: "a", annotations: { readOnlyHint: true, openWorldHint: false } },
      { name: "b", annotations: { destructiveHint: false } },
    ].map((tool) => ({
      ...tool,
      description: "Does it. Use it for that. Do not use it otherwise.",
      inputSchema: { type: "object", properties: { id: { type: "string", description: "Which." } } },
    })),
  });

  test("from an import to a first tool that is approved: the way that import prints", async () => {
    const folder = project({ "hasp.config.yaml": files["hasp.config.yaml"], "list.json": list });
    expect((await hasp(folder, ["import", "mcp-list", "list.json"])).code).toBe(0);
    expect((await haspJson(folder, ["check"])).summary["relaxations"]).toBe(0);
    const untouched = tree(folder)["specs/b.tool.yaml"];
    const run = await hasp(folder, ["approve", "a", "--suggested", "--yes", "--reason", "The server is ours."]);
    expect([run.code, run.error]).toEqual([0, ""]);
    expect(run.out).toContain("2 of 2 claims approved");
    const spec = tree(folder)["specs/a.tool.yaml"] ?? "";
    expect(spec).toContain("\nconcurrency: { class: READ_ONLY }\n");
    expect(spec).not.toContain("suggested");
    expect(tree(folder)["specs/b.tool.yaml"]).toBe(untouched);
    expect(await haspJson(folder, ["check"])).toMatchObject({ code: 0, summary: { relaxations: 2 } });
    // What was approved is not an edit of what the source says.
    expect(await haspJson(folder, ["import", "mcp-list", "list.json", "--check"])).toMatchObject({
      code: 0,
      diagnostics: [],
    });
  });

  test("says what it left open", async () => {
    const folder = project({
      "hasp.config.yaml": files["hasp.config.yaml"],
      "specs/a.tool.yaml": specWith(
        "a",
        { limits: " timeoutSeconds: 90," },
        "origin: { suggested: { from: annotations, isOpenWorld: false } }\n",
      ),
      "specs/b.tool.yaml": specWith(
        "b",
        { behavior: " isDestructive: true," },
        "origin: { suggested: { from: annotations, isDestructive: false } }\n",
      ),
      "specs/c.tool.yaml": minimalSpec("c", "origin: { suggested: { from: annotations, isOpenWorld: false } }\n"),
    });
    const run = await hasp(folder, ["approve", "a", "b", "--suggested", "--yes", "--reason", "x"]);
    expect([run.code, run.error]).toEqual([0, ""]);
    expect(run.out).toContain("1 of 1 claim approved.");
    expect(run.out).toContain("b: behavior.isDestructive: false was dropped, since the spec itself states that field.");
    expect(run.out).toContain(
      "1 claim that no importer suggested waits in 1 spec: run hasp approve without --suggested.",
    );
    expect(run.out).toContain("1 tool outside this selection has suggestions.");
  });

  test("writes nothing where nothing is suggested", async () => {
    const folder = project(files);
    const before = tree(folder);
    const run = await hasp(folder, ["approve", "a", "--suggested", "--yes", "--reason", "x"]);
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/^No claim waits for an approval\.\n/u);
    expect(tree(folder)).toEqual(before);
  });
});

// util-linux's `script` gives a command a terminal of its own.
const hasScript = spawnSync("script", ["--version"]).status === 0;

describe.skipIf(!hasScript)("at a terminal (skipped where util-linux's `script` is not there)", () => {
  const atTerminal = (
    folder: string,
    answers: string,
    ...more: readonly string[]
  ): { readonly code: number | null; readonly out: string } => {
    const command = [process.execPath, bin, "approve", "--reason", "'They read.'", ...more].join(" ");
    const { CI: _ci, ...environment } = process.env;
    const { status, stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
      cwd: folder,
      input: answers,
      env: environment,
      encoding: "utf8",
    });
    return { code: status, out: stdout };
  };

  test("each claim is shown with its place and a call that benefits, and approved one by one", async () => {
    const folder = project(files);
    const run = atTerminal(folder, "y\nn\n", "--review");
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/high +concurrency\.class: READ_ONLY +2 +a, b/u);
    expect(run.out).toContain("concurrency.class: READ_ONLY");
    expect(run.out).toContain("specs/a.tool.yaml:12");
    expect(run.out).toContain('A call that benefits: {"id":');
    expect(run.out).toContain("1 of 2 claims approved");
    expect(run.out).toContain("1 claim left open:");
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("hasp-ledger/"))).toEqual(["hasp-ledger/a.yaml"]);
  });

  test.each([
    ["y\n", ["a", "b"]],
    ["n\n", []],
    ["", []],
    ["r\nn\ny\n", ["b"]],
  ])("one question for tools that claim the same: %j approves %j", (answers, approved) => {
    const folder = project(files);
    const run = atTerminal(folder, answers);
    expect(run.code).toBe(0);
    expect(run.out).toContain("Approve all 2? [y/N, r to review one by one]");
    const ledgers = Object.keys(tree(folder)).filter((path) => path.startsWith("hasp-ledger/"));
    expect(ledgers).toEqual(approved.map((name) => `hasp-ledger/${name}.yaml`));
  });

  test("a claim that contradicts the declared handler is asked about last and by itself, with what it contradicts", () => {
    const sends = "handler: { http: { connection: api, method: POST, path: /search } }\n";
    const folder = project({
      ...files,
      "hasp.config.yaml": `${files["hasp.config.yaml"]}connections: { api: { http: { baseUrl: "https://example.com" } } }\n`,
      "specs/a.tool.yaml": minimalSpec("a", claim + sends),
    });
    const run = atTerminal(folder, "n\ny\n");
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/The handler contradicts it.*: it sends a POST, which may change something\./u);
    expect(run.out).toMatch(/specs\/a\.tool\.yaml:\d+, handler\.http/u);
    expect(run.out).toContain("Approve it anyway (2 of 2)? [y/N]");
    const ledgers = Object.entries(tree(folder)).filter(([path]) => path.startsWith("hasp-ledger/"));
    expect(ledgers).toEqual([["hasp-ledger/a.yaml", expect.stringContaining("contradicts: http")]]);
  });

  test("claims whose words differ are asked for one by one, each shown", () => {
    const folder = project({
      ...files,
      "specs/a.tool.yaml": specWith("a", { limits: " timeoutSeconds: 90," }),
      "specs/b.tool.yaml": specWith("b", { limits: " timeoutSeconds: 900," }),
    });
    const run = atTerminal(folder, "y\nn\n");
    expect(run.out).not.toContain("Approve all");
    expect(run.out).toContain("limits.timeoutSeconds: 900");
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("hasp-ledger/"))).toEqual(["hasp-ledger/a.yaml"]);
  });

  test("a suggestion that is refused leaves its spec as it was", async () => {
    const spec = (name: string): string =>
      `${minimalSpec(name)}origin: { suggested: { from: annotations, class: READ_ONLY, isOpenWorld: false } }\n`;
    const folder = project({ ...files, "specs/a.tool.yaml": spec("a"), "specs/b.tool.yaml": spec("b") });
    const run = atTerminal(folder, "y\ny\nn\ny\n", "--suggested", "--review");
    expect(run.code).toBe(0);
    expect(tree(folder)["specs/a.tool.yaml"]).toBe(spec("a"));
    expect(tree(folder)["specs/b.tool.yaml"]).toContain("READ_ONLY");
    expect(tree(folder)["specs/b.tool.yaml"]).not.toContain("suggested");
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("hasp-ledger/"))).toEqual(["hasp-ledger/b.yaml"]);
    expect((await haspJson(folder, ["check"])).code).toBe(0);
  });
});
