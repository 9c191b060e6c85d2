import type { Relation } from "./catalogue.js";
import {
  deleteTool,
  getTool,
  insertTool,
  listTool,
  type Made,
  type Operation,
  type Parts,
  type RelationTool,
  rowsSchema,
  updateTool,
} from "./operation-tools.js";
import { asSentence, type ToolColumn } from "./relation-columns.js";

interface RelationTools {
  readonly tools: readonly RelationTool[];
  /** The number of possible filters, if not all are used. */
  readonly filterable?: number;
  /** The reason for a missing tool that inserts. */
  readonly noInsert?: string;
}

interface ToolSettings {
  /** The relation's name in names and descriptions. */
  readonly label: string;
  readonly writes: boolean;
  /** Creates the name that models see. */
  readonly named: (name: string) => string;
}

export function toolsOf(
  relation: Relation,
  columns: readonly ToolColumn[],
  { label, writes, named }: ToolSettings,
): RelationTools {
  const key = relation.key.flatMap((name) => columns.find(({ column }) => column.name === name) ?? []);
  const isKeyed = key.length > 0 && key.length === relation.key.length;
  const by = key.length === 1 ? `by_${key[0]?.input ?? ""}` : "by_key";
  const names: { readonly [operation in Operation]: string } = {
    list: `list_${label}`,
    get: `get_${label}_${by}`,
    insert: `insert_${label}`,
    update: `update_${label}_${by}`,
    delete: `delete_${label}_${by}`,
  };
  const parts: Parts = {
    relation,
    columns,
    key,
    isKeyed,
    label,
    keyWords: key.map(({ input }) => input).join(" and "),
    about: relation.comment === null ? "" : ` ${asSentence(relation.comment)}`,
    instead: (operation) => `use \`${named(names[operation])}\``,
  };
  const isWritten = writes && relation.kind === "table";
  const noInsert = isWritten ? obstacleOf(relation) : undefined;
  const { filterable, ...list } = listTool(parts);
  const made: { readonly [operation in Operation]: Made | undefined } = {
    list,
    get: isKeyed ? getTool(parts) : undefined,
    insert: isWritten && noInsert === undefined ? insertTool(parts) : undefined,
    update: isWritten && isKeyed ? updateTool(parts) : undefined,
    delete: isWritten && isKeyed && relation.canDelete ? deleteTool(parts) : undefined,
  };
  const tools = (Object.keys(made) as readonly Operation[]).flatMap((operation): readonly RelationTool[] => {
    const tool = made[operation];
    if (tool === undefined) return [];
    const title = `${operation.charAt(0).toUpperCase()}${operation.slice(1)} ${label}`;
    return [{ operation, name: names[operation], title, output: rowsSchema(columns, []), ...tool }];
  });
  return {
    tools,
    ...(filterable !== undefined && { filterable }),
    ...(noInsert !== undefined && { noInsert }),
  };
}

/** Explains why no row can be inserted; `undefined` if one can. */
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
