import type { JsonObject } from "@hasp/schema";
import { cleanName, findFreeName } from "../specs/names.js";
import type { Catalogue, ColumnType, Relation, TableColumn } from "./catalogue.js";
import { readOwnMember } from "@hasp/base/json";

export interface ToolColumn {
  readonly column: TableColumn;
  readonly values: ColumnValues;
  /** Its input's name, also the placeholder in statements. */
  readonly input: string;
  readonly isKey: boolean;
}

export const PAGING = ["limit", "offset", "order"] as const;
export const SET_NULL = "set_null";

export function readColumns({ columns, key }: Relation, types: Catalogue["types"]): readonly ToolColumn[] {
  const taken = new Set<string>([...PAGING, SET_NULL]);
  return columns
    .filter(({ canRead, name }) => canRead && !isUnsafe(name))
    .map((column) => {
      const values = columnValues(column, types);
      const listNames = (name: string): readonly string[] =>
        values.filter === "period" ? [name, ...endsOf(name)] : [name];
      const input = findFreeName(inputName(column.name), (name) => listNames(name).some((each) => taken.has(each)));
      for (const each of listNames(input)) taken.add(each);
      return { column, values, input, isKey: key.includes(column.name) };
    });
}

/** Returns the inputs by which a list is limited to a period: from its start, and before its end. */
export function endsOf(input: string): readonly [from: string, before: string] {
  return [`${input}_from`, `${input}_before`];
}

/** True for names that every object inherits. */
export function isUnsafe(name: string): boolean {
  return name in Object.prototype;
}

function inputName(name: string): string {
  const cleaned = cleanName(name, /[^A-Za-z0-9_]+/gu).slice(0, 60);
  return /^[A-Za-z]/u.test(cleaned) && !isUnsafe(cleaned) ? cleaned : `column_${cleaned}`;
}

export function inputSchema({ column, values }: ToolColumn, ...notes: readonly string[]): JsonObject {
  return described(values.input, column, notes);
}

export function outputSchema({ column, values }: ToolColumn): JsonObject {
  const schema = described(values.output, column, []);
  return column.isNullable ? orNull(schema) : schema;
}

function described(schema: JsonObject, column: TableColumn, notes: readonly string[]): JsonObject {
  const { description, ...keywords } = schema;
  const sentences = [
    ...notes,
    column.comment,
    description,
    column.references === null ? undefined : `Refers to ${column.references}.`,
  ].flatMap((part) => (typeof part === "string" && part.trim() !== "" ? [printSentence(part)] : []));
  return sentences.length === 0 ? keywords : { ...keywords, description: sentences.join(" ") };
}

export function printSentence(words: string): string {
  const trimmed = words.trim().replaceAll(/\s+/gu, " ");
  return /[.!?:]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}

interface ColumnValues {
  readonly output: JsonObject;
  readonly input: JsonObject;
  read(column: string): string;
  /** Returns SQL that sends a value; Postgres infers its type from the context. */
  write(placeholder: string): string;
  /** The type to which to cast a placeholder without context. */
  readonly type: string;
  readonly filter: "none" | "equal" | "period";
  /** True if its values are too large for a list of rows. */
  readonly isLarge: boolean;
}

type TypeValues = Partial<ColumnValues> & Pick<ColumnValues, "output">;

/** The form in which integers travel as text, because JSON's numbers cannot carry them. */
const BIG = "^-?[0-9]{1,19}$";
const DECIMAL = "^-?[0-9]+(\\.[0-9]+)?$";
const LOCAL_TIME = "[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6})?";

/** Postgres's own types as `@hasp/handlers/sql` returns them. Others travel in Postgres's text form. */
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

/** NaN and the infinities are text, since JSON has no number for them. */
const FLOAT: TypeValues = {
  output: { type: ["number", "string"] },
  input: { type: "number" },
};

const JSON_TEXT: JsonObject = {
  type: "string",
  contentMediaType: "application/json",
  description: "JSON, as text.",
};

function columnValues({ type, modifier, allowed }: TableColumn, types: Catalogue["types"]): ColumnValues {
  const values = valuesOf(type, modifier, types);
  if (allowed === null || values.output["type"] !== "string" || values.filter !== "equal") return values;
  const schema: JsonObject = { enum: allowed };
  return { ...values, output: schema, input: schema };
}

function valuesOf(id: string, modifier: number, types: Catalogue["types"]): ColumnValues {
  const type = readOwnMember(types, id) as ColumnType | undefined;
  if (type === undefined) return complete({ output: { type: "string" } }, "text");
  if (type.kind === "domain" && type.base !== null) {
    const base = valuesOf(type.base, type.baseModifier, types);
    return { ...base, type: type.sql };
  }
  if (type.kind === "enum") {
    return complete({ output: { enum: type.labels ?? [] }, filter: "equal" }, type.sql);
  }
  if (type.items !== null) return arrayValues(type, valuesOf(type.items, modifier, types), types);
  const known = type.isBuiltIn ? (readOwnMember(TYPES, type.name) as (typeof TYPES)[string] | undefined) : undefined;
  if (known !== undefined) return complete(known(modifier), type.sql);
  // An extension's case-insensitive text; everything else in Postgres's form.
  const filter = type.name === "citext" ? "equal" : "none";
  return complete({ output: { type: "string" }, filter }, type.sql);
}

/** Lists travel as lists. Drivers do not know lists of the user's types; Postgres writes those as JSON. */
function arrayValues(type: ColumnType, items: ColumnValues, types: Catalogue["types"]): ColumnValues {
  const item = readOwnMember(types, type.items ?? "") as ColumnType | undefined;
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

function orNull(schema: JsonObject): JsonObject {
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

/** Reads a length limit, which Postgres stores plus four. */
function longest(modifier: number): JsonObject {
  return modifier > 4 ? { maxLength: modifier - 4 } : {};
}

/** Matches `numeric(precision, scale)`. Leaves a scale below zero or beyond the precision to Postgres. */
function decimalPattern(modifier: number): string {
  if (modifier < 4) return DECIMAL;
  const [precision, scale] = [((modifier - 4) >> 16) & 0xffff, (modifier - 4) & 0x7ff];
  if (scale > precision || scale >= 1024) return DECIMAL;
  const whole = precision === scale ? "0" : `[0-9]{1,${precision - scale}}`;
  return scale === 0 ? `^-?${whole}$` : `^-?${whole}(\\.[0-9]{1,${scale}})?$`;
}
