import { keywordIn, type Draft } from "../vocabulary/keywords.js";
import { isPlainObject, appendToPointer, parsePointer, writeReference } from "@hasp/base/json";
import { findNearestWord } from "@hasp/base/diagnostics";
import type { SchemaResource } from "./types.js";

interface UriParts {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
}

const URI = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/;

function parse(uri: string): UriParts {
  const match = URI.exec(uri);
  return { scheme: match?.[1], authority: match?.[2], path: match?.[3] ?? "", query: match?.[4] };
}

function withoutDotSegments(path: string): string {
  const output: string[] = [];
  const segments = path.split("/");
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    if (segment === ".") {
      if (last) output.push("");
    } else if (segment === "..") {
      const previous = output.at(-1);
      // A path without a scheme may climb out of its start: the caller's resolver judges that, so it is kept.
      if (previous === undefined || previous === "..") output.push("..");
      else if (!(output.length === 1 && previous === "")) output.pop();
      if (last) output.push("");
    } else {
      output.push(segment);
    }
  }
  return output.join("/");
}

function format(parts: UriParts): string {
  return (
    (parts.scheme === undefined ? "" : `${parts.scheme}:`) +
    (parts.authority === undefined ? "" : `//${parts.authority}`) +
    parts.path +
    (parts.query === undefined ? "" : `?${parts.query}`)
  );
}

export function splitFragment(reference: string): { readonly uri: string; readonly fragment: string } {
  const hash = reference.indexOf("#");
  return hash === -1
    ? { uri: reference, fragment: "" }
    : { uri: reference.slice(0, hash), fragment: reference.slice(hash + 1) };
}

/** Resolves a reference against a base (RFC 3986 §5.2), which may be relative. */
export function resolveUri(base: string, reference: string): string {
  const to = parse(reference);
  if (to.scheme !== undefined) {
    return format({ ...to, path: to.authority === undefined ? to.path : withoutDotSegments(to.path) });
  }
  const from = parse(base);
  if (to.authority !== undefined) return format({ ...to, scheme: from.scheme, path: withoutDotSegments(to.path) });
  if (to.path === "") return format({ ...from, query: to.query ?? from.query });
  if (to.path.startsWith("/")) return format({ ...from, path: withoutDotSegments(to.path), query: to.query });
  const folder =
    from.authority !== undefined && from.path === "" ? "/" : from.path.slice(0, from.path.lastIndexOf("/") + 1);
  return format({ ...from, path: withoutDotSegments(folder + to.path), query: to.query });
}

/** The place to which a step of a JSON Pointer leads: into a schema, into a container of schemas, or elsewhere. */
export type PointerTarget = "schema" | "container" | "elsewhere";

export function findTargetBelow(draft: Draft, keyword: string, value: unknown): PointerTarget {
  switch (keywordIn(draft, keyword)?.value) {
    case "schema":
      return "schema";
    case "schemaOrSchemas":
      return Array.isArray(value) ? "container" : "schema";
    case "schemas":
    case "schemaMap":
    case "schemaOrNamesMap":
      return "container";
    default:
      return "elsewhere";
  }
}

/** Finds the reference that a fragment, which leads nowhere, most likely meant. */
export function findNearestReference(resource: SchemaResource, wanted: string): string | undefined {
  if (!wanted.startsWith("/")) {
    const name = findNearestWord(wanted, resource.anchors.keys());
    return name === undefined ? undefined : `#${name}`;
  }
  let value: unknown = resource.document.nodes.get(resource.pointer)?.value;
  let found = "";
  for (const key of parsePointer(wanted)) {
    if (!isPlainObject(value)) return undefined;
    const name = Object.hasOwn(value, key) ? key : findNearestWord(key, Object.keys(value));
    if (name === undefined) return undefined;
    found = appendToPointer(found, name);
    value = value[name];
  }
  return writeReference(found);
}
