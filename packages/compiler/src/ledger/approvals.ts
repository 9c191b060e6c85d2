import type { ContradictingEffect } from "./contradictions.js";
import type { LoadedDocument } from "../model/document.js";
import { groupBy } from "../model/group-by.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { type Coverage, isCovered } from "./coverage.js";
import { type CoveredHandler, digestHandlers } from "./covered-handlers.js";

import { type LedgerEntry, type LedgerFile, readLedgerFile } from "./ledger-file.js";

/**
 * The state of a claim's approval. Nobody has given one (`new`), what it covers has changed (`stale`), it has ended
 * (`expired`), it does not say that the claim contradicts the handler (`contradicted`), or none can cover the claim
 * (`uncoverable`).
 */
export type ApprovalState = "approved" | "new" | "stale" | "expired" | "contradicted" | "uncoverable";

/** Everything by which the approvals of a project are judged. */
export interface Approvals {
  readonly files: readonly LedgerFile[];
  /** The entries of each tool and policy. Nobody knows which of several ledgers applies, so none does. */
  readonly entries: ReadonlyMap<string, readonly LedgerEntry[]>;
  readonly handlers: ReadonlyMap<string, CoveredHandler>;
  readonly today: string;
}

/** A claim of a tool or a policy. */
interface Claim {
  /** The name of the tool or policy, which is that of the ledger. */
  readonly ledger: string;
  readonly claim: string;
  /** Returns what an approval given now covers. It reads the schemas of tools. */
  coverage(): Coverage<string>;
  /** The reason why no approval can cover the claim. */
  readonly obstacle?: string | undefined;
  /** The action of the declared handler that contradicts the claim. */
  readonly contradiction?: ContradictingEffect | undefined;
}

/** A claim, and the state of its approval. */
export interface JudgedClaim extends Claim {
  readonly state: ApprovalState;
  /** The entry of the ledger, even if it no longer applies. */
  readonly entry: LedgerEntry | undefined;
}

/** Reads the approvals of a project. `tools` are all its tools: the file of a handler may depend on other tools' names. */
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

/** Finds the approval of a claim and decides whether it holds today. */
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
