import { type DialectId, dialects, strictVariant, wireNames } from "@hasp/schema";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { ExcludedTool, ListMember, LoweredList, LoweredTool, LoweredToolset } from "../../model/lowered.js";
import type { CompilePlan, DialectPlan } from "../../model/plan.js";
import type { FlatTool } from "../../model/tool.js";
import type { ToolsetMembers } from "../../model/toolset-members.js";
import { lowerDiagnostics } from "./diagnostics.js";
import { type FormFacts, LazyForm } from "./lazy-form.js";
import { once } from "../../model/once.js";
import { lowerTool, type ToolOutcome } from "./lower-tool.js";
import { selectToolsets } from "./select-toolsets.js";
import { shownOutcomes } from "./shown-forms.js";
import { beyondStrictBudget, requestProblems } from "./strict-budget.js";

/** What lowering may be asked to do beside its work. */
export interface LowerOptions {
  /** Whether a value is searched for that shows each loss. */
  readonly witnesses: boolean;
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
  { witnesses }: LowerOptions = { witnesses: true },
): Found<readonly LoweredToolset[]> {
  const toolsets = selectToolsets(tools, plan);
  const selected = new Set(toolsets.value.flatMap((toolset) => toolset.tools));
  const used = tools.filter((tool) => selected.has(tool));
  const byDialect = plan.dialects.map((dialectPlan) => lowerToDialect(used, dialectPlan, toolsets.value));
  const byTool: OutcomesByTool = new Map(
    used.map((tool, index) => {
      const outcomes = byDialect.flatMap((outcomesOfAll) => outcomesOfAll[index] ?? []);
      return [tool, witnesses ? shownOutcomes(outcomes) : outcomes];
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

function lowerToDialect(
  tools: readonly FlatTool[],
  plan: DialectPlan,
  toolsets: readonly ToolsetMembers<FlatTool>[],
): readonly ToolOutcome[] {
  const names = wireNames(
    tools.map(({ name }) => name),
    dialects[plan.id],
  );
  const planned = JSON.stringify(plan);
  const lowerOne = (tool: FlatTool, mayBeStrict: boolean): ToolOutcome => {
    const wireName = names.get(tool.name) ?? tool.name;
    const lowerIt = (): ToolOutcome => lowerTool(tool, plan, wireName, mayBeStrict);
    return outcomeOf(tool, `${plan.id} ${mayBeStrict ? "strict" : "loose"}`, `${wireName} ${planned}`, lowerIt);
  };
  const outcomes = tools.map((tool) => lowerOne(tool, true));
  const beyond = beyondStrictBudget(membersOf(outcomes), toolsets, plan.id);
  return beyond.size === 0 ? outcomes : tools.map((tool) => lowerOne(tool, !beyond.has(tool.name)));
}

type CarriedOutcome = Extract<ToolOutcome, { kind: "carried" }>;

/** An outcome without its form, as plain data. */
type OutcomeFacts =
  Exclude<ToolOutcome, CarriedOutcome> | (Omit<CarriedOutcome, "lowered"> & { readonly form: FormFacts });

/** A tool of which the cache knows enough is lowered once somebody asks for more than its list must know. */
function outcomeOf(tool: FlatTool, name: string, settings: string, lowerIt: () => ToolOutcome): ToolOutcome {
  const find = (): ToolOutcome => {
    const lowered = once(lowerIt);
    let isLowered = false;
    const compute = (): OutcomeFacts => {
      isLowered = true;
      return outcomeFacts(lowered());
    };
    const outcome = tool.facts.of(`outcome ${name}`, compute, settings);
    if (isLowered) return lowered();
    if (outcome.kind === "uncarried") return outcome;
    const { form, ...rest } = outcome;
    return { ...rest, lowered: new LazyForm(tool, form, () => carriedForm(tool, lowered())) };
  };
  return tool.facts.live(`outcome ${name}`, find, settings);
}

function outcomeFacts(outcome: ToolOutcome): OutcomeFacts {
  if (outcome.kind === "uncarried") return outcome;
  const { lowered, ...rest } = outcome;
  const { dialect, strict, wireName, lossCount, isShown } = lowered;
  return { ...rest, form: { dialect, strict, wireName, lossCount, isShown } };
}

function carriedForm(tool: FlatTool, outcome: ToolOutcome): LoweredTool {
  if (outcome.kind === "uncarried") throw new Error(`${tool.name} was carried before and is not now.`);
  return outcome.lowered;
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

function listOf(
  id: DialectId,
  selected: readonly FlatTool[],
  toOutcome: (tool: FlatTool) => ToolOutcome | undefined,
): LoweredList {
  const tools: LoweredTool[] = [];
  const excluded: ExcludedTool[] = [];
  for (const tool of selected) {
    const outcome = toOutcome(tool);
    if (outcome?.kind === "carried") tools.push(outcome.lowered);
    else if (outcome !== undefined) excluded.push({ tool, reason: outcome.reason });
  }
  return {
    dialect: id,
    tools,
    excluded,
    get losses() {
      return tools.flatMap(({ tool, lowering }) => lowering.losses.map((loss) => ({ ...loss, tool: tool.name })));
    },
  };
}
