import type { Happening } from "../base/effect.js";
import type { SqlNode, SqlValue } from "./parser.js";
import { POSTGRES_CATALOG } from "./postgres-catalog.js";
import { isList } from "../../../model/json-kind.js";
import { isNode, namesIn, readKnownNode, type KnownNode } from "./syntax-tree.js";

/** Explains why a part of a query may do more than read. Unknown parts may. */
export function findDoubt({ kind, node, holder }: KnownNode): Happening | undefined {
  // The type's own input function reads a literal. Postgres takes that function, and checks of a domain, for stable: it
  // warns of volatile input functions.
  const reason = isTypeName(node) && isGiven(holder?.["arg"]) ? undefined : reasonAgainst(kind, node);
  return reason === undefined ? undefined : { verdict: "writes", reason };
}

function reasonAgainst(kind: string, node: SqlNode): string | undefined {
  if (isTypeName(node)) return typeDoubt(node);
  if (kind === "" || COMPUTING.has(kind)) return undefined;
  const check = CHECKS[kind];
  if (check !== undefined) return check(node);
  const words = kind.replace(/Stmt$/u, "").replaceAll(/(?<=[a-z])(?=[A-Z])/gu, " ");
  return `has a part that hasp does not know to read only (${words.toUpperCase()})`;
}

/** Nodes that compute a value or say where rows come from. */
const COMPUTING: ReadonlySet<string> = new Set(
  (
    "SelectStmt ResTarget ColumnRef ParamRef A_Const A_Star A_Indices A_Indirection A_ArrayExpr List String Integer Float " +
    "Boolean BitString BoolExpr NullTest BooleanTest CaseExpr CaseWhen CoalesceExpr MinMaxExpr RowExpr NamedArgExpr TypeCast " +
    "CollateClause SQLValueFunction GroupingFunc GroupingSet WindowDef RangeVar RangeSubselect RangeFunction RangeTableFunc " +
    "RangeTableFuncCol JoinExpr ColumnDef CommonTableExpr DefElem " +
    "XmlExpr XmlSerialize JsonFuncExpr JsonValueExpr JsonArgument JsonBehavior JsonTable JsonTableColumn JsonTablePathSpec " +
    "JsonKeyValue JsonObjectConstructor JsonArrayConstructor JsonArrayQueryConstructor JsonObjectAgg JsonArrayAgg " +
    "JsonIsPredicate JsonParseExpr JsonScalarExpr JsonSerializeExpr " +
    // Nodes of statements that change rows; these are reported as such.
    "InsertStmt UpdateStmt DeleteStmt MergeStmt LockingClause " +
    "MultiAssignRef SetToDefault MergeWhenClause IndexElem ReturningOption"
  ).split(" "),
);

const CHECKS: { readonly [kind: string]: ((node: SqlNode) => string | undefined) | undefined } = {
  FuncCall: ({ funcname }) => functionDoubt(namesIn(funcname)),
  A_Expr: (node) => (isWordOperator(node) ? undefined : operatorDoubt(node["name"])),
  SubLink: ({ operName }) => operatorDoubt(operName),
  SortBy: ({ useOp }) => operatorDoubt(useOp),
  RangeTableSample: ({ method }) => {
    const names = namesIn(method);
    return SAMPLING.has(inCatalog(names) ?? "")
      ? undefined
      : `samples a table by ${quoted(names)}, which hasp does not know`;
  },
};

const SAMPLING: ReadonlySet<string> = new Set(["bernoulli", "system"]);

function functionDoubt(names: readonly string[]): string | undefined {
  const name = inCatalog(names);
  if (name !== undefined && POSTGRES_CATALOG.functions.has(name)) return undefined;
  return name !== undefined && POSTGRES_CATALOG.volatileFunctions.has(name)
    ? `calls ${name}, which Postgres marks volatile`
    : `calls ${quoted(names)}, a function that hasp does not know`;
}

/** BETWEEN and its like have no operator of their own. */
function isWordOperator({ kind }: SqlNode): boolean {
  return typeof kind === "string" && /BETWEEN/u.test(kind);
}

function operatorDoubt(name: SqlValue | undefined): string | undefined {
  const names = namesIn(name);
  if (names.length === 0) return undefined;
  const operator = inCatalog(names);
  if (operator !== undefined && POSTGRES_CATALOG.operators.has(operator)) return undefined;
  return `uses the operator ${names.join(".")}, which hasp does not know`;
}

function isTypeName(node: SqlNode): boolean {
  return isList(node["names"]) && "typemod" in node;
}

/** True for a parameter, a string or NULL. */
function isGiven(value: SqlValue | undefined): boolean {
  const given = isNode(value) ? readKnownNode(value) : undefined;
  if (given?.kind === "ParamRef") return true;
  return given?.kind === "A_Const" && (given.node["sval"] !== undefined || given.node["isnull"] === true);
}

function typeDoubt(node: SqlNode): string | undefined {
  const names = namesIn(node["names"]);
  const name = node["pct_type"] === true ? undefined : inCatalog(names);
  if (name !== undefined && POSTGRES_CATALOG.types.has(name)) return undefined;
  return `converts a value to ${quoted(names)}, a type that hasp does not know: its checks may call any function`;
}

/** Returns a name that Postgres finds in its own catalogue first. */
function inCatalog(names: readonly string[]): string | undefined {
  const [first, second] = names;
  if (names.length === 1) return first;
  return names.length === 2 && first === "pg_catalog" ? second : undefined;
}

function quoted(names: readonly string[]): string {
  const name = names.join(".");
  return /^[\w.]+$/u.test(name) ? name : JSON.stringify(name);
}
