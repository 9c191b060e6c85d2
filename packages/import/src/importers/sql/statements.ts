import type { Relation } from "./catalogue.js";
import { endsOf, SET_NULL, type ToolColumn } from "./columns.js";

/** The most columns to order by: each costs one expression per direction in the statement. */
export const MOST_ORDERS = 6;

export function listStatement(
  { sql }: Relation,
  columns: readonly ToolColumn[],
  filters: readonly ToolColumn[],
  orders: readonly ToolColumn[],
): string {
  const conditions = filters.flatMap((filter) => conditionsOf(filter));
  const ways = orders.flatMap(({ column, input }) => [
    `CASE WHEN $order = '${input}' THEN ${column.sql} END`,
    `CASE WHEN $order = '-${input}' THEN ${column.sql} END DESC`,
  ]);
  const keys = columns.filter(({ isKey }) => isKey).map(({ column }) => column.sql);
  return lines(
    `SELECT ${answers(columns)}`,
    `FROM ${sql}`,
    ...conditions.map((condition, index) => `${index === 0 ? "WHERE" : "  AND"} ${condition}`),
    [...ways, ...keys].length === 0 ? "" : `ORDER BY ${[...ways, ...keys].join(",\n  ")}`,
    "LIMIT $limit OFFSET $offset",
  );
}

function conditionsOf({ column, values, input }: ToolColumn): readonly string[] {
  const optional = (name: string, operator: string): string => {
    // An absent filter is NULL, and only the cast tells its type.
    return `($${name}::${values.type} IS NULL OR ${column.sql} ${operator} $${name})`;
  };
  const [from, before] = endsOf(input);
  return values.filter === "period" ? [optional(from, ">="), optional(before, "<")] : [optional(input, "=")];
}

export function getStatement({ sql }: Relation, columns: readonly ToolColumn[], key: readonly ToolColumn[]): string {
  return lines(`SELECT ${answers(columns)}`, `FROM ${sql}`, `WHERE ${sameKey(key)}`);
}

export function insertStatement(
  { sql }: Relation,
  columns: readonly ToolColumn[],
  written: readonly ToolColumn[],
): string {
  const values = written.map(({ column, values: { write, type }, input }) =>
    column.default === null ? write(`$${input}`) : `COALESCE(${write(`$${input}`)}::${type}, ${column.default})`,
  );
  return lines(
    `INSERT INTO ${sql} (${written.map(({ column }) => column.sql).join(", ")})`,
    `VALUES (${values.join(", ")})`,
    `RETURNING ${answers(columns)}`,
  );
}

/** Writes an `UPDATE` of one row by its key. Absent values stay; columns in `set_null` become NULL. */
export function updateStatement(
  { sql }: Relation,
  columns: readonly ToolColumn[],
  key: readonly ToolColumn[],
  written: readonly ToolColumn[],
): string {
  const assignments = written.map(({ column, values, input }) => {
    const value = `COALESCE(${values.write(`$${input}`)}, ${column.sql})`;
    return column.isNullable
      ? `${column.sql} = CASE WHEN '${input}' = ANY ($${SET_NULL}::text[]) THEN NULL ELSE ${value} END`
      : `${column.sql} = ${value}`;
  });
  return lines(
    `UPDATE ${sql}`,
    `SET ${assignments.join(",\n  ")}`,
    `WHERE ${sameKey(key)}`,
    `RETURNING ${answers(columns)}`,
  );
}

export function deleteStatement({ sql }: Relation, columns: readonly ToolColumn[], key: readonly ToolColumn[]): string {
  return lines(`DELETE FROM ${sql}`, `WHERE ${sameKey(key)}`, `RETURNING ${answers(columns)}`);
}

function sameKey(key: readonly ToolColumn[]): string {
  return key.map(({ column, values, input }) => `${column.sql} = ${values.write(`$${input}`)}`).join(" AND ");
}

function answers(columns: readonly ToolColumn[]): string {
  return columns
    .map(({ column, values }) => {
      const read = values.read(column.sql);
      return read === column.sql ? read : `${read} AS ${column.sql}`;
    })
    .join(", ");
}

function lines(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n")}\n`;
}
