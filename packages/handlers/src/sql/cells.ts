import { parseExactJson, type JsonValue, isStructured } from "@hasp/base/json";
import { NotExecuted } from "@hasp/runtime";

export type CellParser = (text: string) => JsonValue;

/**
 * Parsers by the object id of the type (`pg_type.dat`; these never change). Any other type stays text as Postgres
 * writes it: JavaScript numbers would lose digits of `bigint` and `numeric`.
 */
const SCALARS: ReadonlyMap<number, CellParser> = /* @__PURE__ */ new Map<number, CellParser>([
  [16, (text) => text === "t"], // bool
  [17, base64OfHex], // bytea
  [21, Number], // int2
  [23, Number], // int4
  [26, Number], // oid
  [114, parseExactJson], // json
  [700, numberOrName], // float4
  [701, numberOrName], // float8
  [1114, dateTime], // timestamp
  [1184, dateTime], // timestamptz
  [3802, parseExactJson], // jsonb
]);

/** Array types that become lists, each with the type of its elements. */
const ARRAYS: ReadonlyMap<number, number> = /* @__PURE__ */ new Map([
  [1000, 16], // bool
  [1001, 17], // bytea
  [1005, 21], // int2
  [1007, 23], // int4
  [1028, 26], // oid
  [199, 114], // json
  [1021, 700], // float4
  [1022, 701], // float8
  [1115, 1114], // timestamp
  [1185, 1184], // timestamptz
  [3807, 3802], // jsonb
  [1009, 25], // text
  [1014, 1042], // char(n)
  [1015, 1043], // varchar
  [1003, 19], // name
  [1016, 20], // int8
  [1231, 1700], // numeric
  [1182, 1082], // date
  [1183, 1083], // time
  [1270, 1266], // timetz
  [1187, 1186], // interval
  [2951, 2950], // uuid
  [1041, 869], // inet
  [651, 650], // cidr
]);

export function findCellParser(type: number): CellParser {
  const element = ARRAYS.get(type);
  if (element === undefined) return SCALARS.get(type) ?? asIs;
  const parse = SCALARS.get(element) ?? asIs;
  return (text) => parseArray(text, parse);
}

const PARAMETER_TYPES = {
  isJson: (type: number): boolean => type === 114 || type === 3802,
  isBytes: (type: number): boolean => type === 17,
  /** Returns the type of an array's elements; `undefined` if the type is not a known array. */
  elementOf: (type: number): number | undefined => ARRAYS.get(type),
} as const;

function asIs(text: string): JsonValue {
  return text;
}

/** JSON has no `NaN` and no infinities: these stay text. */
function numberOrName(text: string): JsonValue {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

/** Converts the ISO style to RFC 3339, like `to_json`. `infinity` and years before Christ stay as they are. */
function dateTime(text: string): JsonValue {
  const [, date, time, zone = ""] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::?\d\d)?)?$/u.exec(text) ?? [];
  if (date === undefined || time === undefined) return text;
  return `${date}T${time}${/^[+-]\d\d$/u.test(zone) ? `${zone}:00` : zone}`;
}

function base64OfHex(text: string): JsonValue {
  let bytes = "";
  for (let at = 2; at < text.length; at += 2) bytes += String.fromCharCode(Number.parseInt(text.slice(at, at + 2), 16));
  return btoa(bytes);
}

/** Parses an array in the text form of Postgres: `{1,NULL,"a \"b\""}`, nested, or `[0:1]={1,2}`. */
export function parseArray(text: string, parse: (element: string) => JsonValue): JsonValue {
  // Explicit bounds come first; JSON has none.
  let at = text.startsWith("[") ? text.indexOf("=") + 1 : 0;
  const list = (): JsonValue[] => {
    const items: JsonValue[] = [];
    at += 1;
    while (at < text.length && text[at] !== "}") {
      if (text[at] === "{") items.push(list());
      else if (text[at] === '"') items.push(parse(quoted()));
      else {
        const plain = bare();
        items.push(plain === "NULL" ? null : parse(plain));
      }
      if (text[at] === ",") at += 1;
    }
    at += 1;
    return items;
  };
  const quoted = (): string => {
    let value = "";
    for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
      if (text[at] === "\\") at += 1;
      value += text[at];
    }
    at += 1;
    return value;
  };
  const bare = (): string => {
    const start = at;
    while (at < text.length && text[at] !== "," && text[at] !== "}") at += 1;
    return text.slice(start, at);
  };
  return list();
}

export function printArray(list: readonly unknown[], print: (element: unknown) => string | null): string {
  const items = list.map((item) => {
    if (Array.isArray(item)) return printArray(item, print);
    const text = print(item);
    return text === null ? "NULL" : `"${text.replaceAll(/["\\]/gu, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}

/** True if the encoding of a value depends on the type of its parameter. */
export function needsType(value: unknown): boolean {
  return isStructured(value);
}

/**
 * Encodes a value in the text form of Postgres, for a parameter type by object id. Throws {@link NotExecuted} for a
 * value that no text form can carry.
 */
export function printBound(value: unknown, position: number, type?: number): string | null {
  const refuse = (what: string): never => {
    throw new NotExecuted(`value $${position} of the statement ${what}; nothing was run`);
  };
  const textOf = (text: string): string => {
    if (text.includes("\0")) return refuse("contains a NUL character, which Postgres cannot store in text");
    return isWellFormed(text) ? text : refuse("is not valid Unicode");
  };
  const print = (item: unknown, of: number | undefined): string | null => {
    switch (typeof item) {
      case "undefined":
        return null;
      case "string":
        return of !== undefined && PARAMETER_TYPES.isJson(of) ? textOf(JSON.stringify(item)) : textOf(item);
      case "number":
      case "boolean":
      case "bigint":
        return String(item);
      case "object": {
        if (item === null) return null;
        if (of !== undefined && PARAMETER_TYPES.isBytes(of)) {
          return hexOf(item) ?? refuse("must be { base64 } or { text }, because it is a bytea");
        }
        if (item instanceof Date) return item.toISOString();
        return textOf(JSON.stringify(item));
      }
      default:
        return refuse(`is a ${typeof item}, which SQL cannot express`);
    }
  };
  const element = type === undefined ? undefined : PARAMETER_TYPES.elementOf(type);
  // For an unknown type, such as an array of an enumeration, only the value tells.
  const isArray = Array.isArray(value) && !(type !== undefined && PARAMETER_TYPES.isJson(type));
  return isArray ? printArray(value, (item) => print(item, element)) : print(value, scalarType(value, type));
}

/** A string for a `json` parameter is JSON text, as in SQL; a list or an object is printed. */
function scalarType(value: unknown, type: number | undefined): number | undefined {
  return typeof value === "object" ? type : undefined;
}

/** True if a string has no half of a surrogate pair, which UTF-8 would replace. */
function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}

function hexOf(value: object): string | undefined {
  const { base64, text } = value as { readonly base64?: unknown; readonly text?: unknown };
  if (typeof text === "string") return hex(new TextEncoder().encode(text));
  if (typeof base64 !== "string") return undefined;
  try {
    return hex(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function hex(bytes: Uint8Array): string {
  return `\\x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
