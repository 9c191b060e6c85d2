import { dropUndefined } from "@hasp/base/json";
import type { Relation } from "./catalogue.js";
import { endsOf, printSentence, inputSchema, outputSchema, PAGING, SET_NULL, type ToolColumn } from "./columns.js";
import type { JsonObject } from "@hasp/schema";
import {
  deleteStatement,
  getStatement,
  insertStatement,
  listStatement,
  MOST_ORDERS,
  updateStatement,
} from "./statements.js";

interface RelationTools {
  readonly tools: readonly RelationTool[];
  /** The number of possible filters, if not all are used. */
  readonly filterable?: number;
  readonly noInsert?: string;
}

interface ToolSettings {
  readonly label: string;
  readonly writes: boolean;
  readonly named: (name: string) => string;
}

export function createRelationTools(
  relation: Relation,
  columns: readonly ToolColumn[],
  { label, writes, named }: ToolSettings,
): RelationTools {
  const key = relation.key.flatMap((name) => columns.find(({ column }) => column.name === name) ?? []);
  const isKeyed = key.length > 0 && key.length === relation.key.length;
  const by = key.length === 1 ? `by_${key[0]?.input ?? ""}` : "by_key";
  const names: { readonly [operation in RowOperation]: string } = {
    list: `list_${label}`,
    get: `get_${label}_${by}`,
    insert: `insert_${label}`,
    update: `update_${label}_${by}`,
    delete: `delete_${label}_${by}`,
  };
  const parts: RelationParts = {
    relation,
    columns,
    key,
    isKeyed,
    label,
    keyWords: key.map(({ input }) => input).join(" and "),
    about: relation.comment === null ? "" : ` ${printSentence(relation.comment)}`,
    instead: (operation) => `use \`${named(names[operation])}\``,
  };
  const isWritten = writes && relation.kind === "table";
  const noInsert = isWritten ? obstacleOf(relation) : undefined;
  const { filterable, ...list } = listTool(parts);
  const made: { readonly [operation in RowOperation]: Made | undefined } = {
    list,
    get: isKeyed ? getTool(parts) : undefined,
    insert: isWritten && noInsert === undefined ? insertTool(parts) : undefined,
    update: isWritten && isKeyed ? updateTool(parts) : undefined,
    delete: isWritten && isKeyed && relation.canDelete ? deleteTool(parts) : undefined,
  };
  const tools = (Object.keys(made) as readonly RowOperation[]).flatMap((operation): readonly RelationTool[] => {
    const tool = made[operation];
    if (tool === undefined) return [];
    const title = `${operation.charAt(0).toUpperCase()}${operation.slice(1)} ${label}`;
    return [{ operation, name: names[operation], title, output: rowsSchema(columns, []), ...tool }];
  });
  return {
    tools,
    ...dropUndefined({ filterable, noInsert }),
  };
}

function obstacleOf({ columns }: Relation): string | undefined {
  const hidden = columns.find(
    (column) =>
      !column.isNullable &&
      column.default === null &&
      column.generated === null &&
      !(column.canRead && column.canInsert),
  );
  if (hidden !== undefined) return `the role may not read and set "${hidden.name}", which needs a value`;
  return columns.some(({ canInsert }) => canInsert) ? undefined : "the role may not insert";
}

type RowOperation = "list" | "get" | "insert" | "update" | "delete";

export interface RelationTool {
  readonly operation: RowOperation;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly statement: string;
  readonly suggested: JsonObject | undefined;
}

interface RelationParts {
  readonly relation: Relation;
  readonly columns: readonly ToolColumn[];
  readonly key: readonly ToolColumn[];
  readonly isKeyed: boolean;
  readonly label: string;
  readonly keyWords: string;
  readonly about: string;
  readonly instead: (operation: RowOperation) => string;
}

type Made = Pick<RelationTool, "description" | "input" | "statement" | "suggested"> & Partial<RelationTool>;

function listTool({ relation, columns, isKeyed, label, keyWords, about, instead }: RelationParts): Made & {
  readonly filterable: number | undefined;
} {
  const listed = columns.filter(({ values }) => !values.isLarge);
  const chosen = listColumns(relation, listed);
  const unless = isKeyed ? ` Do not use it if ${keyWords} is known: ${instead("get")}.` : "";
  return {
    description: `List rows of ${label}.${about} Filters are combined; leave one out to accept any value.${unless}`,
    input: object([...chosen.filters.flatMap(filterInputs), ...orderInputs(chosen.orders), ...pagingInputs()], []),
    output: rowsSchema(listed, [TRUNCATED]),
    statement: listStatement(relation, listed, chosen.filters, chosen.orders),
    suggested: READS,
    filterable: chosen.filterable,
  };
}

function getTool({ relation, columns, key, label, keyWords, about, instead }: RelationParts): Made {
  return {
    description: `Get the row of ${label} with this ${keyWords}; returns no row if there is none.${about} Do not use it to search: ${instead("list")}.`,
    input: object(keyInputs(key), key),
    statement: getStatement(relation, columns, key),
    suggested: READS,
  };
}

function insertTool({ relation, columns, isKeyed, label, about, instead }: RelationParts): Made | undefined {
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

function updateTool({ relation, columns, key, label, keyWords, about }: RelationParts): Made | undefined {
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

function deleteTool({ relation, columns, key, label, keyWords, about }: RelationParts): Made {
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

function rowsSchema(columns: readonly ToolColumn[], others: readonly (readonly [string, JsonObject])[]): JsonObject {
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

/** More filters than these cost more tokens than they are worth. */
const MOST_FILTERS = 24;
const ROWS = { default: 50, most: 200 };

interface ListColumns {
  readonly filters: readonly ToolColumn[];
  readonly orders: readonly ToolColumn[];
  readonly filterable: number | undefined;
}

/**
 * Chooses filters: all columns or, if there are many, those with an index, an enum or a boolean. Orders by the key, by
 * indexed columns, and by times.
 */
function listColumns({ indexed }: Relation, columns: readonly ToolColumn[]): ListColumns {
  const all = columns.filter(({ values }) => values.filter !== "none");
  const hasAll = all.length <= MOST_FILTERS;
  const cheap = all.filter(
    ({ column, values }) =>
      indexed.includes(column.name) || values.input["enum"] !== undefined || values.input["type"] === "boolean",
  );
  const orders = columns.filter(
    ({ column, values, isKey }) =>
      values.filter === "period" || (values.filter === "equal" && (isKey || indexed.includes(column.name))),
  );
  return {
    filters: hasAll ? all : cheap,
    orders: orders.slice(0, MOST_ORDERS),
    filterable: hasAll ? undefined : all.length,
  };
}

function filterInputs(column: ToolColumn): readonly (readonly [string, JsonObject])[] {
  const { input, values } = column;
  const [from, before] = endsOf(input);
  return values.filter === "period"
    ? [
        [from, inputSchema(column, `${input} is this or later.`)],
        [before, inputSchema(column, `${input} is earlier.`)],
      ]
    : [[input, inputSchema(column)]];
}

const [LIMIT, OFFSET, ORDER] = PAGING;

function orderInputs(orders: readonly ToolColumn[]): readonly (readonly [string, JsonObject])[] {
  const [first] = orders;
  if (first === undefined) return [];
  const schema = {
    enum: orders.flatMap(({ input }) => [input, `-${input}`]),
    default: first.input,
    description: 'The column to order by; "-" puts the largest first.',
  };
  return [[ORDER, schema]];
}

function pagingInputs(): readonly (readonly [string, JsonObject])[] {
  return [
    [
      LIMIT,
      {
        type: "integer",
        minimum: 1,
        maximum: ROWS.most,
        default: ROWS.default,
        description: "The most rows to return.",
      },
    ],
    [
      OFFSET,
      { type: "integer", minimum: 0, maximum: 1_000_000, default: 0, description: "Rows to skip before the first." },
    ],
  ];
}
