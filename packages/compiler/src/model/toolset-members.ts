import type { FlowSetting } from "@hasp/runtime";
import { matchesPattern } from "@hasp/runtime/contract";
import { isWithinFolder, normalisePath } from "./paths.js";
import type { ToolSelector, ToolsetPlan } from "./plan.js";
import type { FlatTool } from "./tool.js";

/** The treatment of information flow that holds unless somebody chooses. */
export const DEFAULT_FLOW: FlowSetting = "note";

export interface SelectableTool {
  readonly name: string;
  readonly spec: { readonly tags?: readonly string[]; readonly owner?: string };
  readonly document: { readonly uri: string };
}

export interface ToolsetMembers<Tool extends SelectableTool> {
  readonly name: string;
  readonly partial: boolean;
  readonly flow: FlowSetting;
  readonly tools: readonly Tool[];
}

export const wholeToolset = "all";
const EVERY_TOOL: readonly ToolsetPlan[] = [{ name: wholeToolset, include: "all", exclude: [] }];

/** Lists toolsets with their tools; a plan without toolsets has one that holds every tool. */
export function listToolsetMembers<Tool extends SelectableTool>(
  tools: readonly Tool[],
  toolsets: readonly ToolsetPlan[],
): readonly ToolsetMembers<Tool>[] {
  return (toolsets.length === 0 ? EVERY_TOOL : toolsets).map(
    ({ name, include, exclude, partial = false, flow = DEFAULT_FLOW }) => ({
      name,
      partial,
      flow,
      tools: tools.filter((tool) => (include === "all" || isSelected(tool, include)) && !isSelected(tool, exclude)),
    }),
  );
}

/** An extension that a registry names, and the tools that ask for it. */
export interface NeededExtension {
  readonly name: "flow" | "search" | "results";
  readonly tools: readonly string[];
}

/** Lists the extensions that dispatchers of these tools need. */
export function listNeeded(
  tools: readonly FlatTool[],
  sets: readonly { readonly flow: FlowSetting }[],
): readonly NeededExtension[] {
  const isLabelled = tools.some(({ worstCase }) => worstCase.returnsUntrusted || worstCase.returnsPrivate);
  // Under `ask` without the extension, a dispatcher asks about each call that reaches the outside.
  const isWatched = sets.some(({ flow }) => flow === "ask" || (flow === "note" && isLabelled));
  const asks: { readonly [name in NeededExtension["name"]]: (tool: FlatTool) => boolean } = {
    flow: ({ worstCase }) => isWatched && worstCase.isOpenWorld,
    search: ({ metadata }) => metadata.visibility.load === "deferred",
    results: ({ metadata }) => metadata.limits.maxResultSizeChars !== "unlimited",
  };
  return (["flow", "search", "results"] as const).flatMap((name) => {
    const asking = tools.filter(asks[name]).map((tool) => tool.name);
    return asking.length === 0 ? [] : { name, tools: asking };
  });
}

/** Joins the first names and counts the rest: `a, b and 3 more`. */
export function printSome(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return rest > 1 ? `${names.slice(0, most).join(", ")} and ${rest} more` : names.join(", ");
}

/** Chooses the toolset whose policy applies: the chosen one, or that of all tools. Unclear if only others have policies. */
export function choosePolicy(
  chosen: string = wholeToolset,
  withPolicy: readonly string[] = [],
): { readonly toolset?: string } | "unclear" {
  if (withPolicy.includes(chosen)) return { toolset: chosen };
  return chosen === wholeToolset && withPolicy.length > 0 ? "unclear" : {};
}

function isSelected(tool: SelectableTool, selectors: readonly ToolSelector[]): boolean {
  return selectors.some((selector) => selects(selector, tool));
}

/** True if a selector names a tool, in which `*` stands for any characters, or its tag, owner or folder. */
export function selects(selector: ToolSelector, { name, spec, document }: SelectableTool): boolean {
  if (typeof selector === "string") return matchesPattern(selector, name);
  if ("tag" in selector) return (spec.tags ?? []).includes(selector.tag);
  if ("owner" in selector) return spec.owner === selector.owner;
  return isWithinFolder(normalisePath(selector.folder) ?? "..", document.uri);
}
