import type { JsonValue } from "@hasp/schema";
import type { Location } from "../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../model/document.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import { expressionRows, findDecidedInput, findInput, holds } from "../cel/index.js";
import { contradictionTo, type Contradiction } from "../handlers/contradictions.js";
import { locateClaim } from "./check-ledger.js";
import { createCoverage, coversText, isCovered } from "./coverage.js";
import { handlerDigestsOf } from "./covered-handlers.js";
import { readApprovals, type LedgerEntry } from "./ledger-file.js";

/** A claim that waits for a reviewer. */
export interface PendingClaim {
  readonly tool: string;
  readonly claim: string;
  /**
   * Nobody has approved it, what the approval covers has changed, the approval has ended, or it does not say that the
   * claim contradicts the handler.
   */
  readonly state: "new" | "stale" | "expired" | "contradicted";
  readonly location: Location;
  /** The reason of the approval that no longer applies. */
  readonly earlierReason?: string;
  /** An input that is treated more mildly because of the claim; `undefined` where the search found none. */
  readonly example?: JsonValue | undefined;
  /** What the ledger would say that an approval given now covers. */
  readonly covers: string;
  /** What the declared handler does against the claim; such a claim is asked about separately. */
  readonly contradiction?: Contradiction;
}

/** A claim of the project, and whether an approval covers it today. */
export interface ClaimState {
  readonly tool: FlatTool;
  readonly relaxation: Relaxation;
  readonly state: PendingClaim["state"] | "approved";
  /** Returns what the ledger would say that an approval given now covers. It reads the tool's schemas. */
  covers(): string;
  /** What the declared handler does against the claim. */
  readonly contradiction: Contradiction | undefined;
  /** The entry of the ledger, even if it no longer applies. */
  readonly entry: LedgerEntry | undefined;
}

/** Lists every claim of the project, by tool and in the order of the spec. */
export function claimStates(
  tools: readonly FlatTool[],
  ledgers: readonly LoadedDocument[],
  plan: CompilePlan,
): readonly ClaimState[] {
  const entries = readApprovals(ledgers);
  const handlers = handlerDigestsOf(tools, plan);
  return tools.flatMap((tool) => {
    const coverageOf = createCoverage(tool, handlers.get(tool.name));
    return tool.relaxations.map((relaxation): ClaimState => {
      const entry = entries.get(tool.name)?.find((each) => each.claim === relaxation.claim);
      const isExpired = entry?.expires !== undefined && entry.expires < plan.today;
      const contradiction = contradictionTo(tool, relaxation);
      const isContradicted = contradiction !== undefined && entry?.contradicts !== contradiction.kind;
      const state = ((): ClaimState["state"] => {
        if (entry === undefined) return "new";
        if (!isCovered(entry.covers, coverageOf(relaxation))) return "stale";
        if (isExpired) return "expired";
        return isContradicted ? "contradicted" : "approved";
      })();
      return { tool, relaxation, state, covers: () => coversText(coverageOf(relaxation)), contradiction, entry };
    });
  });
}

/** Lists the claims without a valid approval, by tool and in the order of the spec. */
export function pendingClaims(
  tools: readonly FlatTool[],
  ledgers: readonly LoadedDocument[],
  plan: CompilePlan,
): readonly PendingClaim[] {
  return claimStates(tools, ledgers, plan).flatMap(
    ({ tool, relaxation, state, covers, contradiction, entry }): readonly PendingClaim[] => {
      if (state === "approved") return [];
      return [
        {
          tool: tool.name,
          claim: relaxation.claim,
          state,
          location: locateClaim(tool, relaxation),
          // Counting claims asks for neither: both read the tool's schemas, and an import may leave thousands open.
          get covers() {
            return covers();
          },
          get example() {
            return exampleInput(tool, relaxation);
          },
          ...(contradiction === undefined ? {} : { contradiction }),
          ...(entry === undefined ? {} : { earlierReason: entry.reason }),
        },
      ];
    },
  );
}

/** A valid input that a claim makes milder, for reviewers to see before they approve it. */
export function exampleInput(tool: FlatTool, { pointer }: Relaxation): JsonValue | undefined {
  const row = /^\/concurrency\/rules\/(\d+)$/u.exec(pointer);
  if (row !== null) {
    const rows = expressionRows(tool);
    const own = rows.find(({ rule }) => rule.index === Number(row[1]));
    return own === undefined ? undefined : findDecidedInput(tool, rows, own);
  }
  const flag = tool.flags.find((each) => pointer === `/behavior/${each.flag}`);
  if (flag === undefined) return findInput(tool, [], () => true);
  const { predicate, polarity } = flag;
  if (predicate.kind === "custom") return undefined;
  const isMildWhenTrue = (flag.flag === "isReadOnly" || flag.flag === "isIdempotent") === (polarity === "when");
  return findInput(tool, [predicate.expression], (input) => holds(predicate, input) === isMildWhenTrue);
}
