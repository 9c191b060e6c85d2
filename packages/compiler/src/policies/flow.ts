import { flagsOfRow, type FlagValues, type VaryingFlag } from "@hasp/runtime";
import { defineDiagnostics, type DiagnosticFactory } from "../diagnostics/define-diagnostics.js";
import type { CompileContext } from "../context/context.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { CompilePlan } from "../model/plan.js";
import type { PolicyModel, PolicyRule } from "../model/policy.js";
import type { FlatTool } from "../model/tool.js";
import { listToolsetMembers } from "../model/toolset-members.js";
import { listGrants, listOfferedTools } from "./grants.js";

const definitions = {
  paths: {
    severity: "info",
    message: {
      several:
        'In the toolset "{toolset}", a text that an outsider wrote may make a model send private data outside: {path}{more}. The dispatcher asks a person before such a call; a host may waive that in its own code, which hasp cannot see here.',
      alone:
        'In the toolset "{toolset}", {tool} claims nothing about its results and its input: as far as hasp knows, a text that an outsider wrote may make a model read private data with one call and send it outside with the next{more}. The dispatcher asks a person before such a call; a host may waive that in its own code, which hasp cannot see here.',
    },
    help: "Claim what is true of each tool: returnsUntrusted: false, returnsPrivate: false or isOpenWorld: false.",
  },
  "will-ask": {
    severity: "info",
    message:
      "The tool runs unasked, but after the first result, its calls will ask: it does not say isOpenWorld: false.",
    help: "If what the model puts into the input reaches nobody outside, claim isOpenWorld: false.",
  },
} as const;

export const flowDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("flow", definitions);

/**
 * The protection against a leak through a sink: `refused` asks nobody, `every-call` asks a person each time, `guard`
 * asks once the conversation holds both labels, and `waived` never asks for some calls.
 */
export type FlowGuard = "refused" | "every-call" | "guard" | "waived";

/** The words for each guard, from the weakest. */
export const GUARDS: { readonly [guard in FlowGuard]: string } = {
  waived: "nobody is asked: a rule waives it",
  guard: "a person is asked once both kinds are there",
  "every-call": "a person is asked about every call",
  refused: "refused once both kinds are there: nobody can be asked",
};

export interface FlowSink {
  readonly tool: FlatTool;
  readonly guard: FlowGuard;
  /** The rules of the policy that waive the guard for calls of the tool. */
  readonly waivers: readonly PolicyRule[];
}

/** The tools of a toolset through which an outsider may make a model send private data outside. */
export interface ToolsetFlow {
  readonly toolset: string;
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
    .map(({ name, tools: members }) =>
      readFlow(
        name,
        members,
        policies.find(({ toolset }) => toolset === name),
      ),
    );
}

export function findPolicyFlow(policy: PolicyModel): ToolsetFlow {
  return readFlow(policy.toolset, policy.tools, policy);
}

function readFlow(toolset: string, members: readonly FlatTool[], policy: PolicyModel | undefined): ToolsetFlow {
  const tools = policy === undefined ? members : listOfferedTools(policy);
  const rateGuard = createGuardRater(policy);
  return {
    toolset,
    untrusted: tools.filter(({ worstCase }) => worstCase.returnsUntrusted),
    private: tools.filter(({ worstCase }) => worstCase.returnsPrivate),
    sinks: tools
      .filter(({ worstCase }) => worstCase.isOpenWorld)
      .map((tool) => ({
        tool,
        guard: rateGuard(tool, "calls to the outside"),
        waivers: policy === undefined ? [] : waiversOf(tool, policy),
      })),
  };
}

export function waiversOf({ name }: FlatTool, { rules }: PolicyModel): readonly PolicyRule[] {
  return rules.filter(({ tool, server, flow }) => flow === "allow" && server === undefined && tool === name);
}

/** Creates the function that rates the guard of a tool's calls: of any, or only of those that may reach the outside. */
export function createGuardRater(
  policy: PolicyModel | undefined,
): (tool: FlatTool, calls: "any call" | "calls to the outside") => FlowGuard {
  const granted = new Set(policy === undefined ? [] : listGrants(policy).flatMap(({ tools }) => tools));
  return (tool, calls) => {
    if (policy !== undefined && waiversOf(tool, policy).length > 0) return "waived";
    if (policy?.spec.mode === "unattended") return "refused";
    return granted.has(tool) || mayRunUnasked(tool, calls === "calls to the outside") ? "guard" : "every-call";
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

/** True if results of both kinds may come together before a call of a sink. */
export function hasPath(flow: ToolsetFlow): boolean {
  return flow.untrusted.length > 0 && flow.private.length > 0 && flow.sinks.length > 0;
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

/** Notes how each toolset can leak, and which tools ask more often than their claims say. */
export function checkFlows(
  tools: readonly FlatTool[],
  policies: readonly PolicyModel[],
  { plan, each }: Pick<CompileContext, "plan" | "each">,
): readonly Diagnostic[] {
  const asking = new Set<FlatTool>();
  const notes = findToolsetFlows(tools, plan, policies).flatMap((flow): readonly Diagnostic[] => {
    if (!hasPath(flow)) return [];
    const { toolset, untrusted, private: secret, sinks } = flow;
    for (const { tool, guard } of sinks) if (guard === "guard") asking.add(tool);
    const worst = sinks.toSorted((a, b) => WORST_FIRST.indexOf(a.guard) - WORST_FIRST.indexOf(b.guard))[0];
    const others = sinks.length - 1;
    const more = others === 0 ? "" : `, and so through ${others === 1 ? "one more tool" : `${others} more tools`}`;
    const names = (from: readonly FlatTool[]): readonly string[] => from.map(({ name }) => name);
    const data = {
      toolset,
      sinks: names(sinks.map(({ tool }) => tool)),
      untrusted: names(untrusted),
      private: names(secret),
    };
    if (worst === undefined) return [];
    const { tool } = worst;
    const parameters = isAlone(flow, tool)
      ? ({ variant: "alone", toolset, tool: tool.name, more } as const)
      : ({ variant: "several", toolset, path: printPath(flow, tool), more } as const);
    return [flowDiagnostics("paths", plan.locations?.[`/toolsets/${toolset}`], parameters, { data })];
  });
  const unclear = [...asking].filter(({ flags }) => !flags.some(({ flag }) => flag === "isOpenWorld"));
  const asked = each("Checking flows", unclear, (tool) =>
    flowDiagnostics("will-ask", tool.locate("/name"), undefined, { tool: tool.name }),
  );
  return [...notes, ...asked];
}

const WORST_FIRST = Object.keys(GUARDS) as readonly FlowGuard[];
