import type { ContradictingEffect } from "./contradictions.js";
import type { LoadedDocument } from "../model/document.js";
import { groupBy } from "../model/group-by.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { type Coverage, isCovered } from "./coverage.js";
import { type CoveredHandler, digestHandlers } from "./covered-handlers.js";

import { type LedgerEntry, type LedgerFile, readLedgerFile } from "./ledger-file.js";

/**
 * `stale`: the covered code changed. `contradicted`: the entry does not accept that the claim contradicts the handler.
 * `uncoverable`: no approval can cover the claim.
 */
export type ApprovalState = "approved" | "new" | "stale" | "expired" | "contradicted" | "uncoverable";

export interface Approvals {
  readonly files: readonly LedgerFile[];
  /** The entries by tool or policy; none if several ledgers have its name. */
  readonly entries: ReadonlyMap<string, readonly LedgerEntry[]>;
  readonly handlers: ReadonlyMap<string, CoveredHandler>;
  readonly today: string;
}

interface Claim {
  /** The name of the tool or policy. */
  readonly ledger: string;
  readonly claim: string;
  /** Computes what an approval covers now; reads the schemas of tools. */
  coverage(): Coverage<string>;
  /** The reason why no approval can cover the claim. */
  readonly obstacle?: string | undefined;
  readonly contradiction?: ContradictingEffect | undefined;
}

export interface JudgedClaim extends Claim {
  readonly state: ApprovalState;
  /** The ledger's entry, even if it no longer applies. */
  readonly entry: LedgerEntry | undefined;
}

/** Reads all approvals. Pass all tools: the file of a handler may depend on other tools' names. */
export function readApprovals(
  documents: readonly LoadedDocument[],
  tools: readonly FlatTool[],
  plan: CompilePlan,
): Approvals {
  const files = documents.filter(({ role }) => role === "ledger").map(readLedgerFile);
  const entries = [...groupBy(files, ({ tool }) => tool)].map(
    ([name, [file, ...others]]) => [name, file === undefined || others.length > 0 ? [] : file.entries] as const,
  );
  return { files, entries: new Map(entries), handlers: digestHandlers(tools, plan), today: plan.today };
}

export function judgeClaim<Each extends Claim>(claim: Each, { entries, today }: Approvals): Each & JudgedClaim {
  const entry = entries.get(claim.ledger)?.find((each) => each.claim === claim.claim);
  return { ...claim, entry, state: decideState(claim, entry, today) };
}

function decideState(
  { coverage, obstacle, contradiction }: Claim,
  entry: LedgerEntry | undefined,
  today: string,
): ApprovalState {
  if (obstacle !== undefined) return "uncoverable";
  if (entry === undefined) return "new";
  if (!isCovered(entry.covers, coverage())) return "stale";
  if (entry.expires !== undefined && entry.expires < today) return "expired";
  return contradiction === undefined || entry.contradicts === contradiction.kind ? "approved" : "contradicted";
}
