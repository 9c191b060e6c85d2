import type { JsonObject } from "@hasp/schema";
import type { Relation } from "./catalogue.js";
import { listColumns, listInputs } from "./list-inputs.js";
import { inputSchema, outputSchema, SET_NULL, type ToolColumn } from "./relation-columns.js";
import { deleteStatement, getStatement, insertStatement, listStatement, updateStatement } from "./statements.js";

export type Operation = "list" | "get" | "insert" | "update" | "delete";

export interface RelationTool {
  readonly operation: Operation;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly statement: string;
  readonly suggested: JsonObject | undefined;
}

export interface Parts {
  readonly relation: Relation;
  readonly columns: readonly ToolColumn[];
  readonly key: readonly ToolColumn[];
  readonly isKeyed: boolean;
  readonly label: string;
  /** The inputs of the key, in words. */
  readonly keyWords: string;
  /** A further sentence that describes the relation. */
  readonly about: string;
  /** Tells the model to use another tool. */
  readonly instead: (operation: Operation) => string;
}

export type Made = Pick<RelationTool, "description" | "input" | "statement" | "suggested"> & Partial<RelationTool>;

export function listTool({ relation, columns, isKeyed, label, keyWords, about, instead }: Parts): Made & {
  readonly filterable: number | undefined;
} {
  const listed = columns.filter(({ values }) => !values.isLarge);
  const chosen = listColumns(relation, listed);
  const unless = isKeyed ? ` Do not use it if ${keyWords} is known: ${instead("get")}.` : "";
  return {
    description: `List rows of ${label}.${about} Filters are combined; leave one out to accept any value.${unless}`,
    input: object(listInputs(chosen), []),
    output: rowsSchema(listed, [TRUNCATED]),
    statement: listStatement(relation, listed, chosen.filters, chosen.orders),
    suggested: READS,
    filterable: chosen.filterable,
  };
}

export function getTool({ relation, columns, key, label, keyWords, about, instead }: Parts): Made {
  return {
    description: `Get the row of ${label} with this ${keyWords}; returns no row if there is none.${about} Do not use it to search: ${instead("list")}.`,
    input: object(keyInputs(key), key),
    statement: getStatement(relation, columns, key),
    suggested: READS,
  };
}

/** Returns `undefined` if no column accepts a value. */
export function insertTool({ relation, columns, isKeyed, label, about, instead }: Parts): Made | undefined {
  const inserted = columns.filter(({ column }) => column.canInsert && isGiven(column));
  if (inserted.length === 0) return undefined;
  const unless = isKeyed ? ` Do not use it to change a row: ${instead("update")}.` : "";
  return {
    description: `Insert one row into ${label} and return it.${about}${unless}`,
    input: object(
      inserted.map((each) => [each.input, inputSchema(each, ...defaultNote(each))]),
      inserted.filter(({ column }) => !column.isNullable && column.default === null),
    ),
    statement: insertStatement(relation, columns, inserted),
    suggested: relation.hasTriggers ? undefined : { from: "statement", isDestructive: false },
  };
}

/** Returns `undefined` if no column can change. */
export function updateTool({ relation, columns, key, label, keyWords, about }: Parts): Made | undefined {
  const updated = columns.filter(({ column, isKey }) => !isKey && column.canUpdate && column.generated !== "always");
  if (updated.length === 0) return undefined;
  const nullable = updated.filter(({ column }) => column.isNullable).map(({ input }) => input);
  return {
    description: `Change the row of ${label} with this ${keyWords} and return it.${about} Columns that are left out keep their values. Do not use it for a row that does not exist yet.`,
    input: object(
      [
        ...keyInputs(key),
        ...updated.map((each) => [each.input, inputSchema(each)] as const),
        ...(nullable.length === 0 ? [] : [[SET_NULL, setNullSchema(nullable)] as const]),
      ],
      key,
    ),
    statement: updateStatement(relation, columns, key, updated),
    suggested: idempotent(relation),
  };
}

export function deleteTool({ relation, columns, key, label, keyWords, about }: Parts): Made {
  return {
    description: `Delete the row of ${label} with this ${keyWords} and return it.${about} Use it only if the row must go: it cannot be restored.`,
    input: object(keyInputs(key), key),
    statement: deleteStatement(relation, columns, key),
    suggested: idempotent(relation),
  };
}

function keyInputs(key: readonly ToolColumn[]): readonly (readonly [string, JsonObject])[] {
  return key.map((each) => [each.input, inputSchema(each)]);
}

function setNullSchema(nullable: readonly string[]): JsonObject {
  return {
    type: "array",
    uniqueItems: true,
    items: { enum: nullable },
    description: "Columns to set to NULL.",
  };
}

/** Claims idempotence of a statement with a key, unless triggers may do more. */
function idempotent({ hasTriggers }: Relation): JsonObject | undefined {
  return hasTriggers ? undefined : { from: "statement", isIdempotent: true };
}

const READS: JsonObject = { from: "statement", class: "READ_ONLY" };

/** True if the caller, not the database, gives the value. */
function isGiven(column: ToolColumn["column"]): boolean {
  return column.generated === null && !(column.default?.startsWith("nextval(") ?? false);
}

function defaultNote({ column }: ToolColumn): readonly string[] {
  return column.default === null ? [] : [`Default: ${column.default}`];
}

function object(properties: readonly (readonly [string, JsonObject])[], required: readonly ToolColumn[]): JsonObject {
  return {
    type: "object",
    ...(required.length === 0 ? {} : { required: required.map(({ input }) => input) }),
    properties: Object.fromEntries(properties),
  };
}

const TRUNCATED: readonly [string, JsonObject] = [
  "truncated",
  { type: "boolean", description: "Whether there are more rows than the limit." },
];

export function rowsSchema(
  columns: readonly ToolColumn[],
  others: readonly (readonly [string, JsonObject])[],
): JsonObject {
  return {
    type: "object",
    required: ["rows", "rowCount"],
    properties: {
      rows: {
        type: "array",
        items: {
          type: "object",
          required: columns.map(({ column }) => column.name),
          properties: Object.fromEntries(columns.map((each) => [each.column.name, outputSchema(each)])),
        },
      },
      rowCount: { type: "integer", minimum: 0 },
      ...Object.fromEntries(others),
    },
  };
}
