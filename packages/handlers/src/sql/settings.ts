import type { Statement } from "./statement.js";

/** The settings on which the text of some types depends, so that answers do not depend on a session. */
const FORMATS = {
  datestyle: "ISO",
  intervalstyle: "iso_8601",
  bytea_output: "hex",
  extra_float_digits: "1",
} as const;

export type Format = keyof typeof FORMATS;

export const ALL_FORMATS = Object.keys(FORMATS) as readonly Format[];

/** Types whose text depends on one setting, by object id. */
const DEPENDENT: ReadonlyMap<number, Format> = /* @__PURE__ */ new Map<number, Format>([
  [17, "bytea_output"],
  [1001, "bytea_output"],
  [700, "extra_float_digits"],
  [701, "extra_float_digits"],
  [1021, "extra_float_digits"],
  [1022, "extra_float_digits"],
  [1082, "datestyle"],
  [1114, "datestyle"],
  [1115, "datestyle"],
  [1182, "datestyle"],
  [1184, "datestyle"],
  [1185, "datestyle"],
  [1186, "intervalstyle"],
  [1187, "intervalstyle"],
]);

/** Types whose text depends on no setting: booleans, integers, numerics, texts, JSON, times, UUIDs; their arrays. */
// prettier-ignore
const INDEPENDENT: ReadonlySet<number> = /* @__PURE__ */ new Set([
  16, 18, 19, 20, 21, 23, 25, 26, 114, 1042, 1043, 1083, 1266, 1700, 2950, 3802,
  199, 1000, 1002, 1003, 1005, 1007, 1009, 1014, 1015, 1016, 1028, 1183, 1231, 1270, 2951, 3807,
]);

/** Returns the settings on which the text of these types depends; for an unknown type, all. */
export function findFormats(types: readonly number[]): readonly Format[] {
  const formats = new Set<Format>();
  for (const type of types) {
    const format = DEPENDENT.get(type);
    if (format !== undefined) formats.add(format);
    else if (!INDEPENDENT.has(type)) return ALL_FORMATS;
  }
  return [...formats];
}

/** Returns the statements that set these formats and the time limit for the transaction. */
export function listLocalSettings({ timeoutMs }: Statement, formats: readonly Format[]): readonly string[] {
  const settings = formats.map((name) => `SET LOCAL ${name} = '${FORMATS[name]}'`);
  return timeoutMs === undefined ? settings : [...settings, `SET LOCAL statement_timeout = ${timeoutMs}`];
}
