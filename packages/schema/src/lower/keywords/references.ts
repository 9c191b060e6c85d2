import type { JsonSchema, SchemaMap, SchemaObject, TypeName } from "../../vocabulary/json-schema.js";
import type { JsonValue } from "../../json/json.js";
import type { Resolve } from "../../vocabulary/disjoint.js";
import { equalJson } from "../../json/json-value.js";
import type { Lowered, Lowering } from "../lowering.js";
import { lose, made, refuse } from "../lowering.js";
import { lowerNode } from "./node.js";
import { declaredTypes, isUnconstrained, pick } from "./vocabulary.js";
import { listed } from "./words.js";
import { escapeToken, unescapeToken } from "../../json/pointer.js";

const DEFINITIONS = "#/$defs/";

/** How many properties are named to tell one shape from others. */
const MOST_NAMES = 8;

/** How many times a definition is unrolled where narrowing is allowed. */
const UNROLLED = 3;

/** The name under which the root stands among the definitions, for references to `#`. */
export const ROOT = "#";

/** The name of the definition that a reference names; flat schemas have no others. */
export function definitionName(reference: string): string | undefined {
  if (reference === ROOT) return ROOT;
  if (!reference.startsWith(DEFINITIONS)) return undefined;
  try {
    return unescapeToken(decodeURIComponent(reference.slice(DEFINITIONS.length)));
  } catch {
    return undefined;
  }
}

/** The reference that names a definition. A lone surrogate has no percent-encoding and stays as it is. */
export function referenceTo(name: string): string {
  return DEFINITIONS + escapeToken(name).replaceAll(/\P{Surrogate}+/gu, encodeURIComponent);
}

/** The schema that a bare reference names; any other schema is given back. */
export function resolveReference(schema: JsonSchema, definitions: SchemaMap): JsonSchema {
  const resolve = resolverOf(definitions);
  let current = schema;
  for (let step = 0; step < 100 && typeof current === "object" && typeof current.$ref === "string"; step += 1) {
    const target = resolve(current.$ref);
    if (target === undefined) return current;
    current = target;
  }
  return current;
}

/** What areDisjoint and its like follow references by. */
export function resolverOf(definitions: SchemaMap): Resolve {
  return (reference) => {
    const name = definitionName(reference);
    return name !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  };
}

/** Lowers a node that is a reference: kept, cut at the point of recursion, unrolled or refused, as the dialect is. */
export function lowerReference(lowering: Lowering, node: SchemaObject): Lowered | undefined {
  const name = definitionName(node.$ref ?? "");
  const target = lowering.resolve(node.$ref ?? "");
  if (name === undefined || target === undefined) {
    refuse(
      lowering,
      node,
      "lower/reference",
      `Nothing stands at "${node.$ref}". Lower the result of flatten, whose references all name a definition in $defs.`,
    );
    return undefined;
  }
  loseSiblings(lowering, node);
  switch (lowering.dialect.shapes.recursion) {
    case "references":
      return keepReference(lowering, node, name, target);
    case "cut":
      return inlineOnce(lowering, node, name, target);
    case "refused":
      return unroll(lowering, node, name, target);
  }
}

/** Constraints beside a reference are a conjunction that flatten could not dissolve; giving them up only widens. */
function loseSiblings(lowering: Lowering, node: SchemaObject): void {
  const siblings = pick(node, (keyword) => keyword !== "$ref");
  if (isUnconstrained(siblings)) return;
  for (const keyword of Object.keys(siblings)) {
    if (!isUnconstrained({ [keyword]: siblings[keyword] })) lose(lowering, node, keyword);
  }
}

/** The root may be changed by rules of its own, so a recursive root is referred to as a definition. */
function emittedName(lowering: Lowering, name: string): string {
  if (name !== ROOT) return name;
  let free = "root";
  while (Object.hasOwn(lowering.definitions, free)) free += "_";
  return free;
}

function keepReference(lowering: Lowering, node: SchemaObject, sourceName: string, target: JsonSchema): Lowered {
  const name = emittedName(lowering, sourceName);
  if (!lowering.loweredDefinitions.has(name)) {
    lowering.loweredDefinitions.set(name, undefined);
    const lowered = lowerNode(lowering, target, node);
    if (lowered === undefined) {
      refuse(
        lowering,
        node,
        "lower/no-value",
        `No value fits the definition "${name}" in ${lowering.dialect.id}. Make one of its required properties optional.`,
      );
    }
    lowering.loweredDefinitions.set(name, lowered);
  }
  const reference: SchemaObject = made(lowering, { $ref: referenceTo(name) }, node);
  const schema = withDescription(lowering, node, reference);
  return { schema, codec: lowering.changing.has(name) ? { kind: "reference", name } : undefined };
}

function withDescription(lowering: Lowering, node: SchemaObject, reference: SchemaObject): SchemaObject {
  if (node.description === undefined) return reference;
  const { description } = node;
  const { shapes } = lowering.dialect;
  if (shapes.referenceSiblings) return made(lowering, { ...reference, description }, node);
  return shapes.unions === "anywhere" ? made(lowering, { description, anyOf: [reference] }, node) : reference;
}

function inlined<Result>(lowering: Lowering, name: string, run: () => Result): Result {
  const depth = lowering.inlining.get(name) ?? 0;
  lowering.inlining.set(name, depth + 1);
  const result = run();
  lowering.inlining.set(name, depth);
  return result;
}

function inlineOnce(lowering: Lowering, node: SchemaObject, name: string, target: JsonSchema): Lowered | undefined {
  if ((lowering.inlining.get(name) ?? 0) === 0) {
    return inlined(lowering, name, () => lowerNode(lowering, withAnnotationsOf(lowering, node, target), node));
  }
  const type = onlyType(target);
  const whole = resolveReference(lowering.definitions[ROOT] ?? true, lowering.definitions);
  const isWhole = name === ROOT || equalJson(target as JsonValue, whole as JsonValue);
  const words = `The same shape as the ${isWhole ? "whole input" : shapeInWords(target, type)}.`;
  lose(lowering, node, "$ref", words);
  const description = node.description === undefined ? words : `${node.description} ${words}`;
  const stump: SchemaObject = type === undefined ? { description } : { description, type };
  return lowerNode(lowering, made(lowering, stump, node), node);
}

/** What a model can find again above: names of definitions are not sent. */
function shapeInWords(target: JsonSchema, type: TypeName | undefined): string {
  const names = typeof target === "object" ? Object.keys(target.properties ?? {}) : [];
  const shown =
    names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), `${names.length - MOST_NAMES} more`] : names;
  return `${type ?? "value"} ${names.length === 0 ? "that this is part of" : `above with ${listed(shown, "and")}`}`;
}

function unroll(lowering: Lowering, node: SchemaObject, name: string, target: JsonSchema): Lowered | undefined {
  if (!lowering.allowNarrowing) {
    refuseRecursion(lowering, node);
    return undefined;
  }
  if ((lowering.inlining.get(name) ?? 0) >= UNROLLED) {
    lose(lowering, node, "$ref", undefined, "narrowed");
    return undefined;
  }
  return inlined(lowering, name, () => lowerNode(lowering, withAnnotationsOf(lowering, node, target), node));
}

/** Reports that the dialect takes no schema that contains itself. */
export function refuseRecursion(lowering: Lowering, node: SchemaObject): void {
  refuse(
    lowering,
    node,
    "lower/recursion",
    `${lowering.dialect.id} takes no recursive schema, and this one contains itself. Say it without recursion, use a dialect that is not strict, or allow narrowing: then it is unrolled ${UNROLLED} times.`,
  );
}

function withAnnotationsOf(lowering: Lowering, node: SchemaObject, target: JsonSchema): JsonSchema {
  if (typeof target === "boolean" || node.description === undefined) return target;
  return made(lowering, { ...target, description: node.description }, target);
}

function onlyType(schema: JsonSchema): TypeName | undefined {
  const types = typeof schema === "boolean" ? undefined : declaredTypes(schema);
  return types?.length === 1 ? types[0] : undefined;
}
