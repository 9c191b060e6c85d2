import type { JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "./document.js";
import { findOrAdd, isStructured, decodeFragment, indexBy } from "@hasp/base/json";

/** The base URI of project files, so that relative references resolve in the same way on every machine. */
const PROJECT = "project:///";

/** Converts a path in the project (or the address of a remote document) to an absolute URI. */
export function toDocumentUri(path: string): string {
  return isRemote(path) ? path : PROJECT + path.split("/").map(encodeURIComponent).join("/");
}

/** Converts an absolute URI to a path in the project (or the address of a remote document). */
export function fromDocumentUri(uri: string): string {
  if (!uri.startsWith(PROJECT)) return uri;
  const path = uri.slice(PROJECT.length);
  return path.includes("%") ? path.split("/").map(decode).join("/") : path;
}

export function isRemote(path: string): boolean {
  return /^https?:/iu.test(path);
}

export type ReferenceTarget =
  /** `fragment`: decoded; `undefined` if its percent escapes are broken. */
  | { readonly kind: "local"; readonly fragment: string | undefined }
  | { readonly kind: "document"; readonly path: string; readonly fragment: string | undefined }
  | { readonly kind: "outside" }
  /** `urn:…` and the like: perhaps the `$id` of a schema. */
  | { readonly kind: "name"; readonly uri: string };

export function resolveReference(reference: string, from: string): ReferenceTarget {
  const [address, encoded] = splitFragment(reference);
  const fragment = decodeFragment(encoded);
  if (address === "") return { kind: "local", fragment };
  if (isRemote(address) || isRemote(from)) {
    const url = URL.canParse(address, isRemote(from) ? from : undefined)
      ? new URL(address, isRemote(from) ? from : undefined)
      : undefined;
    return url === undefined ? { kind: "outside" } : { kind: "document", path: url.href, fragment };
  }
  if (/^[a-z][a-z0-9+.-]*:/iu.test(address)) return { kind: "name", uri: address };
  if (address.startsWith("/") || address.includes("\\")) return { kind: "outside" };
  const path = from.split("/").slice(0, -1);
  // Decode first: `%2e%2e` means `..`.
  for (const segment of address.split("/").map(decode)) {
    if (segment.includes("/") || segment.includes("\0")) return { kind: "outside" };
    if (segment === "..") {
      if (path.pop() === undefined) return { kind: "outside" };
    } else if (segment !== "." && segment !== "") path.push(segment);
  }
  return { kind: "document", path: path.join("/"), fragment };
}

/** Returns what a reference names inside its document, as a reference within that document. */
export function toLocalReference(reference: string): string {
  return `#${splitFragment(reference)[1]}`;
}

function splitFragment(reference: string): readonly [string, string] {
  const at = reference.indexOf("#");
  return at === -1 ? [reference, ""] : [reference.slice(0, at), reference.slice(at + 1)];
}

function decode(text: string): string {
  return decodeFragment(text) ?? text;
}

export interface Documents {
  get(path: string): LoadedDocument | undefined;
}

/** Finds the paths of documents that a document may refer to. Even a `$ref` in data counts: an extra file is harmless. */
export function listReferencedPaths({ references, uri }: LoadedDocument): readonly string[] {
  const paths = new Set<string>();
  for (const reference of references) {
    if (reference.startsWith("#")) continue;
    const target = resolveReference(reference, uri);
    if (target.kind === "document") paths.add(target.path);
  }
  return [...paths];
}

/** Lists the different references anywhere in a value, even in data. */
export function listReferences(value: JsonValue): readonly string[] {
  const references = new Set<string>();
  const waiting: JsonValue[] = [value];
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    if (!isStructured(current)) continue;
    const members = current as { readonly [key: string]: JsonValue };
    for (const key of Object.keys(members)) {
      const item = members[key];
      if (typeof item === "object") waiting.push(item);
      else if ((key === "$ref" || key === "$dynamicRef") && typeof item === "string") references.add(item);
    }
  }
  return [...references];
}

/** True if a document may give a schema an `$id`. A quoted key may escape any letter of it. */
export function mayHoldIds({ text }: Pick<LoadedDocument, "text">): boolean {
  return /\$id|\\[xuU\r\n]/u.test(text);
}

/** Finds the documents that a document leads to, itself included; `undefined` for one that is missing. */
export type LinkedDocuments = (document: LoadedDocument) => ReadonlyMap<string, LoadedDocument | undefined>;

/** Creates {@link LinkedDocuments}. Each document is searched once. */
export function linkDocuments(documents: readonly LoadedDocument[]): LinkedDocuments {
  const byPath = indexBy(documents, ({ uri }) => uri);
  const pathsFrom = new Map<LoadedDocument, readonly string[]>();
  const known = new Map<LoadedDocument, ReadonlyMap<string, LoadedDocument | undefined>>();
  const pathsIn = (document: LoadedDocument): readonly string[] => {
    return findOrAdd(pathsFrom, document, () => listReferencedPaths(document));
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
    return findOrAdd(known, document, () => follow(document));
  };
}
