import { suggestionsFor } from "../../diagnostics/closest.js";
import type { Diagnostic, Found, Location } from "../../diagnostics/diagnostic.js";
import type { CompilePlan, ToolSelector, ToolsetPlan } from "../../model/plan.js";
import { toolsetMembers, type SelectableTool, type ToolsetMembers } from "../../model/toolset-members.js";
import { lowerDiagnostics } from "./diagnostics.js";

/** The toolsets of the plan; a name that selects nothing and a toolset without a tool are reported. */
export function selectToolsets<Tool extends SelectableTool>(
  tools: readonly Tool[],
  plan: Pick<CompilePlan, "toolsets" | "exclude" | "locations">,
): Found<readonly ToolsetMembers<Tool>[]> {
  const value = toolsetMembers(tools, plan.toolsets);
  const unknown = plan.toolsets.flatMap((toolset) => unknownNames(toolset, tools, plan));
  // With no tool at all, an earlier phase has said what is wrong.
  const empty = value
    .filter((toolset) => toolset.tools.length === 0 && tools.length > 0)
    .map(({ name }) => lowerDiagnostics("empty-toolset", plan.locations?.[`/toolsets/${name}`], { toolset: name }));
  return { value, diagnostics: [...unknown, ...empty] };
}

/** A name that selects nothing is a mistake, above all under `exclude`: the tool that it means would be in. */
function unknownNames(
  { name: toolset, include, exclude }: ToolsetPlan,
  tools: readonly SelectableTool[],
  { exclude: left = [], locations = {} }: Pick<CompilePlan, "exclude" | "locations">,
): readonly Diagnostic[] {
  const names = tools.map(({ name }) => name);
  const tags = [...new Set(tools.flatMap(({ spec }) => spec.tags ?? []))];
  const placed = (
    part: string,
    selectors: readonly ToolSelector[],
  ): readonly { readonly selector: ToolSelector; readonly location: Location | undefined }[] =>
    selectors.map((selector, index) => ({ selector, location: locations[`/toolsets/${toolset}/${part}/${index}`] }));
  return [...placed("include", include === "all" ? [] : include), ...placed("exclude", exclude)].flatMap(
    ({ selector, location }) => {
      if (typeof selector === "string") {
        return names.includes(selector) || left.some(({ tool }) => tool === selector)
          ? []
          : [
              lowerDiagnostics("unknown-tool", location, {
                toolset,
                name: selector,
                nearest: suggestionsFor(selector, names),
              }),
            ];
      }
      return tags.includes(selector.tag)
        ? []
        : [
            lowerDiagnostics("unknown-tag", location, {
              toolset,
              tag: selector.tag,
              nearest: suggestionsFor(selector.tag, tags),
            }),
          ];
    },
  );
}
