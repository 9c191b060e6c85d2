import { canonicalText } from "@hasp/schema";
import { generatedNames } from "../typescript/names.js";
import { pointerTokens } from "../model/json-pointer.js";
import { createMemory, keptAsJson } from "../model/memory.js";
import { own } from "../model/own.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import type { CompiledPredicate } from "../cel/index.js";
import { digestOf } from "./digest.js";
import { withoutAnnotations } from "./meaning.js";

/**
 * Digest of what an approval covers: if it changes, the approval no longer speaks of what is there. An unconditional
 * claim covers the whole flat input, a rule its text and the fields that it and the rows above it read, a custom
 * function the handler that holds it, with what that imports. Descriptions and other annotations are never covered.
 */
export function coverageDigest(tool: FlatTool, relaxation: Relaxation, handlerDigest: string | undefined): string {
  const settings = JSON.stringify([relaxation.claim, relaxation.pointer, handlerDigest ?? null]);
  return digestsSoFar.of(tool, settings, () => digestOfCoverage(tool, relaxation, handlerDigest));
}

const digestsSoFar = createMemory<FlatTool, string>(keptAsJson("coverage"));

function digestOfCoverage(tool: FlatTool, relaxation: Relaxation, handlerDigest: string | undefined): string {
  const { claim, covers } = relaxation;
  const covered = { tool: tool.name, claim };
  if (covers.kind === "input") {
    return digestOf(canonicalText({ ...covered, input: withoutAnnotations(tool.input.schema) }));
  }
  const predicates = predicatesBehind(tool, relaxation);
  const rests = predicates.some((predicate) => predicate.kind === "custom");
  return digestOf(
    canonicalText({
      ...covered,
      covers,
      input: partsRead(tool.input.schema, predicates),
      ...(rests ? { handler: handlerDigest ?? "absent" } : {}),
    }),
  );
}

/** The conditions that decide whether a claim applies: its own, and those of the rows that are asked before. */
function predicatesBehind(tool: FlatTool, { pointer }: Relaxation): readonly CompiledPredicate[] {
  const row = /^\/concurrency\/rules\/(\d+)$/u.exec(pointer);
  if (row !== null) return tool.rules.filter((rule) => rule.index <= Number(row[1])).map((rule) => rule.when);
  const flag = /^\/behavior\/(\w+)$/u.exec(pointer);
  return tool.flags.filter((each) => each.flag === flag?.[1]).map((each) => each.predicate);
}

/** The schemas of the top-level fields that the predicates read; the whole input where it is no plain object. */
function partsRead(schema: FlatTool["input"]["schema"], predicates: readonly CompiledPredicate[]): unknown {
  const meaning = withoutAnnotations(schema);
  if (typeof schema === "boolean" || schema.properties === undefined || hasUnion(schema)) return meaning;
  const { properties, required = [] } = schema;
  const fields = new Set(
    predicates.flatMap((predicate) => (predicate.kind === "custom" ? [] : predicate.reads.map(firstToken))),
  );
  // A condition that reads nothing is no condition: its claim holds for whatever the input becomes.
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

const APPLICATORS = [
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "dependentSchemas",
  "dependentRequired",
  "patternProperties",
] as const;

function hasUnion(schema: object): boolean {
  return APPLICATORS.some((keyword) => Object.hasOwn(schema, keyword));
}

function firstToken(pointer: string): string {
  return pointerTokens(pointer)[0] ?? "";
}

/** The digest of each tool's handler file, as far as the plan knows it. */
export function handlerDigestsOf(tools: readonly FlatTool[], plan: CompilePlan): ReadonlyMap<string, string> {
  const names = generatedNames(tools.map((tool) => tool.name));
  const digests = new Map<string, string>();
  for (const [tool, { kebab }] of names) {
    const path = `${plan.handlersDir}/${kebab}.ts`;
    const digest = own(plan.handlerDigests, path);
    if (digest !== undefined) digests.set(tool, digest);
  }
  return digests;
}
