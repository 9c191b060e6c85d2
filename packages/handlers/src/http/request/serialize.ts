import { isStructured, dropUndefined } from "@hasp/base/json";
import { NotExecuted } from "@hasp/runtime";
import type { ParameterStyle } from "./http-request.js";

type ParameterPlace = "path" | "query" | "headers" | "cookies" | "form";

export type WrittenPair = readonly [name: string, value: string];

type ValueParts = readonly (readonly [key: string, value: string])[];

/** Percent-encodes every character except letters, digits and `-._~`. */
export function encode(text: string): string {
  return wellFormed(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Keeps the reserved characters of RFC 3986, except those that could begin another parameter or end the query. */
function encodeKeepingReserved(text: string): string {
  return wellFormed(text).replace(/%(?:3A|2F|3F|40|24|2C)/g, decodeURIComponent);
}

function wellFormed(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new NotExecuted("a string contains an unpaired surrogate, which cannot be sent");
  }
}

/** Writes the pairs of a parameter in a query, a form or a cookie; none for an absent or empty value. */
export function writePairs(
  place: "query" | "cookies" | "form",
  name: string,
  value: unknown,
  style: ParameterStyle = {},
): readonly WrittenPair[] {
  if (value === undefined || value === null) return [];
  const key = encode(name);
  const encodeValue = style.allowReserved === true && place !== "cookies" ? encodeKeepingReserved : encode;
  if (isJsonText(place, value, style)) return [[key, encodeValue(JSON.stringify(value))]];
  if (typeof value !== "object") return [[key, encodeValue(primitive(value, name))]];
  const { style: kind = "form", explode = kind === "form" || kind === "deepObject" } = style;
  if (kind === "deepObject") return deepPairs(key, value, name, encodeValue);
  const members = membersOf(value, name);
  if (members.length === 0) return [];
  const isList = Array.isArray(value);
  if (explode) return members.map(([member, text]) => [isList ? key : encode(member), encodeValue(text)]);
  const delimiter = DELIMITERS[kind] ?? unknownStyle(kind, place);
  const texts = isList ? members.map(([, text]) => text) : members.flat();
  if (kind !== "form") refuseDelimiter(texts, kind === "spaceDelimited" ? " " : "|", name);
  // A comma within an item must not look like a separator.
  return [[key, texts.map((text) => encodeValue(text).replaceAll(",", "%2C")).join(delimiter)]];
}

const DELIMITERS: { readonly [style: string]: string } = { form: ",", spaceDelimited: "%20", pipeDelimited: "%7C" };

export function writePathValue(name: string, value: unknown, style: ParameterStyle = {}): string {
  if (value === undefined || value === null) throw new NotExecuted(`the path needs a value for "${name}"`);
  if (isJsonText("path", value, style)) return encode(JSON.stringify(value));
  const { style: kind = "simple", explode = false } = style;
  const isComposite = typeof value === "object";
  const members: ValueParts = isComposite ? membersOf(value, name) : [["", primitive(value, name)]];
  const isObject = isComposite && !Array.isArray(value);
  const items = (): readonly string[] =>
    isObject ? members.flat().map(encode) : members.map(([, text]) => encode(text));
  const assigned = (): readonly string[] => members.map(([key, text]) => `${encode(key)}=${encode(text)}`);
  switch (kind) {
    case "simple":
      return (isObject && explode ? assigned() : items()).join(",");
    case "label": {
      if (!explode) return `.${items().join(",")}`;
      return `.${(isObject ? assigned() : items()).map((text) => text.replaceAll(".", "%2E")).join(".")}`;
    }
    case "matrix": {
      if (isObject && explode) {
        return assigned()
          .map((pair) => `;${pair}`)
          .join("");
      }
      const values = explode ? items() : [items().join(",")];
      return values.map((text) => (text === "" ? `;${encode(name)}` : `;${encode(name)}=${text}`)).join("");
    }
    default:
      return unknownStyle(kind, "path");
  }
}

/** Writes a parameter as the value of a header, not yet checked for forbidden characters; `undefined` for none. */
export function writeHeader(name: string, value: unknown, style: ParameterStyle = {}): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (isJsonText("headers", value, style)) return JSON.stringify(value);
  if ((style.style ?? "simple") !== "simple") return unknownStyle(style.style ?? "", "headers");
  if (typeof value !== "object") return primitive(value, name);
  const members = membersOf(value, name);
  const isList = Array.isArray(value);
  refuseDelimiter(isList ? members.map(([, text]) => text) : members.flat(), ",", name);
  if (isList) return members.map(([, text]) => text).join(",");
  if (style.explode !== true) return members.flat().join(",");
  refuseDelimiter(
    members.map(([key]) => key),
    "=",
    name,
  );
  return members.map(([key, text]) => `${key}=${text}`).join(",");
}

export function isJsonType(type: string): boolean {
  return /^[\w.+-]+\/(?:[\w.+-]*\+)?json\s*(?:;|$)/iu.test(type);
}

/** True if a value is sent as JSON text: by its content type, or as an object in a form without a content type. */
function isJsonText(place: ParameterPlace, value: unknown, { style, explode, contentType }: ParameterStyle): boolean {
  if (contentType !== undefined && isJsonType(contentType)) return true;
  const isUnstyled = style === undefined && explode === undefined;
  if (place !== "form" || !isUnstyled || typeof value !== "object" || value === null) return false;
  return !Array.isArray(value) || value.some(isStructured);
}

/** Writes `name[key]=value`, and deeper values as `name[key][inner]=value`. Keys of list items are their indexes. */
function deepPairs(key: string, value: object, name: string, encodeValue: (text: string) => string): WrittenPair[] {
  return entriesOf(value).flatMap(([member, item]) => {
    const inner = `${key}%5B${encode(member)}%5D`;
    if (isStructured(item)) return deepPairs(inner, item, name, encodeValue);
    return [[inner, encodeValue(primitive(item, name))] as const];
  });
}

function membersOf(value: object, name: string): ValueParts {
  return entriesOf(value).map(([key, item]) => {
    if (isStructured(item)) {
      throw new NotExecuted(`"${name}" contains a list or an object at "${key}", which its style cannot express`);
    }
    return [key, primitive(item, name)];
  });
}

function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(dropUndefined(value));
}

function primitive(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return String(value);
  throw new NotExecuted(
    `"${name}" holds ${value === null ? "null" : `a ${typeof value}`}, which its style cannot express`,
  );
}

function refuseDelimiter(texts: readonly string[], delimiter: string, name: string): void {
  if (texts.some((text) => text.includes(delimiter))) {
    throw new NotExecuted(`"${name}" contains an item with "${delimiter}", which separates the items`);
  }
}

function unknownStyle(style: string, place: ParameterPlace): never {
  throw new NotExecuted(`the style "${style}" cannot be used in ${place}`);
}
