import { FIELDS } from "@hasp/runtime";
import type { CompileResult } from "../compile.js";
import { WAITING } from "../ledger/diagnostics.js";
import type { ExclusionPlan } from "../model/plan.js";
import type { LoweredList } from "../model/lowered.js";

/** Figures about what a build compiled, as plain data so that they can be cached. */
export interface BuildFacts {
  readonly tools: number;
  /** Number of tools by worst-case class. */
  readonly classes: readonly { readonly name: string; readonly tools: number }[];
  readonly milderForSomeInputs: number;
  readonly relaxations: { readonly claims: number; readonly tools: number; readonly waiting: number };
  readonly toolsets: readonly ToolsetFacts[];
  /** Tools that were left out, each with the reason. */
  readonly excluded: readonly ExclusionPlan[];
}

/** One toolset and its lists. */
export interface ToolsetFacts {
  readonly name: string;
  readonly tools: number;
  readonly dialects: readonly ListFacts[];
}

/** One provider list. */
export interface ListFacts {
  readonly dialect: string;
  readonly carried: number;
  readonly strict: number;
  readonly excluded: readonly { readonly tool: string; readonly reason: string }[];
  readonly losses: number;
}

/** Computes the figures of a compile result. */
export function buildFacts({
  tools,
  toolsets,
  diagnostics,
  excluded,
}: Pick<CompileResult, "tools" | "toolsets" | "diagnostics" | "excluded">): BuildFacts {
  const loosened = tools.filter((tool) => tool.relaxations.length > 0);
  return {
    tools: tools.length,
    classes: FIELDS.concurrency.class.values.toReversed().flatMap((name) => {
      const count = tools.filter((tool) => tool.worstCase.class === name).length;
      return count === 0 ? [] : [{ name, tools: count }];
    }),
    milderForSomeInputs: tools.filter(({ spec }) => (spec.concurrency?.rules ?? []).length > 0).length,
    relaxations: {
      claims: loosened.reduce((sum, tool) => sum + tool.relaxations.length, 0),
      tools: loosened.length,
      waiting: diagnostics.filter(({ code }) => WAITING.has(code)).length,
    },
    excluded,
    toolsets: toolsets.map(({ name, tools: selected, lists }) => ({
      name,
      tools: selected.length,
      dialects: lists.map(listFacts),
    })),
  };
}

function listFacts({ dialect, tools, excluded }: LoweredList): ListFacts {
  return {
    dialect,
    carried: tools.length,
    strict: tools.filter((tool) => tool.strict).length,
    excluded: excluded.map(({ tool, reason }) => ({ tool: tool.name, reason })),
    losses: tools.reduce((sum, { lossCount }) => sum + lossCount, 0),
  };
}
