import type { DialectId } from "@hasp/schema";
import { jsonText, listOfTexts } from "../typescript/json-text.js";
import type { Emitter } from "./base/emitter.js";

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
      lists.map(({ dialect, tools }) => ({
        path: layout.providerList(name, dialect, "json"),
        owner: "hasp",
        text: listOfTexts(tools.flatMap((tool) => partOf(tool)[dialect] ?? [])),
      })),
    ),
};
