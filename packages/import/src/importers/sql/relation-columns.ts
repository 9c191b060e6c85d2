import type { JsonObject } from "@hasp/schema";
import { freeName } from "../specs/tool-names.js";
import type { Catalogue, Column, Relation } from "./catalogue.js";
import { columnValues, orNull, type ColumnValues } from "./column-values.js";

export interface ToolColumn {
  readonly column: Column;
  readonly values: ColumnValues;
  /** Its input's name, also the placeholder in statements. */
  readonly input: string;
  readonly isKey: boolean;
}

export const PAGING = ["limit", "offset", "order"] as const;
/** The input that names the columns to set to NULL. */
export const SET_NULL = "set_null";

export function columnsOf({ columns, key }: Relation, types: Catalogue["types"]): readonly ToolColumn[] {
  const taken = new Set<string>([...PAGING, SET_NULL]);
  return columns
    .filter(({ canRead, name }) => canRead && !isUnsafe(name))
    .map((column) => {
      const input = freeName(inputName(column.name), (name) => taken.has(name));
      taken.add(input);
      return { column, values: columnValues(column, types), input, isKey: key.includes(column.name) };
    });
}

/** True for names that every object inherits. */
export function isUnsafe(name: string): boolean {
  return name in Object.prototype;
}

function inputName(name: string): string {
  const cleaned = name
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(/[^A-Za-z0-9_]+/gu, "_")
    .replaceAll(/^_+|_+$/gu, "")
    .slice(0, 60);
  return /^[A-Za-z]/u.test(cleaned) && !isUnsafe(cleaned) ? cleaned : `column_${cleaned}`;
}

export function inputSchema({ column, values }: ToolColumn, ...notes: readonly string[]): JsonObject {
  return described(values.input, column, notes);
}

export function outputSchema({ column, values }: ToolColumn): JsonObject {
  const schema = described(values.output, column, []);
  return column.isNullable ? orNull(schema) : schema;
}

function described(schema: JsonObject, column: Column, notes: readonly string[]): JsonObject {
  const { description, ...keywords } = schema;
  const sentences = [
    ...notes,
    column.comment,
    description,
    column.references === null ? undefined : `Refers to ${column.references}.`,
  ].flatMap((part) => (typeof part === "string" && part.trim() !== "" ? [asSentence(part)] : []));
  return sentences.length === 0 ? keywords : { ...keywords, description: sentences.join(" ") };
}

/** Adds a missing full stop. */
export function asSentence(words: string): string {
  const trimmed = words.trim().replaceAll(/\s+/gu, " ");
  return /[.!?:]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}
