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
      expect((await haspJson(folder, ["list"])).data).toMatchObject({ tools: [{ unaskedBy: ["support.policy"] }] });
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
