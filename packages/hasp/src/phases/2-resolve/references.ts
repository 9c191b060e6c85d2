import type { JsonValue } from "@hasp/schema";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { resolveDiagnostics } from "./diagnostics.js";
import { fromDocumentUri, isRemote, resolveReference, toDocumentUri } from "./document-uri.js";
import { valueAt, visitSchemas } from "./schema-places.js";

/** Tells whether every `$ref` that a schema reaches leads to a file that is there. */
export interface ReferenceChecker {
  /** Findings for the schema at a pointer of a document, and for all that it reaches in other documents. */
  check(document: LoadedDocument, pointer: string): { readonly isUsable: boolean; readonly diagnostics: readonly Diagnostic[] };
}

/** One schema in one document, with what is wrong in it and where it leads. */
interface Node {
  readonly diagnostics: readonly Diagnostic[];
  /** It leads into a file that could not be read; that file's own findings say why. */
  readonly isBroken: boolean;
  readonly leadsTo: readonly { readonly document: LoadedDocument; readonly root: string; readonly pointer: string }[];
}

/** A {@link ReferenceChecker} over the files of a project. `sources` tells which files are there but could not be loaded. */
export function createReferenceChecker(
  documents: readonly LoadedDocument[],
  sources: readonly SourceText[],
): ReferenceChecker {
  const documentsByPath = new Map(documents.map((document) => [document.uri, document]));
  const sourcesByPath = new Map(sources.map((source) => [source.uri, source]));
  const nodes = new Map<string, Node>();

  const nodeAt = (document: LoadedDocument, root: string, pointer: string): Node => {
    const key = `${document.uri}#${root}#${pointer}`;
    const known = nodes.get(key);
    if (known !== undefined) return known;
    const node = readNode(document, root, pointer);
    nodes.set(key, node);
    return node;
  };

  const readNode = (document: LoadedDocument, root: string, pointer: string): Node => {
    const diagnostics: Diagnostic[] = [];
    const leadsTo: Node["leadsTo"][number][] = [];
    let isBroken = false;
    // `#name` and a pointer to nowhere are `flatten`'s business; the whole schema is looked through instead.
    const start = valueAt(document.value, pointer) === undefined ? root : pointer;
    const ids = idsIn(document, root);
    visitSchemas(valueAt(document.value, start) ?? null, start, (schema, at) => {
      for (const keyword of ["$ref", "$dynamicRef"] as const) {
        const ref = schema[keyword];
        if (typeof ref !== "string") continue;
        const place = (): NonNullable<Diagnostic["location"]> => document.locate(`${at}/${keyword}`);
        const target = resolveReference(ref, document.uri);
        if (target.kind === "local") {
          // A plain name leads to an anchor, which the visit of the whole schema finds anyway.
          if (target.fragment === "" || target.fragment.startsWith("/")) {
            leadsTo.push({ document, root, pointer: root + target.fragment });
          }
          continue;
        }
        if (ids.has(absolute(ref, document))) continue;
        if (target.kind === "outside") diagnostics.push(resolveDiagnostics("ref-outside-project", place(), { ref }));
        else if (target.kind === "name") diagnostics.push(resolveDiagnostics("ref-unknown-scheme", place(), { ref }));
        else {
          const { path, fragment } = target;
          const found = documentsByPath.get(path);
          const source = sourcesByPath.get(path);
          if (found?.role === "spec") diagnostics.push(resolveDiagnostics("ref-to-spec", place(), { ref, path }));
          else if (found !== undefined) leadsTo.push({ document: found, root: "", pointer: fragment });
          else if (source?.unreadable !== undefined) {
            diagnostics.push(resolveDiagnostics("ref-unreadable", place(), { ref, reason: source.unreadable }));
          } else if (source !== undefined) isBroken = true;
          else if (isRemote(path)) diagnostics.push(resolveDiagnostics("ref-not-pinned", place(), { ref }));
          else diagnostics.push(resolveDiagnostics("ref-file-not-found", place(), { ref, path, known: sharedPaths(sources) }));
        }
      }
    });
    return { diagnostics, isBroken, leadsTo };
  };

  return {
    check(document, pointer) {
      const diagnostics: Diagnostic[] = [];
      const seen = new Set<Node>();
      const waiting = [nodeAt(document, pointer, pointer)];
      let isUsable = true;
      for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
        if (seen.has(node)) continue;
        seen.add(node);
        diagnostics.push(...node.diagnostics);
        if (node.isBroken || node.diagnostics.length > 0) isUsable = false;
        for (const next of node.leadsTo) waiting.push(nodeAt(next.document, next.root, next.pointer));
      }
      return { isUsable, diagnostics };
    },
  };
}

/** The absolute `$id`s that a schema declares for itself and its parts. */
function idsIn(document: LoadedDocument, root: string): ReadonlySet<string> {
  const ids = new Set<string>();
  const schema: JsonValue = valueAt(document.value, root) ?? null;
  visitSchemas(schema, root, (part) => {
    const id = part["$id"];
    if (typeof id === "string") ids.add(absolute(id, document));
  });
  return ids;
}

/** A reference without its fragment, as an absolute URI. */
function absolute(reference: string, document: LoadedDocument): string {
  const [address = ""] = reference.split("#");
  const base = toDocumentUri(document.uri);
  return URL.canParse(address, base) ? new URL(address, base).href : fromDocumentUri(address);
}

function sharedPaths(sources: readonly SourceText[]): readonly string[] {
  return sources.filter(({ role }) => role === "shared").map(({ uri }) => uri);
}
