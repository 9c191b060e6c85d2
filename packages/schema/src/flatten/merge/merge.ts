import type { SchemaDiagnostic } from "../../diagnostics/diagnostic.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import type { Origin } from "../../diagnostics/diagnostic.js";
import type { TypeMask } from "../../json/type-mask.js";
import type { Bound, SchemaNode } from "../../resolve/types.js";
import type { Conjunction } from "../conjunction/conjunction.js";
import type { Cause, CauseParameters } from "../conjunction/diagnostics.js";

export type MutableSchema = { -readonly [Keyword in keyof SchemaObject]: SchemaObject[Keyword] };

/**
 * The relation of a subschema to its parent: `child` is another location of the instance; `branch` is the same one, and
 * what it evaluates counts; `test` is the same one inside `not`, where it does not.
 */
export type Relation = "child" | "branch" | "test";

/** The merge of one conjunction into one node. The rule of each keyword family reads the parts and writes `out`. */
export interface Merge {
  readonly parts: readonly Bound[];
  readonly conjunction: Conjunction;
  readonly out: MutableSchema;
  /** The types still possible; {@link exclude} takes some away. */
  readonly types: TypeMask;
  /** True if some `unevaluated*` looks at what this node evaluates, so that nothing that evaluates may be dropped. */
  readonly observed: boolean;
  readonly branchBudget: number;
  /** Builds the conjunction of some nodes as a node. */
  build(terms: readonly SchemaNode[], relation: Relation): JsonSchema;
  /** Returns the causes of the last {@link build} that gave `false`. */
  causes(): readonly Cause[];
  because(part: Bound, keyword: string, what?: CauseParameters): Cause;
  /** Records that nothing of these types can be valid here. */
  exclude(types: TypeMask, causes: readonly Cause[]): void;
  /** Records that nothing at all can be valid here. */
  never(causes: readonly Cause[]): void;
  /** Adds a member to the `allOf` of the node. */
  residual(schema: JsonSchema): void;
  /** Settles unions of which one branch is left: the merge starts again with it. */
  collapseUnion(lists: readonly (readonly SchemaNode[])[], branch: readonly SchemaNode[]): void;
  origin(part: Bound, keyword: string): Origin;
  report(diagnostic: SchemaDiagnostic): void;
  /** Remembers whether what these nodes declare can occur; a declaration that never can is reported at the end. */
  declare(nodes: readonly SchemaNode[], name: string | undefined, causes: readonly Cause[] | undefined): void;
}

/** True if a schema accepts every value and says nothing. */
export function isTrivial(schema: JsonSchema): boolean {
  return schema === true || (typeof schema === "object" && Object.keys(schema).length === 0);
}

/** Lists the branches of an `anyOf` over some schemas: each once, and those of an `anyOf` itself inlined. */
export function alternatives(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  const branches = new Map<string, JsonSchema>();
  for (const schema of schemas) {
    for (const branch of branchesOf(schema)) {
      const text = JSON.stringify(branch);
      if (!branches.has(text)) branches.set(text, branch);
    }
  }
  return [...branches.values()];
}

/** Returns the branches of a schema that is an `anyOf` and nothing else; any other is its own only branch. */
export function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  return typeof schema === "object" && schema.anyOf !== undefined && Object.keys(schema).length === 1
    ? schema.anyOf
    : [schema];
}
