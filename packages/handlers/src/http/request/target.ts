import { own } from "@hasp/base/json";
import { NotExecuted } from "@hasp/runtime";
import type { ParameterStyles, ParameterValues } from "./http-request.js";
import { replacesMethod } from "@hasp/base/declared";
import { encode, writePairs, writePathValue, type WrittenPair } from "./serialize.js";

type Segment = string | { readonly literals: readonly string[]; readonly names: readonly string[] };

export type PathTemplate = readonly Segment[];

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

/** Encodes what a URL cannot hold; existing escapes stay. */
function encodeLiteral(literal: string): string {
  return encodeURI(literal).replaceAll(/%25([0-9A-Fa-f]{2})/g, "%$1");
}

/** Fills in a path. Refuses a value that a server could decode, even twice, into a path of another shape. */
export function fillPath(template: PathTemplate, values: ParameterValues = {}, styles: ParameterStyles = {}): string {
  let path = "";
  for (const [index, segment] of template.entries()) {
    path += "/";
    if (typeof segment === "string") path += segment;
    else {
      const { literals, names } = segment;
      const written = names.map((name) => writePathValue(name, own(values, name), own(styles, name)));
      const filled = literals.map((literal, index) => literal + (written[index] ?? "")).join("");
      if (changesShape(filled, index === 0)) {
        throw new NotExecuted(
          `a path cannot contain this value of ${names.map((name) => `"${name}"`).join(" and ")}: it is empty, has "." or ".." between slashes, control characters, escapes that are not valid or escaped more than ${MOST_DECODED - 1} times, or begins the whole path with a slash`,
        );
      }
      path += filled;
    }
  }
  return path;
}

/**
 * True if a server could read anything but one segment with these characters. Some merge slashes, and a path that
 * begins with two slashes names a host.
 */
function changesShape(segment: string, isFirst: boolean): boolean {
  let text = segment;
  for (let times = 0; times < MOST_DECODED; times += 1) {
    if (/[\u0000-\u001f\u007f]/u.test(text)) return true;
    const parts = text.split(/[/\\]/u);
    if (parts.some(isDotSegment) || parts.every((part) => part === "") || (isFirst && parts[0] === "")) return true;
    const decoded = decode(text);
    if (decoded === text) return false;
    if (decoded === undefined) return true;
    text = decoded;
  }
  return true;
}

/** The most times that an escape may be escaped again: no server decodes more often, and each time costs a pass. */
const MOST_DECODED = 8;

/** True for `.` and `..`, also before a semicolon, at which some servers end a segment. */
function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}(?:;|$)/iu.test(segment);
}

/** Decodes each escape, including `%u002F`; `undefined` for bytes that are not UTF-8, on which decoders disagree. */
function decode(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return text
      .replaceAll(/(?:%[0-9A-Fa-f]{2})+/gu, decodeURIComponent)
      .replaceAll(/%[uU]([0-9A-Fa-f]{4})/gu, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  } catch {
    return undefined;
  }
}

/** Writes the query, without `?`. Two parameters never share a name: a value cannot replace another parameter. */
export function writeQuery(
  values: ParameterValues = {},
  styles: ParameterStyles = {},
  more: readonly WrittenPair[] = [],
): string {
  return joinPairs(collectPairs("query", values, styles, more), "&");
}

export function writeCookies(
  values: ParameterValues = {},
  styles: ParameterStyles = {},
  more: readonly WrittenPair[] = [],
): string {
  return joinPairs(collectPairs("cookies", values, styles, more), "; ");
}

/**
 * Returns the pairs of one place and of the connection. Throws for a name from a value that services may read as
 * another parameter, or as one that replaces the method.
 */
export function collectPairs(
  place: "query" | "cookies" | "form",
  values: ParameterValues,
  styles: ParameterStyles = {},
  more: readonly WrittenPair[] = [],
): readonly WrittenPair[] {
  const all: WrittenPair[] = [...more];
  const ownerOf = new Map<string, string | undefined>(more.map(([name]) => [name, undefined]));
  let declared: ReadonlySet<string> | undefined;
  const isDeclared = (name: string): boolean => {
    declared ??= new Set([...Object.keys(values), ...more.map(([each]) => decodeURIComponent(each))].map(baseName));
    return declared.has(baseName(name));
  };
  for (const [parameter, value] of Object.entries(values)) {
    const refuse = (name: string, what: string): never => {
      throw new NotExecuted(`"${parameter}" would set "${decodeURIComponent(name)}", which ${what}`);
    };
    const ownName = encode(parameter);
    for (const pair of writePairs(place, parameter, value, own(styles, parameter))) {
      const [name] = pair;
      const isBrought = name !== ownName && !name.startsWith(`${ownName}%5B`);
      const isTaken = isBrought && isDeclared(decodeURIComponent(name));
      if (isTaken || (ownerOf.has(name) && ownerOf.get(name) !== parameter)) refuse(name, "is another parameter");
      // In a form, every name may come from a value.
      if ((isBrought || place === "form") && replacesMethod(decodeURIComponent(name))) {
        refuse(name, "can replace the method of the request");
      }
      ownerOf.set(name, parameter);
      all.push(pair);
    }
  }
  return all;
}

/** Returns the parameter that services may read in a name: `order` for `Order`, `order[id]` and `order.id`. */
function baseName(name: string): string {
  const whole = name.trim().toLowerCase();
  return /^[^[.]+/u.exec(whole)?.[0] ?? whole;
}

export function joinPairs(pairs: readonly WrittenPair[], separator: string): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join(separator);
}

/** Encodes a pair of the connection itself, such as an API key. */
export function writePlainPair(name: string, value: string): WrittenPair {
  return [encode(name), encode(value)];
}
