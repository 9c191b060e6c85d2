import { setOwn } from "@hasp/base/json";
import { accepts, enter, remember, type RecordValue, type Run, type CompiledNode } from "./checks/check.js";
import { isRecord } from "./checks/compiler.js";
import { createEqualityKey } from "./checks/equality.js";
import { anyKind, kinds, kindsOf } from "./checks/kinds.js";

/**
 * The repairs of values that a schema refuses. Text is read as the value that it spells. Null at a declared, optional
 * property that refuses it counts as absent; with `emptyText: "absent"`, so does `""`.
 */
export type Coercion = boolean | { readonly emptyText: "absent" };

/** Reshapes a value as a schema wants it. Never changes its argument: what changes is a copy, the rest is shared. */
export type Reshape = (node: CompiledNode, value: unknown, run: Run) => unknown;

/**
 * Creates the reshaping of a validator. It goes where the schema says what is there: through `properties`,
 * `patternProperties`, `additionalProperties`, items, `$ref` and `allOf`; conditions decide nothing. In a union it
 * follows the branch that a constant names. Failing that, it fills no default there, and coerces only what no branch
 * takes as it is, and only if all branches that then take it read the same value.
 */
export function createReshape(coerces: Coercion, fillsDefaults: boolean): Reshape {
  const reshape: Reshape = (node, given, run) => {
    if (typeof given === "string" ? !coerces || acceptedBy(node) & kinds.string : typeof given !== "object") {
      return given;
    }
    const value: unknown = typeof given === "string" ? readText(node, given, run) : given;
    return reshapePart(node, coerces && isRecord(value) ? leaveOutBlanks(node, value, run) : value, run);
  };
  const coerceOnly = fillsDefaults ? createReshape(coerces, false) : reshape;
  return reshape;

  /** Reshapes a value by one of the schemas that hold for it; all of them together decide what is text or blank. */
  function reshapePart(node: CompiledNode, given: unknown, run: Run): unknown {
    enter(run);
    let value = given;
    for (const part of node.all) value = reshapePart(part, value, run);
    if (Array.isArray(value)) value = reshapeItems(node, value, run);
    else if (isRecord(value)) value = reshapeMembers(node, value, run);
    for (const branches of node.unions) value = reshapeUnion(branches, value, run);
    run.depth -= 1;
    return value;
  }

  /** Leaves out the blank members that the value may not have, and need not have. Copies only a value that has one. */
  function leaveOutBlanks(node: CompiledNode, value: RecordValue, run: Run): RecordValue {
    let kept: Record<string, unknown> | undefined;
    for (const name in value) {
      if (!isBlank(value[name]) || findOptional(node, name).every((part) => part.check(value[name], run))) continue;
      kept ??= { ...value };
      delete kept[name];
    }
    return kept ?? value;
  }

  function isBlank(member: unknown): boolean {
    return member === null || (member === "" && coerces !== true);
  }

  function reshapeItems({ prefix, rest }: CompiledNode, value: readonly unknown[], run: Run): readonly unknown[] {
    let items: unknown[] | undefined;
    for (const [index, item] of prefix.length === 0 && rest === undefined ? [] : value.entries()) {
      const part = index < prefix.length ? prefix[index] : rest;
      if (part === undefined) break;
      const after = reshape(part, item, run);
      if (after === item) continue;
      items ??= [...value];
      items[index] = after;
    }
    return items ?? value;
  }

  function reshapeMembers(
    { properties, fills, patterns, additional }: CompiledNode,
    value: RecordValue,
    run: Run,
  ): RecordValue {
    if (properties.size === 0 && patterns.length === 0 && additional === undefined) return value;
    let result: Record<string, unknown> | undefined;
    for (const [name, fill] of fillsDefaults ? fills : []) {
      if (Object.hasOwn(value, name) && value[name] !== undefined) continue;
      run.onFill?.(fill);
      setOwn((result ??= { ...value }), name, fill());
    }
    for (const name of Object.keys(result ?? value)) {
      const before = (result ?? value)[name];
      if (before === undefined) continue;
      const property = properties.get(name);
      let after: unknown = property === undefined ? before : reshape(property, before, run);
      let isKnown = property !== undefined;
      for (const [pattern, part] of patterns) {
        if (!pattern.test(name)) continue;
        isKnown = true;
        after = reshape(part, after, run);
      }
      if (!isKnown && additional !== undefined) after = reshape(additional, after, run);
      if (after !== before) setOwn((result ??= { ...value }), name, after);
    }
    return result ?? value;
  }

  function reshapeUnion(branches: readonly CompiledNode[], value: unknown, run: Run): unknown {
    if (typeof value !== "object" || value === null) return value; // a text was read where the union stands
    const named = namedBranch(branches, value);
    if (named !== undefined) return reshape(named, value, run);
    if (!coerces || branches.some((branch) => accepts(branch, value, run))) return value;
    const known = run.readings?.get(branches)?.get(value);
    return known ?? remember((run.readings ??= new Map()), branches, value, onlyReading(branches, value, run));
  }

  /** Coerces a value as all branches read it that then take it; the value itself if they differ or none does. */
  function onlyReading(branches: readonly CompiledNode[], value: object, run: Run): unknown {
    const readings = branches
      .map((branch) => [branch, coerceOnly(branch, value, run)] as const)
      .filter(([branch, reading]) => reading !== value && accepts(branch, reading, run))
      .map(([, reading]) => reading);
    return new Set(readings.map(createEqualityKey)).size === 1 ? readings[0] : value;
  }

  function readText(node: CompiledNode, text: string, run: Run): unknown {
    // A reshaping run collects nothing, so the check can be asked as it is.
    return node.check(text, run) ? text : (fromText(text, acceptedBy(node)) ?? text);
  }
}

/** Returns the types that a schema may accept, apart from texts listed one by one. */
function acceptedBy(node: CompiledNode): number {
  if (node.accepted !== undefined) return node.accepted;
  node.accepted = anyKind; // what a cycle sees of itself
  let accepted = node.types & kinds.number ? node.types | kinds.integer : node.types;
  if (node.values !== undefined) accepted &= either(node.values.map(kindsOf)) & ~kinds.string;
  for (const part of node.all) accepted &= acceptedBy(part);
  for (const branches of node.unions) accepted &= either(branches.map(acceptedBy));
  node.accepted = accepted;
  return accepted;
}

/** Finds all that a schema says about a declared property; nothing if it requires it. */
function findOptional(node: CompiledNode, name: string): readonly CompiledNode[] {
  const parts = new Set([node]);
  const declared: CompiledNode[] = [];
  for (const { all, properties, required } of parts) {
    if (required.includes(name)) return [];
    const property = properties.get(name);
    if (property !== undefined) declared.push(property);
    for (const each of all) parts.add(each);
  }
  return declared;
}

function either(sets: readonly number[]): number {
  return sets.reduce((all, set) => all | set, 0);
}

/** Finds the branch that a value names by a property for which each branch lists constants of its own. */
function namedBranch(branches: readonly CompiledNode[], value: object): CompiledNode | undefined {
  const [first] = branches;
  for (const name of Object.keys(value)) {
    if (first === undefined || constantsOf(first, name) === undefined) continue;
    const lists = branches.map((branch) => constantsOf(branch, name));
    const all = lists.flatMap((list) => list ?? []);
    if (lists.includes(undefined) || new Set(all).size !== all.length) continue;
    return branches.find((_, index) => lists[index]?.includes(Reflect.get(value, name)));
  }
  return undefined;
}

/** Returns the scalars that a schema allows for a property, if it lists them. */
function constantsOf(node: CompiledNode, name: string, depth = 0): readonly unknown[] | undefined {
  const values = node.properties.get(name)?.values;
  if (values !== undefined) return values.some((value) => typeof value === "object") ? undefined : [...new Set(values)];
  const [only, ...more] = node.all;
  return only !== undefined && more.length === 0 && depth < 10 ? constantsOf(only, name, depth + 1) : undefined;
}

/** Reads the one value of the given types that a text spells without loss; `undefined` if there is none. */
function fromText(text: string, accepted: number): unknown {
  const value = valueOf(text);
  return value === null || (kindsOf(value) & accepted) === 0 ? undefined : value;
}

function valueOf(text: string): unknown {
  const number = Number(text);
  if (String(number) === text) return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
  if (!/^(?:true|false)$|^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return losesNothing(text, value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** True if `JSON.parse` rounded no number and dropped no member: of two with one name it keeps the last. */
function losesNothing(text: string, value: unknown): boolean {
  const outside = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "");
  const colons = outside.split(":").length - 1;
  return colons === countMembers(value) && (outside.match(/\d[\d.eE+-]*/g) ?? []).every(isExact);
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts: readonly unknown[] = Object.values(value);
  return parts.reduce<number>((sum, part) => sum + countMembers(part), Array.isArray(value) ? 0 : parts.length);
}

/** True if a double keeps a numeral: up to 15 significant digits survive; more do if they are the double's own. */
function isExact(numeral: string): boolean {
  const value = Number(numeral);
  const digits = numeral.replace(/e.*/i, "").replaceAll(/^[0.]+|\./g, "");
  return (
    String(value) === numeral || (digits.length <= 15 && Number.isFinite(value) && (value === 0) === (digits === ""))
  );
}
