import { appendToPointer } from "@hasp/base/json";
import type { LinearPattern } from "../../patterns/linear-pattern.js";

export interface Site {
  readonly node: CompiledNode;
  readonly keyword: string;
  readonly argument: unknown;
}

/** An error while its pointer is still relative to the value under check. */
export interface CheckFinding {
  pointer: string;
  readonly keyword: string;
  readonly schemaPointer: string;
  readonly expected: string;
  /** The value found, described only once the finding is reported: most are not. */
  readonly value: unknown;
  readonly received?: string | undefined;
  /** The words after the name of the place, if not "must be <expected>; you sent <value>". */
  readonly predicate?: string | undefined;
}

/** The state of one run of a validator. */
export interface Run {
  /** The findings so far; `undefined` asks for the verdict alone, which is the fast way. */
  findings: CheckFinding[] | undefined;
  readonly maxErrors: number;
  /** Schemas applied within one another at this moment. */
  depth: number;
  /** The number of schemas that may still be applied in this run. */
  work: number;
  /** Mismatched unions that are being described within one another. */
  mismatches: number;
  /** Sees each default that is filled, by what gives it. */
  readonly onFill?: (fill: () => unknown) => unknown;
  /** The verdicts of schemas on objects and arrays: a union in a union asks again and again. */
  verdicts?: Map<CompiledNode, Map<unknown, SchemaVerdict>>;
  /** The readings of objects and arrays that coercion found by the branches of a union. */
  readings?: Map<readonly CompiledNode[], Map<unknown, unknown>>;
}

interface SchemaVerdict {
  readonly valid: boolean;
  readonly evaluated: Evaluated | undefined;
}

/** The property names and item indexes that the schemas applied so far have evaluated (for `unevaluated*`). */
export type Evaluated = Set<string | number>;

/** Judges one value. In a run that collects, it continues after a failure until enough is found. */
export type Check<Value = unknown> = (value: Value, run: Run, evaluated?: Evaluated) => boolean;

export type RecordValue = { readonly [key: string]: unknown };

/** Thrown to leave a run at once when data or work exceed the bounds: inside a `not`, no verdict would be safe. */
export class BoundExceeded extends Error {}

/** Limits the unions within one another whose branches are tried for their findings; the effort multiplies. */
export const MAX_NESTED = 4;

const MAX_DEPTH = 1000;
const MAX_WORK = 5_000_000;

export function createRun(maxErrors: number, findings?: CheckFinding[]): Run {
  return { findings, maxErrors, depth: 0, work: MAX_WORK, mismatches: 0 };
}

/** Counts the entry into one schema; the caller takes one off `run.depth` when it leaves. */
export function enter(run: Run): void {
  if (++run.depth > MAX_DEPTH) throw new BoundExceeded("nested too deeply");
  if (--run.work < 0) throw new BoundExceeded("too large to check");
}

export function isDone(run: Run): boolean {
  return run.findings === undefined || run.findings.length >= run.maxErrors;
}

interface Wording {
  readonly pointer?: string;
  readonly received?: string | undefined;
  readonly predicate?: string;
}

/** Adds a finding if the run collects. Returns `false`, which is the caller's verdict. */
export function fail(run: Run, site: Site, value: unknown, expected: string, wording: Wording = {}): false {
  if (isDone(run)) return false;
  run.findings?.push({
    pointer: wording.pointer ?? "",
    keyword: site.keyword,
    schemaPointer: site.keyword === "" ? site.node.pointer : appendToPointer(site.node.pointer, site.keyword),
    expected,
    value,
    received: wording.received,
    predicate: wording.predicate,
  });
  return false;
}

/** Judges a part of a value; places the findings under `key`. */
export function descend(node: CompiledNode, part: unknown, key: string | number, run: Run): boolean {
  const { findings } = run;
  if (findings === undefined) return node.check(part, run);
  const before = findings.length;
  const valid = node.check(part, run);
  for (const finding of findings.slice(before)) finding.pointer = appendToPointer("", key) + finding.pointer;
  return valid;
}

/** Returns a schema's verdict, once for each object and array: recursive unions would take exponential time. */
export function accepts(node: CompiledNode, value: unknown, run: Run, evaluated?: Evaluated): boolean {
  let verdict = run.verdicts?.get(node)?.get(value);
  if (verdict === undefined || (evaluated !== undefined && verdict.evaluated === undefined)) {
    const own = evaluated && new Set<string | number>();
    const { findings } = run;
    run.findings = undefined;
    verdict = { valid: node.check(value, run, own), evaluated: own };
    run.findings = findings;
    if (typeof value === "object") remember((run.verdicts ??= new Map()), node, value, verdict);
  }
  if (verdict.valid && evaluated !== undefined) for (const part of verdict.evaluated ?? []) evaluated.add(part);
  return verdict.valid;
}

export function remember<One, Two, Value>(memory: Map<One, Map<Two, Value>>, one: One, two: Two, value: Value): Value {
  memory.set(one, (memory.get(one) ?? new Map<Two, Value>()).set(two, value));
  return value;
}

export function collectFindings(node: CompiledNode, value: unknown, run: Run): readonly CheckFinding[] {
  const { findings } = run;
  const apart: CheckFinding[] = [];
  run.findings = apart;
  node.check(value, run);
  run.findings = findings;
  return apart;
}

export interface CompiledNode {
  readonly schema: RecordValue;
  readonly pointer: string;
  /** Replaced once the keywords are compiled: a recursive schema meets its own node before. */
  check: Check;
  types: number;
  /** The types that the whole schema may accept, as far as coercion has found out. */
  accepted?: number;
  values?: readonly unknown[];
  /** Creates a fresh copy of the `default`. */
  fill?: () => unknown;
  properties: ReadonlyMap<string, CompiledNode>;
  required: readonly string[];
  /** The properties that have a default, with what gives it. */
  fills: readonly (readonly [string, () => unknown])[];
  patterns: readonly (readonly [LinearPattern, CompiledNode])[];
  additional?: CompiledNode;
  prefix: readonly CompiledNode[];
  rest?: CompiledNode;
  /** Schemas that hold for the same value: `$ref` and `allOf`. */
  readonly all: CompiledNode[];
  /** Alternatives for the same value: each `anyOf` and `oneOf`. */
  readonly unions: (readonly CompiledNode[])[];
  /** Schemas that may hold for the same value: conditions and dependents. */
  readonly others: CompiledNode[];
}
