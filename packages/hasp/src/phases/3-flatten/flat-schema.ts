import type { JsonSchema, Origin } from "@hasp/schema";
import type { Location } from "../../diagnostics/diagnostic.js";
import type { FlatSchema } from "../../model/tool.js";
import { fromDocumentUri } from "../2-resolve/document-uri.js";
import { valueAt } from "../2-resolve/schema-places.js";
import type { Documents } from "./remembered.js";

/** Finds the place of an origin in the user's files; `fallback` stands in for what nobody wrote. */
export function locateOrigin(
  origin: Origin | undefined,
  documents: Documents,
  fallback: Location,
  part: "key" | "value" = "value",
): Location {
  const document = origin === undefined ? undefined : documents.get(fromDocumentUri(origin.uri));
  return origin === undefined || document === undefined ? fallback : document.locate(origin.pointer, part);
}

/** A flat schema that knows the way back to the author's text. */
export function createFlatSchema(
  schema: JsonSchema,
  originsOf: (node: object) => readonly Origin[],
  documents: Documents,
  fallback: Location,
): FlatSchema {
  return {
    schema,
    originsOf,
    locate(pointer, part) {
      const nearest = nearestOrigin(schema, pointer, originsOf, documents);
      return locateOrigin(nearest, documents, fallback, part);
    },
  };
}

/** Follows the pointer and keeps, of the nodes on the way, the last that somebody wrote. */
function nearestOrigin(
  schema: JsonSchema,
  pointer: string,
  originsOf: (node: object) => readonly Origin[],
  documents: Documents,
): Origin | undefined {
  let node: unknown = schema;
  let nearest: { readonly origins: readonly Origin[]; readonly rest: string } | undefined;
  let rest = pointer;
  for (;;) {
    const origins = typeof node === "object" && node !== null ? originsOf(node) : [];
    if (origins.length > 0) nearest = { origins, rest };
    if (rest === "" || typeof node !== "object" || node === null) break;
    const [, segment = ""] = rest.split("/", 2);
    const token = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    node = Object.hasOwn(node, token) ? (node as { readonly [key: string]: unknown })[token] : undefined;
    rest = rest.slice(segment.length + 1);
  }
  if (nearest === undefined) return undefined;
  const { origins, rest: inside } = nearest;
  // Of the places that were merged, the one that says what is asked for.
  const candidates = origins.map(({ uri, pointer: outside }) => ({ uri, pointer: outside + inside }));
  const says = candidates.find((origin) => {
    const document = documents.get(fromDocumentUri(origin.uri));
    return document !== undefined && valueAt(document.value, origin.pointer) !== undefined;
  });
  return says ?? candidates[0];
}
