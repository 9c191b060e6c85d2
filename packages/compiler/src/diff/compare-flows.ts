import { type Diagnostic, type Location, pluralize } from "@hasp/base/diagnostics";
import { isSameJson } from "@hasp/base/json";
import type { PolicyModel } from "../model/policy.js";
import type { FlatTool } from "../model/tool.js";
import { listToolsetMembers } from "../model/toolset-members.js";
import {
  compareGuards,
  createGuardRater,
  type FlowGuard,
  type FlowSink,
  hasPath,
  printPath,
  findToolsetFlows,
} from "../policies/flow.js";
import { listOfferedTools } from "../policies/grants.js";
import { diffDiagnostics, GUARDED_PATH } from "./diagnostics.js";
import type { EarlierOf, Version } from "./version.js";

/** The tools of one toolset before a change, each with its guard as if it could reach the outside. */
type EarlierGuards = ReadonlyMap<FlatTool, FlowGuard>;

/**
 * Finds new paths for private data to leave, also those that ask somebody. A dropped claim opens none: its tool could be
 * on one before. A weaker setting opens none either, and is a finding of its own.
 */
export function compareFlows(before: Version, after: Version, earlierOf: EarlierOf): readonly Diagnostic[] {
  const earlier = guardsIn(before, after);
  return findToolsetFlows(after.tools, after.plan, after.policies)
    .filter(hasPath)
    .flatMap((flow) => {
      const sources = [...new Set([...flow.untrusted, ...flow.private])];
      const policy = after.policies.find(({ toolset }) => toolset === flow.toolset);
      // One path for each tool that opens one: by its weakest guard.
      const opened = new Map<FlatTool, OpenedPath>();
      for (const sink of flow.sinks.toSorted((a, b) => compareGuards(a.guard, b.guard))) {
        const { tool, guard } = sink;
        const old = earlierOf(tool);
        const alike = earlier.filter((guards) => {
          const was = old && guards.get(old);
          return was !== undefined && compareGuards(was, guard) <= 0;
        });
        if (alike.length === 0) {
          if (opened.has(tool)) continue;
          opened.set(tool, { guard, path: printPath(flow, tool), location: locateOpening(sink, old, policy) });
          continue;
        }
        const missing = alike.map((guards) => sources.filter((source) => !isIn(guards, earlierOf(source))));
        const [fewest = []] = missing.toSorted((a, b) => a.length - b.length);
        for (const source of fewest) {
          if (opened.has(source)) continue;
          opened.set(source, { guard, path: printPath(flow, tool, source), location: source.locate("/name") });
        }
      }
      return reportPaths(opened);
    });
}

interface OpenedPath {
  readonly guard: FlowGuard;
  readonly path: string;
  readonly location: Location;
}

/** Reports each path by which calls may run unasked, and all others in one note: a tool that claims nothing has one. */
function reportPaths(opened: ReadonlyMap<FlatTool, OpenedPath>): readonly Diagnostic[] {
  const isUnasked = ({ guard }: OpenedPath): boolean => compareGuards(guard, "guard") <= 0;
  const report = ([tool, { guard, path, location }]: readonly [FlatTool, OpenedPath], more: string): Diagnostic =>
    diffDiagnostics("path-opened", location, { variant: guard, path, more }, { tool: tool.name });
  const unasked = [...opened].filter(([, path]) => isUnasked(path)).map((each) => report(each, ""));
  const [first, ...others] = [...opened].filter(([, path]) => !isUnasked(path));
  if (first === undefined) return unasked;
  const more = others.length === 0 ? "" : `, and ${pluralize(others.length, "more path")}`;
  return [...unasked, { ...report(first, more), severity: "info", data: GUARDED_PATH }];
}

/** Rates the tools of each toolset by the setting that it has now. */
function guardsIn({ tools, plan, policies }: Version, now: Version): readonly EarlierGuards[] {
  const settings = new Map(listToolsetMembers([], now.plan.toolsets).map(({ name, flow }) => [name, flow]));
  return listToolsetMembers(tools, plan.toolsets).map(({ name, tools: members, flow }) => {
    const policy = policies.find(({ toolset }) => toolset === name);
    const offered = policy === undefined ? members : listOfferedTools(policy);
    const rateGuard = createGuardRater(policy, settings.get(name) ?? flow);
    return new Map(offered.map((tool) => [tool, rateGuard(tool, "any call")]));
  });
}

function isIn(guards: EarlierGuards, tool: FlatTool | undefined): boolean {
  return tool !== undefined && guards.has(tool);
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
