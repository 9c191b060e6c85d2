import type { ToolSelector, ToolsetPlan } from "./plan.js";

/** The facts about a tool that a selection reads. */
export interface SelectableTool {
  readonly name: string;
  readonly spec: { readonly tags?: readonly string[] };
}

/** A toolset and the tools that it selects, by name. */
export interface ToolsetMembers<Tool extends SelectableTool> {
  readonly name: string;
  readonly partial: boolean;
  readonly tools: readonly Tool[];
}

/** The name of the toolset of every tool. */
export const wholeToolset = "all";
const EVERY_TOOL: readonly ToolsetPlan[] = [{ name: wholeToolset, include: "all", exclude: [] }];

/** The toolsets of a plan with their tools; where it names none, one that holds every tool. */
export function toolsetMembers<Tool extends SelectableTool>(
  tools: readonly Tool[],
  toolsets: readonly ToolsetPlan[],
): readonly ToolsetMembers<Tool>[] {
  return (toolsets.length === 0 ? EVERY_TOOL : toolsets).map(({ name, include, exclude, partial = false }) => ({
    name,
    partial,
    tools: tools.filter((tool) => (include === "all" || isSelected(tool, include)) && !isSelected(tool, exclude)),
  }));
}

/**
 * The toolset whose policy applies to what everybody is offered: the one that was chosen, or else the one of all tools.
 * Where only other toolsets have policies, none can be told.
 */
export function policyToApply(
  chosen: string = wholeToolset,
  withPolicy: readonly string[] = [],
): { readonly toolset?: string } | "unclear" {
  if (withPolicy.includes(chosen)) return { toolset: chosen };
  return chosen === wholeToolset && withPolicy.length > 0 ? "unclear" : {};
}

function isSelected(tool: SelectableTool, selectors: readonly ToolSelector[]): boolean {
  return selectors.some((selector) =>
    typeof selector === "string" ? selector === tool.name : (tool.spec.tags ?? []).includes(selector.tag),
  );
}
