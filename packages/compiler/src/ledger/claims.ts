import type { JsonValue } from "@hasp/schema";
import { expressionRows, findDecidedInput, findInput, holds } from "../cel/index.js";
import type { Location } from "../diagnostics/diagnostic.js";
import { type ContradictingEffect, findContradiction } from "./contradictions.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import { type Approvals, type ApprovalState, judgeClaim, type JudgedClaim } from "./approvals.js";
import { coversText, createCoverage, obstacleTo } from "./coverage.js";

/** A claim of a tool, and the state of its approval. */
export interface ToolClaim extends JudgedClaim {
  readonly tool: FlatTool;
  readonly relaxation: Relaxation;
}

/** A claim that waits for a reviewer. */
export interface PendingClaim {
  readonly tool: string;
  readonly claim: string;
  readonly state: Exclude<ApprovalState, "approved" | "uncoverable">;
  readonly location: Location;
  /** The reason of the approval that no longer applies. */
  readonly earlierReason?: string;
  /** An input that is treated more mildly because of the claim; `undefined` where the search found none. */
  readonly example?: JsonValue | undefined;
  /** The ledger's text about what an approval given now covers. */
  readonly covers: string;
  /** The action of the declared handler that contradicts the claim; `approve` asks about such a claim separately. */
  readonly contradiction?: ContradictingEffect;
}

/** Lists the claims of tools, by tool and in the order of the spec. */
export function toolClaims(tools: readonly FlatTool[], approvals: Approvals): readonly ToolClaim[] {
  return tools.flatMap((tool) => {
    const handler = approvals.handlers.get(tool.name);
    const coverageOf = createCoverage(tool, handler);
    return tool.relaxations.map((relaxation) =>
      judgeClaim(
        {
          tool,
          relaxation,
          ledger: tool.name,
          claim: relaxation.claim,
          coverage: () => coverageOf(relaxation),
          obstacle: obstacleTo(tool, relaxation, handler),
          contradiction: findContradiction(tool, relaxation),
        },
        approvals,
      ),
    );
  });
}

/** Lists the claims of tools that wait for a reviewer, by tool and in the order of the spec. */
export function pendingClaims(tools: readonly FlatTool[], approvals: Approvals): readonly PendingClaim[] {
  return toolClaims(tools, approvals).flatMap((judged): readonly PendingClaim[] => {
    const { tool, relaxation } = judged;
    return pendingClaim(judged, locateClaim(tool, relaxation), () => exampleInput(tool, relaxation));
  });
}

/** Returns a claim for its reviewer; nothing if no approval is needed or possible. */
export function pendingClaim(
  { ledger, claim, state, coverage, contradiction, entry }: JudgedClaim,
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
      // Counting claims asks for neither: both read the tool's schemas, and an import may leave thousands open.
      get covers() {
        return coversText(coverage());
      },
      get example() {
        return findExample?.();
      },
      ...(contradiction === undefined ? {} : { contradiction }),
      ...(entry === undefined ? {} : { earlierReason: entry.reason }),
    },
  ];
}

/** Locates a claim in the spec, or in the file of its input schema. */
export function locateClaim(tool: FlatTool, { pointer }: Relaxation): Location {
  return pointer.startsWith("/input") ? tool.input.locate(pointer.slice("/input".length)) : tool.locate(pointer);
}

/** Finds a valid input that a claim makes milder, for reviewers to see before they approve it. */
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
