import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { listedValues } from "../../vocabulary/disjoint.js";
import { lowerKeywords } from "./keywords.js";
import { foldUnion } from "../unions/fold.js";
import { actionFor, made, refuse, type Lowered, type Lowering } from "../lowering.js";
import { withShapedAnnotations } from "./node.js";
import { resolveReference } from "./references.js";
import { declaredTypes, typeOfValue } from "./vocabulary.js";

/** The key under which a value travels that the root cannot be. */
const WRAPPER = "input";

/** Lowers the root: an object, whatever the schema says, since every provider sends arguments as one. */
export function lowerRoot(lowering: Lowering, flat: SchemaObject): Lowered | undefined {
  const root = asObject(lowering, flat);
  const folded = root === undefined ? undefined : foldUnions(lowering, root);
  if (folded === undefined) return lowerWrapped(lowering, flat);
  const lowered = lowerRootKeywords(lowering, folded);
  if (lowered === undefined) refuseEmpty(lowering, flat);
  return lowered;
}

function lowerRootKeywords(lowering: Lowering, root: SchemaObject): Lowered | undefined {
  const lowered = lowerKeywords(lowering, root, true);
  return lowered === undefined ? undefined : withShapedAnnotations(lowering, lowered);
}

function refuseEmpty(lowering: Lowering, flat: SchemaObject): void {
  if (lowering.problems.some((problem) => problem.severity === "error")) return;
  refuse(
    lowering,
    flat,
    "lower/no-value",
    `No value fits the schema in ${lowering.dialect.id}. Look for a required property whose schema is false.`,
  );
}

/** The root as a schema of `type: object`, or `undefined` where it may take another value. */
function asObject(lowering: Lowering, flat: SchemaObject): SchemaObject | undefined {
  const target = resolveReference(flat, lowering.definitions);
  if (typeof target === "boolean" || target.$ref !== undefined) return undefined;
  if (target.type === "object") {
    return target === flat ? target : made(lowering, { ...target, ...aboutOf(flat) }, target);
  }
  return takesOnlyObjects(lowering, target)
    ? made(lowering, { ...target, ...aboutOf(flat), type: "object" }, target)
    : undefined;
}

function aboutOf(flat: SchemaObject): SchemaObject {
  return flat.description === undefined ? {} : { description: flat.description };
}

function takesOnlyObjects(lowering: Lowering, schema: JsonSchema): boolean {
  const target = resolveReference(schema, lowering.definitions);
  if (typeof target === "boolean" || target.$ref !== undefined) return target === false;
  const types = declaredTypes(target);
  if (types !== undefined) return types.every((type) => type === "object");
  const values = listedValues(target);
  if (values !== undefined) return values.every((value) => typeOfValue(value) === "object");
  const every = (branches: readonly JsonSchema[] | undefined): boolean =>
    branches !== undefined && branches.every((branch) => takesOnlyObjects(lowering, branch));
  return (
    every(target.anyOf) ||
    every(target.oneOf) ||
    target.allOf?.some((branch) => takesOnlyObjects(lowering, branch)) === true
  );
}

/** Folds the unions that the dialect does not take at the root. `undefined`: that cannot be done soundly. */
function foldUnions(lowering: Lowering, root: SchemaObject): SchemaObject | undefined {
  let current: SchemaObject | undefined = root;
  for (const keyword of ["anyOf", "oneOf"] as const) {
    if (current?.[keyword] === undefined || actionFor(lowering, keyword, true) === "keep") continue;
    current = foldUnion(lowering, current, keyword);
  }
  return current;
}

/** A root that is no object, or a union that cannot become one, travels under a key of its own. */
function lowerWrapped(lowering: Lowering, flat: SchemaObject): Lowered | undefined {
  const { description, $defs: _defs, ...inner } = flat;
  const root: SchemaObject = made(
    lowering,
    {
      ...(description === undefined ? {} : { description }),
      type: "object",
      properties: { [WRAPPER]: made(lowering, inner, flat) },
      required: [WRAPPER],
      additionalProperties: false,
    },
    flat,
  );
  const lowered = lowerRootKeywords(lowering, root);
  if (lowered === undefined) {
    refuseEmpty(lowering, flat);
    return undefined;
  }
  const value = lowered.codec?.kind === "object" ? lowered.codec.properties[WRAPPER]?.value : undefined;
  return { schema: lowered.schema, codec: { kind: "wrap", wire: WRAPPER, ...(value === undefined ? {} : { value }) } };
}
