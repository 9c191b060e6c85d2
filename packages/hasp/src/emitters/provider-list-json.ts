import type { DialectId, JsonObject, JsonValue } from "@hasp/schema";
import { groupBy } from "../model/group-by.js";
import { jsonText, listOfTexts } from "../typescript/json-text.js";
import type { BuildToEmit, Emitter, FileDraft } from "./base/emitter.js";

/**
 * Most characters of a JSON list. Code hosts show no difference in a file of over 1 MB, and a module says the same in a
 * fraction of that, since it repeats no schema.
 */
const LARGEST_JSON_LIST = 1_000_000;

/** Returns whether a list of these texts is written as JSON too. */
export function isWrittenAsJson(texts: readonly string[]): boolean {
  return texts.reduce((sum, { length }) => sum + length, 0) <= LARGEST_JSON_LIST;
}

/**
 * One JSON file per toolset and dialect: the entries of the provider's tool list, ready to be sent from any language.
 * Beside it, a file has the entries of tools behind a feature gate, by gate. A tool's part is the text of its entries.
 */
export const providerListJson: Emitter<{ readonly [dialect in DialectId]?: string }> = {
  name: "provider-list-json",
  part: ({ forms }) =>
    Object.fromEntries(
      forms.flatMap((form) =>
        form.kind === "listed" ? [[form.dialect, jsonText(form.lowered.definition, 2)] as const] : [],
      ),
    ),
  files: ({ tools: all, toolsets, layout }, partOf) => {
    const gates = gatesOf(all);
    return toolsets.flatMap(({ name, lists }) =>
      lists.flatMap(({ dialect, tools }): readonly FileDraft[] => {
        const textOf = (tool: string): string => partOf(tool)[dialect] ?? "";
        const ungated = tools.filter((tool) => !gates.has(tool)).map(textOf);
        const gated = groupBy(
          tools.filter((tool) => gates.has(tool)),
          (tool) => gates.get(tool) ?? "",
        );
        if (!isWrittenAsJson(tools.map(textOf))) return [];
        const list = {
          path: layout.providerList(name, dialect, "json"),
          owner: "hasp",
          text: listOfTexts(ungated),
        } as const;
        if (gated.size === 0) return [list];
        const byGate = [...gated]
          .toSorted(byKey)
          .map(([gate, of]) => [gate, of.map((tool) => JSON.parse(textOf(tool)) as JsonValue)]);
        const text = `${jsonText(Object.fromEntries(byGate) as JsonObject, 0)}\n`;
        return [list, { path: layout.gatedList(name, dialect), owner: "hasp", text }];
      }),
    );
  },
};

/** The gate of each tool that has one, by the tool's name. */
export function gatesOf(tools: BuildToEmit["tools"]): ReadonlyMap<string, string> {
  return new Map(tools.flatMap(({ name, featureGate }) => (featureGate === undefined ? [] : [[name, featureGate]])));
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}
