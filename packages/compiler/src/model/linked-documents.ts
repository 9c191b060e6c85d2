import type { JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "./document.js";
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
export function referencedPaths({ value, uri }: LoadedDocument): readonly string[] {
  return [...findReferences(value, uri)];
}

/**
 * Finds the documents that a document leads to, directly or through others, itself included; `undefined` for one that
 * is missing.
 */
export type LinkedDocuments = (document: LoadedDocument) => ReadonlyMap<string, LoadedDocument | undefined>;

/** Creates {@link LinkedDocuments}. Each document is searched once. */
export function linkedDocuments(documents: readonly LoadedDocument[]): LinkedDocuments {
  const byPath = new Map(documents.map((document) => [document.uri, document]));
  const pathsFrom = new Map<LoadedDocument, readonly string[]>();
  const known = new Map<LoadedDocument, ReadonlyMap<string, LoadedDocument | undefined>>();
  const pathsIn = (document: LoadedDocument): readonly string[] => {
    const paths = pathsFrom.get(document) ?? referencedPaths(document);
    pathsFrom.set(document, paths);
    return paths;
  };
  const follow: LinkedDocuments = (document) => {
    const linked = new Map<string, LoadedDocument | undefined>([[document.uri, document]]);
    // The loop also visits entries that are added while it runs.
    for (const each of linked.values()) {
      if (each === undefined) continue;
      for (const path of pathsIn(each)) if (!linked.has(path)) linked.set(path, byPath.get(path));
    }
    return linked;
  };
  return (document) => {
    const linked = known.get(document) ?? follow(document);
    known.set(document, linked);
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
