import type { JsonValue } from "@hasp/schema";
import { listExpressionRows, findDecidedInput, createInputFinder, holds } from "../cel/decision-table.js";
import type { Location } from "@hasp/base/diagnostics";
import { type ContradictingEffect, findContradiction } from "./contradictions.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import {
  type Coverage,
  type CoveredHandler,
  coversText,
  createCoverage,
  digestHandlers,
  isCovered,
  isNarrowed,
  obstacleTo,
} from "./coverage.js";
import type { LoadedDocument } from "../model/document.js";
import { dropUndefined, groupBy } from "@hasp/base/json";
import type { CompilePlan } from "../model/plan.js";
import { type LedgerEntry, type LedgerFile, readLedgerFile } from "./ledger-file.js";

export interface ToolClaim extends JudgedClaim {
  readonly tool: FlatTool;
  readonly relaxation: Relaxation;
}

export interface PendingClaim {
  readonly tool: string;
  readonly claim: string;
  readonly state: Exclude<ApprovalState, "approved" | "uncoverable">;
  readonly location: Location;
  readonly earlierReason?: string;
  /** An input that the claim treats more mildly, if one was found. */
  readonly example?: JsonValue | undefined;
  /** The ledger text for an approval given now. */
  readonly covers: string;
  /** The input that the approval covers, if it is recorded. */
  readonly input?: string | undefined;
  /** The contradicting handler effect; `approve` asks about such a claim separately. */
  readonly contradiction?: ContradictingEffect;
}

export function listToolClaims(tools: readonly FlatTool[], approvals: Approvals): readonly ToolClaim[] {
  return tools.flatMap((tool) => {
    const handler = approvals.handlers.get(tool.name);
    const coverage = createCoverage(tool, handler);
    return tool.relaxations.map((relaxation) =>
      judgeClaim(
        {
          tool,
          relaxation,
          ledger: tool.name,
          claim: relaxation.claim,
          coverage: () => coverage.of(relaxation),
          isNarrowed: (entry: LedgerEntry) => isNarrowed(tool, relaxation, handler, entry),
          input: () => (relaxation.covers.kind === "input" ? coverage.input() : undefined),
          obstacle: obstacleTo(tool, relaxation, handler),
          contradiction: findContradiction(tool, relaxation),
        },
        approvals,
      ),
    );
  });
}

export function listPendingClaims(tools: readonly FlatTool[], approvals: Approvals): readonly PendingClaim[] {
  return listToolClaims(tools, approvals).flatMap((judged): readonly PendingClaim[] => {
    const { tool, relaxation } = judged;
    return createPendingClaim(judged, locateClaim(tool, relaxation), () => findExampleInput(tool, relaxation));
  });
}

/** Returns a claim for review, or nothing if no approval is needed or possible. */
export function createPendingClaim(
  { ledger, claim, state, coverage, input, contradiction, entry }: JudgedClaim,
  location: Location,
  findExample?: () => JsonValue | undefined,
): readonly PendingClaim[] {
  if (state === "approved" || state === "uncoverable") return [];
  return [
    {
      tool: ledger,
      claim,
      state,
      location,
      // Both getters read the tool's schemas, which counting thousands of imported claims must not do.
      get covers() {
        return coversText(coverage());
      },
      get input() {
        return input?.();
      },
      get example() {
        return findExample?.();
      },
      ...dropUndefined({ contradiction, earlierReason: entry?.reason }),
    },
  ];
}

/** Locates a claim in the spec or in the file of its input schema. */
export function locateClaim(tool: FlatTool, { pointer }: Relaxation): Location {
  return pointer.startsWith("/input") ? tool.input.locate(pointer.slice("/input".length)) : tool.locate(pointer);
}

export function findExampleInput(tool: FlatTool, { pointer }: Pick<Relaxation, "pointer">): JsonValue | undefined {
  const findInput = createInputFinder(tool);
  const row = /^\/concurrency\/rules\/(\d+)$/u.exec(pointer);
  if (row !== null) {
    const rows = listExpressionRows(tool);
    const own = rows.find(({ rule }) => rule.index === Number(row[1]));
    return own && findDecidedInput(findInput, rows, own);
  }
  const flag = tool.flags.find((each) => pointer === `/behavior/${each.flag}`);
  if (flag === undefined) return findInput([], () => true);
  const { predicate, polarity } = flag;
  if (predicate.kind === "custom") return undefined;
  const isMildWhenTrue = (flag.flag === "isReadOnly" || flag.flag === "isIdempotent") === (polarity === "when");
  return findInput([predicate.expression], (input) => holds(predicate, input) === isMildWhenTrue);
}

/**
 * `stale`: something that the approval covers has changed. `contradicted`: the entry does not accept that the claim
 * contradicts the handler. `uncoverable`: no approval can cover the claim.
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
  /** Prints the covered input, for claims that cover nothing but it. */
  input?(): string | undefined;
  /** True if the entry covered a wider input, so that it still holds. */
  isNarrowed?(entry: LedgerEntry): boolean;
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
  const files = documents
    .filter(({ role }) => role === "ledger")
    .map((document) => readLedgerFile(document, plan.today));
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
  { coverage, isNarrowed: isNarrowedFrom, obstacle, contradiction }: Claim,
  entry: LedgerEntry | undefined,
  today: string,
): ApprovalState {
  if (obstacle !== undefined) return "uncoverable";
  if (entry === undefined) return "new";
  if (!isCovered(entry.covers, coverage()) && isNarrowedFrom?.(entry) !== true) return "stale";
  if (entry.expires !== undefined && entry.expires < today) return "expired";
  return contradiction === undefined || entry.contradicts === contradiction.kind ? "approved" : "contradicted";
}
