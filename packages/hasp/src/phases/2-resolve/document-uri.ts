/**
 * Inside the schema package a document is known by an absolute URI. Files of the project live at `project:///`, so that
 * relative references between them resolve as URIs do, on every machine to the same text.
 */
const PROJECT = "project:///";

/** The absolute URI of a document, given by its path in the project (or by its own address, for a remote one). */
export function toDocumentUri(path: string): string {
  return isRemote(path) ? path : PROJECT + path.split("/").map(encodeURIComponent).join("/");
}

/** The path in the project (or the address) of a document, given by its absolute URI. */
export function fromDocumentUri(uri: string): string {
  if (!uri.startsWith(PROJECT)) return uri;
  const path = uri.slice(PROJECT.length);
  return path.includes("%") ? path.split("/").map(decode).join("/") : path;
}

/** Whether a document comes from the network. */
export function isRemote(path: string): boolean {
  return /^https?:/iu.test(path);
}

/** Where a `$ref` leads. */
export type ReferenceTarget =
  /** Another place of the same schema. */
  | { readonly kind: "local"; readonly fragment: string }
  /** A file of the project, or a remote document by its address. */
  | { readonly kind: "document"; readonly path: string; readonly fragment: string }
  | { readonly kind: "outside" }
  /** `urn:…` and the like: perhaps the `$id` of a schema. */
  | { readonly kind: "name"; readonly uri: string };

/** Where a `$ref` leads that stands in the document `from`. */
export function resolveReference(reference: string, from: string): ReferenceTarget {
  const [address = "", fragment = ""] = splitOnce(reference, "#");
  if (address === "") return { kind: "local", fragment: decode(fragment) };
  if (isRemote(address) || isRemote(from)) {
    const url = URL.canParse(address, isRemote(from) ? from : undefined)
      ? new URL(address, isRemote(from) ? from : undefined)
      : undefined;
    return url === undefined ? { kind: "outside" } : { kind: "document", path: url.href, fragment: decode(fragment) };
  }
  if (/^[a-z][a-z0-9+.-]*:/iu.test(address)) return { kind: "name", uri: address };
  if (address.startsWith("/") || address.includes("\\")) return { kind: "outside" };
  const path = from.split("/").slice(0, -1);
  // Decoded first: `%2e%2e` climbs as `..` does.
  for (const segment of address.split("/").map(decode)) {
    if (segment.includes("/") || segment.includes("\0")) return { kind: "outside" };
    if (segment === "..") {
      if (path.pop() === undefined) return { kind: "outside" };
    } else if (segment !== "." && segment !== "") path.push(segment);
  }
  return { kind: "document", path: path.join("/"), fragment: decode(fragment) };
}

/** What stands behind the `#` of a reference, decoded. */
export function fragmentOf(reference: string): string {
  return decode(splitOnce(reference, "#")[1]);
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
