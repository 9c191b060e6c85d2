import { promptTokens, entryTokens } from "../../../compiler/src/tokens/prompt-tokens.js";
import { formsByTool } from "../../../compiler/src/model/lowered.js";
import { symbolAt } from "../symbols/symbol.js";
import type { Describe } from "./hover.js";
import { inCode, inert } from "./markdown.js";

/** Describes a tool: its worst case, and its cost in the list of each dialect. */
export const describeTool: Describe = (place) => {
  const symbol = symbolAt(place);
  const compiled = place.project.compiled;
  if (symbol?.kind !== "tool" || compiled === undefined) return undefined;
  const { plan, result } = compiled;
  const tool = result.tools.find(({ name }) => name === symbol.name);
  if (tool === undefined) return `${inCode(symbol.name)} has errors.`;
  const { class: worst, ...flags } = tool.worstCase;
  const held = Object.entries(flags).flatMap(([flag, holds]) => (holds ? [inCode(flag)] : []));
  const forms = formsByTool(result.toolsets).get(tool.name) ?? [];
  const costs = forms.map((form) =>
    form.kind === "listed"
      ? `- ${form.dialect}: ${entryTokens(form.lowered, plan)} tokens, ${form.lowered.lossCount} constraints not expressed`
      : `- ${form.dialect}: not listed, ${inert(form.reason)}`,
  );
  return [
    `${inCode(tool.name)}: ${inCode(worst)}${held.length === 0 ? "" : `, ${held.join(", ")}`}`,
    "",
    `About ${promptTokens(tool, plan)} tokens in every request that lists it.`,
    ...costs,
  ].join("\n");
};
