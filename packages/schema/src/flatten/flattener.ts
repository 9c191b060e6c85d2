import type { Binder } from "../bind/binder.js";
import { bindDiagnostics } from "../bind/diagnostics.js";
import { childPointer } from "../bind/pointer.js";
import { createLoopCheck } from "../bind/reference-loops.js";
import { ANY_TYPE, type TypeMask } from "../bind/type-mask.js";
import { FAMILY, type Bound, type Place } from "../bind/types.js";
import type { Origin } from "../diagnostic.js";
import type { JsonValue } from "../json.js";
import type { JsonSchema, SchemaObject } from "../json-schema.js";
import { mergeAnnotations } from "./annotations.js";
import { gather, type Conjunction, type Gathering } from "./conjunction.js";
import { findDeadProperties, type DeadProperty } from "./dead-properties.js";
import { createDefinitionNames } from "./definition-names.js";
import { flattenDiagnostics, literalFalse, type Cause } from "./diagnostics.js";
import { createEvaluation } from "./evaluation.js";
import { applicable, inOrder, recordOf, type Entries } from "./keyword-order.js";
import { mergeArrays } from "./merge/arrays.js";
import { mergeConditions } from "./merge/conditions.js";
import type { Merge, MutableSchema, Relation } from "./merge/merge.js";
import { mergeNumbers } from "./merge/numbers.js";
import { mergeObjects } from "./merge/objects.js";
import { mergeStrings } from "./merge/strings.js";
import { mergeUnions } from "./merge/unions.js";
import { mergeValues } from "./merge/values.js";
import { createPossibleTypes } from "./possible-types.js";

/** References may lead this deep before the result is refused; well below what the call stack bears. */
const MAX_DEPTH = 256;

/** Families with subschemas. */
const NESTING = FAMILY.objects | FAMILY.arrays | FAMILY.unions | FAMILY.conditions;

/** How large the result may grow. */
export interface Budgets {
  readonly nodes: number;
  readonly branches: number;
}

/** What one run gives; diagnostics are in the binder. */
export interface Flattened {
  readonly schema: JsonSchema;
  readonly sitesOf: WeakMap<object, readonly Place[]>;
}

/** A node without its annotations: two uses of one conjunction differ in these only. */
interface Core {
  /** The keywords; `false` where nothing can be valid. */
  readonly keywords: Entries | false;
  /** Why that is so. */
  readonly causes: readonly Cause[];
  used: boolean;
  /** The keywords are a `$ref` to a definition. */
  readonly reference?: boolean;
  /** Where annotations come from besides the conjunction as gathered: branches that turned out to be the only ones. */
  readonly settledSites?: readonly Place[];
}

/** A conjunction that is being built: meeting it again is recursion. */
interface Frame {
  readonly level: number;
  readonly sites: readonly Place[];
  name: string | undefined;
}

/** Where a build stands. */
interface Position {
  /** Changes with every step into the instance; two frames of one level judge the same value. */
  readonly level: number;
  readonly depth: number;
  readonly observed: boolean;
}

/** A declaration that may turn out dead. */
interface Declaration {
  readonly first: Place;
  readonly name: string | undefined;
  readonly causes: readonly Cause[];
}

/** Builds the flat schema of a binder's root. */
export function flattenRoot(binder: Binder, budgets: Budgets): Flattened {
  return new Flattener(binder, budgets).run();
}

class Flattener {
  readonly #binder: Binder;
  readonly #budgets: Budgets;
  readonly #gathering: Gathering;
  readonly #checkLoops: (start: Place) => void;
  readonly #nameDefinition = createDefinitionNames();
  readonly #sitesOf = new WeakMap<object, readonly Place[]>();
  readonly #active = new Map<string, Frame>();
  readonly #cores = new Map<string, Core>();
  readonly #definitions = new Map<string, JsonSchema>();
  readonly #dead = new Map<Place, Declaration | "alive">();
  readonly #repeated = new Map<Place, number>();
  #causes: readonly Cause[] = [];
  #nodes = 0;
  #builds = 0;
  #exhausted = false;
  #hasBranches = false;

  constructor(binder: Binder, budgets: Budgets) {
    this.#binder = binder;
    this.#budgets = budgets;
    this.#gathering = { binder, evaluation: createEvaluation(binder), possibleTypes: createPossibleTypes(binder) };
    this.#checkLoops = createLoopCheck(binder);
  }

  run(): Flattened {
    const { root } = this.#binder;
    for (const place of this.#binder.places()) this.#checkLoops(place);
    let schema = this.#build([root], "child", { level: 0, depth: 0, observed: false });
    if (schema === false && root.value !== false && !this.#exhausted) {
      this.#binder.report(flattenDiagnostics.unsatisfiable(this.#causes, this.#binder.origin(root)));
    } else if (!this.#exhausted) {
      this.#reportDead();
    }
    if (this.#exhausted) return { schema: false, sitesOf: this.#sitesOf };
    schema = this.#withDefinitions(schema);
    if (this.#hasBranches) this.#reportDeadBranches(schema);
    return { schema, sitesOf: this.#sitesOf };
  }

  /** The root is written out once, so that its own keywords stand where a reader looks for them. */
  #withDefinitions(root: JsonSchema): JsonSchema {
    if (typeof root !== "object" || this.#definitions.size === 0) return root;
    const used = new Set<string>();
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      if (this.#sitesOf.has(value) && "$ref" in value && typeof value.$ref === "string") {
        const name = value.$ref.slice("#/$defs/".length);
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
    const definition = $ref === undefined ? undefined : this.#definitions.get($ref.slice("#/$defs/".length));
    const node = definition === undefined ? root : this.#clone(definition);
    const written = Object.fromEntries([...this.#definitions].filter(([name]) => used.has(name)));
    const entries = typeof node === "object" ? Object.entries({ ...node, ...annotations }) : [];
    return this.#node([...entries, ["$defs", written]], this.#sitesOf.get(root) ?? []);
  }

  #reportDead(): void {
    for (const [place, declaration] of this.#dead) {
      if (declaration === "alive") continue;
      // One finding for each name, even where several schemas declare it.
      if (declaration.first !== place && this.#dead.get(declaration.first) !== "alive") continue;
      const origin = this.#binder.origin(place);
      this.#binder.report(
        declaration.name === undefined
          ? flattenDiagnostics.deadItem(origin, declaration.causes)
          : flattenDiagnostics.deadProperty(declaration.name, origin, declaration.causes),
      );
    }
  }

  /** The same for properties in branches that were left side by side. One that lives in another use of its schema is not dead. */
  #reportDeadBranches(root: JsonSchema): void {
    const found = findDeadProperties(root);
    if (found.length === 0) return;
    const declarationOf = (node: SchemaObject, name: string): Place | undefined =>
      this.#sitesOf.get(node)?.find(({ value }) => typeof value === "object" && value !== null && "properties" in value && Object.hasOwn(Object(value.properties), name));
    const dead = new Map<string, DeadProperty>();
    const deadNodes = new Map<SchemaObject, Set<string>>();
    for (const property of found) {
      const { declaring, name } = property;
      deadNodes.set(declaring, (deadNodes.get(declaring) ?? new Set()).add(name));
      const place = declarationOf(declaring, name);
      if (place !== undefined) dead.set(`${place.id} ${name}`, property);
    }
    const forgetLiving = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      if (this.#sitesOf.has(value) && "properties" in value && typeof value.properties === "object" && value.properties !== null) {
        for (const name of Object.keys(value.properties)) {
          if (deadNodes.get(value as SchemaObject)?.has(name)) continue;
          const place = declarationOf(value as SchemaObject, name);
          if (place !== undefined) dead.delete(`${place.id} ${name}`);
        }
      }
      Object.values(value).forEach(forgetLiving);
    };
    forgetLiving(root);
    for (const { name, declaring, forbidding } of dead.values()) {
      const place = declarationOf(declaring, name);
      if (place === undefined) continue;
      const origin = this.#binder.origin(place);
      const causes = forbidding.map((node) => ({
        origin: this.#binder.origin(this.#sitesOf.get(node)?.[0] ?? place),
        message: `a schema here allows only its own properties, and "${name}" is not among them`,
      }));
      this.#binder.report(flattenDiagnostics.deadProperty(name, { uri: origin.uri, pointer: childPointer(`${origin.pointer}/properties`, name) }, causes.slice(0, 1)));
    }
  }

  #node(keywords: Entries, sites: readonly Place[]): MutableSchema {
    const node = inOrder(keywords);
    this.#sitesOf.set(node, sites);
    this.#count(1, sites);
    return node;
  }

  #count(nodes: number, sites: readonly Place[]): void {
    this.#nodes += nodes;
    if (this.#nodes <= this.#budgets.nodes && this.#builds <= 4 * this.#budgets.nodes) return;
    if (this.#exhausted) return;
    this.#exhausted = true;
    const [culprit] = [...this.#repeated].toSorted(([, left], [, right]) => right - left)[0] ?? [sites[0] ?? this.#binder.root];
    const { uri, pointer } = this.#binder.origin(culprit);
    this.#binder.report(flattenDiagnostics.tooLarge(this.#budgets.nodes, `"${uri}#${pointer}"`, { uri, pointer }));
  }

  #build(terms: readonly Place[], relation: Relation, from: Position): JsonSchema {
    this.#builds++;
    if (this.#exhausted) return false;
    const position: Position = {
      level: relation === "child" ? from.level + 1 : from.level,
      depth: from.depth + 1,
      observed: relation === "branch" && from.observed,
    };
    for (const term of terms) this.#checkLoops(term);
    const conjunction = gather(terms, new Set(), this.#gathering);
    if (position.depth > MAX_DEPTH) {
      this.#exhausted = true;
      const site = conjunction.sites[0] ?? this.#binder.root;
      this.#binder.report(flattenDiagnostics.tooDeep(MAX_DEPTH, this.#binder.origin(site)));
      return false;
    }
    if (conjunction.never !== undefined) return this.#never([literalFalse(this.#binder.origin(conjunction.never))]);
    const annotations = this.#annotationsOf(conjunction.sites);
    if (conjunction.parts.length === 0 && conjunction.islands.length === 0) return this.#annotated([], annotations, conjunction.sites);

    if (conjunction.parts.every(({ families }) => (families & NESTING) === 0) && conjunction.islands.length === 0) {
      // It has no subschemas: it cannot recur, and is as quickly made as found again.
      const { keywords, causes } = this.#merge(terms, conjunction, position);
      return keywords === false ? this.#never(causes) : this.#annotated(keywords, annotations, conjunction.sites);
    }
    const key = keyOf(conjunction, position.observed);
    const active = this.#active.get(key);
    if (active !== undefined) return this.#recursion(active, conjunction, annotations, position);
    let core = this.#cores.get(key);
    if (core === undefined) {
      const frame: Frame = { level: position.level, sites: conjunction.sites, name: undefined };
      this.#active.set(key, frame);
      core = this.#merge(terms, conjunction, position);
      this.#active.delete(key);
      if (frame.name !== undefined) {
        const own = mergeAnnotations([...conjunction.parts, ...(core.settledSites ?? []).map((site) => this.#binder.open(site))]);
        this.#definitions.set(frame.name, core.keywords !== false && this.#annotated(core.keywords, own, conjunction.sites));
        if (core.keywords !== false) core = { keywords: [["$ref", `#/$defs/${frame.name}`]], causes: [], used: false, reference: true };
      }
      this.#cores.set(key, core);
    }
    if (core.keywords === false) return this.#never(core.causes);
    if (core.reference) return this.#reference(core.keywords, conjunction, annotations);
    const keywords = core.used ? this.#repeat(core.keywords, conjunction.sites) : core.keywords;
    core.used = true;
    const { settledSites } = core;
    return this.#annotated(keywords, settledSites === undefined ? annotations : this.#annotationsOf([...conjunction.sites, ...settledSites]), conjunction.sites);
  }

  #annotationsOf(sites: readonly Place[]): Map<string, JsonValue> {
    return mergeAnnotations(sites.map((site) => this.#binder.open(site)));
  }

  #never(causes: readonly Cause[]): false {
    this.#causes = causes;
    return false;
  }

  #recursion(frame: Frame, conjunction: Conjunction, annotations: ReadonlyMap<string, unknown>, position: Position): JsonSchema {
    const place = conjunction.parts[0]?.place ?? this.#binder.root;
    if (frame.level === position.level) {
      const related = frame.sites.slice(0, 1).map((site) => this.#binder.origin(site));
      this.#binder.report(bindDiagnostics.referenceLoop(this.#binder.origin(place), related));
      return this.#never([]);
    }
    if (frame.name === undefined) {
      frame.name = this.#nameDefinition(place);
      this.#binder.report(flattenDiagnostics.recursive(frame.name, this.#binder.origin(place)));
    }
    return this.#reference([["$ref", `#/$defs/${frame.name}`]], conjunction, annotations);
  }

  /** A use of a definition. Beside the `$ref` stand only the annotations that the definition does not have anyway. */
  #reference(keywords: Entries, { parts, sites }: Conjunction, annotations: ReadonlyMap<string, unknown>): JsonSchema {
    const own = mergeAnnotations(parts);
    const others = [...annotations].filter(([keyword, value]) => JSON.stringify(own.get(keyword)) !== JSON.stringify(value));
    return this.#annotated(keywords, new Map(others), sites);
  }

  #annotated(keywords: Entries, annotations: ReadonlyMap<string, unknown>, sites: readonly Place[]): JsonSchema {
    if (keywords.length === 0 && annotations.size === 0 && sites.every((site) => site.value === true)) return true;
    return this.#node(annotations.size === 0 ? keywords : [...keywords, ...annotations], sites);
  }

  #repeat(keywords: Entries, sites: readonly Place[]): Entries {
    const before = this.#nodes;
    const copy = keywords.map(([keyword, value]) => [keyword, this.#clone(value)] as const);
    const target = sites.at(-1);
    if (target !== undefined) this.#repeated.set(target, (this.#repeated.get(target) ?? 0) + this.#nodes - before);
    return copy;
  }

  #clone<Value>(value: Value): Value {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item: unknown) => this.#clone(item)) as Value;
    const sites = this.#sitesOf.get(value);
    if (sites !== undefined) this.#count(1, sites);
    if (this.#exhausted) return value;
    const copy = recordOf(Object.entries(value).map(([key, child]) => [key, this.#clone<unknown>(child)] as const));
    if (sites !== undefined) this.#sitesOf.set(copy, sites);
    return copy as Value;
  }

  #merge(terms: readonly Place[], gathered: Conjunction, position: Position): Core {
    let conjunction = gathered;
    const settled = new Set<readonly Place[]>();
    const all = [...terms];
    for (;;) {
      const merge = new NodeMerge(this.#binder, conjunction, this.#budgets.branches, position.observed || conjunction.scope !== undefined, {
        build: (places, relation, observed) => this.#build(places, relation, { ...position, observed }),
        causes: () => this.#causes,
        declare: (places, declaration) => this.#declare(places, declaration),
      });
      mergeAll(merge, this.#gathering);
      if ((merge.families & (FAMILY.unions | FAMILY.conditions)) !== 0 || merge.out.allOf !== undefined) this.#hasBranches = true;
      if (merge.settled.length === 0 || merge.whyNever !== undefined) {
        if (merge.whyNever !== undefined) return { keywords: false, causes: merge.whyNever, used: false };
        const keywords = Object.entries(merge.out);
        const kept = conjunction.types === ANY_TYPE ? keywords : applicable(keywords, merge.types);
        return { keywords: kept, causes: [], used: false, ...(settled.size > 0 && { settledSites: conjunction.sites }) };
      }
      for (const { lists, branch } of merge.settled) {
        for (const list of lists) settled.add(list);
        all.push(...branch);
      }
      conjunction = gather(all, settled, this.#gathering);
      if (conjunction.never !== undefined) return { keywords: false, causes: [literalFalse(this.#binder.origin(conjunction.never))], used: false };
    }
  }

  #declare(places: readonly Place[], declaration: Declaration | "alive"): void {
    for (const place of places) {
      if (declaration === "alive") this.#dead.set(place, "alive");
      else if (!this.#dead.has(place)) this.#dead.set(place, declaration);
    }
  }
}

function keyOf(conjunction: Conjunction, observed: boolean): string {
  const { parts, islands, scope } = conjunction;
  const key = parts.length === 1 ? String(parts[0]?.id) : parts.map(({ id }) => id).join();
  if (islands.length === 0 && scope === undefined && !observed) return key;
  return `${key}|${islands.map(({ id }) => id).join()}|${scope?.id ?? ""}|${observed}`;
}

/** The families in an order in which a later one may rely on what an earlier one excluded. */
function mergeAll(merge: NodeMerge, { evaluation }: Gathering): void {
  const { families, conjunction } = merge;
  if ((families & FAMILY.numbers) !== 0) mergeNumbers(merge);
  if ((families & FAMILY.strings) !== 0) mergeStrings(merge);
  if ((families & FAMILY.objects) !== 0) mergeObjects(merge);
  if ((families & FAMILY.arrays) !== 0) mergeArrays(merge);
  if ((families & FAMILY.unions) !== 0) mergeUnions(merge);
  if ((families & FAMILY.conditions) !== 0) mergeConditions(merge);
  const { scope } = conjunction;
  if (scope !== undefined) {
    const { unevaluatedProperties, unevaluatedItems } = scope.keywords;
    if (unevaluatedProperties !== undefined && evaluation.isDynamic(scope, "properties")) merge.out.unevaluatedProperties = merge.build([unevaluatedProperties], "child");
    if (unevaluatedItems !== undefined && evaluation.isDynamic(scope, "items")) merge.out.unevaluatedItems = merge.build([unevaluatedItems], "child");
  }
  for (const island of conjunction.islands) {
    const schema = merge.build([island], "branch");
    if (schema === false) return merge.never(merge.causes());
    merge.residual(schema);
    const keyword = evaluation.isDynamic(merge.open(island), "properties") ? "unevaluatedProperties" : "unevaluatedItems";
    merge.report(flattenDiagnostics.residual(keyword, "it must not see what stands beside its schema", [merge.origin(merge.open(island), keyword)]));
  }
  if ((families & FAMILY.values) !== 0 || merge.types !== conjunction.types) mergeValues(merge);
}

/** What the merge of one node needs of the whole run. */
interface Surroundings {
  build(places: readonly Place[], relation: Relation, observed: boolean): JsonSchema;
  causes(): readonly Cause[];
  declare(places: readonly Place[], declaration: Declaration | "alive"): void;
}

class NodeMerge implements Merge {
  readonly parts: readonly Bound[];
  readonly conjunction: Conjunction;
  readonly out: MutableSchema = {};
  readonly observed: boolean;
  readonly branchBudget: number;
  readonly families: number;
  readonly settled: { readonly lists: readonly (readonly Place[])[]; readonly branch: readonly Place[] }[] = [];
  whyNever: readonly Cause[] | undefined;
  types: TypeMask;
  readonly #binder: Binder;
  readonly #surroundings: Surroundings;
  #excluded: readonly Cause[] = [];

  constructor(binder: Binder, conjunction: Conjunction, branchBudget: number, observed: boolean, surroundings: Surroundings) {
    this.#binder = binder;
    this.conjunction = conjunction;
    this.parts = conjunction.parts;
    this.types = conjunction.types;
    this.branchBudget = branchBudget;
    this.observed = observed;
    this.#surroundings = surroundings;
    let families = 0;
    for (const part of conjunction.parts) families |= part.families;
    this.families = families;
  }

  build(terms: readonly Place[], relation: Relation): JsonSchema {
    return this.#surroundings.build(terms, relation, this.observed);
  }

  causes(): readonly Cause[] {
    return this.#surroundings.causes();
  }

  because(part: Bound, keyword: string, what?: string): Cause {
    return { origin: this.origin(part, keyword), message: what ?? describe(part, keyword) };
  }

  exclude(types: TypeMask, causes: readonly Cause[]): void {
    this.types &= ~types;
    this.#excluded = causes;
    if (this.types === 0) this.never(causes);
  }

  never(causes: readonly Cause[]): void {
    this.whyNever ??= this.#excluded.length > 0 && causes.length === 0 ? this.#excluded : causes;
  }

  residual(schema: JsonSchema): void {
    this.out.allOf = [...(this.out.allOf ?? []), schema];
  }

  settle(lists: readonly (readonly Place[])[], branch: readonly Place[]): void {
    this.settled.push({ lists, branch });
  }

  origin(part: Bound, keyword: string): Origin {
    const origin = this.#binder.origin(part.place);
    const { value } = part.place;
    const written = typeof value === "object" && value !== null && Object.hasOwn(value, keyword);
    return written ? { uri: origin.uri, pointer: childPointer(origin.pointer, keyword) } : origin;
  }

  open(place: Place): Bound {
    return this.#binder.open(place);
  }

  report(diagnostic: Parameters<Binder["report"]>[0]): void {
    this.#binder.report(diagnostic);
  }

  declare(places: readonly Place[], name: string | undefined, causes: readonly Cause[] | undefined): void {
    const [first] = places;
    if (first !== undefined) this.#surroundings.declare(places, causes === undefined ? "alive" : { first, name, causes });
  }
}

/** `"minimum" is 10`, or `"enum" stands here` where the value is long. */
function describe({ place }: Bound, keyword: string): string {
  const { value } = place;
  const given: unknown = typeof value === "object" && value !== null && Object.hasOwn(value, keyword) ? (value as Record<string, unknown>)[keyword] : undefined;
  const text = given === undefined ? undefined : JSON.stringify(given);
  return text === undefined || text.length > 60 ? `"${keyword}" stands here` : `"${keyword}" is ${text}`;
}
