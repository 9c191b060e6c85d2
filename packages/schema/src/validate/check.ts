import { describe } from "./describe.js";

/** What stands at one keyword: the schema object that holds it, where that lies, and the keyword's name. */
export interface Site {
  readonly schema: { readonly [keyword: string]: unknown };
  /** JSON Pointer of the schema object (not of the keyword). */
  readonly pointer: string;
  readonly keyword: string;
}

/** An error while its pointer is still relative to the value under check. */
export interface Finding {
  pointer: string;
  readonly keyword: string;
  readonly schemaPointer: string;
  readonly expected: string;
  readonly received: string;
  /** What the message says after the name of the place. */
  readonly predicate: string;
}

/** The state of one run of a validator. */
export interface Run {
  /** Where findings go; `undefined` asks for the verdict alone, which is the fast way. */
  findings: Finding[] | undefined;
  readonly maxErrors: number;
  /** Schemas applied within one another at this moment. */
  depth: number;
  /** How many more schemas may be applied in this run. */
  work: number;
}

/** The property names and item indexes that the schemas applied so far have evaluated (for `unevaluated*`). */
export type Evaluated = Set<string | number>;

/** Judges one value. In a run that collects, it goes on after a failure until enough is found. */
export type Check<Value = unknown> = (value: Value, run: Run, evaluated: Evaluated | undefined) => boolean;

/** An object with string keys, as far as a check cares. */
export type Members = { readonly [key: string]: unknown };

/** Thrown to leave a run at once when data or work exceed the bounds: inside a `not` no verdict would be safe. */
export class BoundExceeded extends Error {}

const MAX_DEPTH = 1000;
const MAX_WORK = 20_000_000;

/** A run that has not begun. */
export function createRun(maxErrors: number, collects: boolean): Run {
  return { findings: collects ? [] : undefined, maxErrors, depth: 0, work: MAX_WORK };
}

/** Counts the entry into one schema; the caller takes one off `run.depth` when it leaves. */
export function enter(run: Run): void {
  run.depth += 1;
  run.work -= 1;
  if (run.depth > MAX_DEPTH) throw new BoundExceeded("nested too deeply");
  if (run.work < 0) throw new BoundExceeded("too large to check");
}

/** Whether a check that has failed should look no further. */
export function isDone(run: Run): boolean {
  return run.findings === undefined || run.findings.length >= run.maxErrors;
}

/** The parts of a finding that differ from "must be <expected>; you sent <value>". */
export interface Wording {
  /** Property or item, under the value, that the finding is about. */
  readonly key?: string | number;
  readonly received?: string;
  readonly predicate?: string;
}

/** Adds a finding if the run collects. Answers `false`, the verdict of whoever calls it. */
export function fail(run: Run, site: Site, value: unknown, expected: string, wording: Wording = {}): false {
  if (run.findings !== undefined && run.findings.length < run.maxErrors) {
    const received = wording.received ?? describe(value);
    run.findings.push({
      pointer: wording.key === undefined ? "" : `/${escapePointer(wording.key)}`,
      keyword: site.keyword,
      schemaPointer: site.keyword === "" ? site.pointer : `${site.pointer}/${escapePointer(site.keyword)}`,
      expected,
      received,
      predicate: wording.predicate ?? `must be ${expected}; you sent ${received}`,
    });
  }
  return false;
}

/** Runs a check on a part of a value; what it finds is placed under `key`. */
export function descend(check: Check, part: unknown, key: string | number, run: Run): boolean {
  const { findings } = run;
  if (findings === undefined) return check(part, run, undefined);
  const before = findings.length;
  const valid = check(part, run, undefined);
  for (const finding of findings.slice(before)) finding.pointer = `/${escapePointer(key)}${finding.pointer}`;
  return valid;
}

/** The verdict of a check whose findings nobody is to read. */
export function holds(check: Check, value: unknown, run: Run, evaluated?: Evaluated): boolean {
  const { findings } = run;
  run.findings = undefined;
  const valid = check(value, run, evaluated);
  run.findings = findings;
  return valid;
}

/** What a check finds, kept apart from the run's own findings. */
export function findingsOf(check: Check, value: unknown, run: Run): readonly Finding[] {
  const { findings } = run;
  const apart: Finding[] = [];
  run.findings = apart;
  check(value, run, undefined);
  run.findings = findings;
  return apart;
}

/** One reference token of a JSON Pointer (RFC 6901). */
export function escapePointer(token: string | number): string {
  return typeof token === "number" ? String(token) : token.replaceAll("~", "~0").replaceAll("/", "~1");
}
