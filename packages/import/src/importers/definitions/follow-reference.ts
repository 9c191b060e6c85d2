import type { JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "../../../../compiler/src/model/document.js";
import { isRemote, resolveReference } from "../../../../compiler/src/model/document-uri.js";
import { valueAt } from "../../../../compiler/src/model/schemas/schema-places.js";

type Followed =
  | { readonly document: LoadedDocument; readonly pointer: string; readonly value: JsonValue }
  | { readonly problem: string };

export function followReference(
  reference: string,
  document: LoadedDocument,
  documents: ReadonlyMap<string, LoadedDocument | string>,
): Followed {
  const target = resolveReference(reference, document.uri);
  if (target.kind === "outside") return { problem: "it points outside the folder, where an import may not read" };
  if (target.kind === "name") {
    return { problem: "an import follows references to files and JSON Pointers, not to names" };
  }
  if (target.kind === "document" && isRemote(target.path)) {
    return { problem: "an import does not access the network; save the document next to the source" };
  }
  const found = target.kind === "local" || target.path === document.uri ? document : documents.get(target.path);
  if (found === undefined) return { problem: "there is no such file" };
  if (typeof found === "string") return { problem: found };
  if (target.fragment !== "" && !target.fragment.startsWith("/")) {
    return { problem: "an import follows JSON Pointers, not anchors" };
  }
  const value = valueAt(found.value, target.fragment);
  return value === undefined
    ? { problem: "it points to nothing" }
    : { document: found, pointer: target.fragment, value };
}
