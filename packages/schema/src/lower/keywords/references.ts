import type { JsonSchema, SchemaObject, TypeName } from "../../vocabulary/json-schema.js";
import { type JsonValue, isEqualJson } from "@hasp/base/json";
import { type LoweredNode, type LoweringContext, reportLoss, withOrigin, refuse } from "../context/context.js";
import { readDefinitionName, createReference, resolveReference, ROOT } from "../context/references.js";
import { declaredTypes, isUnconstrained, pick } from "../context/schema-facts.js";
import { joinList, nameSome } from "@hasp/base/diagnostics";

/** Limits how many properties identify a shape in a sentence. */
const MOST_NAMES = 8;

/** Limits how often a definition is unrolled if narrowing is allowed. */
const UNROLLED = 3;

/** Lowers a reference. Depending on the dialect it is kept, cut at the recursion, unrolled or refused. */
export function lowerReference(context: LoweringContext, node: SchemaObject): LoweredNode | undefined {
  const name = readDefinitionName(node.$ref ?? "");
  const target = context.resolve(node.$ref ?? "");
  if (name === undefined || target === undefined) {
    refuse(context, node, "reference", { reference: node.$ref ?? "" });
    return undefined;
  }
  if (context.findUninhabited().has(name)) return undefined;
  reportDroppedSiblings(context, node);
  switch (context.dialect.shapes.recursion) {
    case "references":
      return keepReference(context, node, name, target);
    case "cut":
      return inlineOnce(context, node, name, target);
    case "refused":
      return unroll(context, node, name, target);
  }
}

/** Reports the constraints beside a reference, a conjunction that `flatten` could not merge. Dropping them widens. */
function reportDroppedSiblings(context: LoweringContext, node: SchemaObject): void {
  const siblings = pick(node, (keyword) => keyword !== "$ref");
  if (isUnconstrained(siblings)) return;
  for (const keyword of Object.keys(siblings)) {
    if (!isUnconstrained({ [keyword]: siblings[keyword] })) reportLoss(context, node, keyword);
  }
}

/** Returns the emitted name of a definition; a recursive root becomes one. */
function emittedName(context: LoweringContext, name: string): string {
  if (name !== ROOT) return name;
  let free = "root";
  while (Object.hasOwn(context.definitions, free)) free += "_";
  return free;
}

function keepReference(
  context: LoweringContext,
  node: SchemaObject,
  sourceName: string,
  target: JsonSchema,
): LoweredNode {
  const name = emittedName(context, sourceName);
  if (!context.loweredDefinitions.has(name)) {
    context.loweredDefinitions.set(name, undefined);
    const lowered = context.steps.lowerNode(context, target, node);
    if (lowered === undefined) {
      refuse(context, node, "no-value", { variant: "definition", name, dialect: context.dialect.id });
    }
    context.loweredDefinitions.set(name, lowered);
  }
  const reference: SchemaObject = withOrigin(context, { $ref: createReference(name) }, node);
  const schema = withDescription(context, node, reference);
  return { schema, codec: context.changing.has(name) ? { kind: "reference", name } : undefined };
}

function withDescription(context: LoweringContext, node: SchemaObject, reference: SchemaObject): SchemaObject {
  if (node.description === undefined) return reference;
  const { description } = node;
  const { shapes } = context.dialect;
  if (shapes.referenceSiblings) return withOrigin(context, { ...reference, description }, node);
  return shapes.unions === "anywhere" ? withOrigin(context, { description, anyOf: [reference] }, node) : reference;
}

function inlined<Result>(context: LoweringContext, name: string, run: () => Result): Result {
  const depth = context.inlining.get(name) ?? 0;
  context.inlining.set(name, depth + 1);
  const result = run();
  context.inlining.set(name, depth);
  return result;
}

function inlineOnce(
  context: LoweringContext,
  node: SchemaObject,
  name: string,
  target: JsonSchema,
): LoweredNode | undefined {
  if ((context.inlining.get(name) ?? 0) === 0) {
    return inlined(context, name, () =>
      context.steps.lowerNode(context, withAnnotationsOf(context, node, target), node),
    );
  }
  const type = onlyType(target);
  const whole = resolveReference(context.definitions[ROOT] ?? true, context.definitions);
  const isWhole = name === ROOT || isEqualJson(target as JsonValue, whole as JsonValue);
  const words = `The same shape as the ${isWhole ? "whole input" : shapeInWords(target, type)}.`;
  reportLoss(context, node, "$ref", words);
  const description = node.description === undefined ? words : `${node.description} ${words}`;
  const stump: SchemaObject = type === undefined ? { description } : { description, type };
  return context.steps.lowerNode(context, withOrigin(context, stump, node), node);
}

/** Describes a shape by what the model has seen, since names of definitions are not sent. */
function shapeInWords(target: JsonSchema, type: TypeName | undefined): string {
  const names = typeof target === "object" ? Object.keys(target.properties ?? {}) : [];
  const shown = joinList(nameSome(names, MOST_NAMES));
  return `${type ?? "value"} ${names.length === 0 ? "that this is part of" : `above with ${shown}`}`;
}

function unroll(
  context: LoweringContext,
  node: SchemaObject,
  name: string,
  target: JsonSchema,
): LoweredNode | undefined {
  if (!context.allowNarrowing) {
    refuseRecursion(context, node);
    return undefined;
  }
  if ((context.inlining.get(name) ?? 0) >= UNROLLED) {
    reportLoss(context, node, "$ref", undefined, "narrowed");
    return undefined;
  }
  return inlined(context, name, () => context.steps.lowerNode(context, withAnnotationsOf(context, node, target), node));
}

export function refuseRecursion(context: LoweringContext, node: SchemaObject): void {
  refuse(context, node, "recursion", { dialect: context.dialect.id, times: UNROLLED });
}

function withAnnotationsOf(context: LoweringContext, node: SchemaObject, target: JsonSchema): JsonSchema {
  if (typeof target === "boolean" || node.description === undefined) return target;
  return withOrigin(context, { ...target, description: node.description }, target);
}

function onlyType(schema: JsonSchema): TypeName | undefined {
  const types = typeof schema === "boolean" ? undefined : declaredTypes(schema);
  return types?.length === 1 ? types[0] : undefined;
}
