import { nameTester } from "../../bind/name-pattern.js";
import { ANY_TYPE, OBJECT } from "../../bind/type-mask.js";
import type { Bound, Place } from "../../bind/types.js";
import type { JsonSchema } from "../../json-schema.js";
import { flattenDiagnostics, type Cause } from "../diagnostics.js";
import { recordOf } from "../keyword-order.js";
import { mergeCounts } from "./counts.js";
import { isTrivial, type Merge } from "./merge.js";

/**
 * Properties conjoin name by name. What one part says of undeclared names (`additionalProperties`) falls on the names
 * that another part declares: that is what makes this an intersection.
 */
export function mergeObjects(merge: Merge): void {
  if (merge.types !== ANY_TYPE && (merge.types & OBJECT) === 0) return;
  const named = merge.parts.filter(({ keywords }) => (keywords.properties ?? keywords.patternProperties ?? keywords.additionalProperties) !== undefined);
  mergeRequired(merge);
  if (named.length > 0) new JointProperties(merge, named).write();
  mergeCounts(merge, "minProperties", "maxProperties", OBJECT);
  mergePropertyNames(merge);
  excludeUnreachableCounts(merge);
}

function isAlwaysTrue(place: Place): boolean {
  return place.value === true || (typeof place.value === "object" && place.value !== null && Object.keys(place.value).length === 0);
}

/** The part's `additionalProperties`, where it asks for anything. */
function restriction({ keywords }: Bound): Place | undefined {
  const place = keywords.additionalProperties;
  return place === undefined || isAlwaysTrue(place) ? undefined : place;
}

function isClosed(part: Bound): boolean {
  return part.keywords.additionalProperties?.value === false;
}

class JointProperties {
  readonly #merge: Merge;
  /** The parts that can be joined; the others stand apart in an `allOf`. */
  #parts: readonly Bound[];
  /** Patterns that vanish because only declared names are left to match them. */
  readonly #folded = new Set<string>();
  readonly #testers = new Map<string, (name: string) => boolean | undefined>();

  constructor(merge: Merge, parts: readonly Bound[]) {
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
    let test = this.#testers.get(pattern);
    if (test === undefined) this.#testers.set(pattern, (test = nameTester(pattern)));
    return test(name);
  }

  /** Whether a part's own `properties` or patterns speak of a name; `undefined` where a pattern cannot be run. */
  #coverage(part: Bound, name: string): boolean | undefined {
    if (part.keywords.properties?.has(name)) return true;
    let answer: boolean | undefined = false;
    for (const pattern of part.keywords.patternProperties?.keys() ?? []) {
      const matches = this.#matches(pattern, name);
      if (matches === true) return true;
      if (matches === undefined) answer = undefined;
    }
    return answer;
  }

  /** Keyword names in the order in which they were met, each once. */
  #keys(keyword: "properties" | "patternProperties"): Set<string> {
    const [only] = this.#parts;
    if (this.#parts.length === 1) return new Set(only?.keywords[keyword]?.keys());
    const names = new Set<string>();
    for (const { keywords } of this.#parts) for (const name of keywords[keyword]?.keys() ?? []) names.add(name);
    return names;
  }

  /** A part whose `additionalProperties` cannot be told apart from another part's patterns without guessing. */
  #inexact(): Bound | undefined {
    this.#folded.clear();
    if (this.#parts.length < 2) return undefined;
    const patterns = this.#keys("patternProperties");
    const names = this.#keys("properties");
    for (const part of this.#parts) {
      if (restriction(part) === undefined) continue;
      const own = part.keywords.patternProperties;
      // Which of the other parts' names does this part cover? Its own patterns must be run to know.
      if (own !== undefined && own.size > 0 && [...names].some((name) => !part.keywords.properties?.has(name) && this.#coverage(part, name) === undefined)) return part;
      for (const pattern of patterns) {
        if (own?.has(pattern)) continue;
        if (own !== undefined && own.size > 0) return part;
        if (isClosed(part)) {
          if ([...names].some((name) => this.#matches(pattern, name) === undefined)) return part;
          this.#folded.add(pattern);
        } else if ([...(part.keywords.properties?.keys() ?? [])].some((name) => this.#matches(pattern, name) !== false)) {
          return part;
        }
      }
    }
    return undefined;
  }

  #setApart(part: Bound): void {
    const { properties, patternProperties, additionalProperties } = part.keywords;
    const build = (places: ReadonlyMap<string, Place>): { [name: string]: JsonSchema } =>
      Object.fromEntries([...places].map(([name, place]) => [name, this.#merge.build([place], "child")]));
    this.#merge.residual({
      ...(properties !== undefined && { properties: build(properties) }),
      ...(patternProperties !== undefined && { patternProperties: build(patternProperties) }),
      ...(additionalProperties !== undefined && { additionalProperties: this.#merge.build([additionalProperties], "child") }),
    });
    this.#parts = this.#parts.filter((other) => other !== part);
    const reason = "another schema's patterns overlap with it";
    this.#merge.report(flattenDiagnostics.residual("additionalProperties", reason, [this.#merge.origin(part, "additionalProperties")]));
  }

  /** Gives the number of patterns written. */
  #writePatterns(): number {
    const written: [string, JsonSchema][] = [];
    for (const pattern of this.#keys("patternProperties")) {
      if (this.#folded.has(pattern)) continue;
      const terms = this.#parts.flatMap((part) => part.keywords.patternProperties?.get(pattern) ?? restriction(part) ?? []);
      written.push([pattern, this.#merge.build(terms, "child")]);
    }
    if (written.length > 0 || this.#parts.some(({ keywords }) => keywords.patternProperties?.size === 0)) {
      this.#merge.out.patternProperties = recordOf(written);
    }
    return written.length;
  }

  /** Where no further name is possible, `closed` says why. */
  #writeProperties(closed: readonly Cause[] | undefined): void {
    const written: [string, JsonSchema][] = [];
    const names = this.#keys("properties");
    for (const name of names) {
      const terms: Place[] = [];
      const declaring: Place[] = [];
      const forbidding: Cause[] = [];
      for (const part of this.#parts) {
        const place = part.keywords.properties?.get(name);
        if (place !== undefined) {
          terms.push(place);
          if (!part.synthetic && place.value !== false) declaring.push(place);
        } else if (restriction(part) !== undefined && this.#coverage(part, name) === false) {
          terms.push(...(part.keywords.additionalProperties === undefined ? [] : [part.keywords.additionalProperties]));
          if (isClosed(part)) forbidding.push(this.#merge.because(part, part.synthetic ? "unevaluatedProperties" : "additionalProperties", `a schema here allows only its own properties, and "${name}" is not among them`));
        }
        for (const pattern of this.#folded) {
          const folded = part.keywords.patternProperties?.get(pattern);
          if (folded !== undefined && this.#matches(pattern, name) === true) terms.push(folded);
        }
      }
      const schema = this.#merge.build(terms, "child");
      const causes = schema === false ? (forbidding.length > 0 ? forbidding : this.#merge.causes()) : undefined;
      // One schema that is false by itself (`false`, `not: {}`) forbids the name on purpose.
      const deliberate = terms.length === 1 && causes?.length === 1;
      if (!deliberate) this.#merge.declare(declaring, name, causes);
      if (schema === false) this.#excludeIfRequired(name, causes ?? []);
      // `additionalProperties: false` already says so.
      if (schema === false && closed !== undefined) continue;
      written.push([name, schema]);
    }
    if (written.length > 0 || this.#parts.some(({ keywords }) => keywords.properties !== undefined)) {
      this.#merge.out.properties = recordOf(written);
    }
    if (closed === undefined) return;
    for (const name of this.#merge.out.required ?? []) if (!names.has(name)) this.#excludeClosed(name, closed);
  }

  /** Why a name is required: some part says so, or says that it depends on one that is. */
  #whyRequired(name: string): Cause[] {
    const { parts } = this.#merge;
    const asking = parts.find(({ keywords }) => keywords.required?.includes(name));
    if (asking !== undefined) return [this.#merge.because(asking, "required", `"${name}" is required`)];
    const depending = parts.find(({ keywords }) => [...(keywords.dependentRequired?.values() ?? [])].some((names) => names.includes(name)));
    return depending === undefined ? [] : [this.#merge.because(depending, "dependentRequired", `"${name}" is required by another name`)];
  }

  #excludeIfRequired(name: string, causes: readonly Cause[]): void {
    if (this.#merge.out.required?.includes(name)) this.#merge.exclude(OBJECT, [...this.#whyRequired(name), ...causes]);
  }

  #excludeClosed(name: string, closed: readonly Cause[]): void {
    const closing = this.#parts.find((part) => isClosed(part) && !part.keywords.properties?.has(name));
    const keyword = closing?.synthetic ? "unevaluatedProperties" : "additionalProperties";
    const causes = closing === undefined ? closed : [this.#merge.because(closing, keyword, `a schema here allows only its own properties, and "${name}" is not among them`)];
    this.#merge.exclude(OBJECT, [...this.#whyRequired(name), ...causes]);
  }
}

/** `required` is a union in order; a dependency on a required name always applies. */
function mergeRequired({ parts: all, out }: Merge): void {
  const parts = all.filter(({ keywords }) => (keywords.required ?? keywords.dependentRequired) !== undefined);
  if (parts.length === 0) return;
  const required = new Set(parts.flatMap(({ keywords }) => keywords.required ?? []));
  const dependencies = new Map<string, Set<string>>();
  for (const { keywords } of parts) {
    for (const [name, names] of keywords.dependentRequired ?? []) {
      const all = dependencies.get(name) ?? new Set<string>();
      for (const each of names) all.add(each);
      dependencies.set(name, all);
    }
  }
  for (const name of required) {
    // The set grows while it is walked, so chains of dependencies are followed.
    for (const each of dependencies.get(name) ?? []) required.add(each);
    dependencies.delete(name);
  }
  if (required.size > 0) out.required = [...required];
  const left = [...dependencies].filter(([, names]) => [...names].some((name) => !required.has(name)));
  if (left.length > 0) out.dependentRequired = Object.fromEntries(left.map(([name, names]) => [name, [...names].filter((each) => !required.has(each))]));
}

function mergePropertyNames(merge: Merge): void {
  const terms = merge.parts.flatMap(({ keywords }) => keywords.propertyNames ?? []);
  if (terms.length === 0) return;
  const schema = merge.build(terms, "child");
  if (!isTrivial(schema)) merge.out.propertyNames = schema;
}

/** More properties may be required or asked for than can exist. */
function excludeUnreachableCounts(merge: Merge): void {
  const { required = [], maxProperties, minProperties, properties = {}, patternProperties, additionalProperties } = merge.out;
  const because = (keyword: "minProperties" | "maxProperties" | "required", what?: string): Cause[] => {
    const part = merge.parts.find(({ keywords }) => keywords[keyword] !== undefined);
    return part === undefined ? [] : [merge.because(part, keyword, what)];
  };
  if (maxProperties !== undefined && required.length > maxProperties) {
    merge.exclude(OBJECT, [...because("maxProperties"), ...because("required", `${required.length} properties are required`)]);
  }
  const count = Object.values(properties).filter((schema) => schema !== false).length;
  if (minProperties !== undefined && additionalProperties === false && patternProperties === undefined && minProperties > count) {
    const closing = merge.parts.find((part) => isClosed(part));
    merge.exclude(OBJECT, [...because("minProperties"), ...(closing === undefined ? [] : [merge.because(closing, "additionalProperties", `only ${count} properties are possible`)])]);
  }
}
