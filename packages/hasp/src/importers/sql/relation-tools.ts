import type { JsonObject } from "@hasp/schema";
import type { Relation } from "./catalogue.js";
import { asSentence, inputSchema, outputSchema, PAGING, SET_NULL, type ToolColumn } from "./relation-columns.js";
import {
  deleteStatement,
  getStatement,
  insertStatement,
  listStatement,
  MOST_ORDERS,
  updateStatement,
} from "./statements.js";

/** What a tool does with a table. */
export type Operation = "list" | "get" | "insert" | "update" | "delete";

/** A tool on a table or view. */
export interface RelationTool {
  readonly operation: Operation;
  /** The name that the tool should have. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly statement: string;
  /** What it may claim, as spec fields. */
  readonly suggested: JsonObject | undefined;
}

/** More filters than these cost more tokens than they are worth. */
const MOST_FILTERS = 24;
const ROWS = { default: 50, most: 200 };

/** The tools of a relation, and what they leave out. */
export interface RelationTools {
  readonly tools: readonly RelationTool[];
  /** How many columns could be filtered by, if not all are. */
  readonly filterable?: number;
  /** Why there is no tool that inserts, where tools that write are wanted. */
  readonly noInsert?: string;
}

/**
 * Makes the tools of a table or view. `label` is what names and descriptions call it; `named` makes the name that models
 * see.
 */
export function toolsOf(
  relation: Relation,
  columns: readonly ToolColumn[],
  {
    label,
    writes,
    named,
  }: { readonly label: string; readonly writes: boolean; readonly named: (name: string) => string },
): RelationTools {
  const key = relation.key.flatMap((name) => columns.find(({ column }) => column.name === name) ?? []);
  const isKeyed = key.length > 0 && key.length === relation.key.length;
  const by = key.length === 1 ? `by_${key[0]?.input ?? ""}` : "by_key";
  const keyWords = key.map(({ input }) => input).join(" and ");
  const names: { readonly [operation in Operation]: string } = {
    list: `list_${label}`,
    get: `get_${label}_${by}`,
    insert: `insert_${label}`,
    update: `update_${label}_${by}`,
    delete: `delete_${label}_${by}`,
  };
  const about = relation.comment === null ? "" : ` ${asSentence(relation.comment)}`;
  const row = output(columns, []);
  const keySchemas = key.map((each): [string, JsonObject] => [each.input, inputSchema(each)]);
  const tool = (
    operation: Operation,
    parts: Pick<RelationTool, "description" | "input" | "statement"> & Partial<RelationTool>,
  ): RelationTool => ({
    operation,
    name: names[operation],
    title: `${operation.charAt(0).toUpperCase()}${operation.slice(1)} ${label}`,
    output: row,
    suggested: undefined,
    ...parts,
  });

  const listed = columns.filter(({ values }) => !values.isLarge);
  const { filters, filterable } = filtersOf(relation, listed);
  const orders = ordersOf(relation, listed);
  const tools: RelationTool[] = [
    tool("list", {
      description: `List rows of ${label}.${about} Filters are combined; leave one out to accept any value.${
        isKeyed ? ` Do not use it where ${keyWords} is known: use \`${named(names.get)}\`.` : ""
      }`,
      input: object([...filters.flatMap(filterSchemas), ...pagingSchemas(orders)], []),
      output: output(listed, [TRUNCATED]),
      statement: listStatement(relation, listed, filters, orders),
      suggested: READS,
    }),
  ];
  if (isKeyed) {
    tools.push(
      tool("get", {
        description: `Get the row of ${label} with this ${keyWords}; no row is answered if there is none.${about} Do not use it to search: use \`${named(names.list)}\`.`,
        input: object(keySchemas, key),
        statement: getStatement(relation, columns, key),
        suggested: READS,
      }),
    );
  }
  const isWritten = writes && relation.kind === "table";
  const noInsert = isWritten ? obstacleOf(relation) : undefined;
  const inserted = columns.filter(({ column }) => column.canInsert && isGiven(column));
  if (isWritten && noInsert === undefined && inserted.length > 0) {
    tools.push(
      tool("insert", {
        description: `Insert one row into ${label} and answer it.${about}${
          isKeyed ? ` Do not use it to change a row: use \`${named(names.update)}\`.` : ""
        }`,
        input: object(
          inserted.map((each) => [each.input, inputSchema(each, ...defaultNote(each))]),
          inserted.filter(({ column }) => !column.isNullable && column.default === null),
        ),
        statement: insertStatement(relation, columns, inserted),
        suggested: relation.hasTriggers ? undefined : { from: "statement", isDestructive: false },
      }),
    );
  }
  if (!isWritten || !isKeyed) return { tools, ...optional({ filterable, noInsert }) };
  const idempotent = relation.hasTriggers ? undefined : { from: "statement", isIdempotent: true };
  const updated = columns.filter(({ column, isKey }) => !isKey && column.canUpdate && column.generated !== "always");
  if (updated.length > 0) {
    const nullable = updated.filter(({ column }) => column.isNullable).map(({ input }) => input);
    const setNull: readonly [string, JsonObject][] =
      nullable.length === 0
        ? []
        : [
            [
              SET_NULL,
              {
                type: "array",
                uniqueItems: true,
                items: { enum: nullable },
                description: "Columns that become NULL.",
              },
            ],
          ];
    tools.push(
      tool("update", {
        description: `Change the row of ${label} with this ${keyWords} and answer it.${about} Values that are left out stay. Do not use it for a row that does not exist yet.`,
        input: object(
          [...keySchemas, ...updated.map((each) => [each.input, inputSchema(each)] as const), ...setNull],
          key,
        ),
        statement: updateStatement(relation, columns, key, updated),
        suggested: idempotent,
      }),
    );
  }
  if (relation.canDelete) {
    tools.push(
      tool("delete", {
        description: `Delete the row of ${label} with this ${keyWords} and answer what it was.${about} Use it only if the row must go: it cannot be restored.`,
        input: object(keySchemas, key),
        statement: deleteStatement(relation, columns, key),
        suggested: idempotent,
      }),
    );
  }
  return { tools, ...optional({ filterable, noInsert }) };
}

const READS: JsonObject = { from: "statement", class: "READ_ONLY" };

/** A value that a call gives: not what the database makes itself. */
function isGiven(column: ToolColumn["column"]): boolean {
  return column.generated === null && !(column.default?.startsWith("nextval(") ?? false);
}

/** Why no row can be inserted: a column that needs a value cannot be given one. */
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

function defaultNote({ column }: ToolColumn): readonly string[] {
  return column.default === null ? [] : [`Default: ${column.default}`];
}

/** The columns to filter by: all, or where these are many, those with an index, an enum or a boolean. */
function filtersOf(
  { indexed }: Relation,
  columns: readonly ToolColumn[],
): { readonly filters: readonly ToolColumn[]; readonly filterable: number | undefined } {
  const all = columns.filter(({ values }) => values.filter !== "none");
  if (all.length <= MOST_FILTERS) return { filters: all, filterable: undefined };
  const cheap = all.filter(
    ({ column, values }) =>
      indexed.includes(column.name) || values.input["enum"] !== undefined || values.input["type"] === "boolean",
  );
  return { filters: cheap, filterable: all.length };
}

/** The columns to order by: the key, those with an index, and times. */
function ordersOf({ indexed }: Relation, columns: readonly ToolColumn[]): readonly ToolColumn[] {
  const useful = columns.filter(
    ({ column, values, isKey }) =>
      values.filter === "period" || (values.filter === "equal" && (isKey || indexed.includes(column.name))),
  );
  return useful.slice(0, MOST_ORDERS);
}

function filterSchemas(column: ToolColumn): readonly (readonly [string, JsonObject])[] {
  const { input, values } = column;
  return values.filter === "period"
    ? [
        [`${input}_from`, inputSchema(column, `${input} is this or later.`)],
        [`${input}_before`, inputSchema(column, `${input} is earlier.`)],
      ]
    : [[input, inputSchema(column)]];
}

function pagingSchemas(orders: readonly ToolColumn[]): readonly (readonly [string, JsonObject])[] {
  const [limit, offset, order] = PAGING;
  const [first] = orders;
  return [
    ...(first === undefined
      ? []
      : [
          [
            order,
            {
              enum: orders.flatMap(({ input }) => [input, `-${input}`]),
              default: first.input,
              description: 'The column to order by; "-" puts the largest first.',
            },
          ] as const,
        ]),
    [
      limit,
      { type: "integer", minimum: 1, maximum: ROWS.most, default: ROWS.default, description: "Most rows to answer." },
    ],
    [
      offset,
      { type: "integer", minimum: 0, maximum: 1_000_000, default: 0, description: "Rows to skip before the first." },
    ],
  ];
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
  { type: "boolean", description: "Whether rows beyond the limit were cut." },
];

function output(columns: readonly ToolColumn[], others: readonly (readonly [string, JsonObject])[]): JsonObject {
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

function optional<Values extends object>(values: Values): Partial<{ [Key in keyof Values]: NonNullable<Values[Key]> }> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof optional<Values>
  >;
}
