import { ANY_TYPE } from "../json/type-mask.js";
import { FAMILY, type SchemaNode } from "../resolve/types.js";
import { gather, type Conjunction, type Gathering } from "./conjunction/conjunction.js";
import { literalFalse, reportResidual, type Cause } from "./conjunction/diagnostics.js";
import { keepApplicable, type Entries } from "./output-nodes.js";
import { mergeArrays, mergeObjects } from "./merge/objects-and-arrays.js";
import { mergeConditions, mergeUnions } from "./merge/unions-and-conditions.js";
import { NodeMerge, type BuildContext, type FlattenRun } from "./merge/merge.js";
import { mergeNumbers, mergeStrings, mergeValues } from "./merge/scalars.js";

/** A node without its annotations: two uses of one conjunction differ in these only. */
export interface Core {
  /** `false` if nothing can be valid. */
  readonly keywords: Entries | false;
  readonly causes: readonly Cause[];
  used: boolean;
  readonly reference: boolean;
  /** The sites of branches that turned out to be the only ones: annotations come from them too. */
  readonly collapsedSites: readonly SchemaNode[] | undefined;
}

/** Merges a conjunction into one node; if a union has one branch left, merges again with that branch. */
export function mergeNode(
  run: FlattenRun,
  terms: readonly SchemaNode[],
  gathered: Conjunction,
  position: BuildContext,
): Core {
  let conjunction = gathered;
  let settled: Set<readonly SchemaNode[]> | undefined;
  let all = terms;
  for (;;) {
    const merge = new NodeMerge(run, conjunction, position);
    mergeFamilies(merge, run.gathering);
    if (merge.whyNever !== undefined) return core(false, merge.whyNever);
    if (merge.collapsed === undefined) {
      const keywords = Object.entries(merge.out);
      return core(
        conjunction.types === ANY_TYPE ? keywords : keepApplicable(keywords, merge.types),
        [],
        settled && conjunction.sites,
      );
    }
    settled ??= new Set();
    for (const { lists, branch } of merge.collapsed) {
      for (const list of lists) settled.add(list);
      all = all.concat(branch);
    }
    conjunction = gather(all, settled, run.gathering);
    if (conjunction.never !== undefined) return core(false, [literalFalse(run.binder.origin(conjunction.never))]);
  }
}

function core(keywords: Entries | false, causes: readonly Cause[], settledSites?: readonly SchemaNode[]): Core {
  return { keywords, causes, used: false, reference: false, collapsedSites: settledSites };
}

/** Merges the families in an order in which a later one may rely on what an earlier one excluded. */
function mergeFamilies(merge: NodeMerge, { evaluation }: Gathering): void {
  const { families, conjunction } = merge;
  if ((families & FAMILY.numbers) !== 0) mergeNumbers(merge);
  if ((families & FAMILY.strings) !== 0) mergeStrings(merge);
  if ((families & FAMILY.objects) !== 0) mergeObjects(merge);
  if ((families & FAMILY.arrays) !== 0) mergeArrays(merge);
  if ((families & FAMILY.unions) !== 0) mergeUnions(merge);
  if ((families & FAMILY.conditions) !== 0) mergeConditions(merge);
  const { scope, islands } = conjunction;
  if (scope !== undefined) {
    const { unevaluatedProperties, unevaluatedItems } = scope.keywords;
    if (unevaluatedProperties !== undefined && evaluation.isDynamic(scope, "properties")) {
      merge.out.unevaluatedProperties = merge.build([unevaluatedProperties], "child");
    }
    if (unevaluatedItems !== undefined && evaluation.isDynamic(scope, "items")) {
      merge.out.unevaluatedItems = merge.build([unevaluatedItems], "child");
    }
  }
  for (const island of islands) {
    const schema = merge.build([island], "branch");
    if (schema === false) return merge.never(merge.causes());
    merge.residual(schema);
    const bound = merge.run.binder.open(island);
    const keyword = evaluation.isDynamic(bound, "properties") ? "unevaluatedProperties" : "unevaluatedItems";
    merge.report(reportResidual(keyword, [merge.origin(bound, keyword)]));
  }
  if ((families & FAMILY.values) !== 0 || merge.types !== conjunction.types) mergeValues(merge);
  if ((families & (FAMILY.unions | FAMILY.conditions)) !== 0 || merge.out.allOf !== undefined) {
    merge.run.declarations.expectBranches();
  }
}
