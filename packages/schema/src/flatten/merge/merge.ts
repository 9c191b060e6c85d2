import { appendToPointer, readOwnMember } from "@hasp/base/json";
import type { SchemaBinder } from "../../resolve/binder.js";
import type { PartDeclarations } from "./dead-properties.js";
import type { SchemaDiagnostic, Origin } from "@hasp/base/diagnostics";
import type { JsonSchema, MutableSchema } from "../../vocabulary/json-schema.js";
import type { TypeMask } from "../../json/type-mask.js";
import type { BoundSchema, SchemaNode } from "../../resolve/types.js";
import type { Conjunction, Gathering } from "../conjunction/conjunction.js";
import { createCause, type Cause, type CauseParameters } from "../conjunction/diagnostics.js";

/** The relation of a subschema to its parent: another location, the same one, or the same inside `not`. */
export type SubschemaRelation = "child" | "branch" | "test";

export interface BuildContext {
  /** Changes with every step into the instance; two frames of one level validate the same value. */
  readonly level: number;
  readonly depth: number;
  readonly observed: boolean;
}

/** The part of the whole run that the merge of one node needs. */
export interface FlattenRun {
  readonly binder: SchemaBinder;
  readonly gathering: Gathering;
  readonly branchBudget: number;
  readonly declarations: PartDeclarations;
  readonly causes: readonly Cause[];
  build(terms: readonly SchemaNode[], relation: SubschemaRelation, from: BuildContext): JsonSchema;
}

interface CollapsedUnion {
  readonly lists: readonly (readonly SchemaNode[])[];
  readonly branch: readonly SchemaNode[];
}

/** The merge of one conjunction into one node. The rule of each keyword family reads the parts and writes `out`. */
export class NodeMerge implements BuildContext {
  readonly run: FlattenRun;
  readonly conjunction: Conjunction;
  readonly parts: readonly BoundSchema[];
  readonly level: number;
  readonly depth: number;
  /** True if some `unevaluated*` looks at what this node evaluates, so that nothing that evaluates may be dropped. */
  readonly observed: boolean;
  readonly families: number;
  readonly out: MutableSchema = {};
  collapsed: readonly CollapsedUnion[] | undefined;
  /** The types still possible; {@link exclude} takes some away. */
  types: TypeMask;
  whyNever: readonly Cause[] | undefined;
  #excluded: readonly Cause[] | undefined;

  constructor(run: FlattenRun, conjunction: Conjunction, { level, depth, observed }: BuildContext) {
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

  build(terms: readonly SchemaNode[], relation: SubschemaRelation): JsonSchema {
    return this.run.build(terms, relation, this);
  }

  /** Returns the causes of the last {@link build} that gave `false`. */
  causes(): readonly Cause[] {
    return this.run.causes;
  }

  because(part: BoundSchema, keyword: string, what?: CauseParameters): Cause {
    return createCause(this.origin(part, keyword), what ?? describe(part, keyword));
  }

  /** Records that nothing of these types can be valid here. */
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

  /** Settles unions of which one branch is left: the merge starts again with it. */
  collapseUnion(lists: readonly (readonly SchemaNode[])[], branch: readonly SchemaNode[]): void {
    this.collapsed = [...(this.collapsed ?? []), { lists, branch }];
  }

  origin({ node }: BoundSchema, keyword: string): Origin {
    const { uri, pointer } = this.run.binder.origin(node);
    return { uri, pointer: written(node, keyword) === undefined ? pointer : appendToPointer(pointer, keyword) };
  }

  report(diagnostic: SchemaDiagnostic): void {
    this.run.binder.report(diagnostic);
  }

  declare(nodes: readonly SchemaNode[], name: string | undefined, causes: readonly Cause[] | undefined): void {
    this.run.declarations.declare(nodes, name, causes);
  }
}

function written({ value }: SchemaNode, keyword: string): unknown {
  return readOwnMember(value, keyword);
}

/** Describes a keyword: `"minimum" is 10`, or `"enum" is here` where the value is long. */
function describe({ node }: BoundSchema, keyword: string): CauseParameters {
  const text = JSON.stringify(written(node, keyword)) as string | undefined;
  return text === undefined || text.length > 60
    ? { variant: "keyword", keyword }
    : { variant: "value", keyword, value: text };
}

/** True if a schema accepts every value and says nothing. */
export function isTrivial(schema: JsonSchema): boolean {
  return schema === true || (typeof schema === "object" && Object.keys(schema).length === 0);
}

/** Lists the branches of an `anyOf` over some schemas: each once, and those of an `anyOf` itself inlined. */
export function listUnionBranches(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  const branches = new Map<string, JsonSchema>();
  for (const schema of schemas) {
    for (const branch of listBranches(schema)) {
      const text = JSON.stringify(branch);
      if (!branches.has(text)) branches.set(text, branch);
    }
  }
  return [...branches.values()];
}

/** Returns the branches of a schema that is an `anyOf` and nothing else; any other is its own only branch. */
export function listBranches(schema: JsonSchema): readonly JsonSchema[] {
  return typeof schema === "object" && schema.anyOf !== undefined && Object.keys(schema).length === 1
    ? schema.anyOf
    : [schema];
}
