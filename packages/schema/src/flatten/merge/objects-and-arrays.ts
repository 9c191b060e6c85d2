import { isStructured, setOwn } from "@hasp/base/json";
import { NameTests } from "../../patterns/linear-pattern.js";
import { ANY_TYPE, OBJECT, ARRAY } from "../../json/type-mask.js";
import type { BoundSchema, SchemaNode } from "../../resolve/types.js";
import type { JsonSchema, MutableSchema } from "../../vocabulary/json-schema.js";
import { reportResidual, type Cause, type CauseParameters } from "../conjunction/diagnostics.js";
import { mergeCounts } from "./scalars.js";
import { isTrivial, type NodeMerge } from "./merge.js";

/** Conjoins properties by name. `additionalProperties` of one part applies to the names that another declares. */
export function mergeObjects(merge: NodeMerge): void {
  if (merge.types !== ANY_TYPE && (merge.types & OBJECT) === 0) return;
  const named = merge.parts.filter(
    ({ keywords }) =>
      (keywords.properties ?? keywords.patternProperties ?? keywords.additionalProperties) !== undefined,
  );
  mergeRequired(merge);
  if (named.length > 0) new JointProperties(merge, named).write();
  mergeCounts(merge, "minProperties", "maxProperties", OBJECT);
  mergePropertyNames(merge);
  excludeUnreachableCounts(merge);
}

function isAlwaysTrue(node: SchemaNode): boolean {
  return node.value === true || (isStructured(node.value) && Object.keys(node.value).length === 0);
}

/** Returns a part's `additionalProperties` if it asks for anything. */
function restriction({ keywords }: BoundSchema): SchemaNode | undefined {
  const node = keywords.additionalProperties;
  return node === undefined || isAlwaysTrue(node) ? undefined : node;
}

function isClosed(part: BoundSchema): boolean {
  return part.keywords.additionalProperties?.value === false;
}

type Names = ReadonlyMap<string, SchemaNode> | ReadonlySet<string>;

const NO_NAMES: ReadonlySet<string> = new Set();

class JointProperties {
  readonly #merge: NodeMerge;
  /** The parts that can be joined; the others stand apart in an `allOf`. */
  #parts: readonly BoundSchema[];
  #folded: ReadonlySet<string> = NO_NAMES;
  #tests: NameTests | undefined;

  constructor(merge: NodeMerge, parts: readonly BoundSchema[]) {
    this.#merge = merge;
    this.#parts = parts;
  }

  write(): void {
    for (let apart = this.#inexact(); apart !== undefined; apart = this.#inexact()) this.#setApart(apart);
    const { out } = this.#merge;
    const patterns = this.#writePatterns();
    const rest = this.#parts.flatMap(({ keywords }) => keywords.additionalProperties ?? []);
    const additional = rest.length === 0 ? undefined : this.#merge.build(rest, "child");
    this.#writeProperties(additional === false && patterns === 0 ? this.#merge.causes() : undefined);
    if (additional !== undefined) out.additionalProperties = additional;
  }

  #matches(pattern: string, name: string): boolean | undefined {
    this.#tests ??= new NameTests();
    return this.#tests.matches(pattern, name);
  }

  /** True if a part's own `properties` or patterns cover a name; `undefined` if a pattern cannot be run. */
  #coverage(part: BoundSchema, name: string): boolean | undefined {
    if (part.keywords.properties?.has(name)) return true;
    let answer: boolean | undefined = false;
    for (const pattern of part.keywords.patternProperties?.keys() ?? []) {
      const matches = this.#matches(pattern, name);
      if (matches === true) return true;
      if (matches === undefined) answer = undefined;
    }
    return answer;
  }

  #names(keyword: "properties" | "patternProperties"): Names {
    const [first] = this.#parts;
    if (first !== undefined && this.#parts.length === 1) return first.keywords[keyword] ?? NO_NAMES;
    return new Set(this.#parts.flatMap(({ keywords }) => [...(keywords[keyword]?.keys() ?? [])]));
  }

  /** Finds a part whose `additionalProperties` cannot be told apart from another part's patterns without guessing. */
  #inexact(): BoundSchema | undefined {
    this.#folded = NO_NAMES;
    if (this.#parts.length < 2) return undefined;
    const folded = new Set<string>();
    const patterns = this.#names("patternProperties");
    const names = [...this.#names("properties").keys()];
    for (const part of this.#parts) {
      if (restriction(part) === undefined) continue;
      const { properties, patternProperties } = part.keywords;
      const hasPatterns = patternProperties !== undefined && patternProperties.size > 0;
      // The part's own patterns must be run to know which of the other parts' names it covers.
      if (hasPatterns && names.some((name) => !properties?.has(name) && this.#coverage(part, name) === undefined)) {
        return part;
      }
      for (const pattern of patterns.keys()) {
        if (patternProperties?.has(pattern)) continue;
        if (hasPatterns) return part;
        if (isClosed(part)) {
          if (names.some((name) => this.#matches(pattern, name) === undefined)) return part;
          folded.add(pattern);
        } else if ([...(properties?.keys() ?? [])].some((name) => this.#matches(pattern, name) !== false)) {
          return part;
        }
      }
    }
    this.#folded = folded;
    return undefined;
  }

  #setApart(part: BoundSchema): void {
    const { properties, patternProperties, additionalProperties } = part.keywords;
    const build = (nodes: ReadonlyMap<string, SchemaNode>): { [name: string]: JsonSchema } =>
      Object.fromEntries([...nodes].map(([name, node]) => [name, this.#merge.build([node], "child")]));
    this.#merge.residual({
      ...(properties && { properties: build(properties) }),
      ...(patternProperties && { patternProperties: build(patternProperties) }),
      ...(additionalProperties && {
        additionalProperties: this.#merge.build([additionalProperties], "child"),
      }),
    });
    this.#parts = this.#parts.filter((other) => other !== part);
    this.#merge.report(reportResidual("additionalProperties", [this.#merge.origin(part, "additionalProperties")]));
  }

  #writePatterns(): number {
    if (this.#parts.every(({ keywords }) => keywords.patternProperties === undefined)) return 0;
    const written: [string, JsonSchema][] = [];
    for (const pattern of this.#names("patternProperties").keys()) {
      if (this.#folded.has(pattern)) continue;
      const terms = this.#parts.flatMap(
        (part) => part.keywords.patternProperties?.get(pattern) ?? restriction(part) ?? [],
      );
      written.push([pattern, this.#merge.build(terms, "child")]);
    }
    if (written.length > 0 || this.#parts.some(({ keywords }) => keywords.patternProperties?.size === 0)) {
      this.#merge.out.patternProperties = Object.fromEntries(written);
    }
    return written.length;
  }

  /** Writes the properties. `closed` holds the causes if no further name is possible. */
  #writeProperties(closed: readonly Cause[] | undefined): void {
    const merge = this.#merge;
    const written: { [name: string]: JsonSchema } = {};
    const names = this.#names("properties");
    for (const name of names.keys()) {
      const { terms, declaring, forbidding } = this.#said(name);
      const schema = merge.build(terms, "child");
      if (schema !== false) {
        merge.declare(declaring, name, undefined);
      } else {
        const causes = forbidding.length > 0 ? forbidding.map((part) => this.#whyClosed(part, name)) : merge.causes();
        // One schema that is false by itself (`false`, `not: {}`) forbids the name on purpose.
        if (terms.length > 1 || causes.length !== 1) merge.declare(declaring, name, causes);
        if (merge.out.required?.includes(name)) this.#excludeRequired(name, causes);
        // `additionalProperties: false` already says so.
        if (closed !== undefined) continue;
      }
      setOwn(written, name, schema);
    }
    if (Object.keys(written).length > 0 || this.#parts.some(({ keywords }) => keywords.properties !== undefined)) {
      merge.out.properties = written;
    }
    if (closed === undefined) return;
    for (const name of merge.out.required ?? []) {
      if (names.has(name)) continue;
      const closing = this.#parts.find((part) => isClosed(part) && !part.keywords.properties?.has(name));
      this.#excludeRequired(name, closing === undefined ? closed : [this.#whyClosed(closing, name)]);
    }
  }

  /** Collects the schemas for a name, those that declare it, and the parts closed to it. */
  #said(name: string): {
    readonly terms: readonly SchemaNode[];
    readonly declaring: readonly SchemaNode[];
    readonly forbidding: readonly BoundSchema[];
  } {
    const terms: SchemaNode[] = [];
    const declaring: SchemaNode[] = [];
    const forbidding: BoundSchema[] = [];
    for (const part of this.#parts) {
      const { properties, patternProperties, additionalProperties } = part.keywords;
      const node = properties?.get(name);
      if (node !== undefined) {
        const isDeclared = !part.synthetic && node.value !== false;
        if (this.#parts.length === 1) return { terms: [node], declaring: isDeclared ? [node] : [], forbidding };
        terms.push(node);
        if (isDeclared) declaring.push(node);
      } else if (
        additionalProperties !== undefined &&
        restriction(part) !== undefined &&
        this.#coverage(part, name) === false
      ) {
        terms.push(additionalProperties);
        if (isClosed(part)) forbidding.push(part);
      }
      for (const pattern of this.#folded) {
        const folded = patternProperties?.get(pattern);
        if (folded !== undefined && this.#matches(pattern, name) === true) terms.push(folded);
      }
    }
    return { terms, declaring, forbidding };
  }

  #whyClosed(part: BoundSchema, name: string): Cause {
    return this.#merge.because(part, part.synthetic ? "unevaluatedProperties" : "additionalProperties", {
      variant: "notAllowed",
      name,
    });
  }

  /** Excludes every object, if a part requires the name or makes a required one depend on it. */
  #excludeRequired(name: string, causes: readonly Cause[]): void {
    const { parts } = this.#merge;
    const asking = parts.find(({ keywords }) => keywords.required?.includes(name));
    const depending = parts.find(({ keywords }) =>
      [...(keywords.dependentRequired?.values() ?? [])].some((names) => names.includes(name)),
    );
    const why =
      asking !== undefined
        ? [this.#merge.because(asking, "required", { variant: "required", name })]
        : depending === undefined
          ? []
          : [this.#merge.because(depending, "dependentRequired", { variant: "dependentlyRequired", name })];
    this.#merge.exclude(OBJECT, [...why, ...causes]);
  }
}

/** Merges `required` in order. A dependency on a required name always applies. */
function mergeRequired({ parts, out }: NodeMerge): void {
  if (parts.every(({ keywords }) => (keywords.required ?? keywords.dependentRequired) === undefined)) return;
  const required = new Set<string>();
  const dependencies = new Map<string, Set<string>>();
  for (const { keywords } of parts) {
    for (const name of keywords.required ?? []) required.add(name);
    for (const [name, names] of keywords.dependentRequired ?? []) {
      dependencies.set(name, new Set([...(dependencies.get(name) ?? []), ...names]));
    }
  }
  for (const name of required) {
    // The set grows while it is walked, so chains of dependencies are followed.
    for (const each of dependencies.get(name) ?? []) required.add(each);
    dependencies.delete(name);
  }
  if (required.size > 0) out.required = [...required];
  const left = [...dependencies]
    .map(([name, names]) => [name, [...names].filter((each) => !required.has(each))] as const)
    .filter(([, names]) => names.length > 0);
  if (left.length > 0) out.dependentRequired = Object.fromEntries(left);
}

function mergePropertyNames(merge: NodeMerge): void {
  const terms = merge.parts.flatMap(({ keywords }) => keywords.propertyNames ?? []);
  if (terms.length === 0) return;
  const schema = merge.build(terms, "child");
  if (!isTrivial(schema)) merge.out.propertyNames = schema;
}

/** Excludes objects if more properties are required or asked for than can exist. */
function excludeUnreachableCounts(merge: NodeMerge): void {
  const {
    required = [],
    maxProperties,
    minProperties,
    properties = {},
    patternProperties,
    additionalProperties,
  } = merge.out;
  const because = (keyword: "minProperties" | "maxProperties" | "required", what?: CauseParameters): Cause[] =>
    merge.parts
      .filter(({ keywords }) => keywords[keyword] !== undefined)
      .slice(0, 1)
      .map((part) => merge.because(part, keyword, what));
  if (maxProperties !== undefined && required.length > maxProperties) {
    merge.exclude(OBJECT, [
      ...because("maxProperties"),
      ...because("required", { variant: "requiredCount", count: required.length }),
    ]);
  }
  if (minProperties === undefined || additionalProperties !== false || patternProperties !== undefined) return;
  const count = Object.values(properties).filter((schema) => schema !== false).length;
  if (minProperties <= count) return;
  const closing = merge.parts.find(isClosed);
  merge.exclude(OBJECT, [
    ...because("minProperties"),
    ...(closing === undefined
      ? []
      : [merge.because(closing, "additionalProperties", { variant: "possibleCount", count })]),
  ]);
}

/** Conjoins tuples position by position; `items` of one part meets the longer `prefixItems` of another. */
export function mergeArrays(merge: NodeMerge): void {
  const { parts, out } = merge;
  const length = Math.max(0, ...parts.map(({ keywords }) => keywords.prefixItems?.length ?? 0));
  if (length > 0) {
    out.prefixItems = Array.from({ length }, (_, index) => {
      const declared = placesOf(parts, ({ keywords }) => keywords.prefixItems?.[index]);
      const terms = placesOf(parts, ({ keywords }) => keywords.prefixItems?.[index] ?? keywords.items);
      return item(merge, terms, declared);
    });
  }
  const rest = placesOf(parts, ({ keywords }) => keywords.items);
  if (rest.length > 0) {
    out.items = item(
      merge,
      rest,
      placesOf(parts, (part) => (part.synthetic ? undefined : part.keywords.items)),
    );
  }
  mergeCounts(merge, "minItems", "maxItems", ARRAY);
  excludeMissingItems(merge);
  mergeContains(merge);
  if (parts.some(({ keywords }) => keywords.uniqueItems === true)) out.uniqueItems = true;
}

function placesOf(parts: readonly BoundSchema[], pick: (part: BoundSchema) => SchemaNode | undefined): SchemaNode[] {
  return parts.flatMap((part) => pick(part) ?? []);
}

function item(
  merge: NodeMerge,
  terms: readonly SchemaNode[],
  declared: readonly SchemaNode[],
): ReturnType<NodeMerge["build"]> {
  const schema = merge.build(terms, "child");
  // `items: false` ends a tuple on purpose.
  const written = declared.filter(({ value }) => value !== false);
  merge.declare(written, undefined, schema === false ? merge.causes() : undefined);
  return schema;
}

/** Excludes arrays if `minItems` asks for an item that no value can be. */
function excludeMissingItems(merge: NodeMerge): void {
  const { prefixItems = [], items, minItems = 0 } = merge.out;
  const dead = prefixItems.indexOf(false);
  const possible = dead !== -1 ? dead : items === false ? prefixItems.length : Infinity;
  const asking = merge.parts.find(({ keywords }) => (keywords.minItems ?? 0) > possible);
  if (minItems <= possible || asking === undefined) return;
  const keyword = dead === -1 ? "items" : "prefixItems";
  const forbidding = merge.parts.find(({ keywords }) => keywords[keyword] !== undefined);
  merge.exclude(ARRAY, [
    merge.because(asking, "minItems"),
    ...(forbidding === undefined
      ? []
      : [merge.because(forbidding, keyword, { variant: "impossibleItem", keyword, index: possible })]),
  ]);
}

function mergeContains(merge: NodeMerge): void {
  const found = new Map<string, BoundSchema>();
  for (const part of merge.parts) {
    const { contains, minContains, maxContains } = part.keywords;
    if (contains !== undefined) found.set(`${contains.id} ${minContains} ${maxContains}`, part);
  }
  for (const { keywords } of found.values()) {
    const target: MutableSchema = found.size === 1 ? merge.out : {};
    const { contains, minContains, maxContains } = keywords;
    if (contains !== undefined) target.contains = merge.build([contains], "child");
    if (minContains !== undefined) target.minContains = minContains;
    if (maxContains !== undefined) target.maxContains = maxContains;
    if (found.size > 1) merge.residual(target);
  }
  if (found.size < 2) return;
  const origins = Array.from(found.values(), (part) => merge.origin(part, "contains"));
  merge.report(reportResidual("contains", origins));
}
