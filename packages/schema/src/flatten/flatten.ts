import { isStructured, mapMembers } from "@hasp/base/json";
import { depthDiagnostics } from "../diagnostics/define-diagnostics.js";
import { createBinder, type BinderOptions, type SchemaBinder } from "../resolve/binder.js";
import type { SchemaDiagnostic, Origin } from "@hasp/base/diagnostics";
import type { JsonSchema, MutableSchema } from "../vocabulary/json-schema.js";
import { PART_OF_LOOP, resolveDiagnostics } from "../resolve/diagnostics.js";
import { FAMILY, type Annotations, type SchemaNode } from "../resolve/types.js";
import { mergeAnnotations, createDefinitionNames, orderKeywords, type Entries } from "./output-nodes.js";
import { gather, type Conjunction, type Gathering } from "./conjunction/conjunction.js";
import { createPartDeclarations } from "./merge/dead-properties.js";
import { flattenDiagnostics, literalFalse, unsatisfiable, type Cause } from "./conjunction/diagnostics.js";
import { createEvaluation, createPossibleTypes } from "./conjunction/evaluation.js";
import type { BuildContext, SubschemaRelation, FlattenRun } from "./merge/merge.js";
import { mergeNode, type Core } from "./node-merge.js";

export interface FlattenOptions {
  /** URI of the document the schema was taken from; relative references resolve against it. Default `""`. */
  readonly baseUri?: string;
  /** The place of the schema in its document, for diagnostics and origins only. */
  readonly pointer?: string;
  /** Returns the parsed document for an absolute URI, at once: load files and URLs beforehand. */
  readonly resolve?: (uri: string) => unknown;
  /** The draft where `$schema` does not say. Default `2020-12`. */
  readonly draft?: "2020-12" | "draft-07";
  /** The treatment of a keyword outside the vocabulary; `x-…` always passes. Default `keep`. */
  readonly unknownKeywords?: "error" | "keep";
  /** Most schema nodes that the result may have. Default 50 000. */
  readonly nodeBudget?: number;
  /** Most branches that distributing one conjunction of unions may give. Default 64. */
  readonly branchBudget?: number;
}

/** The result of {@link flatten}. The schema shares nothing mutable with the input. */
export interface FlattenResult {
  /** Equivalent to the input: the same instances are valid. */
  readonly schema: JsonSchema;
  /** Errors mean that the schema is not to be used; what stayed (cycles, residual `allOf`) is `info` or `warning`. */
  readonly diagnostics: readonly SchemaDiagnostic[];
  /** Returns the origins of a node of the result, the author's own first. Empty for a generated node. */
  originsOf(node: object): readonly Origin[];
}

/**
 * Removes `$ref`, `$defs` and `allOf` from a schema without changing which values are valid. What cannot be merged
 * exactly stays in an `allOf`, recursion stays in `$defs`, and the diagnostics report both. The result is always draft
 * 2020-12. Pure: the input is never changed, and the result shares nothing with it. Where an error leaves open what the
 * schema means, the result is `false`: who overlooks the diagnostics lets nothing through.
 */
export function flatten(schema: unknown, options: FlattenOptions = {}): FlattenResult {
  const binding: Omit<BinderOptions, "dynamicScopes"> = {
    baseUri: options.baseUri ?? "",
    pointer: options.pointer ?? "",
    resolve: options.resolve,
    draft: options.draft ?? "2020-12",
    unknownKeywords: options.unknownKeywords ?? "keep",
  };
  const budgets = { nodes: options.nodeBudget ?? 50_000, branches: options.branchBudget ?? 64 };
  let binder = createBinder(schema, { ...binding, dynamicScopes: false });
  let flattened = binder.isUsable() ? new Flattener(binder, budgets).run() : undefined;
  if (binder.needsDynamicScopes()) {
    binder = createBinder(schema, { ...binding, dynamicScopes: true });
    flattened = binder.isUsable() ? new Flattener(binder, budgets).run() : undefined;
  }
  const { diagnostics, origin } = binder;
  // The result keeps origins instead of what was read, which takes several times the memory.
  const origins = new Map<object, readonly Origin[]>();
  for (const [node, sites] of flattened?.sitesOf ?? []) {
    origins.set(
      node,
      sites.map((site) => origin(site)),
    );
  }
  return {
    schema: diagnostics.some(leavesMeaningOpen) ? false : (flattened?.schema ?? false),
    diagnostics,
    originsOf: (node) => origins.get(node) ?? [],
  };
}

/** True if an error leaves the schema's meaning open. A dead property is a mistake, but a clear one. */
function leavesMeaningOpen({ severity, code }: SchemaDiagnostic): boolean {
  return severity === "error" && code !== "schema/dead-property";
}

/** The depth of references at which the result is refused; well below what the call stack bears. */
const MAX_DEPTH = 256;

/** Limits the schemas and branches that are examined for each node that the result may have. */
const WORK_PER_NODE = 10;

const NESTING = FAMILY.objects | FAMILY.arrays | FAMILY.unions | FAMILY.conditions;

const NONE_SETTLED: ReadonlySet<readonly SchemaNode[]> = new Set();

const DEFINITIONS = "#/$defs/";

interface FlattenBudgets {
  readonly nodes: number;
  readonly branches: number;
}

interface Flattened {
  readonly schema: JsonSchema;
  readonly sitesOf: ReadonlyMap<object, readonly SchemaNode[]>;
}

/** A conjunction that is being built; meeting it again is recursion. */
interface Frame {
  readonly level: number;
  readonly sites: readonly SchemaNode[];
  name: string | undefined;
}

class Flattener implements FlattenRun {
  readonly binder: SchemaBinder;
  readonly branchBudget: number;
  readonly gathering: Gathering;
  readonly declarations: ReturnType<typeof createPartDeclarations>;
  causes: readonly Cause[] = [];
  readonly #nodeBudget: number;
  readonly #checkLoops: (start: SchemaNode) => void;
  readonly #nameDefinition = createDefinitionNames();
  readonly #sitesOf = new Map<object, readonly SchemaNode[]>();
  readonly #active = new Map<string | number, Frame>();
  readonly #cores = new Map<string | number, Core>();
  readonly #definitions = new Map<string, JsonSchema>();
  readonly #repeated = new Map<SchemaNode, number>();
  #nodes = 0;
  #work = 0;
  #exhausted = false;

  constructor(binder: SchemaBinder, budgets: FlattenBudgets) {
    this.binder = binder;
    this.branchBudget = budgets.branches;
    this.#nodeBudget = budgets.nodes;
    this.gathering = { binder, evaluation: createEvaluation(binder), possibleTypes: createPossibleTypes(binder) };
    this.declarations = createPartDeclarations(binder, this.#sitesOf);
    this.#checkLoops = createLoopCheck(binder);
  }

  run(): Flattened {
    const { binder } = this;
    const { root } = binder;
    for (const node of binder.joining) this.#checkLoops(node);
    let schema = this.build([root], "child", { level: 0, depth: 0, observed: false });
    if (schema === false && root.value !== false && !this.#exhausted) {
      binder.report(unsatisfiable(this.causes, binder.origin(root)));
    } else if (!this.#exhausted) {
      this.declarations.reportDead();
    }
    if (this.#exhausted) return { schema: false, sitesOf: this.#sitesOf };
    schema = this.#withDefinitions(schema);
    this.declarations.reportDeadInBranches(schema);
    return { schema, sitesOf: this.#sitesOf };
  }

  /** Adds `$defs`. The root is written out once, so that its own keywords are where a reader looks for them. */
  #withDefinitions(root: JsonSchema): JsonSchema {
    if (typeof root !== "object" || this.#definitions.size === 0) return root;
    const used = new Set<string>();
    const visit = (value: unknown): void => {
      if (!isStructured(value)) return;
      if (this.#sitesOf.has(value) && "$ref" in value && typeof value.$ref === "string") {
        const name = value.$ref.slice(DEFINITIONS.length);
        if (!used.has(name)) {
          used.add(name);
          visit(this.#definitions.get(name));
        }
      }
      for (const child of Object.values(value)) visit(child);
    };
    visit(root);
    if (used.size === 0) return root;
    const { $ref, ...annotations } = root;
    const definition = $ref === undefined ? undefined : this.#definitions.get($ref.slice(DEFINITIONS.length));
    const node = definition === undefined ? root : this.#clone(definition);
    const written = Object.fromEntries([...this.#definitions].filter(([name]) => used.has(name)));
    const entries = typeof node === "object" ? Object.entries({ ...node, ...annotations }) : [];
    return this.#node([...entries, ["$defs", written]], this.#sitesOf.get(root) ?? []);
  }

  /** Creates a node, which takes over the list of entries. */
  #node(entries: (readonly [string, unknown])[], sites: readonly SchemaNode[]): MutableSchema {
    const node = orderKeywords(entries);
    this.#sitesOf.set(node, sites);
    this.#count(1, sites);
    return node;
  }

  #count(nodes: number, sites: readonly SchemaNode[]): void {
    this.#nodes += nodes;
    if (this.#nodes <= this.#nodeBudget && this.#work <= WORK_PER_NODE * this.#nodeBudget) return;
    if (this.#exhausted) return;
    this.#exhausted = true;
    const [culprit] = [...this.#repeated].toSorted(([, left], [, right]) => right - left)[0] ?? [
      sites[0] ?? this.binder.root,
    ];
    const origin = this.binder.origin(culprit);
    this.binder.report(flattenDiagnostics("too-large", origin, { budget: this.#nodeBudget, pointer: origin.pointer }));
  }

  build(terms: readonly SchemaNode[], relation: SubschemaRelation, from: BuildContext): JsonSchema {
    if (this.#exhausted) return false;
    const position: BuildContext = {
      level: relation === "child" ? from.level + 1 : from.level,
      depth: from.depth + 1,
      observed: relation === "branch" && from.observed,
    };
    for (const term of terms) this.#checkLoops(term);
    const conjunction = gather(terms, NONE_SETTLED, this.gathering);
    const { parts, sites, islands } = conjunction;
    this.#work += sites.length;
    for (const { branches } of conjunction.unions) this.#work += branches.length;
    this.#count(0, sites);
    if (this.#exhausted) return false;
    if (position.depth > MAX_DEPTH) {
      this.#exhausted = true;
      const origin = this.binder.origin(sites[0] ?? this.binder.root);
      this.binder.report(depthDiagnostics("too-deep", origin, { variant: "flattened", limit: MAX_DEPTH }));
      return false;
    }
    if (conjunction.never !== undefined) return this.#never([literalFalse(this.binder.origin(conjunction.never))]);
    const annotations = this.#annotationsOf(sites);
    if (islands.length === 0 && parts.every(({ families }) => (families & NESTING) === 0)) {
      // It has no subschemas: it cannot recur, and is as quickly made as found again.
      if (parts.length === 0) return this.#annotated([], annotations, sites);
      const { keywords, causes } = mergeNode(this, terms, conjunction, position);
      return keywords === false ? this.#never(causes) : this.#annotated(keywords, annotations, sites);
    }
    const key = keyOf(conjunction, position.observed);
    const active = this.#active.get(key);
    if (active !== undefined) return this.#recursion(active, conjunction, annotations, position);
    const core = this.#cores.get(key) ?? this.#core(key, terms, conjunction, position);
    if (core.keywords === false) return this.#never(core.causes);
    if (core.reference) return this.#reference(core.keywords, conjunction, annotations);
    const keywords = core.used ? this.#repeat(core.keywords, sites) : core.keywords;
    core.used = true;
    return this.#annotated(
      keywords,
      core.collapsedSites === undefined ? annotations : this.#annotationsOf([...sites, ...core.collapsedSites]),
      sites,
    );
  }

  #core(key: string | number, terms: readonly SchemaNode[], conjunction: Conjunction, position: BuildContext): Core {
    const frame: Frame = { level: position.level, sites: conjunction.sites, name: undefined };
    this.#active.set(key, frame);
    let core = mergeNode(this, terms, conjunction, position);
    this.#active.delete(key);
    const { name } = frame;
    if (name !== undefined) {
      const { keywords, collapsedSites = [] } = core;
      const own = mergeAnnotations([...conjunction.parts, ...collapsedSites.map((site) => this.binder.open(site))]);
      this.#definitions.set(name, keywords !== false && this.#annotated(keywords, own, conjunction.sites));
      if (keywords !== false) core = { ...core, keywords: referenceTo(name), reference: true };
    }
    this.#cores.set(key, core);
    return core;
  }

  #annotationsOf(sites: readonly SchemaNode[]): Annotations {
    return mergeAnnotations(sites.map((site) => this.binder.open(site)));
  }

  #never(causes: readonly Cause[]): false {
    this.causes = causes;
    return false;
  }

  #recursion(frame: Frame, conjunction: Conjunction, annotations: Annotations, position: BuildContext): JsonSchema {
    const node = conjunction.parts[0]?.node ?? this.binder.root;
    const origin = this.binder.origin(node);
    if (frame.level === position.level) {
      this.binder.report(
        resolveDiagnostics("reference-loop", origin, undefined, {
          related: frame.sites.slice(0, 1).map((site) => ({ origin: this.binder.origin(site), message: PART_OF_LOOP })),
        }),
      );
      return this.#never([]);
    }
    if (frame.name === undefined) {
      frame.name = this.#nameDefinition(node);
      this.binder.report(flattenDiagnostics("recursive", origin, { name: frame.name }));
    }
    return this.#reference(referenceTo(frame.name), conjunction, annotations);
  }

  /** Refers to a definition. Beside the `$ref` are only the annotations that the definition lacks. */
  #reference(keywords: Entries, { parts, sites }: Conjunction, annotations: Annotations): JsonSchema {
    const own = new Map(mergeAnnotations(parts));
    const others = annotations.filter(([keyword, value]) => JSON.stringify(own.get(keyword)) !== JSON.stringify(value));
    return this.#annotated(keywords, others, sites);
  }

  #annotated(keywords: Entries, annotations: Annotations, sites: readonly SchemaNode[]): JsonSchema {
    if (keywords.length === 0 && annotations.length === 0 && sites.every((site) => site.value === true)) return true;
    return this.#node([...annotations, ...keywords], sites);
  }

  #repeat(keywords: Entries, sites: readonly SchemaNode[]): Entries {
    const before = this.#nodes;
    const copy = keywords.map(([keyword, value]) => [keyword, this.#clone(value)] as const);
    const target = sites.at(-1);
    if (target !== undefined) this.#repeated.set(target, (this.#repeated.get(target) ?? 0) + this.#nodes - before);
    return copy;
  }

  #clone<Value>(value: Value): Value {
    if (!isStructured(value)) return value;
    if (Array.isArray(value)) return value.map((item: unknown) => this.#clone(item)) as Value;
    const sites = this.#sitesOf.get(value);
    if (sites !== undefined) this.#count(1, sites);
    if (this.#exhausted) return value;
    const copy = mapMembers(value as { readonly [key: string]: unknown }, (child) => this.#clone(child));
    if (sites !== undefined) this.#sitesOf.set(copy, sites);
    return copy as Value;
  }
}

function referenceTo(name: string): Entries {
  return [["$ref", DEFINITIONS + name]];
}

function keyOf({ parts, islands, scope }: Conjunction, observed: boolean): string | number {
  const [first] = parts;
  const isPlain = islands.length === 0 && scope === undefined && !observed;
  if (isPlain && first !== undefined && parts.length === 1) return first.id;
  const key = parts.map(({ id }) => id).join();
  return isPlain ? key : `${key}|${islands.map(({ id }) => id).join()}|${scope?.id ?? ""}|${observed}`;
}

/** Reports `$ref`s and `allOf`s that lead back to their own schema without stepping into a property or an item. */
function createLoopCheck(binder: SchemaBinder): (start: SchemaNode) => void {
  const finished = new Set<SchemaNode>();
  return (start) => {
    if (binder.conjuncts(binder.open(start)).length === 0 || finished.has(start)) return;
    // An explicit stack: a chain of references may exceed the call stack.
    const path: { readonly node: SchemaNode; readonly inner: readonly SchemaNode[]; next: number }[] = [];
    const onPath = new Set<SchemaNode>();
    const enter = (node: SchemaNode): void => {
      onPath.add(node);
      path.push({ node, inner: binder.conjuncts(binder.open(node)), next: 0 });
    };
    enter(start);
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const inner = frame.inner[frame.next++];
      if (inner === undefined) {
        finished.add(frame.node);
        onPath.delete(frame.node);
        path.pop();
      } else if (onPath.has(inner)) {
        const loop = path
          .slice(path.findIndex(({ node }) => node === inner))
          .map(({ node }) => ({ origin: binder.origin(node), message: PART_OF_LOOP }));
        binder.report(resolveDiagnostics("reference-loop", binder.origin(inner), undefined, { related: loop }));
      } else if (!finished.has(inner)) {
        enter(inner);
      }
    }
  };
}
