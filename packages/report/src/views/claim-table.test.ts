import { describe, expect, test } from "vitest";
import { groupClaims, type PendingClaim } from "@hasp/compiler/claims";
import { paintPlain } from "../reporters/paint.js";
import { claimTexts } from "./claim-table.js";

function pending(tool: string, claim: string): PendingClaim {
  const position = { offset: 0, line: 1, column: 1 };
  const location = { uri: "a.yaml", pointer: "", range: { start: position, end: position } };
  return { tool, claim, location, state: "new", covers: "" } as PendingClaim;
}

const rule = `rules: { tool: refund_order, when: "input.amount <= 500.0 && context.plan == 'team' && !(input.reason in ['fraud', 'test'])", decision: allow }`;

describe("claimTexts", () => {
  test.each([80, 200])("prints each rule that is approved within %i columns, whole", (columns) => {
    const text = claimTexts(groupClaims([pending("support.policy", rule)]), { paint: paintPlain, columns });
    expect(text.split("\n").every((line) => line.length <= columns)).toBe(true);
    expect(text.replaceAll(/\s+/gu, " ")).toBe(` rules: … support.policy ${rule} `);
  });

  test("prints no claim that its row in the table already says", () => {
    const claims = [pending("a", "behavior.isOpenWorld: false"), pending("b", "behavior.isOpenWorld: false")];
    expect(claimTexts(groupClaims(claims), { paint: paintPlain, columns: 80 })).toBe("");
  });

  test("prints the first of many claims, and says how many more there are", () => {
    const claims = Array.from({ length: 30 }, (_, index) => pending("a", `input.filter${index}: true`));
    const view = { paint: paintPlain, columns: 80 };
    expect(claimTexts(groupClaims(claims), view).split("\n").at(-2)).toBe("  … and 10 more; --verbose prints them");
    expect(claimTexts(groupClaims(claims), view, { all: true })).toContain("input.filter29: true");
  });
});
