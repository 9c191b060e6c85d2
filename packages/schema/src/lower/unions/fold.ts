import { own } from "../../json/records.js";
import { resolveReference } from "../context/references.js";
import type { JsonSchema, SchemaMap, SchemaObject } from "../../vocabulary/json-schema.js";
import { listedValues } from "../../vocabulary/disjoint.js";
import { anyOfThese, conjoin } from "./alternatives.js";
import { reportLoss, withOrigin, type LoweringContext } from "../context/context.js";
import { isAnnotation, pick, hasInPlaceApplicator } from "../context/schema-facts.js";
import { joinDescription, joinList, quoteJson } from "../context/sentences.js";

const foldable: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "unevaluatedProperties",
  "minProperties",
  "maxProperties",
  "dependentRequired",
  "propertyNames",
  "not",
]);

/**
 * Folds a union of objects into one with the properties of all branches. `undefined` if a branch uses other keywords.
 */
export function foldUnion(
  context: LoweringContext,
  node: SchemaObject,
  union: "anyOf" | "oneOf",
): SchemaObject | undefined {
  const branches = objectBranches(context, node[union] ?? [], 0);
  if (branches === undefined || branches.length === 0) return undefined;
  const base = withOrigin(
    context,
    pick(node, (keyword) => keyword !== union),
    node,
  );
  const closing = closingOf(base, branches);
  const names = [...new Set([base, ...branches].flatMap((schema) => Object.keys(schema.properties ?? {})))];
  const properties = names.flatMap((name): readonly (readonly [string, JsonSchema])[] => {
    const schema = propertyOver(context, base, branches, name);
    return schema === false ? [] : [[name, schema]];
  });
  const [first, ...others] = branches;
  const shared = (first?.required ?? []).filter((name) =>
    others.every((branch) => branch.required?.includes(name) === true),
  );
  const required = [...new Set([...(base.required ?? []), ...shared])];
  const forms = sentenceForForms(branches, shared, union);
  const canSay = (context.dialect.rootKeywords?.description ?? context.dialect.keywords.description) === "keep";
  reportLoss(context, node, union, canSay ? forms : undefined);
  const description = joinDescription(base.description, [canSay ? forms : undefined]);
  const rest = pick(base, (keyword) => keyword !== "unevaluatedProperties" || closing.keepsUnevaluated);
  return withOrigin(
    context,
    {
      ...rest,
      ...(description === undefined ? {} : { description }),
      properties: Object.fromEntries(properties) satisfies SchemaMap,
      ...(required.length === 0 ? {} : { required }),
      ...(closing.additional === undefined ? {} : { additionalProperties: closing.additional }),
    },
    node,
  );
}

/** Resolves the branches to plain objects, following references and flattening nested unions. */
function objectBranches(
  context: LoweringContext,
  branches: readonly JsonSchema[],
  depth: number,
): readonly SchemaObject[] | undefined {
  if (depth > 8) return undefined;
  const found: SchemaObject[] = [];
  for (const branch of branches) {
    const target = resolveReference(branch, context.definitions);
    if (target === false) continue;
    if (target === true) return undefined;
    const union = target.anyOf === undefined ? "oneOf" : "anyOf";
    const inner = target[union];
    if (inner === undefined) {
      if (!isFoldable(target)) return undefined;
      found.push(target);
      continue;
    }
    const base = pick(target, (keyword) => keyword !== union);
    if (base.unevaluatedProperties !== undefined || !isFoldable(base)) return undefined;
    const spread = objectBranches(context, inner, depth + 1);
    if (spread === undefined) return undefined;
    for (const schema of spread) {
      const joined = conjoin(base, schema);
      if (typeof joined.schema === "object") found.push(withOrigin(context, joined.schema, schema));
    }
  }
  return found;
}

function isFoldable(schema: SchemaObject): boolean {
  return Object.keys(schema).every((keyword) => foldable.has(keyword) || isAnnotation(keyword));
}

/** Returns the `additionalProperties` of the folded object, and whether the base keeps its `unevaluatedProperties`. */
function closingOf(
  base: SchemaObject,
  branches: readonly SchemaObject[],
): { readonly additional: JsonSchema | undefined; readonly keepsUnevaluated: boolean } {
  if (base.additionalProperties !== undefined) {
    return { additional: base.additionalProperties, keepsUnevaluated: false };
  }
  if (base.unevaluatedProperties !== undefined) {
    return hasInPlaceApplicator(base)
      ? { additional: undefined, keepsUnevaluated: true }
      : { additional: base.unevaluatedProperties, keepsUnevaluated: false };
  }
  const isClosed = branches.every((branch) => (branch.additionalProperties ?? branch.unevaluatedProperties) === false);
  return { additional: isClosed ? false : undefined, keepsUnevaluated: false };
}

function propertyOver(
  context: LoweringContext,
  base: SchemaObject,
  branches: readonly SchemaObject[],
  name: string,
): JsonSchema {
  const general = own(base.properties, name);
  const inBranches = branches.map((branch) => own(branch.properties, name));
  if (general !== undefined) {
    const declared = inBranches.filter((schema) => schema !== undefined);
    if (declared.length < branches.length) return general;
    return anyOfThese(
      context,
      declared.map((schema) => conjoin(general, schema).schema),
      base,
    );
  }
  if (base.additionalProperties === false) return false;
  // A closed union leaves a key only to the branches that declare it; an open branch takes any value for it.
  const isClosedTogether = base.unevaluatedProperties === false && !hasInPlaceApplicator(base);
  const possible = branches.map(
    (branch, index) =>
      inBranches[index] ??
      (isClosedTogether ? false : (branch.additionalProperties ?? branch.unevaluatedProperties ?? true)),
  );
  return mergedValues(context, possible, base);
}

/** Merges the listed values of several branches, as for a discriminant. */
function mergedValues(context: LoweringContext, schemas: readonly JsonSchema[], from: object): JsonSchema {
  const possible = schemas.filter((schema) => schema !== false);
  const lists = possible.map((schema) =>
    typeof schema === "object" && isListOnly(schema) ? listedValues(schema) : undefined,
  );
  const [first] = possible;
  if (possible.length > 1 && typeof first === "object" && lists.every((list) => list !== undefined)) {
    const values = [...new Map(lists.flat().map((value) => [JSON.stringify(value), value])).values()];
    const isTyped = possible.every((schema) => typeof schema === "object" && schema.type === first.type);
    const { const: _const, enum: _enum, ...about } = first;
    return withOrigin(
      context,
      { ...(isTyped ? about : pick(about, (keyword) => keyword !== "type")), enum: values },
      first,
    );
  }
  return anyOfThese(context, possible, from);
}

function isListOnly(schema: SchemaObject): boolean {
  return Object.keys(schema).every((keyword) => ["type", "const", "enum"].includes(keyword) || isAnnotation(keyword));
}

function sentenceForForms(
  branches: readonly SchemaObject[],
  shared: readonly string[],
  union: "anyOf" | "oneOf",
): string | undefined {
  const forms = branches.map((branch) => {
    const fixed = Object.entries(branch.properties ?? {}).flatMap(([name, schema]) => {
      const values = typeof schema === "object" ? listedValues(schema) : undefined;
      return values?.length === 1 ? [{ name, text: `${name} ${quoteJson(values[0]) ?? ""}` }] : [];
    });
    const isFixed = (name: string): boolean => fixed.some((entry) => entry.name === name);
    const needed = (branch.required ?? []).filter((name) => !shared.includes(name) && !isFixed(name));
    return joinList([...fixed.map((entry) => entry.text), ...needed], "and");
  });
  const distinct = [...new Set(forms)].filter((form) => form !== "");
  if (distinct.length < 2) return undefined;
  return `Give ${union === "anyOf" ? "at least" : "exactly"} one of these forms: ${distinct.join("; or ")}.`;
}
