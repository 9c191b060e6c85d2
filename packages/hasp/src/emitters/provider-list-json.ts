import { jsonText } from "../typescript/data-literal.js";
import type { Emitter } from "./emitter.js";

/** One JSON file a toolset and dialect: the entries of the provider's tool list, ready to be sent. */
export const providerListJson: Emitter = {
  name: "provider-list-json",
  emit: ({ toolsets, layout }) =>
    toolsets.flatMap(({ name, lists }) =>
      lists.map(({ dialect, tools }) => ({
        path: layout.providerList(name, dialect, "json"),
        owner: "hasp",
        text: jsonText(tools.map(({ definition }) => definition)),
      })),
    ),
};
