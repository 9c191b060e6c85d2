import type { DialectId } from "@hasp/schema";
import { jsonText, listOfTexts } from "../typescript/json-text.js";
import type { Emitter, FileDraft } from "./base/emitter.js";

/**
 * Most characters of a JSON list. Code hosts show no difference in a file of over 1 MB, and a module says the same in a
 * fraction of that, since it repeats no schema.
 */
export const LARGEST_JSON_LIST = 1_000_000;

/** Whether a list of these texts is written as JSON too. */
export function isWrittenAsJson(texts: readonly string[]): boolean {
  return texts.reduce((sum, { length }) => sum + length, 0) <= LARGEST_JSON_LIST;
}

/**
 * One JSON file per toolset and dialect: the entries of the provider's tool list, ready to be sent from any language. A
 * tool's part is the text of its entries.
 */
export const providerListJson: Emitter<{ readonly [dialect in DialectId]?: string }> = {
  name: "provider-list-json",
  part: ({ forms }) =>
    Object.fromEntries(
      forms.flatMap((form) =>
        form.kind === "listed" ? [[form.dialect, jsonText(form.lowered.definition, 2)] as const] : [],
      ),
    ),
  files: ({ toolsets, layout }, partOf) =>
    toolsets.flatMap(({ name, lists }) =>
      lists.flatMap(({ dialect, tools }): readonly FileDraft[] => {
        const texts = tools.flatMap((tool) => partOf(tool)[dialect] ?? []);
        const path = layout.providerList(name, dialect, "json");
        return isWrittenAsJson(texts) ? [{ path, owner: "hasp", text: listOfTexts(texts) }] : [];
      }),
    ),
};
