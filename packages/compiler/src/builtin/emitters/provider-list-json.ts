import type { DialectId, JsonObject, JsonValue } from "@hasp/schema";
import { groupBy } from "../../model/group-by.js";
import { jsonText, listOfTexts } from "../../typescript/json-text.js";
import type { Emitter, FileDraft } from "./base/emitter.js";

/**
 * One JSON file per toolset and dialect, if the configuration asks for them: the provider's tool list, ready to be sent
 * from any language. A second file has the entries of gated tools, by gate. A tool's part is the text of its entries.
 */
export const providerListJson: Emitter<{ readonly [dialect in DialectId]?: string }> = {
  name: "provider-list-json",
  part: ({ forms, plan }) =>
    Object.fromEntries(
      forms.flatMap((form) =>
        form.kind === "listed" && plan.jsonLists === true
          ? [[form.dialect, jsonText(form.lowered.definition, 2)] as const]
          : [],
      ),
    ),
  files: ({ tools: all, toolsets, layout, plan }, partOf) => {
    if (plan.jsonLists !== true) return [];
    const gates = new Map(all.map(({ name, featureGate }) => [name, featureGate]));
    return toolsets.flatMap(({ name, lists }) =>
      lists.flatMap(({ dialect, tools }): readonly FileDraft[] => {
        const textOf = (tool: string): string => partOf(tool)[dialect] ?? "";
        const byGate = groupBy(tools, (tool) => gates.get(tool));
        const gated = [...byGate]
          .flatMap(([gate, of]) => (gate === undefined ? [] : [[gate, of] as const]))
          .toSorted(([left], [right]) => (left < right ? -1 : 1))
          .map(([gate, of]) => [gate, of.map((tool) => JSON.parse(textOf(tool)) as JsonValue)]);
        const list = listOfTexts((byGate.get(undefined) ?? []).map(textOf));
        return [
          { path: layout.providerList(name, dialect, "json"), owner: "hasp", text: list },
          ...(gated.length === 0 ? [] : [gatedDraft(layout.gatedList(name, dialect), Object.fromEntries(gated))]),
        ];
      }),
    );
  },
};

function gatedDraft(path: string, byGate: JsonObject): FileDraft {
  return { path, owner: "hasp", text: `${jsonText(byGate, 0)}\n` };
}
