import { isList } from "../../../model/json-kind.js";
import type { SqlNode, SqlValue } from "./parser.js";

/** A node of the tree with its kind, such as `FuncCall`. What a field of a known type holds has no kind of its own. */
export interface KnownNode {
  readonly kind: string;
  readonly node: SqlNode;
  /** The nearest node of a known kind that holds it. */
  readonly holder: SqlNode | undefined;
  /** The nearest place in the statement, in bytes: the node's own, else that of what holds it. */
  readonly byte: number;
}

/**
 * Lists the objects below a value, depth first and each before what it holds. A tree may be deeper than the stack of
 * JavaScript, so this is a loop.
 */
export function* nodesBelow(root: SqlValue, kind = ""): Generator<KnownNode> {
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
      const own = placeOf(value) ?? byte;
      yield { kind: next.kind, node: value, holder, byte: own };
      const within = next.kind === "" ? holder : value;
      for (const child of Object.values(value).toReversed()) {
        open.push({ value: child ?? null, kind: "", holder: within, byte: own });
      }
    }
  }
}

/** The kind and the contents of `{ FuncCall: { … } }`; `undefined` for anything else. */
export function knownNode(node: SqlNode): KnownNode | undefined {
  const kind = knownKind(node);
  const inner = kind === undefined ? undefined : node[kind];
  return kind === undefined || !isNode(inner)
    ? undefined
    : { kind, node: inner, holder: undefined, byte: placeOf(inner) ?? 0 };
}

/** The dotted names of a list of strings, such as the name of a function or an operator. */
export function namesIn(value: SqlValue | undefined): readonly string[] {
  if (!isList(value)) return [];
  return value.map((item) => {
    const text = isNode(item) && isNode(item["String"]) ? item["String"]["sval"] : undefined;
    return typeof text === "string" ? text : "";
  });
}

/** The places of the parameters `$1`, `$2`, …, in bytes. */
export function parameterPlaces(root: SqlNode): ReadonlySet<number> {
  return new Set([...nodesBelow(root)].filter(({ kind }) => kind === "ParamRef").map(({ byte }) => byte));
}

/** Whether a value is an object of the tree. */
export function isNode(value: SqlValue | undefined): value is SqlNode {
  return typeof value === "object" && value !== null && !isList(value);
}

function knownKind(node: SqlNode): string | undefined {
  const [key, ...others] = Object.keys(node);
  return key !== undefined && others.length === 0 && /^[A-Z]/u.test(key) ? key : undefined;
}

function placeOf(node: SqlNode): number | undefined {
  const { location, relation } = node;
  if (typeof location === "number" && location >= 0) return location;
  // A statement that changes rows has no place of its own; its table has.
  const table = isNode(relation) ? relation["location"] : undefined;
  return typeof table === "number" ? table : undefined;
}
