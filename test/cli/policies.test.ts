import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, project, put } from "./command-line.js";

const spec = `hasp: 1
name: find_order
description: Find an order. Use it when its id is known. Do not use it to search.
input: { type: object, required: [id], properties: { id: { type: string, maxLength: 20, description: "Such as A-17, as it stands on the receipt." } } }
`;

const policy = `hasp: 1
context:
  plan: { enum: [free, team] }
deny: [mcp__*]
rules:
  - { tool: find_order, when: "context.plan == 'free'", decision: ask, reason: Free plans are limited. }
  - { tool: find_order, when: "input.id != '0'", decision: allow }
tests:
  - { tool: find_order, input: { id: "1" }, context: { plan: team }, expect: allow }
  - { tool: find_order, input: { id: "1" }, context: { plan: free }, expect: ask }
  - { tool: find_order, input: { id: "1" }, expect: deny } # a condition that fails refuses
`;

function withPolicy(text: string): string {
  return project({
    "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\ntoolsets: { all: { policy: policies/support.yaml } }\n",
    "specs/find_order.tool.yaml": spec,
    "policies/support.yaml": text,
  });
}

const approve = (folder: string): Promise<{ readonly code: number | null }> =>
  hasp(folder, ["approve", "--yes", "support.policy", "--reason", "Agreed."]);

describe("a policy", () => {
  test("needs approvals, is built and tested", async () => {
    const folder = withPolicy(policy);
    expect((await haspJson(folder, ["check"])).diagnostics.map(({ code }) => code)).toContain("ledger/not-approved");
    expect((await approve(folder)).code).toBe(0);
    expect((await hasp(folder, ["build"])).code).toBe(0);
    expect(readFileSync(join(folder, "src/generated/policy.ts"), "utf8")).toContain('decision: "allow"');
    expect((await hasp(folder, ["build", "--check"])).code).toBe(0);
    const run = await haspJson(folder, ["test"]);
    expect([run.code, run.summary]).toEqual([0, expect.objectContaining({ failed: 0 })]);
    expect(run.summary["passed"]).toBe(3);
  });

  test("is printed as it is approved", async () => {
    const { out } = await hasp(withPolicy(policy), ["approve", "--yes", "support.policy", "--reason", "Agreed."]);
    expect(out).toContain(`support.policy  rules: { tool: find_order, when: "input.id != '0'", decision: allow }`);
  });

  test("is a name for check and show", async () => {
    const folder = withPolicy(policy);
    expect((await haspJson(folder, ["check", "support.policy"])).diagnostics.map(({ code }) => code)).toContain(
      "ledger/not-approved",
    );
    const waiting = await hasp(folder, ["show", "support.policy"]);
    expect(waiting.out).toMatch(/^support\.policy of the toolset all, mode ask\n {2}new: rules: .*\(find_order\)/u);
    await approve(folder);
    expect((await hasp(folder, ["show", "support.policy"])).out).toContain("approved: rules:");
    expect((await haspJson(folder, ["show", "suport.policy"])).diagnostics[0]?.message).toContain("support.policy");
  });

  test("a test that is not met fails at its line", async () => {
    const folder = withPolicy(policy.replace("plan: free }, expect: ask", "plan: free }, expect: allow"));
    await approve(folder);
    const run = await haspJson(folder, ["test"]);
    expect(run.code).toBe(1);
    expect(run.diagnostics).toMatchObject([
      { code: "cli/test-failed", message: expect.stringContaining("put to a person"), line: 10 },
    ]);
  });

  describe("whose rule allows a tool", () => {
    const sql = (more: string): string => `${spec}connections`.replace("connections", more);
    const handler = (statement: string): string =>
      sql(`handler: { sql: { connection: db, statement: "${statement}" } }\n`);
    const base = handler("SELECT count(*) FROM products WHERE id = $id");
    const allow =
      "hasp: 1\nrules:\n  - { tool: find_order, decision: allow }\ntests:\n  - { tool: find_order, input: { id: A }, expect: allow }\n";
    const configured = (text: string): string =>
      project({
        "hasp.config.yaml":
          "specs: [specs]\ndialects: [anthropic]\ntoolsets: { all: { policy: policies/support.yaml } }\nconnections: { db: { sql: { context: db } } }\n",
        "specs/find_order.tool.yaml": text,
        "policies/support.yaml": allow,
      });

    test.each([
      [
        "the statement",
        handler("DELETE FROM products WHERE id = $id"),
        'the handler of "find_order" (specs/find_order.tool.yaml:5)',
      ],
      ["the kind of the handler", spec, 'the handler of "find_order" (specs/find_order.tool.yaml:2)'],
      [
        "the input",
        base.replace("maxLength: 20", "maxLength: 20000"),
        'the input of "find_order" (specs/find_order.tool.yaml:4)',
      ],
      [
        "a flag",
        `${base}behavior: { isOpenWorld: false }\n`,
        'the flags of "find_order" (specs/find_order.tool.yaml:6)',
      ],
    ])("is no longer approved, and no test is green, when its tool has changed in %s", async (_, changed, what) => {
      const folder = configured(base);
      await approve(folder);
      expect((await hasp(folder, ["test"])).code).toBe(0);
      expect((await haspJson(folder, ["show"])).data).toMatchObject({ tools: [{ unaskedBy: ["support.policy"] }] });
      expect((await hasp(folder, ["show", "find_order"])).out).toMatch(/runs unasked by support\.policy: .* approved/u);
      writeFileSync(join(folder, "specs/find_order.tool.yaml"), changed);
      const stale = (await haspJson(folder, ["check"])).diagnostics.find(({ code }) => code === "ledger/stale");
      expect(stale).toMatchObject({ severity: "error", uri: "policies/support.yaml", line: 3 });
      expect(stale?.message).toContain(what);
      const run = await haspJson(folder, ["test"]);
      expect([run.code, run.diagnostics.map(({ code }) => code)]).toEqual([1, ["cli/test-failed"]]);
      expect((await hasp(folder, ["show", "find_order"])).out).not.toContain("Nothing here loosens");
    });
  });

  test.each([
    ["the condition of an earlier rule changes", policy.replace("'free'", "'team'"), "ledger/stale"],
    [
      "what the condition of an allowing rule reads changes",
      `${policy.replace("input.id != '0'", "context.plan == 'team'")}`,
      "ledger/not-approved",
    ],
    ["the allowed calls change", policy.replace("!= '0'", "!= '1'"), "ledger/not-approved"],
  ])("an approval no longer holds when %s", async (_, changed, code) => {
    const folder = withPolicy(policy);
    await approve(folder);
    writeFileSync(join(folder, "policies/support.yaml"), changed);
    const found = (await haspJson(folder, ["check"])).diagnostics.map((each) => each.code);
    expect(found).toContain(code);
  });

  const asks = (when: string): string =>
    `rules:\n  - { tool: find_order, when: "${when}", decision: ask }\nmode: accept-writes\n`;
  const ofServer = 'rules: [{ server: shop, tool: "*", decision: allow }]\n';
  test.each([
    ["a mode", "a rule that asks is gone", asks("input.id == '7'"), "mode: accept-writes\n"],
    ["a mode", "a rule asks about fewer calls", asks("input.id != '7'"), asks("input.id == '7'")],
    [
      "a mode",
      "a tool of servers is denied no more",
      "deny: [mcp__shop__pay]\nmode: accept-writes\n",
      "mode: accept-writes\n",
    ],
    ["servers' tools", "one of them is denied no more", `deny: [mcp__shop__pay]\n${ofServer}`, ofServer],
  ])("an approval of %s no longer holds when %s", async (_what, _change, before, after) => {
    const folder = withPolicy(`hasp: 1\n${before}`);
    await approve(folder);
    const codes = async (): Promise<readonly string[]> =>
      (await haspJson(folder, ["check"])).diagnostics
        .map(({ code }) => code)
        .filter((code) => code.startsWith("ledger/"));
    expect(await codes()).toEqual([]);
    writeFileSync(join(folder, "policies/support.yaml"), `hasp: 1\n${after}`);
    expect(await codes()).toEqual(["ledger/stale"]);
  });

  test("a policy that is missing, or outside of the project, is an error", async () => {
    const folder = withPolicy(policy);
    writeFileSync(
      join(folder, "hasp.config.yaml"),
      "specs: [specs]\ntoolsets: { all: { policy: policies/none.yaml } }\n",
    );
    const found = (await haspJson(folder, ["check"])).diagnostics.filter(({ severity }) => severity === "error");
    expect(found).toMatchObject([{ code: "policy/not-found", uri: "hasp.config.yaml" }]);
    writeFileSync(join(folder, "hasp.config.yaml"), "toolsets: { all: { policy: ../none.yaml } }\n");
    expect((await haspJson(folder, ["check"])).diagnostics).toMatchObject([{ code: "config/outside-project" }]);
  });

  test.each([
    ["no longer denies", policy.replace("deny: [mcp__*]", "deny: []"), "diff/policy-loosened"],
    ["has another mode", `${policy}mode: accept-writes\n`, "diff/policy-loosened"],
    ["loses a rule that asks", policy.replace(/.*free'.*\n/u, ""), "diff/policy-loosened"],
    ["has its rules in another order", policy.replace(/(.*free'.*\n)(.*\n)/u, "$2$1"), "diff/policy-may-loosen"],
    [
      "denies more",
      policy.replace("rules:\n", "rules:\n  - { tool: find_order, when: \"input.id == '7'\", decision: deny }\n"),
      undefined,
    ],
  ])("diff tells when it %s", async (_, changed, code) => {
    const folder = withPolicy(changed);
    put(join(folder, "base"), {
      "hasp.config.yaml": "specs: [specs]\ntoolsets: { all: { policy: policies/support.yaml } }\n",
      "specs/find_order.tool.yaml": spec,
      "policies/support.yaml": policy,
    });
    const codes = (await haspJson(folder, ["diff", "./base"])).diagnostics.map((each) => each.code);
    if (code === undefined) expect(codes.filter((each) => each.includes("policy"))).toEqual([]);
    else expect(codes).toContain(code);
  });
});

describe("a path by which private data may leave", () => {
  const tool = (name: string, behavior: string): string =>
    `${spec.replace("find_order", name)}behavior: { ${behavior} }\n`;
  const files = {
    "hasp.config.yaml":
      "specs: [specs]\ndialects: [anthropic]\nflow: ask\ntoolsets: { all: { policy: policies/support.yaml } }\n",
    "specs/read_page.tool.yaml": tool("read_page", "returnsPrivate: false, isOpenWorld: false"),
    "specs/find_row.tool.yaml": tool("find_row", "returnsUntrusted: false, isOpenWorld: false"),
    "specs/send_mail.tool.yaml": tool("send_mail", "returnsUntrusted: false, returnsPrivate: false"),
    "policies/support.yaml": "hasp: 1\nrules: [{ tool: send_mail, decision: allow }]\n",
  };
  const waiver = "hasp: 1\nrules: [{ tool: send_mail, decision: allow, flow: allow }]\n";
  const path = "read_page + find_row → send_mail";

  test("is drawn by show, from the sources to what guards each sink", async () => {
    const folder = project(files);
    const { out } = await hasp(folder, ["show", "all"]);
    expect(out).toMatch(/untrusted {2}read_page +→ +send_mail +a person is asked once both kinds are there/u);
    expect(out).toContain("private    find_row");
    put(folder, { "policies/support.yaml": waiver });
    expect((await haspJson(folder, ["show", "all"])).data).toMatchObject({
      flow: {
        untrusted: ["read_page"],
        private: ["find_row"],
        sinks: [{ tool: "send_mail", guard: "waived", waivers: ["rules.0.flow"] }],
      },
    });
  });

  test("is an error where a policy waives its guard, until somebody approves that", async () => {
    const folder = project({ ...files, "policies/support.yaml": waiver });
    await hasp(folder, ["approve", "--yes", "read_page", "find_row", "send_mail", "--reason", "Looked at."]);
    const { diagnostics } = await haspJson(folder, ["check"]);
    const missing = diagnostics.filter(({ code }) => code === "ledger/not-approved");
    expect(missing.map(({ pointer }) => pointer)).toEqual(["/rules/0", "/rules/0/flow"]);
    expect(missing[1]?.message).toContain(path);
    await approve(folder);
    expect((await hasp(folder, ["check"])).code).toBe(0);
    expect((await hasp(folder, ["show", "--only", "tool:send_mail"])).out).not.toContain("waiting");
  });

  test("is a loosening where a change opens it, as `diff`, review and SARIF show it", async () => {
    const folder = project({ ...files, "policies/support.yaml": waiver });
    put(folder, Object.fromEntries(Object.entries(files).map(([name, text]) => [`base/${name}`, text])));
    const says =
      "This opens a path by which a text that an outsider wrote may make a model send private data outside, and nobody is asked: ";
    const shown = await hasp(folder, ["diff", "./base"]);
    expect([shown.code, shown.error]).toEqual([1, ""]);
    expect(shown.out).toContain(`  2:51  error  ${says}${path}.  diff/path-opened`);
    const review = await hasp(folder, ["review", "./base"]);
    expect(review.code).toBe(0);
    expect(review.out).toMatch(/^#### Loosens safety: \d/mu);
    expect(review.out.replaceAll("\\", "")).toContain(
      `| error | \`send_mail\` | \`policies/support.yaml:2\` | ${says}${path}. \`diff/path-opened\` |`,
    );
    const sarif = await hasp(folder, ["diff", "./base", "--format", "sarif"]);
    expect(sarif.code).toBe(1);
    const location = {
      artifactLocation: expect.objectContaining({ uri: "policies/support.yaml" }) as unknown,
      region: expect.objectContaining({ startLine: 2, startColumn: 51, endColumn: 56 }) as unknown,
    };
    const result = {
      ruleId: "diff/path-opened",
      level: "error",
      message: { text: `${says}${path}.` },
      locations: [{ physicalLocation: location }],
    };
    expect(JSON.parse(sarif.out)).toMatchObject({
      runs: [{ results: expect.arrayContaining([expect.objectContaining(result)]) as unknown }],
    });
  });

  test("is data of the note in JSON, and properties in SARIF", async () => {
    const folder = project(files);
    const data = {
      toolset: "all",
      setting: "ask",
      sinks: ["send_mail"],
      untrusted: ["read_page"],
      private: ["find_row"],
    };
    expect((await haspJson(folder, ["check"])).paths).toMatchObject([{ severity: "info", data }]);
    const sarif = (await hasp(folder, ["check", "--format", "sarif", "--verbose"])).out;
    expect(JSON.parse(sarif)).toMatchObject({
      runs: [{ results: expect.arrayContaining([expect.objectContaining({ properties: data })]) as unknown }],
    });
  });
});
