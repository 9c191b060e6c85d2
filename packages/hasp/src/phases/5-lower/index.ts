import { checkRequestTotals, type DialectId, dialects, wireNames } from "@hasp/schema";
import type { Diagnostic, Found, Location } from "../../diagnostics/diagnostic.js";
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
import { type Obstacles, withoutListRoom, withoutStrictRoom } from "./request-room.js";
import { counted, ignoreProgress, type OnProgress } from "../../diagnostics/progress.js";

/** What lowering may be asked to do beside its work. */
export interface LowerOptions {
  /** Whether a value is searched for that shows each loss. */
  readonly witnesses: boolean;
  readonly onProgress?: OnProgress;
}

/**
 * Turns flat tools into the lists of the configured dialects. The work is done by `lowerTool`, once for each tool and
 * dialect, whatever toolsets have the tool. What is left looks at all tools but at little of each: who is in which
 * toolset, names on the wire, the provider's limits on a request. A tool that a dialect cannot express is left out of that
 * list, with an error or a warning as the plan says; so is one that a partial list has no room for, with a warning.
 */
export function lower(
  tools: readonly FlatTool[],
  plan: CompilePlan,
  { witnesses, onProgress = ignoreProgress }: LowerOptions = { witnesses: true },
): Found<readonly LoweredToolset[]> {
  const toolsets = selectToolsets(tools, plan);
  const selected = new Set(toolsets.value.flatMap((toolset) => toolset.tools));
  const used = tools.filter((tool) => selected.has(tool));
  const byDialect = plan.dialects.map((dialectPlan) => lowerToDialect(used, dialectPlan, toolsets.value, onProgress));
  const byTool: OutcomesByTool = new Map(
    used.map((tool, index) => {
      const outcomes = byDialect.flatMap((outcomesOfAll) => outcomesOfAll[index] ?? []);
      return [tool, witnesses ? shownOutcomes(outcomes) : outcomes];
    }),
  );
  const lists = toolsets.value.map((toolset) =>
    plan.dialects.map(({ id }, dialect) => requestedList(id, toolset, (tool) => byTool.get(tool)?.[dialect])),
  );
  const value = toolsets.value.map(({ name, tools: members }, index) => ({
    name,
    tools: members,
    lists: (lists[index] ?? []).map(({ list }) => list),
  }));
  const diagnostics = [
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

/** What became of each tool in each dialect, in the order of the plan. */
type OutcomesByTool = ReadonlyMap<FlatTool, readonly ToolOutcome[]>;

function lowerToDialect(
  tools: readonly FlatTool[],
  plan: DialectPlan,
  toolsets: readonly ToolsetMembers<FlatTool>[],
  onProgress: OnProgress,
): readonly ToolOutcome[] {
  const names = wireNames(
    tools.map(({ name }) => name),
    dialects[plan.id],
  );
  const planned = JSON.stringify(plan);
  const [strict, loose] = [`outcome strict ${planned}`, `outcome loose ${planned}`];
  const lowerOne = (tool: FlatTool, mayBeStrict: boolean): ToolOutcome => {
    const wireName = names.get(tool.name) ?? tool.name;
    const lowerIt = (): ToolOutcome => lowerTool(tool, plan, wireName, mayBeStrict);
    return outcomeOf(tool, mayBeStrict ? strict : loose, wireName, lowerIt);
  };
  const outcomes = Array.from(counted(tools, `Lowering for ${plan.id}`, onProgress), (tool) => lowerOne(tool, true));
  const withoutRoom = withoutStrictRoom(membersOf(outcomes), toolsets, plan.id);
  return withoutRoom.size === 0 ? outcomes : tools.map((tool) => lowerOne(tool, !withoutRoom.has(tool.name)));
}

type CarriedOutcome = Extract<ToolOutcome, { kind: "carried" }>;

/** An outcome without its form, as plain data. */
type OutcomeFacts =
  Exclude<ToolOutcome, CarriedOutcome> | (Omit<CarriedOutcome, "lowered"> & { readonly form: FormFacts });

/** A tool of which the cache knows enough is lowered once somebody asks for more than its list must know. */
function outcomeOf(tool: FlatTool, fact: string, wireName: string, lowerIt: () => ToolOutcome): ToolOutcome {
  const find = (): ToolOutcome => {
    const lowered = once(lowerIt);
    let isLowered = false;
    const compute = (): OutcomeFacts => {
      isLowered = true;
      return outcomeFacts(lowered());
    };
    const outcome = tool.facts.of(fact, compute, wireName);
    if (isLowered) return lowered();
    if (outcome.kind === "uncarried") return outcome;
    const { form, ...rest } = outcome;
    return { ...rest, lowered: new LazyForm(tool, form, () => carriedForm(tool, lowered())) };
  };
  return tool.facts.live(fact, find, wireName);
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

/** One list of a toolset, held against the limits on a whole request. */
interface RequestedList {
  readonly list: LoweredList;
  /** What the list must know of its tools. */
  readonly members: readonly ListMember[];
  /** The tools that a partial list has no room for. */
  readonly withoutRoom: Obstacles;
}

function requestedList(
  id: DialectId,
  { tools: selected, partial }: ToolsetMembers<FlatTool>,
  toOutcome: (tool: FlatTool) => ToolOutcome | undefined,
): RequestedList {
  const carried = membersOf(selected.map(toOutcome));
  const withoutRoom: Obstacles = partial ? withoutListRoom(carried, id) : new Map();
  const tools: LoweredTool[] = [];
  const excluded: ExcludedTool[] = [];
  for (const tool of selected) {
    const outcome = toOutcome(tool);
    const obstacle = withoutRoom.get(tool.name);
    if (outcome?.kind === "uncarried") excluded.push({ tool, reason: outcome.reason });
    else if (obstacle !== undefined) excluded.push({ tool, reason: `it does not fit into one request. ${obstacle}` });
    else if (outcome !== undefined) tools.push(outcome.lowered);
  }
  const list = {
    dialect: id,
    tools,
    excluded,
    get losses() {
      return tools.flatMap(({ tool, lowering }) => lowering.losses.map((loss) => ({ ...loss, tool: tool.name })));
    },
  };
  return { list, members: carried.filter(({ name }) => !withoutRoom.has(name)), withoutRoom };
}

/** Names of left-out tools that one finding mentions. */
const MENTIONED_TOOLS = 20;

/** Reports a list that its provider would refuse, and the tools that a partial list leaves out. */
function requestDiagnostics(
  { name: toolset }: ToolsetMembers<FlatTool>,
  { list: { dialect }, members, withoutRoom }: RequestedList,
  location: Location | undefined,
): readonly Diagnostic[] {
  const refused = checkRequestTotals(members, dialect);
  const whole = refused.length > 0 ? [] : checkRequestTotals(members.map(notDeferred), dialect);
  const names = [...withoutRoom.keys()].toSorted();
  const more = names.length - MENTIONED_TOOLS;
  return [
    ...refused.map(({ message }) => lowerDiagnostics("request", location, { toolset, dialect, problem: message })),
    ...whole.map(({ message }) =>
      lowerDiagnostics("request-with-deferred", location, { toolset, dialect, problem: message }),
    ),
    ...(names.length === 0
      ? []
      : [
          lowerDiagnostics("partial", location, {
            toolset,
            dialect,
            count: names.length,
            total: members.length + names.length,
            names: names.slice(0, MENTIONED_TOOLS).join(", ") + (more > 0 ? ` and ${more} more` : ""),
          }),
        ]),
  ];
}

function notDeferred(member: ListMember): ListMember {
  return { ...member, isDeferred: false };
}
