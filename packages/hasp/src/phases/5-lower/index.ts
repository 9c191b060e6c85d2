import { type DialectId, dialects, type LowerResult, strictVariant, wireNames } from "@hasp/schema";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { ExcludedTool, ListMember, LoweredList, LoweredTool, LoweredToolset } from "../../model/lowered.js";
import { createMemory, shortSettings } from "../../model/memory.js";
import type { CompilePlan, DialectPlan } from "../../model/plan.js";
import { isSameList } from "../../model/same-list.js";
import type { FlatTool } from "../../model/tool.js";
import { lowerDiagnostics } from "./diagnostics.js";
import { keptOutcome } from "./kept-outcome.js";
import { lowerTool, type ToolOutcome } from "./lower-tool.js";
import type { SelectableTool, ToolsetMembers } from "../../model/toolset-members.js";
import { selectToolsets } from "./select-toolsets.js";
import { withWitnesses } from "./shown-forms.js";
import { beyondStrictBudget, requestProblems } from "./strict-budget.js";

/** What lowering may be asked to do beside its work. */
export interface LowerOptions {
  /** Whether a value is searched for that shows each loss. */
  readonly witnesses: boolean;
}

/**
 * Turns flat tools into the lists of the configured dialects. The work is done by `lowerTool`, once for each tool and
 * dialect, whatever toolsets have the tool. What is left looks at all tools but at little of each: who is in which toolset,
 * names on the wire, the provider's budgets. A tool that a dialect cannot carry is left out of that list, with an error or a
 * warning as the plan says.
 */
export function lower(
  tools: readonly FlatTool[],
  plan: CompilePlan,
  { witnesses }: LowerOptions = { witnesses: true },
): Found<readonly LoweredToolset[]> {
  const toolsets = selectToolsets(tools, plan);
  const used = new Set(toolsets.value.flatMap((toolset) => toolset.tools));
  const byDialect = plan.dialects.map((dialectPlan) => ({
    dialectPlan,
    outcomes: lowerToDialect(tools.filter((tool) => used.has(tool)), toolsets.value, dialectPlan),
  }));
  const outcomesByDialect = byDialect.map(({ outcomes }) => outcomes);
  for (const tool of witnesses ? used : []) addWitnesses(tool, outcomesByDialect);
  const value = toolsets.value.map(({ name, tools: selected }) => ({
    name,
    tools: selected,
    lists: byDialect.map(({ dialectPlan, outcomes }) => listOf(selected, dialectPlan, outcomes)),
  }));
  const diagnostics = [
    ...toolsets.diagnostics,
    ...byDialect.flatMap(({ dialectPlan, outcomes }) => outcomesDiagnostics(dialectPlan, outcomes)),
    ...toolsets.value.flatMap(({ name, tools: selected }) =>
      byDialect.flatMap(({ dialectPlan, outcomes }) => requestDiagnostics(name, dialectPlan.id, membersOf(selected, outcomes))),
    ),
  ];
  return { value, diagnostics };
}

/** What lowering one tool gave, remembered for who compiles again and again. */
const outcomesSoFar = createMemory<FlatTool, ToolOutcome>(keptOutcome);

/** What became of every tool in one dialect. */
type DialectOutcome = Map<FlatTool, ToolOutcome>;

function lowerToDialect(
  tools: readonly FlatTool[],
  toolsets: readonly ToolsetMembers<SelectableTool>[],
  plan: DialectPlan,
): DialectOutcome {
  const names = wireNames(tools.map(({ name }) => name), dialects[plan.id]);
  const planned = shortSettings(JSON.stringify(plan));
  // Hardly a tool has another name on the wire than its own: one text then says the settings of all.
  const [strictly, loosely] = [`${planned} true`, `${planned} false`];
  const lowerOne = (tool: FlatTool, mayBeStrict: boolean): ToolOutcome => {
    const name = names.get(tool.name) ?? tool.name;
    const settings = `${mayBeStrict ? strictly : loosely}${name === tool.name ? "" : ` ${name}`}`;
    return outcomesSoFar.of(tool, settings, () => lowerTool(tool, plan, name, mayBeStrict));
  };
  const outcomes = new Map(tools.map((tool) => [tool, lowerOne(tool, true)]));
  const beyond = beyondStrictBudget(membersOf(tools, outcomes), toolsets, plan.id);
  for (const tool of tools) if (beyond.has(tool.name)) outcomes.set(tool, lowerOne(tool, false));
  return outcomes;
}

function membersOf(tools: readonly FlatTool[], outcomes: DialectOutcome): readonly ListMember[] {
  const members: ListMember[] = [];
  for (const tool of tools) {
    const outcome = outcomes.get(tool);
    if (outcome?.kind === "carried") members.push(outcome.member);
  }
  return members;
}

function outcomesDiagnostics(plan: DialectPlan, outcomes: DialectOutcome): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const [tool, outcome] of outcomes) for (const diagnostic of outcomeDiagnostics(tool, plan, outcome)) diagnostics.push(diagnostic);
  return diagnostics;
}

function outcomeDiagnostics(tool: FlatTool, { id, onUncarried }: DialectPlan, outcome: ToolOutcome): readonly Diagnostic[] {
  if (outcome.kind === "carried") return outcome.diagnostics;
  const code = onUncarried === "error" ? "uncarried" : "excluded";
  return [...outcome.diagnostics, lowerDiagnostics(code, outcome.location, { dialect: id, reason: outcome.reason }, { tool: tool.name })];
}

/**
 * What a provider bounds over a whole list. A warning: who sends a part of the list, or lets tools be searched for, stays
 * within the bounds.
 */
function requestDiagnostics(toolset: string, dialect: DialectId, members: readonly ListMember[]): readonly Diagnostic[] {
  const strict = strictVariant(dialect);
  const problems = new Set([
    ...requestProblems(members, dialect),
    ...(strict === undefined || strict === dialect ? [] : requestProblems(members.filter((member) => member.strict), strict)),
  ]);
  return [...problems].map((problem) => lowerDiagnostics("request", undefined, { toolset, dialect, problem }));
}

/** What became of one tool in each dialect, and the same with witnesses. */
interface Shown {
  readonly outcomes: readonly (ToolOutcome | undefined)[];
  readonly shown: readonly (ToolOutcome | undefined)[];
}

const shownSoFar = new WeakMap<FlatTool, Shown>();

/** Once it is settled in which form a tool is sent: what was tried as strict and is sent as loose is shown by nobody. */
function addWitnesses(tool: FlatTool, byDialect: readonly DialectOutcome[]): void {
  const outcomes = byDialect.map((each) => each.get(tool));
  let known = shownSoFar.get(tool);
  if (known === undefined || !isSameList(known.outcomes, outcomes)) {
    known = { outcomes, shown: shownOutcomes(outcomes) };
    shownSoFar.set(tool, known);
  }
  for (const [index, outcome] of known.shown.entries()) if (outcome !== undefined) byDialect[index]?.set(tool, outcome);
}

function shownOutcomes(outcomes: Shown["outcomes"]): Shown["shown"] {
  const carried = outcomes.filter((outcome) => outcome?.kind === "carried");
  const found = withWitnesses(carried.map(({ lowered }) => lowered));
  return outcomes.map((outcome) => {
    if (outcome?.kind !== "carried") return outcome;
    return { ...outcome, lowered: found[carried.indexOf(outcome)] ?? outcome.lowered };
  });
}

const lossesSoFar = createMemory<LowerResult, LoweredList["losses"]>();

function listOf(selected: readonly FlatTool[], { id }: DialectPlan, outcomes: DialectOutcome): LoweredList {
  const tools: LoweredTool[] = [];
  const excluded: ExcludedTool[] = [];
  for (const tool of selected) {
    const outcome = outcomes.get(tool);
    if (outcome?.kind === "carried") tools.push(outcome.lowered);
    else if (outcome !== undefined) excluded.push({ tool, reason: outcome.reason });
  }
  return {
    dialect: id,
    tools,
    excluded,
    get losses() {
      return tools.flatMap(({ tool, lowering }) => lossesSoFar.of(lowering, tool.name, () => lowering.losses.map((loss) => ({ ...loss, tool: tool.name }))));
    },
  };
}
