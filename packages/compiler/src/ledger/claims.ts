import type { JsonValue } from "@hasp/schema";
import { expressionRows, findDecidedInput, findInput, holds } from "../cel/index.js";
import type { Location } from "../diagnostics/diagnostic.js";
import { type ContradictingEffect, findContradiction } from "./contradictions.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import { type Approvals, type ApprovalState, judgeClaim, type JudgedClaim } from "./approvals.js";
import { coversText, createCoverage, obstacleTo } from "./coverage.js";

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
  /** The contradicting handler effect; `approve` asks about such a claim separately. */
  readonly contradiction?: ContradictingEffect;
}

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

export function pendingClaims(tools: readonly FlatTool[], approvals: Approvals): readonly PendingClaim[] {
  return toolClaims(tools, approvals).flatMap((judged): readonly PendingClaim[] => {
    const { tool, relaxation } = judged;
    return pendingClaim(judged, locateClaim(tool, relaxation), () => exampleInput(tool, relaxation));
  });
}

/** Returns a claim for review, or nothing if no approval is needed or possible. */
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
      // Both getters read the tool's schemas, which counting thousands of imported claims must not do.
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

/** Locates a claim in the spec or in the file of its input schema. */
export function locateClaim(tool: FlatTool, { pointer }: Relaxation): Location {
  return pointer.startsWith("/input") ? tool.input.locate(pointer.slice("/input".length)) : tool.locate(pointer);
}

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
