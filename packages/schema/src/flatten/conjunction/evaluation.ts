import { findOrAdd } from "@hasp/base/json";
import type { SchemaBinder } from "../../resolve/binder.js";
import { FAMILY, Keywords, type BoundSchema, type SchemaNode } from "../../resolve/types.js";
import { ANY_TYPE, type TypeMask } from "../../json/type-mask.js";

type EvaluationKind = "properties" | "items";

export interface Evaluation {
  /** True if some `unevaluated*` of this schema (or the one named) depends on the branches that the instance takes. */
  isDynamic(bound: BoundSchema, kind?: EvaluationKind): boolean;
  /** Rewrites a static `unevaluated*` to the `additionalProperties` or `items` that says the same, if there is one. */
  rewritten(bound: BoundSchema): readonly BoundSchema[];
  /** True if validating against a node can evaluate anything at all. */
  mayEvaluate(node: SchemaNode, kind: EvaluationKind): boolean;
}

/** The parts that a schema evaluates whatever the instance is; `dynamic` if the instance may add others. */
interface EvaluatedParts {
  all: boolean;
  dynamic: boolean;
  readonly names: Map<string, SchemaNode>;
  readonly patterns: Map<string, SchemaNode>;
  prefix: number;
}

export function createEvaluation(binder: SchemaBinder): Evaluation {
  const { anything } = binder;
  const rewrites = new Map<number, readonly BoundSchema[]>();
  const dynamics: Record<EvaluationKind, Map<number, boolean>> = { properties: new Map(), items: new Map() };
  const possible: Record<EvaluationKind, Map<number, boolean>> = { properties: new Map(), items: new Map() };

  function mayEvaluate(start: SchemaNode, kind: EvaluationKind): boolean {
    const known = possible[kind].get(start.id);
    if (known !== undefined) return known;
    const seen = new Set<SchemaNode>([start]);
    let answer = false;
    for (const node of seen) {
      const bound = binder.open(node);
      answer = evaluatesItself(bound, kind);
      if (answer) break;
      for (const inner of binder.conjuncts(bound)) seen.add(inner);
      for (const inner of conditionalNodes(bound)) seen.add(inner);
    }
    possible[kind].set(start.id, answer);
    return answer;
  }

  function evaluated(root: BoundSchema, kind: EvaluationKind): EvaluatedParts {
    const result: EvaluatedParts = { all: false, dynamic: false, names: new Map(), patterns: new Map(), prefix: 0 };
    const seen = new Set<SchemaNode>([root.node]);
    for (const node of seen) {
      const bound = node === root.node ? root : binder.open(node);
      const { keywords } = bound;
      for (const inner of binder.conjuncts(bound)) seen.add(inner);
      if (kind === "properties") {
        for (const [name, schema] of keywords.properties ?? []) result.names.set(name, schema);
        for (const [pattern, schema] of keywords.patternProperties ?? []) result.patterns.set(pattern, schema);
        if (
          keywords.additionalProperties !== undefined ||
          (bound !== root && keywords.unevaluatedProperties !== undefined)
        ) {
          result.all = true;
        }
      } else {
        result.prefix = Math.max(result.prefix, keywords.prefixItems?.length ?? 0);
        if (keywords.items !== undefined || (bound !== root && keywords.unevaluatedItems !== undefined)) {
          result.all = true;
        }
        if (keywords.contains !== undefined && node.resource.draft === "2020-12") result.dynamic = true;
      }
      if (conditionalNodes(bound).some((inner) => mayEvaluate(inner, kind))) result.dynamic = true;
    }
    if (result.all) result.dynamic = false;
    return result;
  }

  function isDynamicIn(bound: BoundSchema, kind: EvaluationKind): boolean {
    const present = kind === "properties" ? bound.keywords.unevaluatedProperties : bound.keywords.unevaluatedItems;
    if (present === undefined) return false;
    return findOrAdd(dynamics[kind], bound.id, () => evaluated(bound, kind).dynamic);
  }

  function isDynamic(bound: BoundSchema, kind?: EvaluationKind): boolean {
    return kind === undefined
      ? isDynamicIn(bound, "properties") || isDynamicIn(bound, "items")
      : isDynamicIn(bound, kind);
  }

  function rewritten(bound: BoundSchema): readonly BoundSchema[] {
    const { unevaluatedProperties, unevaluatedItems } = bound.keywords;
    if (unevaluatedProperties === undefined && unevaluatedItems === undefined) return [];
    let done = rewrites.get(bound.id);
    if (done === undefined) {
      const made: BoundSchema[] = [];
      const synthetic = { ...bound, annotations: [], conjuncts: [], children: [], synthetic: true };
      if (unevaluatedProperties !== undefined) {
        const { all, dynamic, names, patterns } = evaluated(bound, "properties");
        const always = <Key>(map: ReadonlyMap<Key, SchemaNode>): Map<Key, SchemaNode> =>
          new Map([...map.keys()].map((key) => [key, anything]));
        if (!all && !dynamic) {
          made.push({
            ...synthetic,
            id: -2 * bound.id,
            families: FAMILY.objects,
            keywords: Object.assign(new Keywords(), {
              ...(names.size > 0 && { properties: always(names) }),
              ...(patterns.size > 0 && { patternProperties: always(patterns) }),
              additionalProperties: unevaluatedProperties,
            }),
          });
        }
      }
      if (unevaluatedItems !== undefined) {
        const { all, dynamic, prefix } = evaluated(bound, "items");
        if (!all && !dynamic) {
          const prefixItems = Array.from({ length: prefix }, () => anything);
          const keywords = Object.assign(new Keywords(), {
            ...(prefix > 0 && { prefixItems }),
            items: unevaluatedItems,
          });
          made.push({ ...synthetic, id: -2 * bound.id - 1, families: FAMILY.arrays, keywords });
        }
      }
      done = made;
      rewrites.set(bound.id, done);
    }
    return done;
  }

  return { isDynamic, rewritten, mayEvaluate };
}

function evaluatesItself({ keywords }: BoundSchema, kind: EvaluationKind): boolean {
  return kind === "properties"
    ? (keywords.properties ??
        keywords.patternProperties ??
        keywords.additionalProperties ??
        keywords.unevaluatedProperties) !== undefined
    : (keywords.prefixItems ?? keywords.items ?? keywords.contains ?? keywords.unevaluatedItems) !== undefined;
}

function conditionalNodes({ keywords }: BoundSchema): SchemaNode[] {
  const nodes = [...(keywords.anyOf ?? []), ...(keywords.oneOf ?? []), ...(keywords.dependentSchemas?.values() ?? [])];
  if (keywords.if !== undefined) {
    for (const node of [keywords.if, keywords.then, keywords.else]) if (node !== undefined) nodes.push(node);
  }
  return nodes;
}

/** Creates a function that finds the types a node leaves open, by itself and by what it refers to: never too few. */
export function createPossibleTypes(binder: SchemaBinder): (node: SchemaNode) => TypeMask {
  // By depth: a deeper answer is a coarser one.
  const answers: Map<SchemaNode, TypeMask>[] = [];
  const types = (start: SchemaNode, depth: number): TypeMask => {
    const known = (answers[depth] ??= new Map());
    const answer = known.get(start);
    if (answer !== undefined) return answer;
    const seen = new Set<SchemaNode>([start]);
    let mask = ANY_TYPE;
    for (const node of seen) {
      const bound = binder.open(node);
      if (bound.constant === false) mask = 0;
      mask &= bound.keywords.types;
      for (const inner of binder.conjuncts(bound)) seen.add(inner);
      for (const union of [bound.keywords.anyOf, bound.keywords.oneOf]) {
        // Bounds nested unions.
        if (union === undefined || depth > 4) continue;
        mask &= union.reduce((sum, branch) => sum | types(branch, depth + 1), 0);
      }
    }
    known.set(start, mask);
    return mask;
  };
  return (node) => types(node, 0);
}
