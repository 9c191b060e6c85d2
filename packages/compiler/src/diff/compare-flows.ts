import type { Diagnostic, Location } from "../diagnostics/diagnostic.js";
import { isSameJson } from "../model/json.js";
import type { PolicyModel } from "../model/policy.js";
import type { FlatTool } from "../model/tool.js";
import { listToolsetMembers } from "../model/toolset-members.js";
import {
  createGuardRater,
  type FlowGuard,
  type FlowSink,
  hasPath,
  listOfferedTools,
  printPath,
  findToolsetFlows,
} from "../policies/index.js";
import { diffDiagnostics } from "./diagnostics.js";
import type { Version } from "./version.js";

/** The tools of one toolset before a change, each with its guard as if it could reach the outside. */
type EarlierGuards = ReadonlyMap<FlatTool, FlowGuard>;

/** Finds new paths for private data to leave unasked. A dropped claim opens none: its tool could be on one before. */
export function compareFlows(
  before: Version,
  after: Version,
  earlierOf: (tool: FlatTool) => FlatTool | undefined,
): readonly Diagnostic[] {
  const earlier = guardsIn(before);
  return findToolsetFlows(after.tools, after.plan, after.policies)
    .filter(hasPath)
    .flatMap((flow) => {
      const sources = [...new Set([...flow.untrusted, ...flow.private])];
      const policy = after.policies.find(({ toolset }) => toolset === flow.toolset);
      const reported = new Set<FlatTool>();
      return flow.sinks.flatMap((sink): readonly Diagnostic[] => {
        const variant = sink.guard;
        if (variant !== "waived" && variant !== "guard") return [];
        const { tool } = sink;
        const old = earlierOf(tool);
        const alike = earlier.filter((guards) => old !== undefined && isAsLoose(guards.get(old), variant));
        if (alike.length === 0) {
          const parameters = { variant, path: printPath(flow, tool) };
          return [diffDiagnostics("path-opened", locateOpening(sink, old, policy), parameters, { tool: tool.name })];
        }
        const missing = alike.map((guards) => sources.filter((source) => !isIn(guards, earlierOf(source))));
        const [fewest = []] = missing.toSorted((a, b) => a.length - b.length);
        return fewest.flatMap((source) => {
          if (reported.has(source)) return [];
          reported.add(source);
          const parameters = { variant, path: printPath(flow, tool, source) };
          return [diffDiagnostics("path-opened", source.locate("/name"), parameters, { tool: source.name })];
        });
      });
    });
}

function guardsIn({ tools, plan, policies }: Version): readonly EarlierGuards[] {
  return listToolsetMembers(tools, plan.toolsets).map(({ name, tools: members }) => {
    const policy = policies.find(({ toolset }) => toolset === name);
    const offered = policy === undefined ? members : listOfferedTools(policy);
    const rateGuard = createGuardRater(policy);
    return new Map(offered.map((tool) => [tool, rateGuard(tool, "any call")]));
  });
}

function isIn(guards: EarlierGuards, tool: FlatTool | undefined): boolean {
  return tool !== undefined && guards.has(tool);
}

function isAsLoose(guard: FlowGuard | undefined, than: "waived" | "guard"): boolean {
  return guard === "waived" || (guard === "guard" && than === "guard");
}

function locateOpening(
  { tool, waivers }: FlowSink,
  old: FlatTool | undefined,
  policy: PolicyModel | undefined,
): Location {
  const [waiver] = waivers;
  if (policy !== undefined && waiver !== undefined) return policy.document.locate(`/rules/${waiver.index}/flow`);
  const [was, is] = [old, tool].map((each) => each?.spec.behavior?.requiresPermission ?? null);
  const hasChanged = old !== undefined && !isSameJson(was ?? null, is ?? null);
  return tool.locate(hasChanged ? "/behavior/requiresPermission" : "/name");
}
