import type { Check, RecordValue, Site, CompiledNode } from "./check.js";
import type { Formats } from "./formats.js";
import { describe } from "./describe.js";
import { appendToPointer } from "@hasp/base/json";
import type { LinearPattern, PatternEngine } from "../../patterns/linear-pattern.js";

/** The parts that only some schemas need; one that needs another is refused. */
export interface ValidatorParts {
  /** Needed by a pattern. */
  readonly patterns?: PatternEngine | undefined;
  /** Needed by `allOf`, `anyOf`, `oneOf`, `not`, `if`, and formats other than those of times, UUIDs, pointers and patterns. */
  readonly keywords?: { readonly combinations: KeywordCompilers<unknown>; readonly formats: Formats } | undefined;
}

export interface Compiler extends ValidatorParts {
  readonly isDraft07: boolean;
  readonly assertsFormats: boolean;
  readonly skipsPatterns: boolean;
  /** True if a pattern was skipped. Checks that could then refuse a valid value leave their keyword undecided. */
  isUndecided: boolean;
  /** True for a keyword on which a verdict depends. */
  isChecked(keyword: string): boolean;
  nodeOf(schema: unknown, pointer: string): CompiledNode;
  targetOf(reference: Site): CompiledNode;
}

/** Turns one keyword into a check, or into nothing where it says nothing. Throws `TypeError` on a malformed one. */
export type KeywordCompiler<Value> = (site: Site, compiler: Compiler) => Check<Value> | undefined;

export type KeywordCompilers<Value, Names extends string = string> = {
  readonly [keyword in Names]: KeywordCompiler<Value>;
};

/** A keyword that becomes no check of its own, since another one's check reads it. */
export const readElsewhere: KeywordCompiler<unknown> = () => undefined;

export function refuse({ node, keyword, argument }: Site, problem: string): TypeError {
  return new TypeError(`Unusable schema: "${keyword}" at "${node.pointer}" ${problem}; it is ${describe(argument)}.`);
}

/** Throws for a keyword or a format whose code is absent. */
export function refuseWithout(site: Site): never {
  throw refuse(site, "needs `allKeywords`, and nothing here has them");
}

/** Finds a keyword of a schema. Inherited names do not count. */
export function findSite(node: CompiledNode, keyword: string): Site {
  return { node, keyword, argument: Object.hasOwn(node.schema, keyword) ? node.schema[keyword] : undefined };
}

function argumentOf<Value>(words: string, fits: (value: unknown) => value is Value): (site: Site) => Value {
  return (site) => {
    if (fits(site.argument)) return site.argument;
    throw refuse(site, `must be ${words}`);
  };
}

export const readNumber: (site: Site) => number = argumentOf("a number", (value): value is number =>
  Number.isFinite(value),
);

export const readCount: (site: Site) => number = argumentOf(
  "a whole number from 0 on",
  (value): value is number => typeof value === "number" && Number.isInteger(value) && value >= 0,
);

export const readText: (site: Site) => string = argumentOf("a string", (value) => typeof value === "string");

export const readList: (site: Site) => readonly unknown[] = argumentOf("an array", (value) => Array.isArray(value));

export const readNames: (site: Site) => readonly string[] = argumentOf(
  "an array of names",
  (value): value is readonly string[] => Array.isArray(value) && value.every((name) => typeof name === "string"),
);

const recordOf: (site: Site) => RecordValue = argumentOf("an object", isRecord);

/** Returns the entries of the map that is the keyword's value; none if the schema lacks it. */
export function readEntries(site: Site): readonly (readonly [string, unknown])[] {
  return site.argument === undefined ? [] : Object.entries(recordOf(site));
}

export function compileNodeAt(
  site: Site,
  compiler: Compiler,
  schema: unknown = site.argument,
  ...keys: string[]
): CompiledNode {
  return compiler.nodeOf(schema, [site.keyword, ...keys].reduce<string>(appendToPointer, site.node.pointer));
}

export function compileNodesAt(site: Site, compiler: Compiler): readonly CompiledNode[] {
  return readList(site).map((schema, index) => compileNodeAt(site, compiler, schema, `${index}`));
}

export function compileOptionalNode(node: CompiledNode, keyword: string, compiler: Compiler): CompiledNode | undefined {
  const site = findSite(node, keyword);
  return site.argument === undefined ? undefined : compileNodeAt(site, compiler);
}

/** Compiles a regular expression as JSON Schema means it: ECMA-262 with Unicode, unanchored. */
export function compilePattern(text: string, site: Site, { patterns }: Compiler): LinearPattern {
  if (patterns === undefined) throw refuse(site, `holds ${describe(text)}, and nothing here matches patterns`);
  let pattern: LinearPattern | undefined;
  try {
    pattern = patterns(text);
  } catch {
    throw refuse(site, `holds ${describe(text)}, which is not a regular expression with the flag "u"`);
  }
  if (pattern === undefined) {
    throw refuse(
      site,
      `holds ${describe(text)}, which cannot be matched in linear time; leave out back references and large nested counts`,
    );
  }
  return pattern;
}

export function isRecord(value: unknown): value is RecordValue {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
