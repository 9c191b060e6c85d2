import type { Check, Members, Site } from "./check.js";
import { describe } from "./describe.js";
import type { Node } from "./node.js";
import { childPointer } from "../../json/pointer.js";
import { linearPattern, type LinearPattern } from "../../patterns/linear-pattern.js";

/** What a keyword needs to become a check. */
export interface Compiler {
  readonly isDraft07: boolean;
  readonly assertsFormats: boolean;
  readonly skipsPatterns: boolean;
  /**
   * Set when a pattern was skipped, which then counts as met. Where that could refuse a valid value (under `not`, `if`,
   * `oneOf`, `unevaluated*`) checks look here when they run, and leave their keyword undecided.
   */
  isUndecided: boolean;
  /** The node of a subschema; compiled once for each schema object. */
  nodeOf(schema: unknown, pointer: string): Node;
  /** The node that a `$ref` names. */
  targetOf(reference: Site): Node;
}

/** Turns one keyword into a check, or into nothing where it says nothing. Throws `TypeError` on a malformed one. */
export type Keyword<Value> = (site: Site, compiler: Compiler) => Check<Value> | undefined;

/** What each of these keywords becomes. */
export type KeywordTable<Value, Names extends string = string> = { readonly [keyword in Names]: Keyword<Value> };

/** A keyword that becomes no check of its own: another one's check reads it. */
export const readElsewhere: Keyword<unknown> = () => undefined;

/** The error for a keyword that cannot be used as it stands. */
export function unusable({ node, keyword, argument }: Site, problem: string): TypeError {
  return new TypeError(`Unusable schema: "${keyword}" at "${node.pointer}" ${problem}; it is ${describe(argument)}.`);
}

/** A keyword of a schema. Inherited names do not count. */
export function siteOf(node: Node, keyword: string): Site {
  return { node, keyword, argument: Object.hasOwn(node.schema, keyword) ? node.schema[keyword] : undefined };
}

function argumentOf<Value>(words: string, fits: (value: unknown) => value is Value): (site: Site) => Value {
  return (site) => {
    if (fits(site.argument)) return site.argument;
    throw unusable(site, `must be ${words}`);
  };
}

/** The keyword's value as a number. */
export const numberOf: (site: Site) => number = argumentOf("a number", (value): value is number =>
  Number.isFinite(value),
);

/** The keyword's value as a count. */
export const countOf: (site: Site) => number = argumentOf(
  "a whole number from 0 on",
  (value): value is number => typeof value === "number" && Number.isInteger(value) && value >= 0,
);

/** The keyword's value as text. */
export const textOf: (site: Site) => string = argumentOf("a string", (value) => typeof value === "string");

/** The keyword's value as a list. */
export const listOf: (site: Site) => readonly unknown[] = argumentOf("an array", (value) => Array.isArray(value));

/** The keyword's value as property names. */
export const namesOf: (site: Site) => readonly string[] = argumentOf(
  "an array of names",
  (value): value is readonly string[] => Array.isArray(value) && value.every((name) => typeof name === "string"),
);

const recordOf: (site: Site) => Members = argumentOf("an object", isRecord);

/** The entries of the map that is the keyword's value; none where the schema lacks it. */
export function entriesOf(site: Site): readonly (readonly [string, unknown])[] {
  return site.argument === undefined ? [] : Object.entries(recordOf(site));
}

/** The schema that is the keyword's value, or that is in it under a key. */
export function nodeAt(site: Site, compiler: Compiler, schema: unknown = site.argument, ...keys: string[]): Node {
  return compiler.nodeOf(schema, [site.keyword, ...keys].reduce<string>(childPointer, site.node.pointer));
}

/** The schemas that the keyword lists. */
export function nodesAt(site: Site, compiler: Compiler): readonly Node[] {
  return listOf(site).map((schema, index) => nodeAt(site, compiler, schema, `${index}`));
}

/** The schema of another keyword of the same schema object. */
export function optionalNode(node: Node, keyword: string, compiler: Compiler): Node | undefined {
  const site = siteOf(node, keyword);
  return site.argument === undefined ? undefined : nodeAt(site, compiler);
}

/** A regular expression as JSON Schema means it: ECMA-262 with Unicode, unanchored. */
export function patternOf(text: string, site: Site): LinearPattern {
  let pattern: LinearPattern | undefined;
  try {
    pattern = linearPattern(text);
  } catch {
    throw unusable(site, `holds ${describe(text)}, which is no regular expression with the flag "u"`);
  }
  if (pattern === undefined) {
    throw unusable(
      site,
      `holds ${describe(text)}, which cannot be matched in linear time; leave out back references and large nested counts`,
    );
  }
  return pattern;
}

/** Whether a value is an object that is not an array. */
export function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
