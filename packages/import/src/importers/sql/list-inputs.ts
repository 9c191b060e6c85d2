import type { JsonObject } from "@hasp/schema";
import type { Relation } from "./catalogue.js";
import { inputSchema, PAGING, type ToolColumn } from "./relation-columns.js";
import { MOST_ORDERS } from "./statements.js";

/** More filters than these cost more tokens than they are worth. */
const MOST_FILTERS = 24;
const ROWS = { default: 50, most: 200 };

interface ListColumns {
  readonly filters: readonly ToolColumn[];
  readonly orders: readonly ToolColumn[];
  /** The number of possible filters, if not all are used. */
  readonly filterable: number | undefined;
}

/**
 * Chooses filters: all columns or, if there are many, those with an index, an enum or a boolean. Orders by the key, by
 * indexed columns, and by times.
 */
export function listColumns({ indexed }: Relation, columns: readonly ToolColumn[]): ListColumns {
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

export function listInputs({ filters, orders }: ListColumns): readonly (readonly [string, JsonObject])[] {
  return [...filters.flatMap(filterInputs), ...orderInputs(orders), ...pagingInputs()];
}

function filterInputs(column: ToolColumn): readonly (readonly [string, JsonObject])[] {
  const { input, values } = column;
  return values.filter === "period"
    ? [
        [`${input}_from`, inputSchema(column, `${input} is this or later.`)],
        [`${input}_before`, inputSchema(column, `${input} is earlier.`)],
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
