import type { JsonObject } from "@hasp/schema";
import { own } from "../../../compiler/src/model/own.js";
import { keysOf } from "../formats/format-schema.js";
import { nodeAt } from "../syntax/cursor.js";
import type { Complete } from "./completion.js";

/** Offers the format's missing keys. */
export const formatKeys: Complete = ({ schemas, part, mayBeKey, path, root, isJson, isQuoted, hasColon }) => {
  if (!mayBeKey) return [];
  const holder = nodeAt(root, part === "key" ? path.slice(0, -1) : path);
  const present = new Set(holder?.kind === "map" ? holder.entries.map(({ key }) => key.name) : []);
  return [...keysOf(schemas)].flatMap(([key, schema]) => {
    if (present.has(key)) return [];
    const name = isJson && !isQuoted ? `"${key}"` : key;
    const documentation = descriptionIn(schema);
    return [
      {
        label: key,
        kind: "key",
        insert: hasColon || (isJson && isQuoted) ? name : `${name}: `,
        ...(documentation === undefined ? {} : { documentation }),
      },
    ];
  });
};

function descriptionIn(schema: JsonObject): string | undefined {
  const description = own(schema, "description");
  return typeof description === "string" ? description : undefined;
}
