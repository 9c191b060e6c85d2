import type { DialectId, JsonSchema, JsonValue } from "@hasp/schema";
import type { KnownTexts } from "../typescript/data-literal.js";
import { jsonPiece, listOfPieces } from "../typescript/json-pieces.js";
import { isSameJsonText } from "../model/same-json.js";
import type { Emitter } from "./emitter.js";

/**
 * One JSON file a toolset and dialect: the entries of the provider's tool list, ready to be sent from any language. A
 * tool's part is the text of its entries.
 */
export const providerListJson: Emitter<{ readonly [dialect in DialectId]?: string }> = {
  name: "provider-list-json",
  part: ({ forms }) => {
    const listed = forms.filter((form) => form.kind === "listed");
    const known = oneTextForEqualSchemas(listed.map(({ lowered }) => lowered.lowering.schema));
    return Object.fromEntries(listed.map(({ dialect, lowered }) => [dialect, jsonPiece(lowered.definition, 2, known)]));
  },
  files: ({ toolsets, layout }, partOf) =>
    toolsets.flatMap(({ name, lists }) =>
      lists.map(({ dialect, tools }) => ({
        path: layout.providerList(name, dialect, "json"),
        owner: "hasp",
        pieces: listOfPieces(tools.map((tool) => partOf(tool)[dialect] ?? "")),
      })),
    ),
};

/** Most dialects take a schema as it is: it is printed once for all of them. */
function oneTextForEqualSchemas(schemas: readonly (JsonSchema | undefined)[]): KnownTexts {
  const known: KnownTexts = new Map();
  for (const schema of schemas) {
    if (typeof schema !== "object") continue;
    const equal = [...known.keys()].find((other) => isSameJsonText(schema as JsonValue, other as JsonValue));
    known.set(schema, (equal === undefined ? undefined : known.get(equal)) ?? new Map());
  }
  return known;
}
