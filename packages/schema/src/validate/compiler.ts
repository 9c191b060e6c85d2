import type { Check, Members, Site } from "./check.js";
import { describe } from "./describe.js";
import type { Node } from "./node.js";

/** What a keyword needs to become a check. */
export interface Compiler {
  readonly isDraft07: boolean;
  readonly assertsFormats: boolean;
  /**
   * No pattern is run, and the schema has some: a pattern counts as met, and where that could refuse a valid value (under
   * `not`, `if`, `oneOf`, `unevaluated*`) the keyword is left undecided.
   */
  readonly isUndecided: boolean;
  /** The node of a subschema; compiled once for each schema object. */
  nodeOf(schema: unknown, pointer: string): Node;
  /** The node that a `$ref` names. */
  targetOf(reference: Site): Node;
}

/** Turns one keyword into a check, or into nothing where it says nothing. Throws `TypeError` on a malformed one. */
export type Keyword<Value> = (site: Site, compiler: Compiler) => Check<Value> | undefined;

/** Keywords by name. */
export type KeywordTable<Value> = { readonly [keyword: string]: Keyword<Value> };

/** The error for a keyword that cannot be used as it stands. */
export function unusable({ node, keyword, argument }: Site, problem: string): TypeError {
  return new TypeError(
    `createValidator cannot use the schema: ${JSON.stringify(keyword)} at "${node.pointer}" ${problem}; it is ${describe(argument)}.`,
  );
}

/** A keyword of a schema. Inherited names do not count. */
export function siteOf(node: Node, keyword: string): Site {
  return { node, keyword, argument: Object.hasOwn(node.schema, keyword) ? node.schema[keyword] : undefined };
}

/** The keyword's value as a number. */
export function numberOf(site: Site): number {
  const value = site.argument;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw unusable(site, "must be a number");
}

/** The keyword's value as a count. */
export function countOf(site: Site): number {
  const value = site.argument;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw unusable(site, "must be a whole number from 0 on");
}

/** The keyword's value as text. */
export function textOf(site: Site): string {
  if (typeof site.argument === "string") return site.argument;
  throw unusable(site, "must be a string");
}

/** The keyword's value as an array. */
export function listOf(site: Site): readonly unknown[] {
  if (Array.isArray(site.argument)) return site.argument;
  throw unusable(site, "must be an array");
}

/** Property names, given as the keyword's value or in it. */
export function namesOf(site: Site, value: unknown = site.argument): readonly string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw unusable(site, "must list property names");
}

/** The entries of the map that is the keyword's value; none where the schema lacks it. */
export function entriesOf(site: Site): readonly (readonly [string, unknown])[] {
  if (site.argument === undefined) return [];
  if (isRecord(site.argument)) return Object.entries(site.argument);
  throw unusable(site, "must be an object");
}

/** The schema that is the keyword's value, or that stands in it under a key. */
export function nodeAt(site: Site, compiler: Compiler, schema: unknown = site.argument, key = ""): Node {
  return compiler.nodeOf(schema, `${site.node.pointer}/${site.keyword}${key}`);
}

/** The schemas that the keyword lists; none where the schema lacks it. */
export function nodesAt(site: Site, compiler: Compiler): readonly Node[] {
  if (site.argument === undefined) return [];
  return listOf(site).map((schema, index) => nodeAt(site, compiler, schema, `/${index}`));
}

/** The schema of another keyword of the same schema object. */
export function optionalNode(node: Node, keyword: string, compiler: Compiler): Node | undefined {
  const site = siteOf(node, keyword);
  return site.argument === undefined ? undefined : nodeAt(site, compiler);
}

/** A regular expression as JSON Schema means it: ECMA-262 with Unicode, unanchored. */
export function patternOf(text: string, site: Site): RegExp {
  try {
    return new RegExp(text, "u");
  } catch {
    throw unusable(site, `holds ${JSON.stringify(text)}, which is no regular expression with the flag "u"`);
  }
}

/** Whether a value is an object that is no array. */
export function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
