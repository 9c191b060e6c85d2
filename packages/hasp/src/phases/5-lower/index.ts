import { dialects, strictVariant, wireNames } from "@hasp/schema";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { ExcludedTool, LoweredList, LoweredTool, LoweredToolset } from "../../model/lowered.js";
import type { CompilePlan, DialectPlan } from "../../model/plan.js";
import type { FlatTool } from "../../model/tool.js";
import { lowerDiagnostics } from "./diagnostics.js";
import { lowerTool, type LowerToolOptions, type ToolOutcome } from "./lower-tool.js";
import { selectToolsets, type SelectedToolset } from "./select-toolsets.js";
import { beyondStrictBudget, requestProblems } from "./strict-budget.js";

/**
 * Turns flat tools into the lists of the configured dialects. A tool is lowered once for each dialect, whatever toolsets
 * have it; one that a dialect cannot carry is left out of that list, with an error or a warning as the plan says.
 */
export function lower(
  tools: readonly FlatTool[],
  plan: CompilePlan,
  options: LowerToolOptions = { witnesses: true },
): Found<readonly LoweredToolset[]> {
  const toolsets = selectToolsets(tools, plan);
  const diagnostics: Diagnostic[] = [...toolsets.diagnostics];
  const used = new Set(toolsets.value.flatMap((toolset) => toolset.tools));
  const byDialect = plan.dialects.map((dialectPlan) => {
    const found = lowerToDialect(tools.filter((tool) => used.has(tool)), toolsets.value, dialectPlan, options);
    diagnostics.push(...found.diagnostics);
    return { dialectPlan, lowered: found.value };
  });
  const value = toolsets.value.map(({ name, tools: selected }) => ({
    name,
    tools: selected,
    lists: byDialect.map(({ dialectPlan, lowered }) => listOf(selected, dialectPlan, lowered)),
  }));
  diagnostics.push(...value.flatMap(({ name, lists }) => lists.flatMap((list) => requestDiagnostics(name, list))));
  return { value, diagnostics };
}

/** What became of every tool in one dialect. */
type DialectOutcome = ReadonlyMap<FlatTool, LoweredTool | ExcludedTool>;

function lowerToDialect(
  tools: readonly FlatTool[],
  toolsets: readonly SelectedToolset[],
  plan: DialectPlan,
  options: LowerToolOptions,
): Found<DialectOutcome> {
  const names = wireNames(tools.map(({ name }) => name), dialects[plan.id]);
  const lowerOne = (tool: FlatTool, mayBeStrict: boolean): ToolOutcome => lowerTool(tool, plan, names.get(tool.name) ?? tool.name, mayBeStrict, options);
  const outcomes = new Map(tools.map((tool) => [tool, lowerOne(tool, true)]));
  const strict = [...outcomes.values()].flatMap((outcome) =>
    outcome.kind === "carried" && outcome.lowered.strict ? [{ lowered: outcome.lowered, isByChoice: outcome.isStrictByChoice }] : [],
  );
  for (const tool of beyondStrictBudget(strict, toolsets, plan.id)) outcomes.set(tool, lowerOne(tool, false));

  const value = new Map<FlatTool, LoweredTool | ExcludedTool>();
  const diagnostics: Diagnostic[] = [];
  for (const [tool, outcome] of outcomes) {
    diagnostics.push(...outcome.diagnostics);
    if (outcome.kind === "carried") {
      value.set(tool, outcome.lowered);
      continue;
    }
    const { reason, location } = outcome;
    value.set(tool, { tool, reason });
    const code = plan.onUncarried === "error" ? "uncarried" : "excluded";
    diagnostics.push(lowerDiagnostics(code, location, { dialect: plan.id, reason }, { tool: tool.name }));
  }
  return { value, diagnostics };
}

/**
 * What a provider bounds over a whole list. A warning: who sends a part of the list, or lets tools be searched for, stays
 * within the bounds.
 */
function requestDiagnostics(toolset: string, { dialect, tools }: LoweredList): readonly Diagnostic[] {
  const strict = strictVariant(dialect);
  const problems = new Set([
    ...requestProblems(tools, dialect),
    ...(strict === undefined || strict === dialect ? [] : requestProblems(tools.filter((tool) => tool.strict), strict)),
  ]);
  return [...problems].map((problem) => lowerDiagnostics("request", undefined, { toolset, dialect, problem }));
}

function listOf(selected: readonly FlatTool[], { id }: DialectPlan, outcomes: DialectOutcome): LoweredList {
  const tools: LoweredTool[] = [];
  const excluded: ExcludedTool[] = [];
  for (const tool of selected) {
    const outcome = outcomes.get(tool);
    if (outcome === undefined) continue;
    if ("lowering" in outcome) tools.push(outcome);
    else excluded.push(outcome);
  }
  const losses = tools.flatMap(({ tool, lowering }) => lowering.losses.map((loss) => ({ ...loss, tool: tool.name })));
  return { dialect: id, tools, excluded, losses };
}
