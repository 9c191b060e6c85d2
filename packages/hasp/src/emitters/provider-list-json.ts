import type { DialectId } from "@hasp/schema";
import { jsonPiece, listOfPieces } from "../typescript/json-pieces.js";
import { type Emitter, partOf } from "./emitter.js";

/**
 * One JSON file a toolset and dialect: the entries of the provider's tool list, ready to be sent from any language. A
 * tool's part is the text of its entries.
 */
export const providerListJson: Emitter<{ readonly [dialect in DialectId]?: string }> = {
  name: "provider-list-json",
  part: ({ forms }) => Object.fromEntries(forms.flatMap((form) => (form.kind === "listed" ? [[form.dialect, jsonPiece(form.lowered.definition, 2)]] : []))),
  files: ({ toolsets, layout }, parts) =>
    toolsets.flatMap(({ name, lists }) =>
      lists.map(({ dialect, tools }) => ({
        path: layout.providerList(name, dialect, "json"),
        owner: "hasp",
        text: listOfPieces(tools.map((tool) => partOf(parts, tool)[dialect] ?? "")),
      })),
    ),
};
