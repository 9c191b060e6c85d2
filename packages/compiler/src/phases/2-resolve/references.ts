import { findSuggestions, type Diagnostic, type Location } from "@hasp/base/diagnostics";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { resolveDiagnostics } from "./diagnostics.js";
import {
  fromDocumentUri,
  isRemote,
  mayHoldIds,
  resolveReference,
  toLocalReference,
  type ReferenceTarget,
} from "../../model/document-references.js";
import { findIdsAround, placeOfAddress, resolveReadings, type BaseId, type Readings } from "./schema-ids.js";
import { visitSchemas } from "../../model/schemas.js";
import { findOrAdd, findValueAt, readReference, indexBy } from "@hasp/base/json";

/** Checks that every `$ref` that a schema reaches points to an existing file. */
export interface ReferenceChecker {
  check(document: LoadedDocument, pointer: string): CheckedReferences;
}

interface CheckedReferences {
  readonly isUsable: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** True if nothing was found, and nothing will be until a document that it leads to changes. */
  readonly isSettled: boolean;
}

interface Node {
  readonly document: LoadedDocument;
  readonly diagnostics: readonly Diagnostic[];
  /** True if it points to a file that could not be read; the findings of that file say why. */
  readonly isBroken: boolean;
  readonly leadsTo: readonly { readonly document: LoadedDocument; readonly root: string; readonly pointer: string }[];
}

export function createReferenceChecker(
  documents: readonly LoadedDocument[],
  sources: readonly SourceText[],
): ReferenceChecker {
  const documentsByPath = indexBy(documents, ({ uri }) => uri);
  const sourcesByPath = indexBy(sources, ({ uri }) => uri);
  const withIds = new Set(documents.filter(mayHoldIds));
  const nodes = new Map<string, Node>();

  const nodeAt = (document: LoadedDocument, root: string, pointer: string): Node => {
    const key = `${document.uri}#${root}#${pointer}`;
    return findOrAdd(nodes, key, () => readNode(document, root, pointer));
  };

  const readNode = (document: LoadedDocument, root: string, pointer: string): Node => {
    // `flatten` reports `#name` and dangling pointers; check the whole schema instead.
    const isThere = pointer === root || findValueAt(document.value, pointer) !== undefined;
    const references = gatherReadings(document, root, isThere ? pointer : root);
    const diagnostics: Diagnostic[] = [];
    const leadsTo: Node["leadsTo"][number][] = [];
    let isBroken = false;
    for (const { ref, pointer: at, target, ids, byFile, byIds, other } of references) {
      if (target.kind === "local") {
        for (const place of pointersOf(target.fragment, document, root, ids)) {
          leadsTo.push({ document, root, pointer: place });
        }
        continue;
      }
      const found =
        other !== undefined && target.kind === "document"
          ? resolveDiagnostics("ref-under-id", document.locate(at), {
              ref,
              byFile: fromDocumentUri(byFile),
              byId: fromDocumentUri(other),
            })
          : findingFor(ref, target, () => document.locate(at));
      if (found === "broken") isBroken = true;
      else if (!("code" in found)) leadsTo.push(found);
      else {
        const own = placeOfAddress(byIds, document, root, ids);
        // If a file has that address too, `flatten` may use either.
        if (own === undefined || documentsByPath.has(fromDocumentUri(byIds))) diagnostics.push(found);
        else {
          const inside = readReference(toLocalReference(ref));
          // A reference without a pointer means the whole of it, or an anchor that may be anywhere.
          leadsTo.push({ document, root, pointer: inside === undefined || inside === "" ? root : own + inside });
        }
      }
    }
    return { document, diagnostics, isBroken, leadsTo };
  };

  const findingFor = (
    ref: string,
    target: Exclude<ReferenceTarget, { kind: "local" }>,
    location: () => Location,
  ): Node["leadsTo"][number] | Diagnostic | "broken" => {
    if (target.kind === "outside") return resolveDiagnostics("ref-outside-project", location(), { ref });
    if (target.kind === "name") return resolveDiagnostics("ref-unknown-scheme", location(), { ref });
    const { path, fragment } = target;
    const document = documentsByPath.get(path);
    const source = sourcesByPath.get(path);
    if (document?.role === "spec") return resolveDiagnostics("ref-to-spec", location(), { ref, path });
    if (document !== undefined) return { document, root: "", pointer: fragment ?? "" };
    if (source?.unreadable !== undefined) {
      return resolveDiagnostics("ref-unreadable", location(), { ref, reason: source.unreadable });
    }
    if (source !== undefined) return "broken";
    if (isRemote(path)) return resolveDiagnostics("ref-not-pinned", location(), { ref });
    return resolveDiagnostics("ref-file-not-found", location(), {
      ref,
      path,
      nearest: findSuggestions(path, sharedPaths(sources)),
    });
  };

  return {
    check(document, pointer) {
      const diagnostics: Diagnostic[] = [];
      const seen = new Set<Node>();
      const waiting = [nodeAt(document, pointer, pointer)];
      const read = new Set<LoadedDocument>();
      let isUsable = true;
      for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
        if (seen.has(node)) continue;
        seen.add(node);
        diagnostics.push(...node.diagnostics);
        read.add(node.document);
        if (node.isBroken || node.diagnostics.length > 0) isUsable = false;
        for (const next of node.leadsTo) waiting.push(nodeAt(next.document, next.root, next.pointer));
      }
      // The target of an `$id` may depend on files that no path names.
      const isSettled = isUsable && ![...read].some((each) => withIds.has(each));
      return { isUsable, diagnostics, isSettled };
    },
  };
}

interface ReadReference extends Reference, Readings {
  readonly target: ReferenceTarget;
  readonly ids: readonly BaseId[];
}

function gatherReadings(document: LoadedDocument, root: string, start: string): readonly ReadReference[] {
  return findReferences(document, start).map((reference) => {
    const { ref, pointer } = reference;
    const ids = findIdsAround(document, root, pointer.slice(0, pointer.lastIndexOf("/")));
    return { ...reference, target: resolveReference(ref, document.uri), ids, ...resolveReadings(ref, document, ids) };
  });
}

interface Reference {
  readonly ref: string;
  readonly pointer: string;
}

function findReferences(document: LoadedDocument, start: string): readonly Reference[] {
  const references: { readonly ref: string; readonly pointer: string }[] = [];
  visitSchemas(findValueAt(document.value, start) ?? null, start, (schema, at) => {
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const ref = schema[keyword];
      if (typeof ref === "string") references.push({ ref, pointer: `${at}/${keyword}` });
    }
  });
  return references;
}

function pointersOf(
  fragment: string | undefined,
  document: LoadedDocument,
  root: string,
  ids: readonly BaseId[],
): readonly string[] {
  // An anchor may be anywhere in its schema; `flatten` reports broken escapes.
  if (fragment?.startsWith("/") !== true) return [root];
  const starts = ids.map(({ pointer }) => pointer + fragment);
  // A pointer counts from the root, or from the nearest `$id`.
  return [root + fragment, ...starts.filter((start) => findValueAt(document.value, start) !== undefined)];
}

function sharedPaths(sources: readonly SourceText[]): readonly string[] {
  return sources.filter(({ role }) => role === "shared").map(({ uri }) => uri);
}
