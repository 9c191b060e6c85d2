import type { SchemaBinder } from "../../resolve/binder.js";
import { ANY_TYPE, OBJECT, type TypeMask } from "../../json/type-mask.js";
import { FAMILY, type BoundSchema, type SchemaNode } from "../../resolve/types.js";
import type { Evaluation } from "./evaluation.js";

/** Everything that applies to one location, with `$ref` and `allOf` opened. */
export interface Conjunction {
  /** The schemas that assert something, nearest first. */
  readonly parts: readonly BoundSchema[];
  /** Every node on the way, nearest first: origins and annotations come from here. */
  readonly sites: readonly SchemaNode[];
  readonly types: TypeMask;
  /** A literal `false` among the parts. */
  readonly never: SchemaNode | undefined;
  /** Unions of the parts, each with the branches that its neighbours' types leave open. */
  readonly unions: readonly Union[];
  /** `dependentSchemas` that always apply, and so have been merged already. */
  readonly promoted: ReadonlySet<SchemaNode>;
  /** The part whose dynamic `unevaluated*` stays on the merged node. */
  readonly scope: BoundSchema | undefined;
  /** Schemas whose `unevaluated*` must not see their neighbours: they stay apart, in an `allOf`. */
  readonly islands: readonly SchemaNode[];
}

export interface Union {
  readonly keyword: "anyOf" | "oneOf";
  readonly part: BoundSchema;
  readonly branches: readonly SchemaNode[];
}

export interface Gathering {
  readonly binder: SchemaBinder;
  readonly evaluation: Evaluation;
  possibleTypes(node: SchemaNode): TypeMask;
}

/** Opens `$ref`, `allOf` and whatever turns out to apply always, until only parts to be merged are left. */
export function gather(
  terms: readonly SchemaNode[],
  collapsed: ReadonlySet<readonly SchemaNode[]>,
  gathering: Gathering,
): Conjunction {
  const simple = gatherSimple(terms, gathering);
  if (simple !== undefined) return simple;
  const apart = gatherOnce(terms, collapsed, gathering, undefined);
  const [only] = apart.islands;
  if (only === undefined || apart.islands.length > 1) return apart;
  // A single schema with a dynamic `unevaluated*` may take the node if nothing outside of it evaluates anything.
  const { evaluation, binder } = gathering;
  const { keywords } = binder.open(only);
  const disturbed = apart.parts.some(
    (part) =>
      (keywords.unevaluatedProperties !== undefined && evaluation.mayEvaluate(part.node, "properties")) ||
      (keywords.unevaluatedItems !== undefined && evaluation.mayEvaluate(part.node, "items")),
  );
  return disturbed ? apart : gatherOnce(terms, collapsed, gathering, only);
}

const NO_UNIONS: readonly Union[] = [];
const NO_PLACES: readonly SchemaNode[] = [];
const NONE_PROMOTED: ReadonlySet<SchemaNode> = new Set();

/** Gathers the usual case cheaply: one schema that refers to nothing and has no branches. */
function gatherSimple(terms: readonly SchemaNode[], { binder }: Gathering): Conjunction | undefined {
  const [node] = terms;
  if (node === undefined || terms.length > 1 || node === binder.anything) return undefined;
  const bound = binder.open(node);
  if (
    bound.constant !== undefined ||
    (bound.families & (FAMILY.unions | FAMILY.conditions | FAMILY.unevaluated)) !== 0
  ) {
    return undefined;
  }
  if (binder.conjuncts(bound).length > 0) return undefined;
  return {
    parts: bound.families === 0 ? [] : [bound],
    sites: terms,
    types: bound.keywords.types,
    never: undefined,
    unions: NO_UNIONS,
    promoted: NONE_PROMOTED,
    scope: undefined,
    islands: NO_PLACES,
  };
}

function gatherOnce(
  terms: readonly SchemaNode[],
  collapsed: ReadonlySet<readonly SchemaNode[]>,
  { binder, evaluation, possibleTypes }: Gathering,
  scope: SchemaNode | undefined,
): Conjunction {
  const parts: BoundSchema[] = [];
  const sites: SchemaNode[] = [];
  const islands: SchemaNode[] = [];
  const promoted = new Set<SchemaNode>();
  const decided = new Set<readonly SchemaNode[]>(collapsed);
  const seen = new Set<SchemaNode>();
  let unions: Union[] = [];
  let never: SchemaNode | undefined;
  let types = ANY_TYPE;
  const stack = terms.toReversed();
  /** True if a branch is part of the conjunction anyway, or only refers to its parts. */
  const appliesAlways = (branch: SchemaNode): boolean => {
    if (seen.has(branch)) return true;
    const bound = binder.open(branch);
    const inner = binder.conjuncts(bound);
    return bound.families === 0 && inner.length > 0 && inner.every((node) => seen.has(node));
  };
  for (;;) {
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node === binder.anything || seen.has(node)) continue;
      seen.add(node);
      sites.push(node);
      const bound = binder.open(node);
      if (bound.constant === false) never ??= node;
      const looks = (bound.families & FAMILY.unevaluated) !== 0;
      if (looks && node !== scope && evaluation.isDynamic(bound)) {
        islands.push(node);
        continue;
      }
      if (bound.families !== 0) parts.push(bound);
      if (looks) parts.push(...evaluation.rewritten(bound));
      types &= bound.keywords.types;
      const inner = binder.conjuncts(bound);
      for (let index = inner.length - 1; index >= 0; index--) {
        const conjunct = inner[index];
        if (conjunct !== undefined) stack.push(conjunct);
      }
    }
    unions = [];
    for (const part of parts) {
      if ((part.families & FAMILY.unions) !== 0) {
        for (const keyword of ["anyOf", "oneOf"] as const) {
          const all = part.keywords[keyword];
          if (all === undefined || decided.has(all)) continue;
          if (keyword === "anyOf" && all.every(appliesAlways)) {
            decided.add(all);
            continue;
          }
          const mask = types;
          const branches = mask === ANY_TYPE ? all : all.filter((branch) => (possibleTypes(branch) & mask) !== 0);
          const [single] = branches;
          if (branches.length === 1 && single !== undefined) {
            // Only this branch has a type that the rest allows.
            decided.add(all);
            stack.push(single);
          } else {
            unions.push({ keyword, part, branches });
          }
        }
      }
      if (types === OBJECT && part.keywords.dependentSchemas !== undefined) {
        for (const [name, node] of part.keywords.dependentSchemas) {
          if (promoted.has(node) || !parts.some((other) => other.keywords.required?.includes(name))) continue;
          promoted.add(node);
          stack.push(node);
        }
      }
    }
    if (stack.length === 0) break;
  }
  return { parts, sites, types, never, unions, promoted, scope: scope && binder.open(scope), islands };
}
