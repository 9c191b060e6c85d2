import { findEntry, findNode } from "../syntax.js";
import { type Complete, quoteValue } from "./completion.js";
import { listKeys, listValues } from "../document-format.js";
import type { JsonObject } from "@hasp/schema";
import { dropUndefined, own } from "@hasp/base/json";

/** Offers an object's properties under its `required`. */
export const propertyNames: Complete = (place) => {
  const { path, part, around } = place;
  if (part !== "value" || path.at(-2) !== "required") return [];
  const schema = around.at(-2);
  const properties = findEntry(schema, "properties")?.value;
  const listed = findEntry(schema, "required")?.value;
  const present = new Set(
    listed?.kind === "list" ? listed.items.map((item) => (item.kind === "scalar" ? item.value : null)) : [],
  );
  return properties?.kind === "map"
    ? properties.entries
        .filter(({ key }) => !present.has(key.name))
        .map(({ key }) => ({ label: key.name, kind: "value", insert: quoteValue(key.name, place) }))
    : [];
};

export const formatValues: Complete = ({ schemas, part, isJson, isQuoted }) =>
  part === "key"
    ? []
    : listValues(schemas).flatMap((value) => {
        const label = typeof value === "string" ? value : JSON.stringify(value);
        return isQuoted && typeof value !== "string"
          ? []
          : [
              {
                label,
                kind: "value",
                insert: typeof value === "string" ? quoteValue(value, { isJson, isQuoted }) : label,
              },
            ];
      });

export const formatKeys: Complete = ({ schemas, part, mayBeKey, path, root, isJson, isQuoted, hasColon }) => {
  if (!mayBeKey) return [];
  const holder = findNode(root, part === "key" ? path.slice(0, -1) : path);
  const present = new Set(holder?.kind === "map" ? holder.entries.map(({ key }) => key.name) : []);
  return [...listKeys(schemas)].flatMap(([key, schema]) => {
    if (present.has(key)) return [];
    const name = isJson && !isQuoted ? `"${key}"` : key;
    const documentation = descriptionIn(schema);
    return [
      {
        label: key,
        kind: "key",
        insert: hasColon || (isJson && isQuoted) ? name : `${name}: `,
        ...dropUndefined({ documentation }),
      },
    ];
  });
};

function descriptionIn(schema: JsonObject): string | undefined {
  const description = own(schema, "description");
  return typeof description === "string" ? description : undefined;
}
