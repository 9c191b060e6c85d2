import type { Happening } from "@hasp/compiler/handlers";
import { isNode, type KnownNode, namesIn, walkNodes, readKnownNode, type SqlNode, type SqlValue } from "./parser.js";
import { isList } from "@hasp/base/json";

type KnownColumns = ReadonlyMap<string, ReadonlySet<string>>;

export function findKnownColumns(parts: readonly KnownNode[]): KnownColumns {
  const found = new Map<string, ReadonlySet<string>>();
  const add = (name: SqlValue | undefined, columns: ReadonlySet<string> | undefined): void => {
    if (typeof name !== "string") return;
    // If one name stands for several things, only their common columns are known.
    const before = found.has(name) ? found.get(name) : columns;
    const shared = before === undefined || columns === undefined ? [] : [...columns].filter((each) => before.has(each));
    found.set(name, new Set(shared));
  };
  const queries = findNamedQueries(parts);
  for (const { kind, node } of parts) {
    const alias = isNode(node["alias"]) ? node["alias"] : {};
    const renamed = named(alias["colnames"]);
    // Without an alias, such an item takes its function's name, which the tree does not show here.
    if (NAMED_BY_FUNCTION.has(kind) && alias["aliasname"] === undefined) return new Map();
    switch (kind) {
      case "RangeVar": {
        const query = node["schemaname"] === undefined ? queries.get(node["relname"]) : undefined;
        add(alias["aliasname"] ?? node["relname"], renamed ?? query);
        break;
      }
      case "RangeSubselect":
        add(alias["aliasname"], renamed ?? targets(node["subquery"]));
        break;
      case "RangeFunction":
        add(alias["aliasname"], renamed ?? members(node["coldeflist"], "colname"));
        break;
      case "RangeTableFunc":
        add(alias["aliasname"], renamed ?? members(node["columns"], "colname"));
        break;
      case "JsonTable":
        add(alias["aliasname"], renamed ?? members(node["columns"], "name"));
        break;
      case "JoinExpr":
        add(alias["aliasname"], renamed);
        break;
      default:
        break;
    }
  }
  return found;
}

const NAMED_BY_FUNCTION: ReadonlySet<string> = new Set(["RangeFunction", "RangeTableFunc", "JsonTable"]);

/** Finds the columns of the statement's own WITH queries; nested names may mean another query or a table. */
function findNamedQueries(
  parts: readonly KnownNode[],
): ReadonlyMap<SqlValue | undefined, ReadonlySet<string> | undefined> {
  const clause = parts[0]?.node["withClause"];
  const { ctes, recursive = false } = isNode(clause) ? clause : {};
  const queries = (isList(ctes) ? ctes : []).flatMap((each): readonly SqlNode[] => {
    const query = isNode(each) ? readKnownNode(each)?.node : undefined;
    return query === undefined ? [] : [query];
  });
  const isOnly = (name: SqlValue | undefined): boolean =>
    parts.filter(({ kind, node }) => kind === "CommonTableExpr" && node["ctename"] === name).length === 1;
  const reads = ({ ctequery = null }: SqlNode, name: SqlValue | undefined): boolean =>
    [...walkNodes(ctequery)].some(({ kind, node }) => kind === "RangeVar" && node["relname"] === name);
  return new Map(
    queries.flatMap((query, index) => {
      const { ctename: name, aliascolnames, ctequery } = query;
      const isSure =
        isOnly(name) && (recursive === true || !queries.slice(0, index + 1).some((each) => reads(each, name)));
      return isSure ? [[name, named(aliascolnames) ?? targets(ctequery)] as const] : [];
    }),
  );
}

/** Explains why a qualified name may be a call: without a column `wipe`, `u.wipe` is `wipe(u)`. Views lack even `ctid`. */
export function findColumnDoubt({ kind, node }: KnownNode, columns: KnownColumns): Happening | undefined {
  const doubt = (name: string): Happening => ({
    verdict: "unknown",
    reason: `reads ${name}, which calls a function where it is no column`,
  });
  if (kind === "A_Indirection") {
    const name = namesIn(node["indirection"]).find((each) => each !== "");
    return name === undefined ? undefined : doubt(`(…).${name}`);
  }
  if (kind !== "ColumnRef") return undefined;
  const names = namesIn(node["fields"]);
  const [table = "", column = ""] = names;
  // An unqualified name is a column; `u.*` ends without a name.
  if (names.length < 2 || names.at(-1) === "") return undefined;
  const isKnown = names.length === 2 && columns.get(table)?.has(column) === true;
  return isKnown ? undefined : doubt(names.join("."));
}

function named(list: SqlValue | undefined): ReadonlySet<string> | undefined {
  const names = namesIn(list);
  return names.length === 0 ? undefined : new Set(names);
}

function members(list: SqlValue | undefined, key: string): ReadonlySet<string> | undefined {
  if (!isList(list)) return undefined;
  const names = list.map((item) => (isNode(item) ? readKnownNode(item)?.node[key] : undefined));
  return new Set(names.filter((name) => typeof name === "string"));
}

/** Returns a query's columns; `undefined` if some are unnamed, as in `*`. */
function targets(query: SqlValue | undefined): ReadonlySet<string> | undefined {
  let select = isNode(query) ? readKnownNode(query) : undefined;
  // The first query of a UNION names the columns.
  for (let first = select?.node["larg"]; isNode(first); first = first["larg"]) {
    select = { kind: "SelectStmt", node: first, holder: undefined, byte: 0 };
  }
  const list = select?.kind === "SelectStmt" ? select.node["targetList"] : undefined;
  if (!isList(list)) return undefined;
  const names = list.map((item) => (isNode(item) ? targetName(readKnownNode(item)?.node ?? {}) : undefined));
  return names.includes(undefined) ? undefined : new Set(names.filter((name) => name !== undefined));
}

function targetName({ name, val }: SqlNode): string | undefined {
  if (typeof name === "string") return name;
  const value = isNode(val) ? readKnownNode(val) : undefined;
  const column = value?.kind === "ColumnRef" ? namesIn(value.node["fields"]).at(-1) : undefined;
  return column === "" ? undefined : column;
}
