import { entryOf } from "../syntax/cursor.js";
import type { Complete } from "./completion.js";
import { valueText } from "./value-text.js";

/** Offers an object's properties under its `required`. */
export const propertyNames: Complete = (place) => {
  const { path, part, around } = place;
  if (part !== "value" || path.at(-2) !== "required") return [];
  const schema = around.at(-2);
  const properties = entryOf(schema, "properties")?.value;
  const listed = entryOf(schema, "required")?.value;
  const present = new Set(
    listed?.kind === "list" ? listed.items.map((item) => (item.kind === "scalar" ? item.value : null)) : [],
  );
  return properties?.kind === "map"
    ? properties.entries
        .filter(({ key }) => !present.has(key.name))
        .map(({ key }) => ({ label: key.name, kind: "value", insert: valueText(key.name, place) }))
    : [];
};
