import { mapMembers, dropUndefined, canonicalText, own, parsePointer, sha256, toRecord } from "@hasp/base/json";
import type { JsonObject, JsonSchema } from "@hasp/schema";
import { findObstacles } from "../model/inclusion/find-obstacles.js";
import { isAnnotation, type Keyword, walkSchema } from "@hasp/schema/vocabulary";
import type { FlatTool, Relaxation } from "../model/tool.js";
import type { CompiledPredicate } from "../model/conditions.js";
import { findConnectionName, declarationOf, findPluginKind } from "../model/handlers.js";
import { mayReadOtherwise, pickRepairs, repairsMore } from "../model/inclusion/repairs.js";
import { removeAnnotations } from "../model/schemas.js";
import type { CompilePlan, HandlerDigest } from "../model/plan.js";
import { findHandlerDigests } from "../typescript/layout.js";

export interface Coverage<Part extends string = CoveredPart> {
  /** If the digest changes, the approval is stale. */
  readonly digest: string;
  /** Short digests that tell which part changed; empty if there is only one part. */
  readonly parts: { readonly [part in Part]?: string };
}

export type CoveredPart = "rule" | "fields" | "handler" | "imports" | "input" | DeclaredPart;

/**
 * Creates the function that computes what approvals of a tool cover. An unconditional claim covers the flat input; a
 * rule covers its text, the rows above and the fields they read; custom functions cover the handler and its imports. A
 * declared handler adds its declaration, connection and `bind`, and the repairs of inputs are always covered. Annotations
 * are never covered.
 */
export function createCoverage(
  tool: FlatTool,
  handler: CoveredHandler | undefined,
): { of(relaxation: Relaxation): Coverage; input(): string | undefined } {
  // An input may have hundreds of claims that share its text.
  let text: string | undefined;
  const inputText = (): string => (text ??= canonicalText(removeAnnotations(tool.input.schema)));
  return {
    of: (relaxation) => computeCoverage(tool, relaxation, handler, inputText),
    input: () => (inputText().length > LONGEST_INPUT ? undefined : inputText()),
  };
}

export function obstacleTo(
  tool: FlatTool,
  relaxation: Relaxation,
  handler: CoveredHandler | undefined,
): string | undefined {
  if (relaxation.covers.kind === "input" || handler?.obstacle === undefined) return undefined;
  return predicatesBehind(tool, relaxation).some(({ kind }) => kind === "custom") ? handler.obstacle : undefined;
}

const LONGEST_INPUT = 4000;

/** True if an approval covered a wider input and all else is the same. The digest vouches for the recorded input. */
export function isNarrowed(
  tool: FlatTool,
  relaxation: Relaxation,
  handler: CoveredHandler | undefined,
  { covers, input }: { readonly covers: string; readonly input?: string },
): boolean {
  if (input === undefined || relaxation.covers.kind !== "input") return false;
  if (
    !isCovered(
      covers,
      computeCoverage(tool, relaxation, handler, () => input),
    )
  ) {
    return false;
  }
  return isNoWider(tool.input.schema, JSON.parse(input) as JsonSchema, tool.spec);
}

/** True if a tool takes no other calls than an earlier version of it, and fills in the same. */
export function takesNoMore({ input, spec }: FlatTool, earlier: FlatTool): boolean {
  return isNoWider(input.schema, earlier.input.schema, spec) && !repairsMore(spec, earlier.spec);
}

/** True if an input accepts no other values than an earlier one, reads them alike and fills in the same. */
function isNoWider(now: JsonSchema, earlier: JsonSchema, spec: FlatTool["spec"]): boolean {
  const isWithin = printFilled(now) === printFilled(earlier) && findObstacles(now, earlier).length === 0;
  return isWithin && !mayReadOtherwise(now, earlier, spec);
}

/** Prints the covered annotations, such as `default`, with their places: they refuse no value, but change calls. */
function printFilled(schema: JsonSchema): string {
  const found: { [pointer: string]: JsonObject } = {};
  walkSchema(removeAnnotations(schema) as JsonSchema, ({ schema: each, pointer }) => {
    const covered = Object.entries(each).filter(([keyword]) => isAnnotation(keyword));
    if (covered.length > 0) found[pointer] = Object.fromEntries(covered);
  });
  return canonicalText(found);
}

function computeCoverage(
  tool: FlatTool,
  relaxation: Relaxation,
  handler: CoveredHandler | undefined,
  inputText: () => string,
): Coverage {
  const { claim, covers } = relaxation;
  const declared = handler?.declared;
  const repairs = pickRepairs(tool.spec);
  const covered = { tool: tool.name, claim, ...repairs, ...dropUndefined({ declared }) };
  if (covers.kind === "input") {
    const input = inputText();
    const repaired = repairs.coerce === undefined ? "" : `"coerce":${canonicalText(repairs.coerce)},`;
    // Matches the member order of canonical text.
    const text = `{"claim":${JSON.stringify(claim)},${repaired}"input":${input},"tool":${JSON.stringify(tool.name)}}`;
    if (declared === undefined) return { digest: digestText(text), parts: {} };
    const parts = { input: shortened(digestText(repaired + input)), ...declaredParts(declared) };
    return { digest: digestText(canonicalText({ text, declared })), parts };
  }
  const predicates = predicatesBehind(tool, relaxation);
  const input = partsRead(tool.input.schema, predicates);
  const isCustom = predicates.some((predicate) => predicate.kind === "custom");
  const all = { ...covered, covers, input, ...(isCustom ? { handler: handler?.digest ?? "absent" } : {}) };
  return {
    digest: digestText(canonicalText(all)),
    parts: {
      rule: digestPart(covers),
      fields: digestPart(repairs.coerce === undefined ? input : [input, repairs]),
      ...(isCustom ? { handler: digestPart(handler?.own), imports: digestPart(handler?.digest) } : {}),
      ...(declared === undefined ? {} : declaredParts(declared)),
    },
  };
}

function declaredParts(declared: NonNullable<CoveredHandler["declared"]>): Coverage["parts"] {
  return mapMembers(declared, shortened);
}

export function digestPart(part: unknown): string {
  return shortened(digestValue(part));
}

function shortened(digest: string): string {
  return digest.slice("sha256:".length, "sha256:".length + 8);
}

export function coversText({ digest, parts }: Coverage<string>): string {
  return [digest, ...Object.entries(parts).map(([part, short]) => `${part}:${short}`)].join(" ");
}

export function isCovered(covers: string, { digest }: Coverage<string>): boolean {
  return covers.split(" ")[0] === digest;
}

/** Reads the short digests that {@link coversText} wrote. */
export function readApprovedParts(covers: string): ReadonlyMap<string, string> {
  return new Map(covers.split(" ").map((word) => word.split(":") as [string, string]));
}

export const UNRECORDED_PART = "something that it covers (the approval is older than the record of its parts)";

/** Lists the changed parts; all of them if the approval recorded none. */
export function findChangedParts(covers: string, { parts }: Coverage): readonly CoveredPart[] {
  const known = Object.keys(parts) as readonly CoveredPart[];
  const approved = readApprovedParts(covers);
  const differs = (part: CoveredPart): boolean => approved.get(part) !== parts[part];
  // Only a command has a program, and approvals of earlier versions recorded none.
  const isRecorded = (part: CoveredPart): boolean => part === "program" || approved.has(part);
  const changed: readonly CoveredPart[] =
    // Code became a declaration, or the reverse.
    approved.has("declaration") === known.includes("declaration")
      ? [...new Set<CoveredPart>([...known, "program"])].filter((part) => isRecorded(part) && differs(part))
      : ["declaration"];
  // A handler's imports include its own text.
  const told = changed.includes("handler") ? changed.filter((part) => part !== "imports") : changed;
  return told.length > 0 ? told : known;
}

/** Lists a claim's own condition and those of the rows above it. */
function predicatesBehind(tool: FlatTool, { pointer }: Relaxation): readonly CompiledPredicate[] {
  const row = /^\/concurrency\/rules\/(\d+)$/u.exec(pointer);
  if (row !== null) return tool.rules.filter((rule) => rule.index <= Number(row[1])).map((rule) => rule.when);
  const flag = /^\/behavior\/(\w+)$/u.exec(pointer);
  return tool.flags.filter((each) => each.flag === flag?.[1]).map((each) => each.predicate);
}

/** Returns the schemas of the fields that the predicates read, or the whole input if it is not a plain object. */
function partsRead(schema: FlatTool["input"]["schema"], predicates: readonly CompiledPredicate[]): unknown {
  const meaning = removeAnnotations(schema);
  if (typeof schema === "boolean" || schema.properties === undefined || tiesFields(schema)) return meaning;
  const { properties, required = [] } = schema;
  const fields = new Set(
    predicates.flatMap((predicate) => (predicate.kind === "custom" ? [] : predicate.reads.map(firstToken))),
  );
  // A claim whose condition reads nothing holds for any future input.
  if (
    fields.size === 0 ||
    predicates.some((predicate) => predicate.kind === "custom") ||
    [...fields].some((name) => !Object.hasOwn(properties, name))
  ) {
    return meaning;
  }
  const parts = toRecord(fields, (name) => removeAnnotations(properties[name]));
  return {
    properties: parts,
    required: required.filter((name) => fields.has(name)).toSorted(),
    ...(canonicalText(parts).includes('"$ref"') ? { $defs: removeAnnotations({ $defs: schema.$defs ?? {} }) } : {}),
  };
}

/** Keywords that tie no field to another. Any other keyword makes approvals cover the whole input. */
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
  return parsePointer(pointer)[0] ?? "";
}

export const DECLARED_PARTS = ["declaration", "connection", "bind", "program"] as const;

type DeclaredPart = (typeof DECLARED_PARTS)[number];

export interface CoveredHandler extends HandlerDigest {
  /** Digests of the declaration, connection and binding, and of the files that a command names; missing for code. */
  readonly declared?: { readonly [part in DeclaredPart]?: string };
}

export function digestHandlers(tools: readonly FlatTool[], plan: CompilePlan): ReadonlyMap<string, CoveredHandler> {
  const digests = new Map<string, CoveredHandler>(findHandlerDigests(tools, plan));
  for (const tool of tools) {
    const declared = declaredDigests(tool, plan);
    if (declared !== undefined) digests.set(tool.name, declared);
  }
  return digests;
}

/** Connection settings that bound time and size but change no call. */
const LIMITS: ReadonlySet<string> = new Set(["timeoutSeconds", "maxResponseMb"]);

function declaredDigests(tool: FlatTool, plan: CompilePlan): CoveredHandler | undefined {
  const { name, spec, startsProgram } = tool;
  const declared = declarationOf(spec);
  if (declared === undefined) return undefined;
  const { key, declaration } = declared;
  const connection = findConnectionName(declared);
  const settings = connection === undefined ? undefined : own(plan.connections, connection)?.[key];
  const kept = Object.entries(settings ?? {}).filter(([name]) => !LIMITS.has(name));
  // A program receives these variables and no others.
  const env = startsProgram && spec.needs?.env !== undefined ? { env: spec.needs.env } : {};
  const { module, export: exported } = findPluginKind(spec, plan) ?? {};
  const digests = {
    declaration: digestValue({ [key]: declaration, ...env, ...(module === undefined ? {} : { module, exported }) }),
    connection: digestValue(settings && Object.fromEntries(kept)),
    bind: digestValue(spec.bind),
    ...digestProgram(tool, own(plan.commandFiles ?? {}, name), plan),
  };
  const digest = digestValue(digests);
  return { digest, own: digest, declared: digests };
}

/** Digests the files that a command names, unless it is known to do no more than read them. */
function digestProgram(
  { effects = [] }: FlatTool,
  files: readonly string[] | undefined,
  { handlerDigests }: CompilePlan,
): { readonly program?: string } {
  if (files === undefined || (effects.length > 0 && effects.every(({ verdict }) => verdict === "reads"))) return {};
  return { program: digestValue(files.map((path) => [path, own(handlerDigests, path)?.digest ?? ""])) };
}

/** Returns 128 bits of SHA-256: safe against collisions and short enough to review. */
function digestText(text: string): string {
  return `sha256:${sha256(text).slice(0, 32)}`;
}

export function digestValue(value: unknown): string {
  return digestText(canonicalText(value ?? null));
}
