import type { Check, Site } from "./check.js";

/** What a keyword needs to become a check. */
export interface Compiler {
  readonly draft: "2020-12" | "draft-07";
  readonly formats: boolean;
  /** Whether regular expressions are left unrun, and whatever hangs on them undecided. */
  readonly skipsPatterns: boolean;
  /** The check of a subschema; compiled once for each schema object. */
  check(schema: unknown, pointer: string): Check;
  /** The schema that a `$ref` names. */
  target(reference: unknown, site: Site): { readonly schema: unknown; readonly pointer: string };
}

/** Turns one keyword into a check, or into nothing where it says nothing. Throws `TypeError` on a malformed one. */
export type Keyword<Value> = (site: Site, compiler: Compiler) => Check<Value> | undefined;

/** Keywords by name. */
export type KeywordTable<Value> = ReadonlyMap<string, Keyword<Value>>;

/** The error for a keyword that cannot be used as it stands. */
export function unusable(site: Site, problem: string): TypeError {
  const place = site.keyword === "" ? site.pointer : `${site.pointer}/${site.keyword}`;
  return new TypeError(`createValidator cannot use the schema: "${place}" ${problem}.`);
}

/** The keyword's own value; `undefined` where it is absent. Inherited names do not count. */
export function argument(site: Site, keyword: string = site.keyword): unknown {
  return Object.hasOwn(site.schema, keyword) ? site.schema[keyword] : undefined;
}

/** The keyword's value as a finite number. */
export function numberArgument(site: Site): number {
  const value = argument(site);
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw unusable(site, "must be a number");
}

/** The keyword's value as a count. */
export function countArgument(site: Site): number {
  const value = numberArgument(site);
  if (Number.isInteger(value) && value >= 0) return value;
  throw unusable(site, "must be a whole number from 0 on");
}

/** The keyword's value as text. */
export function textArgument(site: Site): string {
  const value = argument(site);
  if (typeof value === "string") return value;
  throw unusable(site, "must be a string");
}

/** The keyword's value as an array. */
export function listArgument(site: Site): readonly unknown[] {
  const value = argument(site);
  if (Array.isArray(value)) return value;
  throw unusable(site, "must be an array");
}

/** A list of property names, given as a keyword's value or inside it. */
export function namesArgument(site: Site, value: unknown = argument(site)): readonly string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw unusable(site, "must be an array of strings");
}

/** The keyword's value as the entries of a map. */
export function entriesArgument(site: Site): readonly (readonly [string, unknown])[] {
  const value = argument(site);
  if (isRecord(value)) return Object.entries(value);
  throw unusable(site, "must be an object");
}

/** The check of the schema that is the keyword's value. */
export function schemaArgument(site: Site, compiler: Compiler): Check {
  return compiler.check(argument(site), `${site.pointer}/${site.keyword}`);
}

/** The checks of the list of schemas that is the keyword's value. */
export function schemaListArgument(site: Site, compiler: Compiler): readonly Check[] {
  return listArgument(site).map((schema, index) => compiler.check(schema, `${site.pointer}/${site.keyword}/${index}`));
}

/** A regular expression as JSON Schema means it: ECMA-262 with Unicode, unanchored. */
export function patternOf(text: string, site: Site): RegExp {
  try {
    return new RegExp(text, "u");
  } catch {
    throw unusable(site, `holds ${JSON.stringify(text)}, which is no regular expression (ECMA-262, with the flag "u")`);
  }
}

/** The site of another keyword of the same schema. */
export function beside(site: Site, keyword: string): Site {
  return { schema: site.schema, pointer: site.pointer, keyword };
}

/** Whether a value is an object that is no array. */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether the verdict on these schemas could hang on a pattern that is not run. An unrun pattern counts as met; where that
 * could refuse a valid value (under `not`, `if`, `oneOf`, `unevaluated*`) the keyword is left undecided.
 */
export function mayHoldPattern(schemas: unknown, compiler: Compiler): boolean {
  return compiler.skipsPatterns && holdsName(schemas, new Set(["pattern", "patternProperties", "$ref"]), new Set());
}

function holdsName(value: unknown, names: ReadonlySet<string>, visited: Set<unknown>): boolean {
  if (typeof value !== "object" || value === null || visited.has(value)) return false;
  visited.add(value);
  return Object.entries(value).some(([key, part]) => names.has(key) || holdsName(part, names, visited));
}
