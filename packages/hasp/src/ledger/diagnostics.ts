import type { Severity } from "@hasp/schema";
import { didYouMean } from "../diagnostics/closest.js";
import { defineDiagnostics, type DiagnosticFactory } from "../diagnostics/define-diagnostics.js";
import { excerpt } from "../diagnostics/excerpt.js";

const definitions = {
  "not-approved": {
    severity: "error",
    fixed: true,
    message: (p: { tool: string; claim: string }): string =>
      `Nobody has approved "${excerpt(p.claim)}"; the claim loosens a strict default.`,
    help: (p: { tool: string; claim: string }): string =>
      `Remove the claim, or run: hasp approve ${p.tool} --reason "why it is safe"`,
  },
  stale: {
    severity: "error",
    fixed: true,
    message: (p: { tool: string; claim: string; covered: string }): string =>
      `What the approval of "${excerpt(p.claim)}" covers has changed since: ${p.covered}.`,
    help: (p: { tool: string; claim: string; covered: string }): string =>
      `Look at it again, then run: hasp approve ${p.tool} --reason "why it is still safe"`,
  },
  expired: {
    severity: "error",
    fixed: true,
    message: (p: { tool: string; claim: string; expires: string }): string =>
      `The approval of "${excerpt(p.claim)}" ended on ${p.expires}.`,
    help: (p: { tool: string; claim: string; expires: string }): string =>
      `Remove the claim, or run: hasp approve ${p.tool} --reason "why it is still safe"`,
  },
  "unused-approval": {
    severity: "warning",
    fixed: true,
    message: (p: { claim: string; known: readonly string[] }): string =>
      `The tool no longer claims "${excerpt(p.claim)}".${didYouMean(p.claim, p.known)}`,
    help: (): string => "Remove the entry, or run: hasp approve --prune",
  },
  "unknown-tool": {
    severity: "warning",
    fixed: true,
    message: (p: { tool: string; known: readonly string[] }): string =>
      `There is no tool "${p.tool}" for which this ledger could speak.${didYouMean(p.tool, p.known)}`,
    help: (): string => "Rename the file if the tool was renamed, or run: hasp approve --prune",
  },
  malformed: {
    severity: "error",
    fixed: true,
    message: (p: { problem: string }): string => p.problem,
    help: (): string =>
      'An entry is { claim, reason, covers } and perhaps { expires: "YYYY-MM-DD" }; hasp approve writes it.',
  },
  "twice-approved": {
    severity: "error",
    fixed: true,
    message: (p: { claim: string }): string => `"${excerpt(p.claim)}" is approved twice; keep one of the two entries.`,
  },
} as const;

/** What reading the ledger may find. None of it can be silenced. */
export const ledgerDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("ledger", definitions);

/** The findings that `--unlocked` turns into warnings: what waits for a reviewer, not what is broken. */
export const WAITING: ReadonlyMap<string, Severity> = new Map(
  ["ledger/not-approved", "ledger/stale", "ledger/expired"].map((code) => [code, "warning"]),
);
