import { isStructured, parsePointer, own } from "@hasp/base/json";
import type { JsonSchema, SchemaObject, ValidatorOptions } from "@hasp/schema";
import { findObstacles } from "./find-obstacles.js";
import { listTypes } from "./keywords.js";
import { readListedValues } from "../schemas.js";

type Repairing = Pick<ValidatorOptions, "coerce">;

/** Returns the repairs of inputs that a spec chooses; nothing for the default, so that digests need not hold it. */
export function pickRepairs({ coerce = true }: Repairing): Repairing {
  return coerce === true ? {} : { coerce };
}

/** True if inputs are repaired that an earlier spec refused. */
export function repairsMore({ coerce: now = true }: Repairing, { coerce: earlier = true }: Repairing): boolean {
  return rankRepairs(now) > rankRepairs(earlier);
}

function rankRepairs(coerce: NonNullable<ValidatorOptions["coerce"]>): number {
  return typeof coerce === "object" ? 2 : Number(coerce);
}

/**
 * True if coercion may read a value that was accepted as it is as another one, instead of refusing it: null at an optional
 * property then counts as absent, and empty text too if so chosen; and text spells a number, a boolean, a list or an object.
 */
export function mayReadOtherwise(now: JsonSchema, earlier: JsonSchema, { coerce = true }: Repairing): boolean {
  if (coerce === false) return false;
  return findObstacles(earlier, now).some(({ location, keyword }) => {
    const [old, schema] = [earlier, now].map((root) => findPlainSchema(root, location));
    if (old === undefined || schema === undefined || UNDIVIDED.has(keyword)) return true;
    if (readListedValues(old)?.some(isStructured) === true) return true;
    const [was, is] = [listKinds(old), listKinds(schema)];
    // Text is read as it is where any text may be accepted, or nothing else.
    const keepsText =
      (is.has("string") && readListedValues(schema) === undefined) || [...is].every((kind) => kind === "string");
    return (was.has("null") && !is.has("null")) || (was.has("string") && (coerce !== true || !keepsText));
  });
}

/** The keywords of obstacles that may concern values anywhere below their location. */
const UNDIVIDED: ReadonlySet<string> = new Set(["$ref", "patternProperties", "prefixItems"]);

/** Finds the schema of an instance location below `properties` and `items`; none for one that other keywords decide. */
function findPlainSchema(root: JsonSchema, location: string): SchemaObject | undefined {
  let schema: JsonSchema | readonly JsonSchema[] | undefined = root;
  for (const token of parsePointer(location)) {
    if (!isPlain(schema)) return undefined;
    schema = token === "*" && schema.properties === undefined ? schema.items : own(schema.properties, token);
  }
  return isPlain(schema) ? schema : undefined;
}

function isPlain(schema: JsonSchema | readonly JsonSchema[] | undefined): schema is SchemaObject {
  return (
    typeof schema === "object" && !Array.isArray(schema) && !DECIDING.some((keyword) => Object.hasOwn(schema, keyword))
  );
}

const DECIDING = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if"] as const;

/** Lists the types of the values that a schema may accept. */
function listKinds(schema: SchemaObject): ReadonlySet<string> {
  const types = listTypes([{ schema, pointer: "" }]);
  const values = readListedValues(schema);
  if (values === undefined) return types;
  return new Set(values.map(kindOf).filter((kind) => types.has(kind)));
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
