import type { Binder } from "../resolve/binder.js";
import { ANY_TYPE, type TypeMask } from "../json/type-mask.js";
import type { SchemaNode } from "../resolve/types.js";

/** Creates a function that finds the types a node leaves open, by itself and by what it refers to: never too few. */
export function createPossibleTypes(binder: Binder): (node: SchemaNode) => TypeMask {
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
        // Unions in unions, a few deep: enough for what people write, and it cannot run away.
        if (union === undefined || depth > 4) continue;
        mask &= union.reduce((sum, branch) => sum | types(branch, depth + 1), 0);
      }
    }
    known.set(start, mask);
    return mask;
  };
  return (node) => types(node, 0);
}
