import { type DialectId, dialects, type LowerResult, strictVariant, wireNames } from "@hasp/schema";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { ExcludedTool, ListMember, LoweredList, LoweredTool, LoweredToolset } from "../../model/lowered.js";
import { createMemory, shortSettings } from "../../model/memory.js";
import type { CompilePlan, DialectPlan } from "../../model/plan.js";
import type { FlatTool } from "../../model/tool.js";
import { lowerDiagnostics } from "./diagnostics.js";
import { keptOutcome } from "./kept-outcome.js";
import { lowerTool, type ToolOutcome } from "./lower-tool.js";
import { selectToolsets } from "./select-toolsets.js";
import { shownOutcomes } from "./shown-forms.js";
import { beyondStrictBudget, guessBeyondBudget, requestProblems } from "./strict-budget.js";

/** What lowering may be asked to do beside its work. */
export interface LowerOptions {
  /** Whether a value is searched for that shows each loss. */
  readonly witnesses: boolean;
  /** Whether these are some of many tools only, so that it is guessed what all of them settle together. */
  readonly isPortion?: boolean;
}

/**
 * Turns flat tools into the lists of the configured dialects. The work is done by `lowerTool`, once for each tool and
 * dialect, whatever toolsets have the tool. What is left looks at all tools but at little of each: who is in which
 * toolset, names on the wire, the provider's budgets. A tool that a dialect cannot carry is left out of that list, with
 * an error or a warning as the plan says.
 */
export function lower(
  tools: readonly FlatTool[],
  plan: CompilePlan,
  { witnesses, isPortion = false }: LowerOptions = { witnesses: true },
): Found<readonly LoweredToolset[]> {
  const toolsets = selectToolsets(tools, plan);
  const selected = new Set(toolsets.value.flatMap((toolset) => toolset.tools));
  const used = tools.filter((tool) => selected.has(tool));
  const beyondBudget: BeyondBudget = isPortion
    ? (members, id) => guessBeyondBudget(members, toolsets.value, plan.toolsets, id)
    : (members, id) => beyondStrictBudget(members, toolsets.value, id);
  const byDialect = plan.dialects.map((dialectPlan) => lowerToDialect(used, dialectPlan, beyondBudget));
  const byTool: OutcomesByTool = new Map(
    used.map((tool, place) => {
      const outcomes = byDialect.flatMap((outcomesOfAll) => outcomesOfAll[place] ?? []);
      return [tool, witnesses ? shownOutcomes(tool, outcomes) : outcomes];
    }),
  );
  const value = toolsets.value.map((toolset) => ({
    name: toolset.name,
    tools: toolset.tools,
    lists: plan.dialects.map(({ id }, dialect) => listOf(id, toolset.tools, (tool) => byTool.get(tool)?.[dialect])),
  }));
  const diagnostics = [
    ...toolsets.diagnostics,
    ...plan.dialects.flatMap((dialectPlan, dialect) =>
      used.flatMap((tool) => outcomeDiagnostics(tool, dialectPlan, byTool.get(tool)?.[dialect])),
    ),
    ...toolsets.value.flatMap((toolset) =>
      plan.dialects.flatMap(({ id }, dialect) =>
        requestDiagnostics(toolset.name, id, membersOf(toolset.tools.map((tool) => byTool.get(tool)?.[dialect]))),
      ),
    ),
  ];
  return { value, diagnostics };
}

/** What became of each tool in each dialect, in the order of the plan. */
type OutcomesByTool = ReadonlyMap<FlatTool, readonly ToolOutcome[]>;

/** The names of the members whose strict mode there is no room for. */
type BeyondBudget = (members: readonly ListMember[], id: DialectId) => ReadonlySet<string>;

/** What lowering one tool gave, remembered for who compiles again and again. */
const outcomesSoFar = createMemory<FlatTool, ToolOutcome>(keptOutcome);

function lowerToDialect(
  tools: readonly FlatTool[],
  plan: DialectPlan,
  beyondBudget: BeyondBudget,
): readonly ToolOutcome[] {
  const names = wireNames(
    tools.map(({ name }) => name),
    dialects[plan.id],
  );
  const planned = shortSettings(JSON.stringify(plan));
  // Hardly a tool has another name on the wire than its own: one text then says the settings of all.
  const [strictly, loosely] = [`${planned} true`, `${planned} false`];
  const lowerOne = (tool: FlatTool, mayBeStrict: boolean): ToolOutcome => {
    const name = names.get(tool.name) ?? tool.name;
    const settings = `${mayBeStrict ? strictly : loosely}${name === tool.name ? "" : ` ${name}`}`;
    return outcomesSoFar.of(tool, settings, () => lowerTool(tool, plan, name, mayBeStrict));
  };
  const outcomes = tools.map((tool) => lowerOne(tool, true));
  const beyond = beyondBudget(membersOf(outcomes), plan.id);
  return beyond.size === 0 ? outcomes : tools.map((tool) => lowerOne(tool, !beyond.has(tool.name)));
}

function membersOf(outcomes: readonly (ToolOutcome | undefined)[]): readonly ListMember[] {
  const members: ListMember[] = [];
  for (const outcome of outcomes) if (outcome?.kind === "carried") members.push(outcome.member);
  return members;
}

function outcomeDiagnostics(
  tool: FlatTool,
  { id, onUncarried }: DialectPlan,
  outcome: ToolOutcome | undefined,
): readonly Diagnostic[] {
  if (outcome === undefined) return [];
  if (outcome.kind === "carried") return outcome.diagnostics;
  const code = onUncarried === "error" ? "uncarried" : "excluded";
  return [
    ...outcome.diagnostics,
    lowerDiagnostics(code, outcome.location, { dialect: id, reason: outcome.reason }, { tool: tool.name }),
  ];
}

/**
 * What a provider bounds over a whole list. A warning: who sends a part of the list, or lets tools be searched for,
 * stays within the bounds.
 */
function requestDiagnostics(
  toolset: string,
  dialect: DialectId,
  members: readonly ListMember[],
): readonly Diagnostic[] {
  const strict = strictVariant(dialect);
  const problems = new Set([
    ...requestProblems(members, dialect),
    ...(strict === undefined || strict === dialect
      ? []
      : requestProblems(
          members.filter((member) => member.strict),
          strict,
        )),
  ]);
  return [...problems].map((problem) => lowerDiagnostics("request", undefined, { toolset, dialect, problem }));
}

const lossesSoFar = createMemory<LowerResult, LoweredList["losses"]>();

function listOf(
  id: DialectId,
  selected: readonly FlatTool[],
  outcomeOf: (tool: FlatTool) => ToolOutcome | undefined,
): LoweredList {
  const tools: LoweredTool[] = [];
  const excluded: ExcludedTool[] = [];
  for (const tool of selected) {
    const outcome = outcomeOf(tool);
    if (outcome?.kind === "carried") tools.push(outcome.lowered);
    else if (outcome !== undefined) excluded.push({ tool, reason: outcome.reason });
  }
  return {
    dialect: id,
    tools,
    excluded,
    get losses() {
      return tools.flatMap(({ tool, lowering }) =>
        lossesSoFar.of(lowering, tool.name, () => lowering.losses.map((loss) => ({ ...loss, tool: tool.name }))),
      );
    },
  };
}
