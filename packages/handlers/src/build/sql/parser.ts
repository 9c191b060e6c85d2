import { loadOnDemand, isList, isStructured } from "@hasp/base/json";

/** A token of Postgres's scanner; offsets are bytes of UTF-8, `end` is exclusive. */
export interface SqlToken {
  readonly start: number;
  readonly end: number;
  readonly tokenName: string;
}

/** A value of Postgres's syntax tree, as libpg-query prints it. */
export type SqlValue = string | number | boolean | null | readonly SqlValue[] | SqlNode;

export interface SqlNode {
  readonly [key: string]: SqlValue | undefined;
}

/** One statement of a parsed text; places are bytes of UTF-8. */
export interface SqlStatement {
  readonly stmt: SqlNode;
  readonly stmt_location?: number;
}

export interface SqlSyntaxError extends Error {
  /** `cursorPosition` counts code points. */
  readonly sqlDetails?: { readonly cursorPosition: number };
}

interface SqlParser {
  loadModule(): Promise<void>;
  scanSync(text: string): { readonly tokens: readonly SqlToken[] };
  parseSync(text: string): { readonly stmts?: readonly SqlStatement[] };
}

/** Postgres's parser. Requires {@link loadSqlParser}. */
export const sqlParser: () => SqlParser = loadOnDemand<SqlParser>("libpg-query");

/** Loads Postgres's parser once: WebAssembly loads only asynchronously. */
export async function loadSqlParser(): Promise<void> {
  await sqlParser().loadModule();
}

/** A tree node with its kind, such as `FuncCall`. Fields of a fixed type have no kind. */
export interface KnownNode {
  readonly kind: string;
  readonly node: SqlNode;
  readonly holder: SqlNode | undefined;
  /** Byte offset of the node, or of the nearest node around it that has one. */
  readonly byte: number;
}

/** Lists the objects below a value, depth first, in a loop: trees may be deeper than JavaScript's stack. */
export function* walkNodes(root: SqlValue, kind = ""): Generator<KnownNode> {
  const open: (Pick<KnownNode, "kind" | "holder" | "byte"> & { readonly value: SqlValue })[] = [
    { value: root, kind, holder: undefined, byte: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, holder, byte } = next;
    if (isList(value)) {
      for (const item of value.toReversed()) open.push({ value: item, kind: "", holder, byte });
    } else if (isNode(value)) {
      const known = next.kind === "" ? knownKind(value) : undefined;
      if (known !== undefined) {
        open.push({ value: value[known] ?? null, kind: known, holder, byte });
        continue;
      }
      const own = findPlace(value) ?? byte;
      yield { kind: next.kind, node: value, holder, byte: own };
      const within = next.kind === "" ? holder : value;
      for (const child of Object.values(value).toReversed()) {
        open.push({ value: child ?? null, kind: "", holder: within, byte: own });
      }
    }
  }
}

export function readKnownNode(node: SqlNode): KnownNode | undefined {
  const kind = knownKind(node);
  const inner = kind === undefined ? undefined : node[kind];
  return kind === undefined || !isNode(inner)
    ? undefined
    : { kind, node: inner, holder: undefined, byte: findPlace(inner) ?? 0 };
}

export function namesIn(value: SqlValue | undefined): readonly string[] {
  if (!isList(value)) return [];
  return value.map((item) => {
    const text = isNode(item) && isNode(item["String"]) ? item["String"]["sval"] : undefined;
    return typeof text === "string" ? text : "";
  });
}

/** Finds the places of parameters `$1`, `$2`, …, in bytes. */
export function findParameterPlaces(root: SqlNode): ReadonlySet<number> {
  return new Set([...walkNodes(root)].filter(({ kind }) => kind === "ParamRef").map(({ byte }) => byte));
}

export function isNode(value: SqlValue | undefined): value is SqlNode {
  return isStructured(value) && !isList(value);
}

function knownKind(node: SqlNode): string | undefined {
  const [key, ...others] = Object.keys(node);
  return key !== undefined && others.length === 0 && /^[A-Z]/u.test(key) ? key : undefined;
}

function findPlace(node: SqlNode): number | undefined {
  const { location, relation } = node;
  if (typeof location === "number" && location >= 0) return location;
  // A statement that changes rows has no place of its own; its table has.
  const table = isNode(relation) ? relation["location"] : undefined;
  return typeof table === "number" ? table : undefined;
}
