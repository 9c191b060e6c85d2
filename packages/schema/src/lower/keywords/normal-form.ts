import { maskOfTypes, ARRAY, OBJECT } from "../../json/type-mask.js";
import { createMatcher } from "../../validate/index.js";
import { readListedValues } from "../../vocabulary/disjoint.js";
import type { SchemaObject } from "../../vocabulary/json-schema.js";
import { findTypesConcerned } from "../../vocabulary/keywords.js";
import { withOrigin, type LoweringContext } from "../context/context.js";
import { hasReference, ROOT } from "../context/references.js";
import { constrains, declaredTypes, pick } from "../context/schema-facts.js";

/** Removes keywords that say nothing about a node's values. */
export function toNormalForm(context: LoweringContext, node: SchemaObject): SchemaObject {
  const types = maskOfTypes(declaredTypes(node) ?? []);
  const values = readListedValues(node);
  let isNormal = true;
  let isList = true;
  for (const keyword in node) {
    if (!constrains(keyword)) continue;
    const concerned = findTypesConcerned(keyword);
    if (types !== 0 && (concerned & types) === 0) isNormal = false;
    else if (keyword !== "type" && keyword !== "const" && keyword !== "enum" && (concerned & (ARRAY | OBJECT)) !== 0) {
      isList = false;
    }
  }
  if (isNormal && (isList || values === undefined)) return node;
  const accepts = isList || values === undefined ? undefined : matcherOf(context, node);
  const kept = pick(node, (keyword) => {
    if (!constrains(keyword) || keyword === "type") return true;
    return accepts === undefined ? types === 0 || (findTypesConcerned(keyword) & types) !== 0 : false;
  });
  if (accepts === undefined || values === undefined) return withOrigin(context, kept, node);
  const left = values.filter(accepts);
  const list = node.const !== undefined && left.length > 0 ? { const: node.const } : { enum: left };
  return withOrigin(context, { ...kept, ...list }, node);
}

function matcherOf(context: LoweringContext, node: SchemaObject): ((value: unknown) => boolean) | undefined {
  const whole = hasReference(node) ? { ...node, $defs: context.definitions } : node;
  if (whole !== node && hasReference(whole, ROOT)) return undefined;
  try {
    return createMatcher(whole);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
