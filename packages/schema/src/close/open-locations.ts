import { findOrAdd, isList, appendToPointer, own } from "@hasp/base/json";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import { ANY_TYPE, ARRAY, OBJECT, maskOfTypes, type TypeMask } from "../json/type-mask.js";
import { findPossibleTypes } from "../vocabulary/disjoint.js";
import { describesAnyValue, keywordRow } from "../vocabulary/keywords.js";
import { NameTests } from "../patterns/linear-pattern.js";
import { createDefinitions, listInnerSchemas } from "./same-location.js";

/** A location of the instance at which a schema takes objects or arrays without saying which keys or items. */
export interface OpenLocation {
  /** JSON Pointer to the open schema; to `additionalProperties` or `items` if only objects or arrays are open. */
  readonly pointer: string;
  /** True if the schema at the pointer says so plainly: it is `true`, or holds annotations only. */
  readonly isPlain: boolean;
}

interface Located {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

/** The schemas that validate one location, with the pointer by which each was first reached. */
type JointSchemas = ReadonlyMap<SchemaObject, string>;

/** The branches of a union or condition: each valid value is validated by all schemas of at least one. */
interface Alternatives {
  readonly id: number;
  readonly branches: readonly (readonly Located[])[];
}

type LocatedNode = readonly [schema: SchemaObject, pointer: string];

const MAX_COMBINATIONS = 256;

/** Limits the unions of one location whose combinations are tried: they double with each. */
const MOST_UNIONS = 32;

/** Limits the schemas and keys that are examined; a larger input counts as open. */
const MAX_WORK = 500_000;

/** Finds the open locations of a closed schema, in each combination of branches. In doubt a location is open. */
export function findOpenLocations(root: JsonSchema): readonly OpenLocation[] {
  return new OpenLocations(root).find();
}

/** A location that waits to be examined, with the one in which it lies. */
interface PendingLocation {
  readonly schemas: readonly Located[];
  /** `undefined` for the root, and for a location that only declared keys or items lead to. */
  readonly around: VisitedLocation | undefined;
  readonly within: TypeMask;
}

interface VisitedLocation {
  /** The types whose keys or items nothing validates. */
  open: TypeMask;
  readonly keys: Set<VisitedLocation>;
  readonly items: Set<VisitedLocation>;
  readonly uses: PendingLocation[];
}

class OpenLocations {
  readonly #root: JsonSchema;
  readonly #definitions: ReturnType<typeof createDefinitions>;
  readonly #found = new Map<string, OpenLocation>();
  readonly #tests = new NameTests();
  readonly #ids = new Map<SchemaObject, number>();
  readonly #visits = new Map<string, VisitedLocation>();
  readonly #alternatives = new Map<SchemaObject, readonly Alternatives[]>();
  #unions = 0;
  #waiting: PendingLocation[] = [];
  #work = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
    this.#definitions = createDefinitions(root);
  }

  find(): readonly OpenLocation[] {
    const root = [{ schema: this.#root, pointer: "" }];
    const stack: PendingLocation[] = [{ schemas: root, around: undefined, within: 0 }];
    for (let next = stack.pop(); next !== undefined && this.#work <= MAX_WORK; next = stack.pop()) {
      this.#waiting = [];
      this.#visit(next);
      for (const child of this.#waiting.toReversed()) stack.push(child);
    }
    // The last location may have been the one that was too much.
    if (this.#work > MAX_WORK) this.#report(root, ANY_TYPE);
    this.#reportRecursive();
    return [...this.#found.values()];
  }

  #visit(location: PendingLocation): void {
    const base = new Map<SchemaObject, string>();
    if (!this.#conjoin(base, location.schemas)) return;
    const key = this.#keyOf(base);
    let visit = this.#visits.get(key);
    if (visit === undefined) {
      visit = { open: 0, keys: new Set(), items: new Set(), uses: [] };
      this.#visits.set(key, visit);
      for (const conjunction of this.#combinations(base)) {
        visit.open |= unboundedTypes(conjunction);
        const types = typesOf(conjunction);
        if ((types & OBJECT) !== 0) this.#visitKeys(conjunction, visit);
        if ((types & ARRAY) !== 0) this.#visitItems(conjunction, visit);
      }
    }
    visit.uses.push(location);
    if ((location.within & OBJECT) !== 0) location.around?.keys.add(visit);
    if ((location.within & ARRAY) !== 0) location.around?.items.add(visit);
    if (visit.open !== 0) this.#report(location.schemas, visit.open);
  }

  /** Reports schemas that accept objects and arrays of values of their own kind, and so of any form and depth. */
  #reportRecursive(): void {
    const recursive = new Set<VisitedLocation>(this.#visits.values());
    const isRecursive = (visit: VisitedLocation): boolean => recursive.has(visit);
    for (let size = Infinity; recursive.size < size;) {
      size = recursive.size;
      for (const visit of recursive) {
        if (![...visit.keys].some(isRecursive) || ![...visit.items].some(isRecursive)) recursive.delete(visit);
      }
    }
    for (const { uses } of recursive) {
      for (const { schemas, around } of uses) {
        if (around === undefined || !isRecursive(around)) this.#report(schemas, ANY_TYPE);
      }
    }
  }

  #report(location: readonly Located[], open: TypeMask): void {
    const [first] = location;
    if (first === undefined) return;
    const { pointer, schema } = first;
    const found: OpenLocation =
      (open & OBJECT) === 0
        ? { pointer: `${pointer}/items`, isPlain: false }
        : (open & ARRAY) === 0
          ? { pointer: `${pointer}/additionalProperties`, isPlain: false }
          : { pointer, isPlain: saysNothing(schema) };
    if (!this.#found.has(found.pointer)) this.#found.set(found.pointer, found);
  }

  #keyOf(conjunction: JointSchemas): string {
    const ids = Array.from(conjunction.keys(), (node) => findOrAdd(this.#ids, node, () => this.#ids.size));
    return ids.toSorted((left, right) => left - right).join();
  }

  /** Adds schemas, with what they refer to and their `allOf`; returns `false` if no value can be valid. */
  #conjoin(into: Map<SchemaObject, string>, added: readonly Located[]): boolean {
    const list = [...added];
    const followed = new Set<SchemaObject>();
    for (const { schema, pointer } of list) {
      this.#work++;
      if (schema === false) return false;
      if (schema === true || into.has(schema) || followed.has(schema)) continue;
      const { $ref, ...others } = schema;
      const target = typeof $ref === "string" ? this.#definitions($ref) : undefined;
      if (target !== undefined) list.push(target);
      // A schema that only refers to another validates nothing itself.
      if (target !== undefined && saysNothing(others)) followed.add(schema);
      else into.set(schema, pointer);
      for (const [index, inner] of (schema.allOf ?? []).entries()) {
        list.push({ schema: inner, pointer: `${pointer}/allOf/${index}` });
      }
    }
    return typesOf(into) !== 0;
  }

  /** Lists the conjunctions that validate one location; if too many, each branch only with what always applies. */
  #combinations(base: JointSchemas): readonly JointSchemas[] {
    const pending = [...base].flatMap((entry) => this.#alternativesOf(entry));
    if (pending.length === 0) return [base];
    const found = new Map<string, JointSchemas>();
    const seen = new Set<string>();
    const multiply = (conjunction: JointSchemas, pending: readonly Alternatives[]): boolean => {
      const [alternatives, ...others] = pending;
      const key = this.#keyOf(conjunction);
      if (alternatives === undefined) {
        found.set(key, conjunction);
        return found.size <= MAX_COMBINATIONS;
      }
      const state = `${key} ${pending.map(({ id }) => id).join()}`;
      if (seen.has(state)) return true;
      seen.add(state);
      return alternatives.branches.every((branch) => {
        const joined = this.#join(conjunction, branch);
        if (joined === undefined) return true;
        const inner = [...joined].slice(conjunction.size).flatMap((entry) => this.#alternativesOf(entry));
        return this.#work <= MAX_WORK && multiply(joined, [...others, ...inner]);
      });
    };
    if (pending.length <= MOST_UNIONS && multiply(base, pending)) return [...found.values()];
    // Without the schemas that only hold branches, joining a branch costs no more than joining its siblings.
    const said: JointSchemas = new Map([...base].filter(([node]) => !onlyHoldsBranches(node)));
    const each: JointSchemas[] = [said];
    const reached = new Set<SchemaObject>(base.keys());
    for (const { branches } of pending) {
      if (this.#work > MAX_WORK) break;
      for (const branch of branches) {
        const joined = this.#join(said, branch);
        if (joined === undefined) continue;
        each.push(joined);
        for (const entry of joined) {
          if (reached.has(entry[0])) continue;
          reached.add(entry[0]);
          pending.push(...this.#alternativesOf(entry));
        }
      }
    }
    return each;
  }

  #alternativesOf(entry: LocatedNode): readonly Alternatives[] {
    return findOrAdd(this.#alternatives, entry[0], () =>
      branchesOf(entry).map((branches) => ({ id: this.#unions++, branches })),
    );
  }

  #join(conjunction: JointSchemas, branch: readonly Located[]): JointSchemas | undefined {
    const joined = new Map(conjunction);
    this.#work += joined.size;
    return this.#conjoin(joined, branch) && (typesOf(joined) & (OBJECT | ARRAY)) !== 0 ? joined : undefined;
  }

  #visitKeys(conjunction: JointSchemas, around: VisitedLocation): void {
    const nodes = [...conjunction];
    const names = new Set(nodes.flatMap(([{ properties = {} }]) => Object.keys(properties)));
    const patterns = new Set(nodes.flatMap(([{ patternProperties = {} }]) => Object.keys(patternProperties)));
    for (const name of names) {
      // A value that is neither an object nor an array has no parts, whatever the patterns say.
      if (nodes.some(([node]) => !mayTakeParts(own(node.properties, name) ?? true))) continue;
      this.#wait(nodes.flatMap((node) => keySchemas(node, name, this.#tests)));
    }
    for (const pattern of patterns) {
      this.#wait(
        nodes.flatMap((node) => patternSchemas(node, pattern)),
        around,
        OBJECT,
      );
    }
    const rest = nodes.flatMap((node) => held(node, "additionalProperties"));
    this.#wait(rest.length > 0 ? rest : this.#unevaluated(nodes, "unevaluatedProperties"), around, OBJECT);
  }

  #visitItems(conjunction: JointSchemas, around: VisitedLocation): void {
    const nodes = [...conjunction];
    const length = Math.max(...nodes.map(([node]) => tupleOf(node).length));
    for (let index = 0; index < length; index++) {
      this.#wait(nodes.flatMap((node) => itemSchemas(node, index)));
    }
    const rest = nodes.flatMap((node) => itemSchemas(node, length));
    this.#wait(rest.length > 0 ? rest : this.#unevaluated(nodes, "unevaluatedItems"), around, ARRAY);
    // What `contains` matches is evaluated, so that `unevaluatedItems` does not validate it.
    if (rest.length > 0 || !nodes.some(([node]) => node.unevaluatedItems !== undefined)) return;
    for (const node of nodes) this.#wait(held(node, "contains"));
  }

  /** Lists what validates the keys or items that nothing else does. An inner schema evaluates all for those around it. */
  #unevaluated(
    nodes: readonly LocatedNode[],
    keyword: "unevaluatedProperties" | "unevaluatedItems",
  ): readonly Located[] {
    const saying = nodes.filter(([node]) => node[keyword] !== undefined);
    if (saying.length < 2) return saying.flatMap((node) => held(node, keyword));
    const holders = new Set(saying.map(([node]) => node));
    return saying.flatMap((node) => (this.#holdsAnother(node[0], holders) ? [] : held(node, keyword)));
  }

  /** True if one of the nodes lies in another one, at the same location of the instance. */
  #holdsAnother(outer: SchemaObject, nodes: ReadonlySet<SchemaObject>): boolean {
    const inside = new Set<SchemaObject>([outer]);
    for (const node of inside) {
      this.#work++;
      if (node !== outer && nodes.has(node)) return true;
      const target = typeof node.$ref === "string" ? this.#definitions(node.$ref)?.schema : undefined;
      for (const inner of [target, node.if, ...listInnerSchemas(node, "branch").map(({ schema }) => schema)]) {
        if (typeof inner === "object") inside.add(inner);
      }
    }
    return false;
  }

  #wait(schemas: readonly Located[], around?: VisitedLocation, within: TypeMask = 0): void {
    this.#work += schemas.length;
    // Most locations take neither objects nor arrays by the type of one schema: none of these is open or recursive.
    if (schemas.length > 0 && schemas.every(({ schema }) => mayTakeParts(schema))) {
      this.#waiting.push({ schemas, around, within });
    }
  }
}

function branchesOf([node, pointer]: LocatedNode): Alternatives["branches"][] {
  const found: Alternatives["branches"][] = [];
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const branches = node[keyword];
    if (branches === undefined) continue;
    found.push(branches.map((schema, index) => [{ schema, pointer: `${pointer}/${keyword}/${index}` }]));
  }
  if (node.if !== undefined) {
    const { if: test, then = true, else: otherwise = true } = node;
    const met = [
      { schema: test, pointer: `${pointer}/if` },
      { schema: then, pointer: `${pointer}/then` },
    ];
    found.push([met, [{ schema: otherwise, pointer: `${pointer}/else` }]]);
  }
  for (const keyword of ["dependentSchemas", "dependencies"] as const) {
    for (const [name, schema] of Object.entries(node[keyword] ?? {})) {
      if (isList(schema)) continue;
      found.push([[{ schema, pointer: appendToPointer(`${pointer}/${keyword}`, name) }], []]);
    }
  }
  return found;
}

function mayTakeParts(schema: JsonSchema): boolean {
  return typeof schema === "boolean" ? schema : (findPossibleTypes(schema) & (OBJECT | ARRAY)) !== 0;
}

function typesOf(conjunction: JointSchemas): TypeMask {
  let types = ANY_TYPE;
  for (const node of conjunction.keys()) {
    types &= findPossibleTypes(node);
    if (typeof node.not !== "object") continue;
    const { type, ...others } = node.not;
    if (type !== undefined && saysNothing(others)) types &= ~maskOfTypes(typeof type === "string" ? [type] : type);
  }
  return types;
}

/** Returns the container types whose keys or items no schema of the conjunction validates. */
function unboundedTypes(conjunction: JointSchemas): TypeMask {
  let types = typesOf(conjunction) & (OBJECT | ARRAY);
  let length = 0;
  let maximum = Infinity;
  for (const node of conjunction.keys()) {
    if (node.const !== undefined || node.enum !== undefined) return 0;
    if ((node.additionalProperties ?? node.unevaluatedProperties) !== undefined) types &= ~OBJECT;
    if (node.maxProperties === 0 || node.propertyNames === false) types &= ~OBJECT;
    if (restOf(node) !== undefined || node.unevaluatedItems !== undefined) types &= ~ARRAY;
    length = Math.max(length, tupleOf(node).length);
    maximum = Math.min(maximum, node.maxItems ?? Infinity);
  }
  return maximum <= length ? types & ~ARRAY : types;
}

function keySchemas([node, pointer]: LocatedNode, name: string, tests: NameTests): Located[] {
  const { properties, patternProperties, additionalProperties } = node;
  const found: Located[] = [];
  if (properties !== undefined && Object.hasOwn(properties, name)) {
    found.push({ schema: properties[name] ?? true, pointer: appendToPointer(`${pointer}/properties`, name) });
  }
  let isEvaluated = found.length > 0;
  for (const [pattern, schema] of Object.entries(patternProperties ?? {})) {
    const matches = tests.matches(pattern, name);
    if (matches === true) found.push({ schema, pointer: appendToPointer(`${pointer}/patternProperties`, pattern) });
    if (matches !== false) isEvaluated = true;
  }
  if (!isEvaluated && additionalProperties !== undefined) {
    found.push({ schema: additionalProperties, pointer: `${pointer}/additionalProperties` });
  }
  return found;
}

function patternSchemas(entry: LocatedNode, pattern: string): Located[] {
  const [{ properties, patternProperties }, pointer] = entry;
  if (patternProperties !== undefined && Object.hasOwn(patternProperties, pattern)) {
    const schema = patternProperties[pattern] ?? true;
    return [{ schema, pointer: appendToPointer(`${pointer}/patternProperties`, pattern) }];
  }
  return properties === undefined && patternProperties === undefined ? held(entry, "additionalProperties") : [];
}

function itemSchemas([node, pointer]: LocatedNode, index: number): Located[] {
  const schema = tupleOf(node)[index];
  const list = node.prefixItems === undefined ? "items" : "prefixItems";
  if (schema !== undefined) return [{ schema, pointer: `${pointer}/${list}/${index}` }];
  const rest = restOf(node);
  const keyword = Array.isArray(node.items) ? "additionalItems" : "items";
  return rest === undefined ? [] : [{ schema: rest, pointer: `${pointer}/${keyword}` }];
}

function tupleOf({ prefixItems, items }: SchemaObject): readonly JsonSchema[] {
  return prefixItems ?? (isList(items) ? items : []);
}

function restOf({ items, additionalItems }: SchemaObject): JsonSchema | undefined {
  return isList(items) ? additionalItems : items;
}

function held(
  [node, pointer]: LocatedNode,
  keyword: "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems" | "contains",
): Located[] {
  const schema = node[keyword];
  return schema === undefined ? [] : [{ schema, pointer: `${pointer}/${keyword}` }];
}

/** True if a schema says nothing itself, but holds schemas that apply to the same value. */
function onlyHoldsBranches(schema: SchemaObject): boolean {
  return Object.keys(schema).every(
    (keyword) => keyword === "if" || keywordRow(keyword)?.applies === "inPlace" || describesAnyValue(keyword),
  );
}

function saysNothing(schema: JsonSchema): boolean {
  return schema === true || (typeof schema === "object" && Object.keys(schema).every(describesAnyValue));
}
