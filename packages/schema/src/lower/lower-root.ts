import { referenceIn, ROOT, resolveReference } from "./context/references.js";
import type { Codec } from "../codec/codec.js";
import type { Dialect } from "../dialects/definition/dialect.js";
import type { FlatSource } from "./flat-source.js";
import {
  createLoweringContext,
  type LoweredNode,
  type LoweringContext,
  actionFor,
  withOrigin,
  refuse,
} from "./context/context.js";
import type { LowerOptions } from "./context/types.js";
import { walkSchema } from "../vocabulary/walk-schema.js";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import { listedValues } from "../vocabulary/disjoint.js";
import { lowerKeywords } from "./keywords/node-keywords.js";
import { foldUnion } from "./unions/fold.js";
import { withShapedAnnotations } from "./keywords/node.js";
import { declaredTypes, typeOfValue } from "./context/schema-facts.js";

/** Lowers the root until no further definition turns out to change its values. */
export function lowerToFixpoint(
  source: FlatSource,
  dialect: Dialect,
  { allowNarrowing = false }: Pick<LowerOptions, "allowNarrowing">,
): { readonly context: LoweringContext; readonly lowered: LoweredNode | undefined } {
  const changing = new Set<string>();
  for (;;) {
    const context = createLoweringContext(dialect, source, allowNarrowing, new Set(changing));
    const lowered = lowerRoot(context, source.root);
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
      const target = referenceIn(visit.schema);
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

/** Lowers the root to an object, whatever the schema is, since every provider sends arguments as one. */
function lowerRoot(context: LoweringContext, flat: SchemaObject): LoweredNode | undefined {
  const root = asObject(context, flat);
  const folded = root === undefined ? undefined : foldUnions(context, root);
  if (folded === undefined) return lowerWrapped(context, flat);
  const lowered = lowerRootKeywords(context, folded);
  if (lowered === undefined) refuseEmpty(context, flat);
  return lowered;
}

function lowerRootKeywords(context: LoweringContext, root: SchemaObject): LoweredNode | undefined {
  const lowered = lowerKeywords(context, root, true);
  return lowered === undefined ? undefined : withShapedAnnotations(context, lowered);
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
  const values = listedValues(target);
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
    if (current?.[keyword] === undefined || actionFor(context, keyword, true) === "keep") continue;
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
      ...(description === undefined ? {} : { description }),
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
  return { schema: lowered.schema, codec: { kind: "wrap", wire: WRAPPER, ...(value === undefined ? {} : { value }) } };
}
