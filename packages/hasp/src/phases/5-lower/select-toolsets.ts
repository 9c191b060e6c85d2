import { closest } from "../../diagnostics/closest.js";
import type { Diagnostic, Found, Location } from "../../diagnostics/diagnostic.js";
import type { CompilePlan, ToolSelector, ToolsetPlan } from "../../model/plan.js";
import { lowerDiagnostics } from "./diagnostics.js";

/** What a selection looks at. */
export interface SelectableTool {
  readonly name: string;
  readonly spec: { readonly tags?: readonly string[] };
}

/** A toolset and the tools that it selects, by name. */
export interface SelectedTools<Tool extends SelectableTool = SelectableTool> {
  readonly name: string;
  readonly tools: readonly Tool[];
}

/** The toolsets of the plan; where it names none, one that holds every tool. */
export function selectToolsets<Tool extends SelectableTool>(
  tools: readonly Tool[],
  plan: Pick<CompilePlan, "toolsets" | "locations">,
): Found<readonly SelectedTools<Tool>[]> {
  if (plan.toolsets.length === 0) return { value: [{ name: "all", tools }], diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const value = plan.toolsets.map((toolset) => {
    diagnostics.push(...unknownNames(toolset, tools, plan));
    const selected = tools.filter((tool) => isSelected(tool, toolset));
    // With no tool at all, an earlier phase has said what is wrong.
    if (selected.length === 0 && tools.length > 0) diagnostics.push(lowerDiagnostics("empty-toolset", plan.locations?.[`/toolsets/${toolset.name}`], { toolset: toolset.name }));
    return { name: toolset.name, tools: selected };
  });
  return { value, diagnostics };
}

function isSelected(tool: SelectableTool, { include, exclude }: ToolsetPlan): boolean {
  return (include === "all" || include.some((selector) => selects(selector, tool))) && !exclude.some((selector) => selects(selector, tool));
}

function selects(selector: ToolSelector, tool: SelectableTool): boolean {
  return typeof selector === "string" ? tool.name === selector : (tool.spec.tags ?? []).includes(selector.tag);
}

/** A name that selects nothing is a mistake, above all under `exclude`: the tool that it means would be in. */
function unknownNames({ name: toolset, include, exclude }: ToolsetPlan, tools: readonly SelectableTool[], { locations = {} }: Pick<CompilePlan, "locations">): readonly Diagnostic[] {
  const names = tools.map(({ name }) => name);
  const tags = [...new Set(tools.flatMap(({ spec }) => spec.tags ?? []))];
  const placed = (part: string, selectors: readonly ToolSelector[]): readonly { readonly selector: ToolSelector; readonly location: Location | undefined }[] =>
    selectors.map((selector, index) => ({ selector, location: locations[`/toolsets/${toolset}/${part}/${index}`] }));
  return [...placed("include", include === "all" ? [] : include), ...placed("exclude", exclude)].flatMap(({ selector, location }) => {
    if (typeof selector === "string") {
      return names.includes(selector)
        ? []
        : [lowerDiagnostics("unknown-tool", location, { toolset, name: selector, nearest: closest(selector, names) })];
    }
    return tags.includes(selector.tag)
      ? []
      : [lowerDiagnostics("unknown-tag", location, { toolset, tag: selector.tag, nearest: closest(selector.tag, tags) })];
  });
}
