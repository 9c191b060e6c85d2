import { formsByTool } from "../../../compiler/src/model/lowered.js";
import { isKeyword } from "@hasp/schema/vocabulary";
import { toolAt } from "../place/place.js";
import type { Describe } from "./hover.js";
import { inert } from "./markdown.js";

/** Describes an input keyword's fate in each dialect: expressed, or lost and enforced by the runtime. */
export const describeKeywordFate: Describe = (place, { part, pointer, path }) => {
  const keyword = path.at(-1) ?? "";
  const found = part === "key" && isKeyword(keyword) ? toolAt(place, pointer) : undefined;
  if (found === undefined || !found.inside.startsWith("/input/")) return undefined;
  const { tool } = found;
  const holder = pointer.slice(0, pointer.lastIndexOf("/"));
  const isHere = (flat: string): boolean => {
    const location = tool.input.locate(flat);
    return location.uri === place.document.uri && (location.pointer === holder || location.pointer === pointer);
  };
  const forms = formsByTool(place.project.compiled?.result.toolsets ?? []).get(tool.name) ?? [];
  const lines = forms.map((form) => {
    if (form.kind === "excluded") return `- ${form.dialect}: the tool is not listed, ${inert(form.reason)}`;
    const loss = form.lowered.lowering.losses.find((each) => each.keyword === keyword && isHere(each.pointer));
    if (loss === undefined) return `- ${form.dialect}: expressed`;
    const told = loss.words === undefined ? "" : ` The model reads: ${inert(loss.words)}`;
    return `- ${form.dialect}: not expressed, enforced by ${loss.enforcedBy}.${told}`;
  });
  return lines.length === 0 ? undefined : lines.join("\n");
};
