import { NotExecuted } from "../../results/tool-result.js";
import type { ParameterStyles, ParameterValues } from "./http-request.js";
import { encode, writePairs, writePathValue, type WrittenPair } from "./serialize.js";

/** A segment of a path: text, or text and placeholders in turn. */
type Segment = string | { readonly literals: readonly string[]; readonly names: readonly string[] };

/** A path with placeholders, divided once. */
export type PathTemplate = readonly Segment[];

/** Divides a path such as `/customers/{customerId}`. Throws a `TypeError` if it is none. */
export function parsePath(path: string): PathTemplate {
  if (!path.startsWith("/")) throw new TypeError(`httpHandler: \`path\` must begin with "/"; it is "${path}".`);
  return path
    .slice(1)
    .split("/")
    .map((segment) => {
      const parts = segment.split(/\{([^{}]+)\}/u);
      const literals = parts.filter((_part, index) => index % 2 === 0);
      if (literals.some((literal) => /[{}?#\\]/u.test(literal)) || isDotSegment(segment)) {
        throw new TypeError(`httpHandler: \`path\` cannot have the segment "${segment}".`);
      }
      const names = parts.filter((_part, index) => index % 2 === 1);
      const encoded = literals.map(encodeLiteral);
      return names.length === 0 ? encoded.join("") : { literals: encoded, names };
    });
}

/** Text of the author in a path: what a URL cannot hold is encoded, what is encoded already stays. */
function encodeLiteral(literal: string): string {
  return encodeURI(literal).replaceAll(/%25([0-9A-Fa-f]{2})/g, "%$1");
}

/**
 * The path with its values. A value never changes the shape of the path: it is encoded, and refused where a server that
 * decodes it, even twice, would read another shape.
 */
export function fillPath(template: PathTemplate, values: ParameterValues = {}, styles: ParameterStyles = {}): string {
  let path = "";
  for (const segment of template) {
    path += "/";
    if (typeof segment === "string") path += segment;
    else {
      const { literals, names } = segment;
      const written = names.map((name) => writePathValue(name, own(values, name), own(styles, name)));
      const filled = literals.map((literal, index) => literal + (written[index] ?? "")).join("");
      if (changesShape(filled)) {
        throw new NotExecuted(
          `a path cannot contain this value of ${names.map((name) => `"${name}"`).join(" and ")}: it is empty, has an empty part, "." or ".." between slashes, or has control characters`,
        );
      }
      path += filled;
    }
  }
  return path;
}

/** Whether a server that decodes this segment could read something else than one segment with these characters. */
function changesShape(segment: string): boolean {
  for (let text = segment, decoded = decode(text); ; text = decoded, decoded = decode(text)) {
    if (/[\u0000-\u001f\u007f]/u.test(text)) return true;
    if (text.split(/[/\\]/u).some((part) => part === "" || isDotSegment(part))) return true;
    if (decoded === text) return false;
  }
}

/** Some servers take a segment to end where its parameters begin, at a semicolon. */
function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}(?:;|$)/iu.test(segment);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The query with its values, without `?`. Two parameters never share a name: a value cannot stand in for another's. */
export function writeQuery(
  values: ParameterValues = {},
  styles: ParameterStyles = {},
  more: readonly WrittenPair[] = [],
): string {
  return joinPairs(distinctPairs("query", values, styles, more), "&");
}

/** The value of the header `Cookie`. */
export function writeCookies(
  values: ParameterValues = {},
  styles: ParameterStyles = {},
  more: readonly WrittenPair[] = [],
): string {
  return joinPairs(distinctPairs("cookies", values, styles, more), "; ");
}

/** The pairs of all parameters of one place, and those of the connection. Throws if two parameters write one name. */
export function distinctPairs(
  place: "query" | "cookies" | "form",
  values: ParameterValues,
  styles: ParameterStyles = {},
  more: readonly WrittenPair[] = [],
): readonly WrittenPair[] {
  const all: WrittenPair[] = [...more];
  const ownerOf = new Map<string, string | undefined>(more.map(([name]) => [name, undefined]));
  for (const [parameter, value] of Object.entries(values)) {
    for (const pair of writePairs(place, parameter, value, own(styles, parameter))) {
      const [name] = pair;
      if (ownerOf.has(name) && ownerOf.get(name) !== parameter) {
        throw new NotExecuted(`"${parameter}" would set "${decode(name)}", which is another parameter`);
      }
      ownerOf.set(name, parameter);
      all.push(pair);
    }
  }
  return all;
}

/** Encoded pairs as text. */
export function joinPairs(pairs: readonly WrittenPair[], separator: string): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join(separator);
}

/** A property of its own: `__proto__` and `toString` are names like any other. */
function own<Value>(record: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A pair of the connection itself, such as an API key. */
export function plainPair(name: string, value: string): WrittenPair {
  return [encode(name), encode(value)];
}
