import type { JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "../../model/document.js";
import { isRemote, resolveReference } from "../../phases/2-resolve/document-uri.js";
import { valueAt } from "../../phases/2-resolve/schema-places.js";

/** What a `$ref` of a source leads to, or the sentence that says why it leads nowhere. */
export type Followed =
  | { readonly document: LoadedDocument; readonly pointer: string; readonly value: JsonValue }
  | { readonly problem: string };

/** Follows one `$ref` that stands in `document`, among the documents that were read with it. */
export function followReference(
  reference: string,
  document: LoadedDocument,
  documents: ReadonlyMap<string, LoadedDocument | string>,
): Followed {
  const target = resolveReference(reference, document.uri);
  if (target.kind === "outside") return { problem: "it leads out of the folder, and an import reads nothing there" };
  if (target.kind === "name") return { problem: "an import follows references to files and places, not to names" };
  if (target.kind === "document" && isRemote(target.path)) {
    return { problem: "an import fetches nothing from the network; save the document beside the source" };
  }
  const found = target.kind === "local" || target.path === document.uri ? document : documents.get(target.path);
  if (found === undefined) return { problem: "there is no such file" };
  if (typeof found === "string") return { problem: found };
  if (target.fragment !== "" && !target.fragment.startsWith("/")) {
    return { problem: "an import follows JSON Pointers, not anchors" };
  }
  const value = valueAt(found.value, target.fragment);
  return value === undefined
    ? { problem: "nothing stands there" }
    : { document: found, pointer: target.fragment, value };
}
