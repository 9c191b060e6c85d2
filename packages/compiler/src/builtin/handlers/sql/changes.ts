import type { Happening } from "../base/effect.js";
import type { SqlNode, SqlValue } from "./parser.js";
import { isList } from "../../../model/json-kind.js";
import { isNode, namesIn, nodesBelow, readKnownNode, type KnownNode } from "./syntax-tree.js";

/** Finds the change that a node of a statement makes by itself. */
export function findChange({ kind, node }: KnownNode): Happening | undefined {
  const change = CHANGES[kind]?.(node);
  return change === undefined ? undefined : { verdict: "writes", ...change };
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
    for (const { kind, node, holder } of nodesBelow(val)) {
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
  return [...nodesBelow(mergeWhenClauses ?? null)].some(
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
