import { expect, test } from "vitest";
import type { PermissionRequest } from "@hasp/runtime";
import { createApprovals } from "./approvals.js";

const shown = {
  callId: "1",
  toolName: "write_file",
  input: { path: "notes.md" },
  inputDigest: "digest",
  class: "WRITE_EXCLUSIVE",
  isDestructive: false,
} as const;

test.each([
  [{}, "allow"],
  [{ class: "READ_ONLY" }, "allow"],
  [{ class: "UNSAFE" }, "deny"],
  [{ isDestructive: true }, "deny"],
  [{ inputDigest: "another" }, "deny"],
])("an approval of a call that now has %j answers %s", (changed, decision) => {
  const approvals = createApprovals();
  approvals.show(shown);
  approvals.answer("1", { decision: "allow" });
  const request = { ...shown, context: undefined, ...changed } as unknown as PermissionRequest;
  expect(approvals.ask(request)).toMatchObject({ decision });
});
