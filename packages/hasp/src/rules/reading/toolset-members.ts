import type { CompilePlan, ToolSelector, ToolsetPlan } from "../../model/plan.js";
import type { FlatTool } from "../../model/tool.js";

/** A toolset with its tools. */
export interface ToolsetMembers {
  readonly name: string;
  readonly tools: readonly FlatTool[];
}

/** The toolsets of a project with their tools; without any in the plan, one that has all. */
export function toolsetMembers(tools: readonly FlatTool[], plan: CompilePlan): readonly ToolsetMembers[] {
  const toolsets: readonly ToolsetPlan[] = plan.toolsets.length > 0 ? plan.toolsets : [{ name: "all", include: "all", exclude: [] }];
  return toolsets.map(({ name, include, exclude }) => ({
    name,
    tools: tools.filter(
      (tool) => (include === "all" || isSelected(tool, include)) && !isSelected(tool, exclude),
    ),
  }));
}

function isSelected(tool: FlatTool, selectors: readonly ToolSelector[]): boolean {
  return selectors.some((selector) =>
    typeof selector === "string" ? selector === tool.name : (tool.spec.tags ?? []).includes(selector.tag),
  );
}
