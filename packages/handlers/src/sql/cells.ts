import type { JsonValue } from "@hasp/schema";

/** Parses a cell in the text form of Postgres. */
export type CellParser = (text: string) => JsonValue;

/**
 * The parsers of cells, by the object id of their type (`pg_type.dat`; these never change). Any other type stays text
 * as Postgres writes it: `bigint` and `numeric`, since a JavaScript number would lose digits, `date`, `time`, `uuid`,
 * enumerations and those of extensions.
 */
const SCALARS: ReadonlyMap<number, CellParser> = /* @__PURE__ */ new Map<number, CellParser>([
  [16, (text) => text === "t"], // bool
  [17, base64OfHex], // bytea
  [21, Number],
  [23, Number], // int4
  [26, Number], // oid
  [114, (text) => JSON.parse(text) as JsonValue], // json
  [700, numberOrName], // float4
  [701, numberOrName], // float8
  [1114, dateTime], // timestamp
  [1184, dateTime], // timestamptz
  [3802, (text) => JSON.parse(text) as JsonValue], // jsonb
]);

/** Array types whose elements are not text, or that stay lists of text, each with the type of its elements. */
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

/** Finds the parser of a type's cells. */
export function cellParser(type: number): CellParser {
  const element = ARRAYS.get(type);
  if (element === undefined) return SCALARS.get(type) ?? asIs;
  const parse = SCALARS.get(element) ?? asIs;
  return (text) => parseArray(text, parse);
}

export const PARAMETER_TYPES = {
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

/**
 * Converts a date and time of the ISO style to RFC 3339 (like `to_json`). `infinity` and years before Christ have no
 * such form and stay as they are.
 */
function dateTime(text: string): JsonValue {
  const [, date, time, zone = ""] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::?\d\d)?)?$/u.exec(text) ?? [];
  if (date === undefined || time === undefined) return text;
  return `${date}T${time}${/^[+-]\d\d$/u.test(zone) ? `${zone}:00` : zone}`;
}

/** Converts bytes from `\x` and hexadecimal digits to Base64. */
function base64OfHex(text: string): JsonValue {
  let bytes = "";
  for (let at = 2; at < text.length; at += 2) bytes += String.fromCharCode(Number.parseInt(text.slice(at, at + 2), 16));
  return btoa(bytes);
}

/** Parses an array in the text form of Postgres: `{1,NULL,"a \"b\""}`, nested, or `[0:1]={1,2}`. */
export function parseArray(text: string, parse: (element: string) => JsonValue): JsonValue {
  // Bounds other than 1 come first; JSON has none.
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

/** Prints a list as an array in the text form of Postgres. */
export function printArray(list: readonly unknown[], print: (element: unknown) => string | null): string {
  const items = list.map((item) => {
    if (Array.isArray(item)) return printArray(item, print);
    const text = print(item);
    return text === null ? "NULL" : `"${text.replaceAll(/["\\]/gu, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}
