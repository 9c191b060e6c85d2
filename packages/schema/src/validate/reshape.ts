import { enter, escapePointer, holds, type Check, type Members, type Run, type Site } from "./check.js";
import { argument, beside, entriesArgument, isRecord, type Compiler } from "./compiler.js";
import { canonicalText } from "./equality.js";
import { fromText, readsText } from "./from-text.js";
import { anyKind, kinds, kindsOf } from "./kinds.js";

/** Coerces and fills defaults. Never changes its argument: a changed value is a copy, an unchanged one is the same. */
export type Reshape = (value: unknown, run: Run, fillsDefaults: boolean) => unknown;

/** What a validator does to a value before it judges it. */
export interface ReshapeOptions {
  readonly coerce: boolean;
  readonly defaults: boolean;
}

/**
 * The reshaping that a schema asks for, or `undefined` if it asks for none. It goes where the schema says what a place
 * is: through `properties`, `patternProperties`, `additionalProperties`, items, `$ref` and `allOf`. In a union it follows the
 * branch that a constant names; failing that it fills no default and coerces only what no branch takes as it is, into the
 * one value that some branch takes. Conditions and the rest decide nothing here.
 */
export function createReshape(root: unknown, compiler: Compiler, options: ReshapeOptions): Reshape | undefined {
  const made = new Map<object, { reshape: Reshape | undefined; isDone: boolean }>();
  const accepts = new Map<object, number>();
  return reshapeOf(root, "");

  function reshapeOf(schema: unknown, pointer: string): Reshape | undefined {
    if (!isRecord(schema)) return undefined;
    const known = made.get(schema);
    if (known !== undefined) {
      return known.isDone ? known.reshape : (value, run, fills) => known.reshape?.(value, run, fills) ?? value;
    }
    const entry: { reshape: Reshape | undefined; isDone: boolean } = { reshape: undefined, isDone: false };
    made.set(schema, entry);
    const steps = inOrder(stepsOf({ schema, pointer, keyword: "" }));
    entry.reshape = steps === undefined ? undefined : bounded(steps);
    entry.isDone = true;
    return entry.reshape;
  }

  function stepsOf(site: Site): readonly (Reshape | undefined)[] {
    if (argument(site, "$ref") !== undefined && compiler.draft === "draft-07") return [reference(site)];
    return [
      options.coerce ? readText(site) : undefined,
      reference(site),
      members(site),
      items(site),
      ...parts(site, "allOf").map(([schema, pointer]) => reshapeOf(schema, pointer)),
      union(site, "anyOf"),
      union(site, "oneOf"),
    ];
  }

  function reference(site: Site): Reshape | undefined {
    if (argument(site, "$ref") === undefined) return undefined;
    const { schema, pointer } = compiler.target(argument(site, "$ref"), site);
    return reshapeOf(schema, pointer);
  }

  function members(site: Site): Reshape | undefined {
    const declared = entries(site, "properties").map(([name, schema, pointer]) => ({
      name,
      reshape: reshapeOf(schema, pointer),
      fill: options.defaults ? defaultOf(schema) : undefined,
    }));
    const active = declared.filter(({ reshape, fill }) => reshape !== undefined || fill !== undefined);
    const names = new Set(declared.map(({ name }) => name));
    const patterns = entries(site, "patternProperties").map(
      ([text, schema, pointer]) => [text, reshapeOf(schema, pointer)] as const,
    );
    // Where patterns are not run, nobody knows which members are additional.
    const usable = !compiler.skipsPatterns || patterns.length === 0;
    const matchers = usable ? patterns.map(([text, reshape]) => [new RegExp(text, "u"), reshape] as const) : [];
    const others = usable
      ? reshapeOf(argument(site, "additionalProperties"), `${site.pointer}/additionalProperties`)
      : undefined;
    const readsOthers = others !== undefined || matchers.some(([, reshape]) => reshape !== undefined);
    if (active.length === 0 && !readsOthers) return undefined;

    return (value, run, fills) => {
      if (!isRecord(value)) return value;
      let result = value;
      const put = (name: string, member: unknown): void => {
        if (result === value) result = { ...value };
        setOwn(result, name, member);
      };
      for (const { name, reshape, fill } of active) {
        const present = Object.hasOwn(value, name) && value[name] !== undefined;
        if (!present && (fill === undefined || !fills)) continue;
        const before = present ? value[name] : fill?.();
        const after = reshape === undefined ? before : reshape(before, run, fills);
        if (!present || after !== before) put(name, after);
      }
      if (!readsOthers) return result;
      for (const name of Object.keys(value)) {
        const matching = matchers.filter(([pattern]) => pattern.test(name)).map(([, reshape]) => reshape);
        const reshape = inOrder(matching.length > 0 || names.has(name) ? matching : [others]);
        const before = result[name];
        const after = before === undefined ? before : reshape?.(before, run, fills) ?? before;
        if (after !== before) put(name, after);
      }
      return result;
    };
  }

  function items(site: Site): Reshape | undefined {
    const oldStyle = Array.isArray(argument(site, "items"));
    const prefix = parts(site, oldStyle ? "items" : "prefixItems").map(([schema, pointer]) => reshapeOf(schema, pointer));
    const word = oldStyle ? "additionalItems" : "items";
    const rest = reshapeOf(argument(site, word), `${site.pointer}/${word}`);
    if (rest === undefined && prefix.every((reshape) => reshape === undefined)) return undefined;
    return (value, run, fills) => {
      if (!Array.isArray(value)) return value;
      const before: readonly unknown[] = value;
      const after = before.map((item, index) => {
        const reshape = index < prefix.length ? prefix[index] : rest;
        return reshape === undefined ? item : reshape(item, run, fills);
      });
      return after.some((item, index) => item !== before[index]) ? after : before;
    };
  }

  function union(site: Site, word: "anyOf" | "oneOf"): Reshape | undefined {
    const branches = parts(site, word).map(([schema, pointer]) => ({
      schema: target(schema, site),
      reshape: reshapeOf(schema, pointer),
      check: compiler.check(schema, pointer),
    }));
    if (branches.every(({ reshape }) => reshape === undefined)) return undefined;
    const named = namedBranches(branches);
    return (value, run, fills) => {
      if (typeof value !== "object" || value === null) return value; // a text was read where the union stands
      const branch = named(value);
      if (branch !== undefined) return branch.reshape?.(value, run, fills) ?? value;
      if (!options.coerce || branches.some(({ check }) => holds(check, value, run))) return value;
      const readings = branches.flatMap(({ reshape, check }) => {
        const reading = reshape?.(value, run, false) ?? value;
        return reading !== value && holds(check, reading, run) ? [reading] : [];
      });
      const [first] = readings;
      // Two branches that read different values out of one: nobody knows which was meant.
      return new Set(readings.map(canonicalText)).size === 1 ? first : value;
    };
  }

  /** A place that takes no text (beyond a fixed list of them) reads a text as the value it spells. */
  function readText(site: Site): Reshape | undefined {
    const accepted = acceptedKinds(site.schema, site);
    if (!readsText(accepted)) return undefined;
    const check = compiler.check(site.schema, site.pointer);
    return (value, run) => {
      if (typeof value !== "string" || holds(check, value, run)) return value;
      return fromText(value, accepted) ?? value;
    };
  }

  /**
   * The types that a schema may accept, never too few. Texts count only where they are not listed one by one, for those
   * are tried as they are first.
   */
  function acceptedKinds(schema: unknown, site: Site): number {
    if (schema === false) return 0;
    if (!isRecord(schema)) return anyKind;
    const known = accepts.get(schema);
    if (known !== undefined) return known;
    accepts.set(schema, anyKind); // what a cycle sees of itself
    const here: Site = { ...site, schema };
    const kindsIn = (part: unknown): number => acceptedKinds(part, here);
    const reference = argument(here, "$ref");
    let accepted = reference === undefined ? anyKind : kindsIn(compiler.target(reference, here).schema);
    if (reference === undefined || compiler.draft !== "draft-07") {
      const [type, listed, constant] = [argument(here, "type"), argument(here, "enum"), argument(here, "const")];
      if (type !== undefined) accepted &= either([type].flat().map(bitsOfType));
      if (Array.isArray(listed)) accepted &= either(listed.map(bitsOfListed));
      if (constant !== undefined) accepted &= bitsOfListed(constant);
      for (const [part] of parts(here, "allOf")) accepted &= kindsIn(part);
      for (const word of ["anyOf", "oneOf"]) {
        const branches = parts(here, word);
        if (branches.length > 0) accepted &= either(branches.map(([part]) => kindsIn(part)));
      }
    }
    accepts.set(schema, accepted);
    return accepted;
  }

  /** A branch behind its references. */
  function target(schema: unknown, site: Site): unknown {
    const visited = new Set<unknown>();
    let current = schema;
    while (isRecord(current) && Object.hasOwn(current, "$ref") && !visited.has(current)) {
      visited.add(current);
      current = compiler.target(current["$ref"], site).schema;
    }
    return current;
  }
}

function bounded(reshape: Reshape): Reshape {
  return (value, run, fills) => {
    enter(run);
    const result = reshape(value, run, fills);
    run.depth -= 1;
    return result;
  };
}

function either(sets: readonly number[]): number {
  return sets.reduce((all, set) => all | set, 0);
}

function inOrder(steps: readonly (Reshape | undefined)[]): Reshape | undefined {
  const active = steps.filter((step) => step !== undefined);
  const [only] = active;
  if (active.length === 0) return undefined;
  if (active.length === 1 && only !== undefined) return only;
  return (value, run, fills) => active.reduce((result, step) => step(result, run, fills), value);
}

/** The named schemas under a keyword, with their pointers. */
function entries(site: Site, word: string): readonly (readonly [string, unknown, string])[] {
  if (argument(site, word) === undefined) return [];
  return entriesArgument(beside(site, word)).map(
    ([name, schema]) => [name, schema, `${site.pointer}/${word}/${escapePointer(name)}`] as const,
  );
}

/** The listed schemas under a keyword, with their pointers. */
function parts(site: Site, word: string): readonly (readonly [unknown, string])[] {
  const list = argument(site, word);
  if (!Array.isArray(list)) return [];
  return list.map((schema: unknown, index) => [schema, `${site.pointer}/${word}/${index}`] as const);
}

/** Makes a fresh copy of a schema's default each time it is called; `undefined` where there is no default. */
function defaultOf(schema: unknown): (() => unknown) | undefined {
  if (!isRecord(schema) || !Object.hasOwn(schema, "default") || schema["default"] === undefined) return undefined;
  const text = JSON.stringify(schema["default"]);
  return () => JSON.parse(text) as unknown;
}

/** Sets an own member, also one that is named `__proto__`. */
function setOwn(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A branch of a union, and what telling it from the others takes. */
interface Branch {
  readonly schema: unknown;
  readonly reshape: Reshape | undefined;
  readonly check: Check;
}

/**
 * Finds the branch that a value names: by a property for which every branch lists its own constants, no constant twice.
 */
function namedBranches(branches: readonly Branch[]): (value: object) => Branch | undefined {
  const constants = branches.map(({ schema }) => constantsOf(schema));
  for (const name of constants[0]?.keys() ?? []) {
    const byConstant = new Map<unknown, Branch>();
    let count = 0;
    for (const [index, branch] of branches.entries()) {
      const values = constants[index]?.get(name) ?? [];
      for (const value of values) byConstant.set(value, branch);
      count += values.length === 0 ? Infinity : values.length;
    }
    if (byConstant.size !== count) continue;
    return (value) => (Object.hasOwn(value, name) ? byConstant.get((value as Members)[name]) : undefined);
  }
  return () => undefined;
}

/** For each property of an object schema that may only be one of some scalars: these scalars. */
function constantsOf(schema: unknown): ReadonlyMap<string, readonly unknown[]> {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  const constants = new Map<string, readonly unknown[]>();
  for (const [name, property] of isRecord(properties) ? Object.entries(properties) : []) {
    if (!isRecord(property)) continue;
    const values = Object.hasOwn(property, "const") ? [property["const"]] : property["enum"];
    if (!Array.isArray(values) || values.some((value) => typeof value === "object" && value !== null)) continue;
    constants.set(name, [...new Set(values)]);
  }
  return constants;
}

function bitsOfListed(value: unknown): number {
  return kindsOf(value) & ~kinds.string;
}

function bitsOfType(name: unknown): number {
  if (name === "number") return kinds.number | kinds.integer;
  return typeof name === "string" && Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : 0;
}
