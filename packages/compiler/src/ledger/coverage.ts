import { canonicalText } from "@hasp/schema";
import { describesAnyValue, isAnnotation, type Keyword, mapSubschemas } from "@hasp/schema/vocabulary";
import { pointerTokens } from "../model/json-pointer.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import type { CompiledPredicate } from "../cel/index.js";
import type { CoveredHandler, DeclaredPart } from "./covered-handlers.js";
import { digestOf, digestOfValue } from "./digest.js";

/** Everything that an approval of one claim covers, as the code is now. */
export interface Coverage<Part extends string = CoveredPart> {
  /** Digest of everything that the approval covers: if it changes, the approval is stale. */
  readonly digest: string;
  /** Short digests of the parts, from which a stale approval tells what has changed; none where there is one part only. */
  readonly parts: { readonly [part in Part]?: string };
}

/** A part of what an approval covers. */
export type CoveredPart = "rule" | "fields" | "handler" | "imports" | "input" | DeclaredPart;

/**
 * Creates the function that computes the coverage of an approval of a tool's claim. An unconditional claim covers the
 * whole flat input; a rule its text, the rows above it and the fields that they read; a custom function the handler that
 * holds it, with what that imports. If the spec declares the handler, each approval covers the declaration, its connection
 * and `bind`. Descriptions and other annotations are never covered.
 */
export function createCoverage(
  tool: FlatTool,
  handler: CoveredHandler | undefined,
): (relaxation: Relaxation) => Coverage {
  // An input may have hundreds of claims, which share its text.
  let text: string | undefined;
  const inputText = (): string => (text ??= canonicalText(withoutAnnotations(tool.input.schema)));
  return (relaxation) => computeCoverage(tool, relaxation, handler, inputText);
}

/** Finds the reason why no approval can cover a claim. */
export function obstacleTo(
  tool: FlatTool,
  relaxation: Relaxation,
  handler: CoveredHandler | undefined,
): string | undefined {
  if (relaxation.covers.kind === "input" || handler?.obstacle === undefined) return undefined;
  return predicatesBehind(tool, relaxation).some(({ kind }) => kind === "custom") ? handler.obstacle : undefined;
}

function computeCoverage(
  tool: FlatTool,
  relaxation: Relaxation,
  handler: CoveredHandler | undefined,
  inputText: () => string,
): Coverage {
  const { claim, covers } = relaxation;
  const declared = handler?.declared;
  const covered = { tool: tool.name, claim, ...(declared === undefined ? {} : { declared }) };
  if (covers.kind === "input") {
    const input = inputText();
    // The members are in the order of canonical text.
    const text = `{"claim":${JSON.stringify(claim)},"input":${input},"tool":${JSON.stringify(tool.name)}}`;
    if (declared === undefined) return { digest: digestOf(text), parts: {} };
    const parts = { input: shortened(digestOf(input)), ...declaredParts(declared) };
    return { digest: digestOf(canonicalText({ text, declared })), parts };
  }
  const predicates = predicatesBehind(tool, relaxation);
  const input = partsRead(tool.input.schema, predicates);
  const isCustom = predicates.some((predicate) => predicate.kind === "custom");
  const all = { ...covered, covers, input, ...(isCustom ? { handler: handler?.digest ?? "absent" } : {}) };
  return {
    digest: digestOf(canonicalText(all)),
    parts: {
      rule: digestPart(covers),
      fields: digestPart(input),
      ...(isCustom ? { handler: digestPart(handler?.own), imports: digestPart(handler?.digest) } : {}),
      ...(declared === undefined ? {} : declaredParts(declared)),
    },
  };
}

function declaredParts(declared: NonNullable<CoveredHandler["declared"]>): Coverage["parts"] {
  return Object.fromEntries(Object.entries(declared).map(([part, digest]) => [part, shortened(digest)]));
}

/** Computes the digest of a part of what an approval covers. */
export function digestPart(part: unknown): string {
  return shortened(digestOfValue(part));
}

function shortened(digest: string): string {
  return digest.slice("sha256:".length, "sha256:".length + 8);
}

/** Prints `covers` of an approval that is given now. */
export function coversText({ digest, parts }: Coverage<string>): string {
  return [digest, ...Object.entries(parts).map(([part, short]) => `${part}:${short}`)].join(" ");
}

/** True if an approval covers what is there now. */
export function isCovered(covers: string, { digest }: Coverage<string>): boolean {
  return covers.split(" ")[0] === digest;
}

/** Reads the short digests of the parts from the text that {@link coversText} gave an approval. */
export function approvedParts(covers: string): ReadonlyMap<string, string> {
  return new Map(covers.split(" ").map((word) => word.split(":") as [string, string]));
}

/** Names what has changed since an approval whose `covers` has no parts. */
export const UNRECORDED_PART = "something that it covers (the approval is older than the record of its parts)";

/** Finds the parts that have changed since an approval; all of them where the approval does not tell. */
export function changedParts(covers: string, { parts }: Coverage): readonly CoveredPart[] {
  const known = Object.keys(parts) as readonly CoveredPart[];
  const approved = approvedParts(covers);
  const differs = (part: CoveredPart): boolean => approved.get(part) !== parts[part];
  const changed: readonly CoveredPart[] =
    // Code became a declaration, or the other way round.
    approved.has("declaration") === known.includes("declaration")
      ? known.filter((part) => approved.has(part) && differs(part))
      : ["declaration"];
  // The handler's own text is part of what it imports.
  const told = changed.includes("handler") ? changed.filter((part) => part !== "imports") : changed;
  return told.length > 0 ? told : known;
}

/** Lists the conditions that decide whether a claim applies: its own, and those of the rows that are asked before. */
function predicatesBehind(tool: FlatTool, { pointer }: Relaxation): readonly CompiledPredicate[] {
  const row = /^\/concurrency\/rules\/(\d+)$/u.exec(pointer);
  if (row !== null) return tool.rules.filter((rule) => rule.index <= Number(row[1])).map((rule) => rule.when);
  const flag = /^\/behavior\/(\w+)$/u.exec(pointer);
  return tool.flags.filter((each) => each.flag === flag?.[1]).map((each) => each.predicate);
}

/** Returns the schemas of the top-level fields that the predicates read; the whole input where it is not a plain object. */
function partsRead(schema: FlatTool["input"]["schema"], predicates: readonly CompiledPredicate[]): unknown {
  const meaning = withoutAnnotations(schema);
  if (typeof schema === "boolean" || schema.properties === undefined || tiesFields(schema)) return meaning;
  const { properties, required = [] } = schema;
  const fields = new Set(
    predicates.flatMap((predicate) => (predicate.kind === "custom" ? [] : predicate.reads.map(firstToken))),
  );
  // A condition that reads nothing is not a condition: its claim holds for whatever the input becomes.
  if (
    fields.size === 0 ||
    predicates.some((predicate) => predicate.kind === "custom") ||
    [...fields].some((name) => !Object.hasOwn(properties, name))
  ) {
    return meaning;
  }
  const parts = Object.fromEntries([...fields].map((name) => [name, withoutAnnotations(properties[name])]));
  return {
    properties: parts,
    required: required.filter((name) => fields.has(name)).toSorted(),
    ...(canonicalText(parts).includes('"$ref"') ? { $defs: withoutAnnotations({ $defs: schema.$defs ?? {} }) } : {}),
  };
}

/** Keywords that tie no field of an object to another. Beside any other one, the whole input is covered. */
const INDEPENDENT: ReadonlySet<string> = new Set<Keyword>([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "minProperties",
  "maxProperties",
  "$defs",
]);

function tiesFields(schema: object): boolean {
  return Object.keys(schema).some((keyword) => !INDEPENDENT.has(keyword) && !isAnnotation(keyword));
}

function firstToken(pointer: string): string {
  return pointerTokens(pointer)[0] ?? "";
}

/**
 * Removes what only describes from a flat schema: two schemas with the same result accept the same inputs. A `default`
 * stays, since it is filled in, and so does the media type of a text, since rules go by it.
 */
export function withoutAnnotations(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => keyword === "default" || !describesAnyValue(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, mapSubschemas(keyword, value, withoutAnnotations)]),
  );
}
