import { matchesPattern } from "@hasp/runtime/contract";
import { resolveDialect } from "../../model/dialect.js";
import { checkRequestTotals, FlatSource, wireNames } from "@hasp/schema";
import { type Diagnostic, type Found, type Location, findSuggestions, isError } from "@hasp/base/diagnostics";
import type { ExcludedTool, ListMember, LoweredList, LoweredTool, LoweredToolset } from "../../model/lowered.js";
import type { DialectPlan, CompilePlan, ToolSelector, ToolsetPlan } from "../../model/plan.js";
import type { FlatTool } from "../../model/tool.js";
import { listToolsetMembers, printSome, type SelectableTool, selects } from "../../model/toolset-members.js";
import type { ToolsetMembers } from "../../model/toolset-members.js";
import type { CompileContext } from "../../context/context.js";
import { lowerDiagnostics } from "./diagnostics.js";
import { findOldFacts } from "./old-facts.js";
import { type Form, lowerTool, type ToolOutcome } from "./lower-tool.js";
import { type Obstacles, findListOverflow, findStrictOverflow } from "./request-room.js";

/** Turns flat tools into provider lists. Tools that a list cannot express or has no room for are left out and reported. */
export function lower(tools: readonly FlatTool[], context: CompileContext): Found<readonly LoweredToolset[]> {
  const { plan } = context;
  const toolsets = selectToolsets(tools, plan);
  const selected = new Set(toolsets.value.flatMap((toolset) => toolset.tools));
  const used = tools.filter((tool) => selected.has(tool));
  const byTool = lowerTools(used, toolsets.value, context);
  const lists = toolsets.value.map((toolset) =>
    plan.dialects.map((each, dialect) => requestedList(each, toolset, (tool) => byTool.get(tool)?.[dialect])),
  );
  const value = toolsets.value.map(({ name, tools: members }, index) => ({
    name,
    tools: members,
    lists: (lists[index] ?? []).map(({ list }) => list),
  }));
  const diagnostics = [
    ...findOldFacts(plan),
    ...toolsets.diagnostics,
    ...plan.dialects.flatMap((dialectPlan, dialect) =>
      used.flatMap((tool) => outcomeDiagnostics(tool, dialectPlan, byTool.get(tool)?.[dialect])),
    ),
    ...toolsets.value.flatMap((toolset, index) =>
      (lists[index] ?? []).flatMap((list) =>
        requestDiagnostics(toolset, list, plan.locations?.[`/toolsets/${toolset.name}`]),
      ),
    ),
  ];
  return { value, diagnostics };
}

type OutcomesByTool = ReadonlyMap<FlatTool, readonly ToolOutcome[]>;

/** Lowers every tool to every dialect. Repeats it without an optional strict mode for which a request has no room. */
function lowerTools(
  tools: readonly FlatTool[],
  toolsets: readonly ToolsetMembers<FlatTool>[],
  context: CompileContext,
): OutcomesByTool {
  const plans = context.plan.dialects.map((plan) => {
    const names = tools.map(({ name }) => name);
    return { plan, names: wireNames(names, resolveDialect(plan)) };
  });
  const lowerThem = (some: readonly FlatTool[], withoutRoom: readonly Obstacles[] = []): OutcomesByTool => {
    const formsOf = ({ name }: FlatTool): readonly Form[] =>
      plans.map(({ plan, names }, index) => ({
        plan,
        wireName: names.get(name) ?? name,
        mayBeStrict: withoutRoom[index]?.has(name) !== true,
      }));
    const outcomes = context.each(
      "Lowering tools",
      some,
      (tool) => {
        const input = new FlatSource(tool.input.schema, tool.input);
        return formsOf(tool).map((form) => lowerTool(tool, form, input));
      },
      (tool) => formsOf(tool).map(({ wireName, mayBeStrict }) => [wireName, mayBeStrict]),
    );
    return new Map(some.map((tool, index) => [tool, outcomes[index] ?? []]));
  };
  const outcomes = lowerThem(tools);
  const withoutRoom = plans.map(({ plan }, index) =>
    findStrictOverflow(membersOf([...outcomes.values()].map((each) => each[index])), toolsets, resolveDialect(plan)),
  );
  const concerned = tools.filter(({ name }) => withoutRoom.some((obstacles) => obstacles.has(name)));
  return concerned.length === 0 ? outcomes : new Map([...outcomes, ...lowerThem(concerned, withoutRoom)]);
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

interface RequestedList {
  readonly plan: DialectPlan;
  readonly list: LoweredList;
  readonly members: readonly ListMember[];
  readonly withoutRoom: Obstacles;
}

function requestedList(
  plan: DialectPlan,
  { tools: selected, partial }: ToolsetMembers<FlatTool>,
  toOutcome: (tool: FlatTool) => ToolOutcome | undefined,
): RequestedList {
  const carried = membersOf(selected.map(toOutcome));
  const withoutRoom: Obstacles = partial ? findListOverflow(carried, resolveDialect(plan)) : new Map();
  const tools: LoweredTool[] = [];
  const excluded: ExcludedTool[] = [];
  for (const tool of selected) {
    const outcome = toOutcome(tool);
    const obstacle = withoutRoom.get(tool.name);
    if (outcome?.kind === "uncarried") excluded.push({ tool, reason: outcome.reason });
    else if (obstacle !== undefined) excluded.push({ tool, reason: `it does not fit into one request. ${obstacle}` });
    else if (outcome !== undefined) tools.push(outcome.lowered);
  }
  const list = { dialect: plan.id, tools, excluded };
  return { plan, list, members: carried.filter(({ name }) => !withoutRoom.has(name)), withoutRoom };
}

const MENTIONED_TOOLS = 20;

/** Reports a list that its provider would refuse, and the tools that a partial list leaves out. */
function requestDiagnostics(
  { name: toolset }: ToolsetMembers<FlatTool>,
  { plan, list: { dialect }, members, withoutRoom }: RequestedList,
  location: Location | undefined,
): readonly Diagnostic[] {
  const found = checkRequestTotals(members, resolveDialect(plan));
  const count = withoutRoom.size;
  const names = printSome([...withoutRoom.keys()].toSorted(), MENTIONED_TOOLS);
  const partial = { toolset, dialect, count, total: members.length + count, names };
  return [
    ...found.map((each) =>
      lowerDiagnostics(isError(each) ? "request" : "request-in-part", location, {
        toolset,
        dialect,
        problem: each.message,
      }),
    ),
    ...(count === 0 ? [] : [lowerDiagnostics("partial", location, partial)]),
  ];
}

/** Selects the plan's toolsets. Reports a name that selects nothing and a toolset without a tool. */
function selectToolsets<Tool extends SelectableTool>(
  tools: readonly Tool[],
  plan: Pick<CompilePlan, "toolsets" | "exclude" | "locations">,
): Found<readonly ToolsetMembers<Tool>[]> {
  const value = listToolsetMembers(tools, plan.toolsets);
  const unknown = plan.toolsets.flatMap((toolset) => unknownNames(toolset, tools, plan));
  // With no tool at all, an earlier phase has said what is wrong.
  const empty = value
    .filter((toolset) => toolset.tools.length === 0 && tools.length > 0)
    .map(({ name }) => lowerDiagnostics("empty-toolset", plan.locations?.[`/toolsets/${name}`], { toolset: name }));
  return { value, diagnostics: [...unknown, ...empty] };
}

/** Reports names that select nothing: a misspelt name under `exclude` leaves its tool in. */
function unknownNames(
  { name: toolset, include, exclude }: ToolsetPlan,
  tools: readonly SelectableTool[],
  { exclude: left = [], locations = {} }: Pick<CompilePlan, "exclude" | "locations">,
): readonly Diagnostic[] {
  const names = tools.map(({ name }) => name);
  const values = {
    tag: tools.flatMap(({ spec }) => spec.tags ?? []),
    owner: tools.flatMap(({ spec }) => spec.owner ?? []),
    folder: tools.map(({ document }) => document.uri.slice(0, Math.max(0, document.uri.lastIndexOf("/")))),
  };
  const placed = (
    part: string,
    selectors: readonly ToolSelector[],
  ): readonly { readonly selector: ToolSelector; readonly location: Location | undefined }[] =>
    selectors.map((selector, index) => ({ selector, location: locations[`/toolsets/${toolset}/${part}/${index}`] }));
  return [...placed("include", include === "all" ? [] : include), ...placed("exclude", exclude)].flatMap(
    ({ selector, location }) => {
      if (tools.some((tool) => selects(selector, tool))) return [];
      if (typeof selector === "string") {
        if (left.some(({ tool }) => matchesPattern(selector, tool))) return [];
        const nearest = findSuggestions(selector, names);
        return [lowerDiagnostics("unknown-tool", location, { toolset, name: selector, nearest })];
      }
      const [variant, name] = Object.entries(selector)[0] as [keyof typeof values, string];
      const nearest = findSuggestions(name, [...new Set(values[variant])]);
      return [lowerDiagnostics("unknown-selector", location, { variant, toolset, name, nearest })];
    },
  );
}
