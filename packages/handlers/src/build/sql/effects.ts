import type { Effect, Happening } from "@hasp/compiler/handlers";
import { findColumnDoubt, findKnownColumns } from "./known-columns.js";
import { parseNamedStatement } from "./named-statement.js";
import { isList } from "@hasp/base/json";
import { isNode, type KnownNode, namesIn, walkNodes, readKnownNode, type SqlNode, type SqlValue } from "./parser.js";
import { POSTGRES_CATALOG } from "./postgres-catalog.js";

/** Finds a statement's effects. It reads if all its parts do; the read-only transaction covers views and triggers. */
export function findSqlEffects({ statement }: { readonly statement: string }): readonly Effect[] {
  const { tree, offsetOf } = parseNamedStatement(statement);
  const root = tree && readKnownNode(tree.stmt);
  const whole = (happening: Happening): readonly Effect[] => [{ ...happening, at: "/statement" }];
  if (root === undefined) return whole({ verdict: "writes", reason: "is not one statement that Postgres can parse" });
  if (root.kind === "VariableShowStmt") return whole({ verdict: "reads", isLocal: true, reason: "shows a setting" });
  const isPlanned = root.kind === "ExplainStmt";
  if (isPlanned && isAnalyzed(root.node)) {
    return whole({ verdict: "writes", reason: "runs the statement that it explains (EXPLAIN ANALYZE)" });
  }
  const parts = [...(isPlanned ? walkNodes(root.node["query"] ?? null) : walkNodes(root.node, root.kind))];
  const columns = findKnownColumns(parts);
  const found = parts.flatMap((part): readonly Effect[] => {
    // A statement that is only planned changes nothing.
    const happening = (isPlanned ? undefined : findChange(part)) ?? findDoubt(part) ?? findColumnDoubt(part, columns);
    if (happening === undefined) return [];
    const start = offsetOf(part.byte);
    return [{ ...happening, at: "/statement", span: { start, end: endOfWord(statement, start) } }];
  });
  // A foreign table sends conditions away, and no statement shows which tables are foreign.
  const isLocal = !isPlanned && !parts.some(({ kind }) => kind === "RangeVar");
  return found.length > 0 ? found : whole({ verdict: "reads", ...(isLocal && { isLocal }), reason: "only reads" });
}

function isAnalyzed({ options }: SqlNode): boolean {
  // Count ANALYZE FALSE as well: nobody needs to write it.
  return (
    isList(options) && options.some((option) => isNode(option) && readKnownNode(option)?.node["defname"] === "analyze")
  );
}

function endOfWord(text: string, start: number): number {
  return start + Math.max(1, /^[\p{L}\p{N}_.]*/u.exec(text.slice(start))?.[0].length ?? 0);
}

/** Explains why a part of a query may do more than read. Unknown parts may. */
function findDoubt({ kind, node, holder }: KnownNode): Happening | undefined {
  // Postgres assumes that a type's input function is stable: it warns of volatile ones.
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

const COMPUTING: ReadonlySet<string> = new Set(
  (
    "SelectStmt ResTarget ColumnRef ParamRef A_Const A_Star A_Indices A_Indirection A_ArrayExpr List String Integer Float " +
    "Boolean BitString BoolExpr NullTest BooleanTest CaseExpr CaseWhen CoalesceExpr MinMaxExpr RowExpr NamedArgExpr TypeCast " +
    "CollateClause SQLValueFunction GroupingFunc GroupingSet WindowDef RangeVar RangeSubselect RangeFunction RangeTableFunc " +
    "RangeTableFuncCol JoinExpr ColumnDef CommonTableExpr DefElem " +
    "XmlExpr XmlSerialize JsonFuncExpr JsonValueExpr JsonArgument JsonBehavior JsonTable JsonTableColumn JsonTablePathSpec " +
    "JsonKeyValue JsonObjectConstructor JsonArrayConstructor JsonArrayQueryConstructor JsonObjectAgg JsonArrayAgg " +
    "JsonIsPredicate JsonParseExpr JsonScalarExpr JsonSerializeExpr " +
    // Nodes of statements that change rows, which `findChange` reports.
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

/** True for BETWEEN and its variants, which have no operator of their own. */
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

function findChange({ kind, node }: KnownNode): Happening | undefined {
  const change = CHANGES[kind]?.(node);
  return change && { verdict: "writes", ...change };
}

type ChangeDetails = Omit<Happening, "verdict">;

const CHANGES: { readonly [kind: string]: ((node: SqlNode) => ChangeDetails | undefined) | undefined } = {
  InsertStmt: insertion,
  UpdateStmt: (node) => ({
    reason: `updates rows of ${nameTable(node)}`,
    destructive: true,
    ...(assignsFromItself(node) ? { idempotent: false } : {}),
  }),
  DeleteStmt: (node) => ({ reason: `deletes rows of ${nameTable(node)}`, destructive: true }),
  MergeStmt: (node) => ({
    reason: `merges rows into ${nameTable(node)}`,
    ...(mergesAway(node) ? { destructive: true } : {}),
  }),
  TruncateStmt: () => ({ reason: "deletes all rows of a table (TRUNCATE)", destructive: true }),
  DropStmt: () => ({ reason: "drops what others may use (DROP)", destructive: true }),
  SelectStmt: ({ intoClause: into }) =>
    isNode(into)
      ? { reason: `creates the table ${tableNamed(into["rel"])} (SELECT INTO)`, idempotent: false }
      : undefined,
  LockingClause: ({ strength }) => ({
    reason: `locks rows (${LOCKS[String(strength)] ?? "FOR …"})`,
    destructive: false,
  }),
};

const LOCKS: { readonly [strength: string]: string | undefined } = {
  LCS_FORUPDATE: "FOR UPDATE",
  LCS_FORNOKEYUPDATE: "FOR NO KEY UPDATE",
  LCS_FORSHARE: "FOR SHARE",
  LCS_FORKEYSHARE: "FOR KEY SHARE",
};

function insertion(node: SqlNode): ChangeDetails {
  const reason = `inserts rows into ${nameTable(node)}`;
  const conflict = node["onConflictClause"];
  if (!isNode(conflict)) return { reason, destructive: false, idempotent: false };
  const overwrites = conflict["action"] === "ONCONFLICT_UPDATE";
  return overwrites ? { reason: `${reason}, or overwrites them`, destructive: true } : { reason, destructive: false };
}

/** Operators that give another result when applied again: `n + 1`, `list || item`. */
const COUNTING: ReadonlySet<string | undefined> = new Set(["+", "-", "*", "/", "%", "^", "||", "#", "<<", ">>"]);

/** True for an assignment that depends on the old value, as in `n = n + 1`: repeating it changes more. */
function assignsFromItself({ targetList }: SqlNode): boolean {
  if (!isList(targetList)) return false;
  return targetList.some((item) => {
    const { name, val = null } = (isNode(item) ? readKnownNode(item)?.node : undefined) ?? {};
    // Each node comes after its holder.
    const counted = new Set<SqlNode>();
    for (const { kind, node, holder } of walkNodes(val)) {
      const isCounting = kind === "A_Expr" && COUNTING.has(namesIn(node["name"]).at(-1));
      if (!isCounting && (holder === undefined || !counted.has(holder))) continue;
      counted.add(node);
      if (kind === "ColumnRef" && namesIn(node["fields"]).at(-1) === name) return true;
    }
    return false;
  });
}

function mergesAway({ mergeWhenClauses }: SqlNode): boolean {
  const overwriting = new Set<SqlValue | undefined>(["CMD_UPDATE", "CMD_DELETE"]);
  return [...walkNodes(mergeWhenClauses ?? null)].some(
    ({ kind, node }) => kind === "MergeWhenClause" && overwriting.has(node["commandType"]),
  );
}

function nameTable({ relation }: SqlNode): string {
  return tableNamed(relation);
}

function tableNamed(relation: SqlValue | undefined): string {
  const { schemaname, relname } = isNode(relation) ? relation : {};
  return JSON.stringify([schemaname, relname].filter((part) => typeof part === "string").join("."));
}
