import { readReferredName, ROOT, resolveReference } from "./context/references.js";
import type { Codec } from "../codec/codec.js";
import type { Dialect } from "../dialects/definition/dialect.js";
import type { FlatSource } from "./flat-source.js";
import {
  createLoweringContext,
  type LoweredNode,
  type LoweringContext,
  findAction,
  withOrigin,
  refuse,
  reportLoss,
} from "./context/context.js";
import type { LowerOptions } from "./context/types.js";
import { walkSchema } from "../vocabulary/walk-schema.js";
import type { JsonSchema, SchemaObject, SchemaMap } from "../vocabulary/json-schema.js";
import { readListedValues } from "../vocabulary/disjoint.js";
import { lowerKeywords } from "./keywords/node-keywords.js";
import { lowerNode, withShapedAnnotations } from "./keywords/node.js";
import { declaredTypes, typeOfValue, isAnnotation, pick, hasInPlaceApplicator } from "./context/schema-facts.js";
import { joinList } from "@hasp/base/diagnostics";
import { dropUndefined, own, withoutTwins } from "@hasp/base/json";
import { joinAlternatives, conjoin } from "./unions/alternatives.js";
import { joinDescription, quoteJson } from "./context/sentences.js";

/** Lowers the root until no further definition turns out to change its values. */
export function lowerToFixpoint(
  source: FlatSource,
  dialect: Dialect,
  { allowNarrowing = false, allowAnyRoot = false }: Pick<LowerOptions, "allowNarrowing" | "allowAnyRoot">,
): { readonly context: LoweringContext; readonly lowered: LoweredNode | undefined } {
  const changing = new Set<string>();
  for (;;) {
    const context = createLoweringContext(
      { lowerNode, lowerKeywords },
      dialect,
      source,
      allowNarrowing,
      new Set(changing),
    );
    const lowered = lowerRoot(context, source.root, allowAnyRoot);
    const found = [...context.loweredDefinitions].filter(
      ([name, definition]) => definition?.codec !== undefined && !changing.has(name),
    );
    if (found.length === 0) return { context, lowered };
    for (const [name] of found) changing.add(name);
    addUsers(changing, context);
  }
}

/** Adds the definitions that use a changing one, so that long chains need only one more round. */
function addUsers(changing: Set<string>, context: LoweringContext): void {
  const uses = new Map<string, ReadonlySet<string>>();
  for (const [name, { schema }] of [...context.loweredDefinitions].flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )) {
    const used = new Set<string>();
    walkSchema(schema, (visit) => {
      const target = readReferredName(visit.schema);
      if (target !== undefined && target !== ROOT) used.add(target);
    });
    uses.set(name, used);
  }
  for (let size = -1; size !== changing.size;) {
    size = changing.size;
    for (const [name, used] of uses) {
      if ([...used].some((target) => changing.has(target))) changing.add(name);
    }
  }
}

export function withDefinitionCodecs(context: LoweringContext, codec: Codec | undefined): Codec | undefined {
  if (codec === undefined || context.changing.size === 0) return codec;
  const definitions = [...context.loweredDefinitions].flatMap(([name, definition]) =>
    definition?.codec === undefined ? [] : [[name, definition.codec] as const],
  );
  return definitions.length === 0
    ? codec
    : { kind: "definitions", definitions: Object.fromEntries(definitions), root: codec };
}

/** The key that wraps a value which cannot be the root. */
const WRAPPER = "input";

/** Lowers the root, to an object unless any root is allowed, since every provider sends arguments as one. */
function lowerRoot(context: LoweringContext, flat: SchemaObject, isAnyAllowed: boolean): LoweredNode | undefined {
  const root = asObject(context, flat);
  const folded = root && foldUnions(context, root);
  if (folded === undefined && isAnyAllowed) {
    const { $defs: _defs, ...node } = flat;
    return lowerNode(context, withOrigin(context, node, flat), flat);
  }
  if (folded === undefined) return lowerWrapped(context, flat);
  const lowered = lowerRootKeywords(context, folded);
  if (lowered === undefined) refuseEmpty(context, flat);
  return lowered;
}

function lowerRootKeywords(context: LoweringContext, root: SchemaObject): LoweredNode | undefined {
  const lowered = lowerKeywords(context, root, true);
  return lowered && withShapedAnnotations(context, lowered);
}

function refuseEmpty(context: LoweringContext, flat: SchemaObject): void {
  if (context.problems.length > 0) return;
  refuse(context, flat, "no-value", { variant: "schema", dialect: context.dialect.id });
}

/** Returns the root as a schema of `type: object`, or `undefined` if it accepts other values. */
function asObject(context: LoweringContext, flat: SchemaObject): SchemaObject | undefined {
  const target = resolveReference(flat, context.definitions);
  if (typeof target === "boolean" || target.$ref !== undefined) return undefined;
  if (target.type === "object") {
    return target === flat ? target : withOrigin(context, { ...target, ...aboutOf(flat) }, target);
  }
  return takesOnlyObjects(context, target)
    ? withOrigin(context, { ...target, ...aboutOf(flat), type: "object" }, target)
    : undefined;
}

function aboutOf(flat: SchemaObject): SchemaObject {
  return flat.description === undefined ? {} : { description: flat.description };
}

function takesOnlyObjects(context: LoweringContext, schema: JsonSchema): boolean {
  const target = resolveReference(schema, context.definitions);
  if (typeof target === "boolean" || target.$ref !== undefined) return target === false;
  const types = declaredTypes(target);
  if (types !== undefined) return types.every((type) => type === "object");
  const values = readListedValues(target);
  if (values !== undefined) return values.every((value) => typeOfValue(value) === "object");
  const every = (branches: readonly JsonSchema[] | undefined): boolean =>
    branches !== undefined && branches.every((branch) => takesOnlyObjects(context, branch));
  return (
    every(target.anyOf) ||
    every(target.oneOf) ||
    target.allOf?.some((branch) => takesOnlyObjects(context, branch)) === true
  );
}

/** Folds the unions that the dialect does not accept at the root. Returns `undefined` if that is not sound. */
function foldUnions(context: LoweringContext, root: SchemaObject): SchemaObject | undefined {
  let current: SchemaObject | undefined = root;
  for (const keyword of ["anyOf", "oneOf"] as const) {
    if (current?.[keyword] === undefined || findAction(context, keyword, true) === "keep") continue;
    current = foldUnion(context, current, keyword);
  }
  return current;
}

/** Wraps a root that is not an object, or a union that cannot be folded, under a key. */
function lowerWrapped(context: LoweringContext, flat: SchemaObject): LoweredNode | undefined {
  const { description, $defs: _defs, ...inner } = flat;
  const root: SchemaObject = withOrigin(
    context,
    {
      ...dropUndefined({ description }),
      type: "object",
      properties: { [WRAPPER]: withOrigin(context, inner, flat) },
      required: [WRAPPER],
      additionalProperties: false,
    },
    flat,
  );
  const lowered = lowerRootKeywords(context, root);
  if (lowered === undefined) {
    refuseEmpty(context, flat);
    return undefined;
  }
  const value = lowered.codec?.kind === "object" ? lowered.codec.properties[WRAPPER]?.value : undefined;
  return { schema: lowered.schema, codec: { kind: "wrap", wire: WRAPPER, ...dropUndefined({ value }) } };
}

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

/** Folds a union of objects into one with all properties; `undefined` if a branch uses other keywords. */
function foldUnion(context: LoweringContext, node: SchemaObject, union: "anyOf" | "oneOf"): SchemaObject | undefined {
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
      ...dropUndefined({ description }),
      properties: Object.fromEntries(properties) satisfies SchemaMap,
      ...(required.length === 0 ? {} : { required }),
      ...dropUndefined({ additionalProperties: closing.additional }),
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
    return joinAlternatives(
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
    typeof schema === "object" && isListOnly(schema) ? readListedValues(schema) : undefined,
  );
  const [first] = possible;
  if (possible.length > 1 && typeof first === "object" && lists.every((list) => list !== undefined)) {
    const values = withoutTwins(lists.flat());
    const isTyped = possible.every((schema) => typeof schema === "object" && schema.type === first.type);
    const { const: _const, enum: _enum, ...about } = first;
    return withOrigin(
      context,
      { ...(isTyped ? about : pick(about, (keyword) => keyword !== "type")), enum: values },
      first,
    );
  }
  return joinAlternatives(context, possible, from);
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
      const values = typeof schema === "object" ? readListedValues(schema) : undefined;
      return values?.length === 1 ? [{ name, text: `${name} ${quoteJson(values[0]) ?? ""}` }] : [];
    });
    const isFixed = (name: string): boolean => fixed.some((entry) => entry.name === name);
    const needed = (branch.required ?? []).filter((name) => !shared.includes(name) && !isFixed(name));
    return joinList([...fixed.map((entry) => entry.text), ...needed]);
  });
  const distinct = [...new Set(forms)].filter((form) => form !== "");
  if (distinct.length < 2) return undefined;
  return `Give ${union === "anyOf" ? "at least" : "exactly"} one of these forms: ${distinct.join("; or ")}.`;
}
