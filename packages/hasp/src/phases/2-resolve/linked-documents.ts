import type { JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "../../model/document.js";
import { resolveReference } from "./document-uri.js";

/** The files of a project by path. */
export interface Documents {
  get(path: string): LoadedDocument | undefined;
}

/**
 * Finds the paths (or addresses) of the documents that a document may refer to. It reads every `$ref`, even in plain
 * data: a superfluous file does no harm. `resolve` decides which references count, and refuses those that an `$id`
 * redirects.
 */
export function referencedPaths({ facts, value, uri }: LoadedDocument): readonly string[] {
  return facts.of("leads to", () => [...findReferences(value, uri)]);
}

/** For each document: those that it leads to, directly or through others, itself included; `undefined` for one that
 * is not there. */
export function linkedDocuments(
  documents: readonly LoadedDocument[],
): (document: LoadedDocument) => ReadonlyMap<string, LoadedDocument | undefined> {
  const byPath = new Map(documents.map((document) => [document.uri, document]));
  return (document) => {
    const linked = new Map<string, LoadedDocument | undefined>([[document.uri, document]]);
    // The loop also visits entries that are added while it runs.
    for (const each of linked.values()) {
      if (each === undefined) continue;
      for (const path of referencedPaths(each)) if (!linked.has(path)) linked.set(path, byPath.get(path));
    }
    return linked;
  };
}

function findReferences(value: JsonValue, from: string): ReadonlySet<string> {
  const paths = new Set<string>();
  const waiting: JsonValue[] = [value];
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    if (typeof current !== "object" || current === null) continue;
    const members = current as { readonly [key: string]: JsonValue };
    for (const key of Object.keys(members)) {
      const item = members[key];
      if (typeof item === "object") waiting.push(item);
      else if ((key === "$ref" || key === "$dynamicRef") && typeof item === "string" && !item.startsWith("#")) {
        const target = resolveReference(item, from);
        if (target.kind === "document") paths.add(target.path);
      }
    }
  }
  return paths;
}
