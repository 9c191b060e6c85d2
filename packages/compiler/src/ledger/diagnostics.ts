import type { Severity } from "@hasp/schema";
import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

const definitions = {
  "not-approved": {
    fixed: true,
    message: {
      claim: 'Nobody has approved "{claim:excerpt}"; the claim loosens a strict default.',
      path: 'Nobody has approved "{claim:excerpt}"; it lets private data leave unasked by this path: {path}.',
    },
    help: 'Remove the claim, or run: hasp approve {tool} --reason "why it is safe"',
  },
  stale: {
    fixed: true,
    message: 'The approval of "{claim:excerpt}" is stale; this has changed since: {covered}.',
    help: 'Review the change, then run: hasp approve {tool} --reason "why it is still safe"',
  },
  "cannot-cover": {
    fixed: true,
    message: 'No approval can cover "{claim:excerpt}": {obstacle}.',
    help: "Import files of the repository only, by literal paths; or write the condition in CEL.",
  },
  expired: {
    fixed: true,
    message: 'The approval of "{claim:excerpt}" ended on {expires}.',
    help: 'Remove the claim, or run: hasp approve {tool} --reason "why it is still safe"',
  },
  "unused-approval": {
    severity: "warning",
    fixed: true,
    message: 'Nothing claims "{claim:excerpt}" any longer.{nearest:suggestion}',
    help: "Remove the entry, or run: hasp approve --prune",
  },
  "unknown-tool": {
    severity: "warning",
    fixed: true,
    needsAllSpecs: true,
    message: 'This ledger belongs to no tool: there is no tool "{tool}".{nearest:suggestion}',
    help: "Rename the file if the tool was renamed, or run: hasp approve --prune",
  },
  unseen: {
    fixed: true,
    message: {
      "signed-commits":
        'Perhaps nobody but its author has seen the approval of "{claim:excerpt}", since no trusted signature vouches for it: {reason}.',
      codeowners:
        'Perhaps nobody but its author has seen the approval of "{claim:excerpt}", since no review of a code owner vouches for it: {reason}.',
    },
    help: {
      "signed-commits": "Let a reviewer whose key git knows add the entry in a signed commit.",
      codeowners: "Let a code owner approve the pull request as it is now, then run this job again.",
    },
  },
  malformed: {
    fixed: true,
    message: "{problem}",
    help: 'An entry is { claim, reason, covers } and optionally { contradicts: sql, expires: "YYYY-MM-DD", by: "Name <email>", on: "YYYY-MM-DD" }; hasp approve writes it.',
  },
  "two-ledgers": {
    fixed: true,
    message:
      'The tool "{tool}" has two ledgers but can have only one. Move the entries into "{path}", and delete this file.',
  },
  "twice-approved": { fixed: true, message: '"{claim:excerpt}" is approved twice; keep one of the two entries.' },
} as const;

/** The diagnostics of the ledger. None can be suppressed. */
export const ledgerDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("ledger", definitions);

/** Findings about missing approvals, which `--unlocked` turns into warnings. */
export const WAITING: ReadonlyMap<string, Severity> = new Map(
  ["ledger/not-approved", "ledger/stale", "ledger/cannot-cover", "ledger/expired"].map((code) => [code, "warning"]),
);

/** Reports a claim that contradicts a declared handler; an approval can accept the contradiction. */
export const CONTRADICTION_RULE = "fail-closed/claim-contradicts-handler";
