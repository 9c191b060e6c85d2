import { expect, test } from "vitest";
import type { PermissionRequest } from "@hasp/runtime";
import { createApprovals } from "./approvals.js";

const shown = {
  callId: "1",
  toolName: "write_file",
  input: { path: "notes.md" },
  inputDigest: "digest",
  toolDigest: "definition",
  class: "WRITE_EXCLUSIVE",
  isDestructive: false,
} as const;

test.each([
  [{}, "allow"],
  [{ class: "READ_ONLY" }, "allow"],
  [{ class: "UNSAFE" }, "deny"],
  [{ isDestructive: true }, "deny"],
  [{ inputDigest: "another" }, "deny"],
  [{ toolDigest: "another" }, "deny"],
])("an approval of a call that now has %j answers %s", (changed, decision) => {
  const approvals = createApprovals();
  approvals.show(shown);
  approvals.answer("1", { decision: "allow" });
  const request = { ...shown, context: undefined, ...changed } as unknown as PermissionRequest;
  expect(approvals.ask(request)).toMatchObject({ decision });
});

const request = { ...shown, context: undefined } as unknown as PermissionRequest;

test("an approval counts once, until the question is shown again", () => {
  const approvals = createApprovals();
  const decide = (): unknown => {
    approvals.answer("1", { decision: "allow" });
    return Object(approvals.ask(request)).decision;
  };
  approvals.show(shown);
  expect([decide(), decide()]).toEqual(["allow", "deny"]);
  approvals.show(shown, true);
  expect(decide()).toBe("deny");
  approvals.show(shown);
  expect(decide()).toBe("allow");
});

test("a question that another process has shown is kept, and one of this process stays as it was shown", () => {
  for (const first of [undefined, { ...shown, class: "READ_ONLY" as const }]) {
    const approvals = createApprovals();
    if (first !== undefined) approvals.show(first);
    approvals.show(shown, true);
    approvals.answer("1", { decision: "allow" });
    expect(approvals.ask(request)).toMatchObject({ decision: first === undefined ? "allow" : "deny" });
  }
});
