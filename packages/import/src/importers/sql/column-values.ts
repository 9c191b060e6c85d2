import type { JsonObject } from "@hasp/schema";
import { ownMember } from "../../../../compiler/src/model/own.js";
import type { Catalogue, Column, ColumnType } from "./catalogue.js";

/** The form of a column's values in JSON, and the SQL that reads and writes them. */
export interface ColumnValues {
  /** The schema of a value that is not NULL, as the statement answers it. */
  readonly output: JsonObject;
  /** The schema of a value that a call may send. */
  readonly input: JsonObject;
  /** The expression that answers the column, from its name. */
  read(column: string): string;
  /** The expression that sends a value, from its placeholder; Postgres takes its type from where it is. */
  write(placeholder: string): string;
  /** The type's name, for a placeholder whose place says nothing. */
  readonly type: string;
  /** The filters that suit it: none, `=`, or a period as well. */
  readonly filter: "none" | "equal" | "period";
  /** True if its values are too large for a list of rows. */
  readonly isLarge: boolean;
}

type TypeValues = Partial<ColumnValues> & Pick<ColumnValues, "output">;

/** Integers that JSON's numbers cannot carry travel as text. */
const BIG = "^-?[0-9]{1,19}$";
const DECIMAL = "^-?[0-9]+(\\.[0-9]+)?$";
const LOCAL_TIME = "[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6})?";

/**
 * Postgres's own types, by name, as `@hasp/handlers/sql` answers them. What is not listed travels as Postgres writes it in
 * text.
 */
const TYPES: Readonly<Record<string, (modifier: number) => TypeValues>> = {
  bool: () => ({ output: { type: "boolean" }, filter: "equal" }),
  int2: () => integer(-32_768, 32_767),
  int4: () => integer(-2_147_483_648, 2_147_483_647),
  int8: () => ({
    output: text({}, "64-bit integer, as text."),
    input: text({ pattern: BIG }, "64-bit integer, as text."),
    filter: "equal",
  }),
  float4: () => FLOAT,
  float8: () => FLOAT,
  numeric: (modifier) => ({
    output: text({}, "Decimal number, as text."),
    input: text({ pattern: decimalPattern(modifier) }, "Decimal number, as text."),
    filter: "equal",
  }),
  text: () => ({ output: { type: "string" }, filter: "equal" }),
  name: () => ({ output: { type: "string" }, filter: "equal" }),
  varchar: (modifier) => ({ output: { type: "string", ...longest(modifier) }, filter: "equal" }),
  bpchar: (modifier) => ({ output: { type: "string", ...longest(modifier) }, filter: "equal" }),
  uuid: () => ({ output: { type: "string", format: "uuid" }, filter: "equal" }),
  date: () => ({
    output: text({}, "Date, such as 2026-01-31."),
    input: { type: "string", format: "date" },
    filter: "period",
  }),
  timestamptz: () => ({
    output: text({}, "Time with offset, such as 2026-01-31T12:00:00+00:00."),
    input: { type: "string", format: "date-time" },
    filter: "period",
  }),
  timestamp: () => ({
    output: text({}, "Time without offset, such as 2026-01-31T12:00:00."),
    input: text({ pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}T${LOCAL_TIME}$` }, "Time without offset."),
    filter: "period",
  }),
  time: () => ({
    output: text({}, "Time of day, such as 12:00:00."),
    input: text({ pattern: `^${LOCAL_TIME}$` }, "Time of day, such as 12:00:00."),
  }),
  json: () => ({ output: {}, input: JSON_TEXT, write: (placeholder) => `${placeholder}::text::json` }),
  jsonb: () => ({ output: {}, input: JSON_TEXT, write: (placeholder) => `${placeholder}::text::jsonb` }),
  bytea: () => ({
    output: text({}, "Bytes in base64."),
    write: (placeholder) => `decode(${placeholder}::text, 'base64')`,
    isLarge: true,
  }),
  tsvector: () => ({ output: { type: "string" }, isLarge: true }),
};

/** JSON has no number for what these answer as text: NaN and the infinities. */
const FLOAT: TypeValues = {
  output: { type: ["number", "string"] },
  input: { type: "number" },
};

const JSON_TEXT: JsonObject = {
  type: "string",
  contentMediaType: "application/json",
  description: "JSON, as text.",
};

/** Finds how the values of a column look. A type that the catalogue does not hold travels as text. */
export function columnValues({ type, modifier, allowed }: Column, types: Catalogue["types"]): ColumnValues {
  const values = valuesOf(type, modifier, types);
  if (allowed === null || values.output["type"] !== "string" || values.filter !== "equal") return values;
  const schema: JsonObject = { enum: allowed };
  return { ...values, output: schema, input: schema };
}

function valuesOf(id: string, modifier: number, types: Catalogue["types"]): ColumnValues {
  const type = ownMember(types, id) as ColumnType | undefined;
  if (type === undefined) return complete({ output: { type: "string" } }, "text");
  if (type.kind === "domain" && type.base !== null) {
    const base = valuesOf(type.base, type.baseModifier, types);
    return { ...base, type: type.sql };
  }
  if (type.kind === "enum") {
    return complete({ output: { enum: type.labels ?? [] }, filter: "equal" }, type.sql);
  }
  if (type.items !== null) return arrayValues(type, valuesOf(type.items, modifier, types), types);
  const known = type.isBuiltIn ? (ownMember(TYPES, type.name) as (typeof TYPES)[string] | undefined) : undefined;
  if (known !== undefined) return complete(known(modifier), type.sql);
  // An extension's case-insensitive text; everything else as Postgres writes it.
  const filter = type.name === "citext" ? "equal" : "none";
  return complete({ output: { type: "string" }, filter }, type.sql);
}

/** Lists travel as lists. No driver knows those of the user's own types; Postgres writes them as JSON. */
function arrayValues(type: ColumnType, items: ColumnValues, types: Catalogue["types"]): ColumnValues {
  const item = ownMember(types, type.items ?? "") as ColumnType | undefined;
  const sql = type.isBuiltIn || item === undefined ? type.sql : `${item.sql}[]`;
  return {
    output: { type: "array", items: orNull(items.output) },
    input: { type: "array", items: items.input },
    read: (column) => (type.isBuiltIn ? column : `to_json(${column}::text[])`),
    write: (placeholder) => placeholder,
    type: sql,
    filter: "none",
    isLarge: items.isLarge,
  };
}

function complete(values: TypeValues, sql: string): ColumnValues {
  return {
    input: values.output,
    read: (column) => column,
    write: (placeholder) => placeholder,
    type: sql,
    filter: "none",
    isLarge: false,
    ...values,
  };
}

/** The schema that also accepts null. */
export function orNull(schema: JsonObject): JsonObject {
  const { type, enum: members } = schema;
  if (Array.isArray(members)) return { ...schema, enum: [...members, null] };
  if (typeof type === "string") return { ...schema, type: [type, "null"] };
  return Array.isArray(type) ? { ...schema, type: [...type, "null"] } : schema;
}

function integer(minimum: number, maximum: number): TypeValues {
  return { output: { type: "integer" }, input: { type: "integer", minimum, maximum }, filter: "equal" };
}

function text(keywords: JsonObject, description: string): JsonObject {
  return { type: "string", ...keywords, description };
}

/** A length is kept four too large. */
function longest(modifier: number): JsonObject {
  return modifier > 4 ? { maxLength: modifier - 4 } : {};
}

/** The digits that `numeric(precision, scale)` holds. A scale below zero or beyond the precision is left to Postgres. */
function decimalPattern(modifier: number): string {
  if (modifier < 4) return DECIMAL;
  const [precision, scale] = [((modifier - 4) >> 16) & 0xffff, (modifier - 4) & 0x7ff];
  if (scale > precision || scale >= 1024) return DECIMAL;
  const whole = precision === scale ? "0" : `[0-9]{1,${precision - scale}}`;
  return scale === 0 ? `^-?${whole}$` : `^-?${whole}(\\.[0-9]{1,${scale}})?$`;
}
