import type { JsonValue } from "../json.js";
import type { JsonSchema, SchemaObject } from "../json-schema.js";
import type { Definitions } from "./definitions.js";

const MAX_DEPTH = 4;

/** Whether no value can be valid under both schemas. `false` means that it was not proved. */
export function areDisjoint(left: JsonSchema, right: JsonSchema, definitions: Definitions, depth = 0): boolean {
  if (left === false || right === false) return true;
  if (typeof left === "boolean" || typeof right === "boolean" || depth > MAX_DEPTH) return false;
  const first = resolved(left, definitions);
  const second = resolved(right, definitions);
  if (first === undefined || second === undefined) return false;
  const types = commonTypes(first, second);
  if (types !== undefined && types.length === 0) return true;
  if (haveNoCommonValue(first, second)) return true;
  if (types === undefined || types.length > 1 || types[0] !== "object") return false;
  return excludesByKey(first, second) || excludesByKey(second, first) || discriminated(first, second, definitions, depth);
}

function resolved(schema: SchemaObject, definitions: Definitions): SchemaObject | undefined {
  if (schema.$ref === undefined) return schema;
  const target = definitions(schema.$ref)?.schema;
  return typeof target === "object" && target.$ref === undefined ? target : undefined;
}

function typesOf({ type, enum: values, const: constant }: SchemaObject): readonly string[] | undefined {
  if (type !== undefined) return typeof type === "string" ? [type] : type;
  const given = constant === undefined ? values : [constant];
  return given?.map((value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value));
}

/** The types that both leave open; `undefined` where one leaves all. */
function commonTypes(left: SchemaObject, right: SchemaObject): readonly string[] | undefined {
  const first = typesOf(left);
  const second = typesOf(right);
  if (first === undefined || second === undefined) return first ?? second;
  const others = new Set(second.map(wider));
  return first.filter((type) => others.has(wider(type)));
}

function wider(type: string): string {
  return type === "integer" ? "number" : type;
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}

function listed({ const: constant, enum: values }: SchemaObject): readonly JsonValue[] | undefined {
  return constant === undefined ? values : [constant];
}

function haveNoCommonValue(left: SchemaObject, right: SchemaObject): boolean {
  const first = listed(left);
  const second = listed(right);
  if (first === undefined || second === undefined) return false;
  // Objects and lists would have to be compared deeply; scalars are what tells branches apart.
  return first.every(isScalar) && second.every(isScalar) && !first.some((value) => second.includes(value));
}

/** A key that one requires and the other, being closed, does not have. */
function excludesByKey(closed: SchemaObject, asking: SchemaObject): boolean {
  if (closed.additionalProperties !== false || closed.patternProperties !== undefined) return false;
  const { properties = {} } = closed;
  return asking.required?.some((name) => !Object.hasOwn(properties, name) || properties[name] === false) ?? false;
}

/** A key that one of them requires and on whose value they cannot agree. */
function discriminated(left: SchemaObject, right: SchemaObject, definitions: Definitions, depth: number): boolean {
  return [...(left.required ?? []), ...(right.required ?? [])].some((name) => {
    const first = propertyOf(left, name);
    const second = propertyOf(right, name);
    return first !== undefined && second !== undefined && areDisjoint(first, second, definitions, depth + 1);
  });
}

function propertyOf({ properties }: SchemaObject, name: string): JsonSchema | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
