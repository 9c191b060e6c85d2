import type { Binder } from "../resolve/binder.js";
import { childPointer } from "../json/pointer.js";
import { ANY_TYPE, type TypeMask } from "../json/type-mask.js";
import { FAMILY, type Bound, type SchemaNode } from "../resolve/types.js";
import type { Origin, SchemaDiagnostic } from "../diagnostics/diagnostic.js";
import type { JsonSchema } from "../vocabulary/json-schema.js";
import { gather, type Conjunction, type Gathering } from "./conjunction/conjunction.js";
import type { Declarations } from "./declarations.js";
import { causeAt, literalFalse, residual, type Cause, type CauseParameters } from "./conjunction/diagnostics.js";
import { applicable, type Entries } from "./keyword-order.js";
import { mergeArrays } from "./merge/arrays.js";
import { mergeConditions } from "./merge/conditions.js";
import type { Merge, MutableSchema, Relation } from "./merge/merge.js";
import { mergeNumbers } from "./merge/numbers.js";
import { mergeObjects } from "./merge/objects.js";
import { mergeStrings } from "./merge/strings.js";
import { mergeUnions } from "./merge/unions.js";
import { mergeValues } from "./merge/values.js";

/** A node without its annotations: two uses of one conjunction differ in these only. */
export interface Core {
  /** `false` if nothing can be valid. */
  readonly keywords: Entries | false;
  readonly causes: readonly Cause[];
  used: boolean;
  /** True if the keywords are a `$ref` to a definition. */
  readonly reference: boolean;
  /** The sites of branches that turned out to be the only ones: annotations come from them too. */
  readonly collapsedSites: readonly SchemaNode[] | undefined;
}

export interface BuildContext {
  /** Changes with every step into the instance; two frames of one level validate the same value. */
  readonly level: number;
  readonly depth: number;
  readonly observed: boolean;
}

/** The part of the whole run that the merge of one node needs. */
export interface Run {
  readonly binder: Binder;
  readonly gathering: Gathering;
  readonly branchBudget: number;
  readonly declarations: Declarations;
  readonly causes: readonly Cause[];
  build(terms: readonly SchemaNode[], relation: Relation, from: BuildContext): JsonSchema;
}

/** Merges a conjunction into one node; where a union turns out to have one branch left, again with that. */
export function mergeNode(run: Run, terms: readonly SchemaNode[], gathered: Conjunction, position: BuildContext): Core {
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
        conjunction.types === ANY_TYPE ? keywords : applicable(keywords, merge.types),
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
    merge.report(residual(keyword, [merge.origin(bound, keyword)]));
  }
  if ((families & FAMILY.values) !== 0 || merge.types !== conjunction.types) mergeValues(merge);
  if ((families & (FAMILY.unions | FAMILY.conditions)) !== 0 || merge.out.allOf !== undefined) {
    merge.run.declarations.expectBranches();
  }
}

/** The one branch that is left of some unions. */
interface CollapsedUnion {
  readonly lists: readonly (readonly SchemaNode[])[];
  readonly branch: readonly SchemaNode[];
}

class NodeMerge implements Merge, BuildContext {
  readonly run: Run;
  readonly conjunction: Conjunction;
  readonly parts: readonly Bound[];
  readonly level: number;
  readonly depth: number;
  readonly observed: boolean;
  readonly families: number;
  readonly out: MutableSchema = {};
  collapsed: readonly CollapsedUnion[] | undefined;
  types: TypeMask;
  whyNever: readonly Cause[] | undefined;
  #excluded: readonly Cause[] | undefined;

  constructor(run: Run, conjunction: Conjunction, { level, depth, observed }: BuildContext) {
    this.run = run;
    this.conjunction = conjunction;
    this.parts = conjunction.parts;
    this.level = level;
    this.depth = depth;
    this.observed = observed || conjunction.scope !== undefined;
    this.types = conjunction.types;
    let families = 0;
    for (const part of conjunction.parts) families |= part.families;
    this.families = families;
  }

  get branchBudget(): number {
    return this.run.branchBudget;
  }

  build(terms: readonly SchemaNode[], relation: Relation): JsonSchema {
    return this.run.build(terms, relation, this);
  }

  causes(): readonly Cause[] {
    return this.run.causes;
  }

  because(part: Bound, keyword: string, what?: CauseParameters): Cause {
    return causeAt(this.origin(part, keyword), what ?? describe(part, keyword));
  }

  exclude(types: TypeMask, causes: readonly Cause[]): void {
    this.types &= ~types;
    this.#excluded = causes;
    if (this.types === 0) this.never(causes);
  }

  never(causes: readonly Cause[]): void {
    this.whyNever ??= causes.length === 0 ? (this.#excluded ?? causes) : causes;
  }

  residual(schema: JsonSchema): void {
    this.out.allOf = [...(this.out.allOf ?? []), schema];
  }

  collapseUnion(lists: readonly (readonly SchemaNode[])[], branch: readonly SchemaNode[]): void {
    this.collapsed = [...(this.collapsed ?? []), { lists, branch }];
  }

  origin({ node }: Bound, keyword: string): Origin {
    const { uri, pointer } = this.run.binder.origin(node);
    return { uri, pointer: written(node, keyword) === undefined ? pointer : childPointer(pointer, keyword) };
  }

  report(diagnostic: SchemaDiagnostic): void {
    this.run.binder.report(diagnostic);
  }

  declare(nodes: readonly SchemaNode[], name: string | undefined, causes: readonly Cause[] | undefined): void {
    this.run.declarations.declare(nodes, name, causes);
  }
}

/** Returns the value of a keyword as its author wrote it. */
function written({ value }: SchemaNode, keyword: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, keyword)
    ? (value as Record<string, unknown>)[keyword]
    : undefined;
}

/** `"minimum" is 10`, or `"enum" is here` where the value is long. */
function describe({ node }: Bound, keyword: string): CauseParameters {
  const text = JSON.stringify(written(node, keyword)) as string | undefined;
  return text === undefined || text.length > 60
    ? { variant: "keyword", keyword }
    : { variant: "value", keyword, value: text };
}
