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

  test("a test that is not met fails at its line", async () => {
    const folder = withPolicy(policy.replace("plan: free }, expect: ask", "plan: free }, expect: allow"));
    const run = await haspJson(folder, ["test"]);
    expect(run.code).toBe(1);
    expect(run.diagnostics).toMatchObject([
      { code: "cli/test-failed", message: expect.stringContaining("put to a person"), line: 10 },
    ]);
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

  test("that is missing, or outside of the project, is an error", async () => {
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
