import { flagsOfRow, type FlagValues, type VaryingFlag } from "@hasp/runtime/contract";
import type { FlowSetting } from "@hasp/runtime";
import { defineDiagnostics, type DiagnosticFactory, type Diagnostic } from "@hasp/base/diagnostics";
import type { CompileContext } from "../context/context.js";
import type { CompilePlan } from "../model/plan.js";
import { listSupportedClaims } from "../ledger/contradictions.js";
import type { PolicyModel, PolicyRule } from "../model/policy.js";
import type { FlatTool } from "../model/tool.js";
import { listToolsetMembers, printSome, type ToolsetMembers } from "../model/toolset-members.js";
import { listGrants, listOfferedTools } from "./grants.js";

const ASKED =
  "A person is asked before such a call; a host may waive that in its own code, which hasp cannot see here.";
const NOTED = "The setting is `flow: note`, so nobody is asked because of that.";

const definitions = {
  paths: {
    severity: "info",
    message: {
      several:
        'In the toolset "{toolset}", a text that an outsider wrote may make a model send private data outside: {path}{more}. {outcome}',
      alone:
        'In the toolset "{toolset}", {tool} claims nothing about its results and its input: as far as hasp knows, a text that an outsider wrote may make a model read private data with one call and send it outside with the next{more}. {outcome}',
    },
    help: "Claim what is true of each tool: returnsUntrusted: false, returnsPrivate: false or isOpenWorld: false.",
  },
  "will-ask": {
    severity: "warning",
    message:
      'In the toolset "{toolset}", which says `flow: ask`, some tools need no permission by their specs and will still ask after the first results: {tools}. They do not say if their input may reach somebody outside.',
    help: "State isOpenWorld of {tools}: false if its input reaches nobody outside, true if such calls are to ask. Or claim, of all that they may carry out, returnsUntrusted: false of {untrusted}, or returnsPrivate: false of {private}.{suggestion}",
  },
} as const;

export const flowDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("flow", definitions);

/**
 * The protection against a leak through a sink: `refused` asks nobody, `every-call` asks a person each time, `guard`
 * asks once the conversation holds both labels, `noted` never asks about some calls, and `waived` is a rule that says so.
 */
export type FlowGuard = "refused" | "every-call" | "guard" | "noted" | "waived";

/** The words for each guard, from the weakest. */
export const GUARDS: { readonly [guard in FlowGuard]: string } = {
  waived: "nobody is asked: a rule waives it",
  noted: "nobody is asked: flow is note",
  guard: "a person is asked once both kinds are there",
  "every-call": "a person is asked about every call",
  refused: "refused once both kinds are there: nobody can be asked",
};

const WORST_FIRST = Object.keys(GUARDS) as readonly FlowGuard[];

/** Compares two guards for sorting: the weaker one first. */
export function compareGuards(a: FlowGuard, b: FlowGuard): number {
  return WORST_FIRST.indexOf(a) - WORST_FIRST.indexOf(b);
}

export interface FlowSink {
  readonly tool: FlatTool;
  readonly guard: FlowGuard;
  /** The rules of the policy that waive the guard for calls of the tool. */
  readonly waivers: readonly PolicyRule[];
}

/** The tools of a toolset through which an outsider may make a model send private data outside. */
export interface ToolsetFlow {
  readonly toolset: string;
  readonly setting: FlowSetting;
  /** The tools whose results an outsider may have written. */
  readonly untrusted: readonly FlatTool[];
  /** The tools whose results not everybody may read. */
  readonly private: readonly FlatTool[];
  /** The tools whose input may reach somebody outside. */
  readonly sinks: readonly FlowSink[];
}

/** Reads the flows of all toolsets but those whose policies have errors. */
export function findToolsetFlows(
  tools: readonly FlatTool[],
  { toolsets }: Pick<CompilePlan, "toolsets">,
  policies: readonly PolicyModel[],
): readonly ToolsetFlow[] {
  const faulty = new Set(toolsets.flatMap(({ name, policy }) => (policy === undefined ? [] : [name])));
  for (const { toolset } of policies) faulty.delete(toolset);
  return listToolsetMembers(tools, toolsets)
    .filter(({ name }) => !faulty.has(name))
    .map((toolset) =>
      readFlow(
        toolset,
        policies.find((policy) => policy.toolset === toolset.name),
      ),
    );
}

/** Reads the flow that a policy guards, as strictly as a host can set it. */
export function findPolicyFlow(policy: PolicyModel): ToolsetFlow {
  return readFlow({ name: policy.toolset, tools: policy.tools, flow: "ask" }, policy);
}

function readFlow(
  { name, tools: members, flow }: Pick<ToolsetMembers<FlatTool>, "name" | "tools" | "flow">,
  policy: PolicyModel | undefined,
): ToolsetFlow {
  const tools = policy === undefined ? members : listOfferedTools(policy);
  const rateGuard = createGuardRater(policy, flow);
  return {
    toolset: name,
    setting: flow,
    untrusted: tools.filter(({ worstCase }) => worstCase.returnsUntrusted),
    private: tools.filter(({ worstCase }) => worstCase.returnsPrivate),
    sinks: tools
      .filter(({ worstCase }) => worstCase.isOpenWorld)
      .map((tool) => ({
        tool,
        guard: rateGuard(tool, "calls to the outside"),
        waivers: policy === undefined ? [] : findWaivers(tool, policy),
      })),
  };
}

export function findWaivers({ name }: FlatTool, { rules }: PolicyModel): readonly PolicyRule[] {
  return rules.filter(({ tool, server, flow }) => flow === "allow" && server === undefined && tool === name);
}

/** Creates the function that rates the guard of a tool's calls: of any, or only of those that may reach the outside. */
export function createGuardRater(
  policy: PolicyModel | undefined,
  setting: FlowSetting,
): (tool: FlatTool, calls: "any call" | "calls to the outside") => FlowGuard {
  const granted = new Set(policy === undefined ? [] : listGrants(policy).flatMap(({ tools }) => tools));
  return (tool, calls) => {
    if (policy !== undefined && findWaivers(tool, policy).length > 0) return "waived";
    const isUnattended = policy?.spec.mode === "unattended";
    const isUnasked = granted.has(tool) || mayRunUnasked(tool, calls === "calls to the outside");
    if (isUnasked && setting !== "ask") return "noted";
    if (isUnattended) return "refused";
    return isUnasked ? "guard" : "every-call";
  };
}

/** True if some calls may run unasked. Destructive calls never do, whatever their tool requires. */
function mayRunUnasked({ metadata: { behavior }, rules, flags }: FlatTool, mustBeOpen: boolean): boolean {
  const varies = new Set(flags.map(({ flag }) => flag));
  return [...rules.map(flagsOfRow), {}].some((row: Partial<FlagValues>) => {
    const mayBe = (flag: VaryingFlag, value: boolean): boolean =>
      row[flag] === undefined ? varies.has(flag) || behavior[flag] === value : row[flag] === value;
    return (
      (!mustBeOpen || mayBe("isOpenWorld", true)) && mayBe("requiresPermission", false) && mayBe("isDestructive", false)
    );
  });
}

/** True if results of both kinds may come together before a call of a sink, and somebody wants to know. */
export function hasPath({ setting, untrusted, private: secret, sinks }: ToolsetFlow): boolean {
  return setting !== "off" && untrusted.length > 0 && secret.length > 0 && sinks.length > 0;
}

/** Lists the sinks by which private data may leave unasked, if the setting of the toolset would change that. */
export function listNotedSinks(flow: ToolsetFlow): readonly FlatTool[] {
  return hasPath(flow) ? flow.sinks.filter(({ guard }) => guard === "noted").map(({ tool }) => tool) : [];
}

/**
 * Prints a path through a sink as `a + b → c`, or `a → c` for one tool that is both sources. Prefers different tools,
 * and sources of one kind only. `through` is a source on the path.
 */
export function printPath(flow: ToolsetFlow, sink: FlatTool, through?: FlatTool): string {
  const { untrusted, private: secret } = flow;
  const choose = (
    tools: readonly FlatTool[],
    others: readonly FlatTool[],
    taken: readonly (FlatTool | undefined)[],
  ): FlatTool | undefined => {
    const free = tools.filter((tool) => !taken.includes(tool));
    return free.find((tool) => tool === through) ?? free.find((tool) => !others.includes(tool)) ?? free[0] ?? tools[0];
  };
  const isOnlyPrivate = through !== undefined && !untrusted.includes(through);
  const read = choose(untrusted, secret, [sink]);
  const found = isOnlyPrivate ? through : choose(secret, untrusted, [sink, read]);
  const sources = [...new Set([read, found])].flatMap((tool) => tool?.name ?? []);
  return isAlone(flow, sink) ? `${sink.name}, called twice` : `${sources.join(" + ")} → ${sink.name}`;
}

/** True if a tool is the only source of both kinds. */
function isAlone({ untrusted, private: secret }: ToolsetFlow, tool: FlatTool): boolean {
  return [...untrusted, ...secret].every((source) => source === tool);
}

/** Notes how each toolset can leak, and warns of tools that ask more often than their claims say. */
export function checkFlows(
  tools: readonly FlatTool[],
  policies: readonly PolicyModel[],
  { plan }: Pick<CompileContext, "plan">,
): readonly Diagnostic[] {
  return findToolsetFlows(tools, plan, policies).flatMap((flow) => {
    if (!hasPath(flow)) return [];
    return [...notePaths(flow, plan), ...warnOfQuestions(flow, plan)];
  });
}

function notePaths(flow: ToolsetFlow, { locations }: CompilePlan): readonly Diagnostic[] {
  const { toolset, setting, untrusted, private: secret, sinks } = flow;
  const [worst] = sinks.toSorted((a, b) => compareGuards(a.guard, b.guard));
  if (worst === undefined) return [];
  const { tool } = worst;
  const others = sinks.length - 1;
  const common = {
    toolset,
    more: others === 0 ? "" : `, and so through ${others === 1 ? "one more tool" : `${others} more tools`}`,
    outcome: setting === "ask" ? ASKED : NOTED,
  };
  const parameters = isAlone(flow, tool)
    ? ({ variant: "alone", tool: tool.name, ...common } as const)
    : ({ variant: "several", path: printPath(flow, tool), ...common } as const);
  const data = {
    toolset,
    setting,
    sinks: listNames(sinks.map((sink) => sink.tool)),
    untrusted: listNames(untrusted),
    private: listNames(secret),
  };
  return [flowDiagnostics("paths", locations?.[`/toolsets/${toolset}`], parameters, { data })];
}

/** Warns of the tools of a toolset that ask only because a spec does not say if its input reaches the outside. */
function warnOfQuestions(flow: ToolsetFlow, { locations }: CompilePlan): readonly Diagnostic[] {
  const { toolset, untrusted, private: secret, sinks } = flow;
  const isOpen = ({ stated, flags }: FlatTool): boolean =>
    stated.has("behavior.isOpenWorld") || flags.some(({ flag }) => flag === "isOpenWorld");
  const asking = sinks.flatMap(({ tool, guard }) => (guard === "guard" && !isOpen(tool) ? [tool] : []));
  if (asking.length === 0) return [];
  const proved = asking.filter((tool) => Object.hasOwn(listSupportedClaims(tool), "isOpenWorld"));
  const names = listNames(asking);
  const parameters = {
    toolset,
    tools: printSome(names),
    untrusted: printSome(listNames(untrusted)),
    private: printSome(listNames(secret)),
    suggestion:
      proved.length === 0
        ? ""
        : ` \`hasp approve --suggested\` claims isOpenWorld: false of ${printSome(listNames(proved))}.`,
  };
  const location = locations?.[`/toolsets/${toolset}/flow`] ?? locations?.["/flow"];
  return [flowDiagnostics("will-ask", location, parameters, { data: { toolset, tools: names } })];
}

export function listNames(tools: readonly FlatTool[]): readonly string[] {
  return tools.map(({ name }) => name);
}
