import type { JsonArray, JsonValue } from "../../json/json.js";
import type { JsonSchema, SchemaMap, SchemaObject, TypeName } from "../../vocabulary/json-schema.js";
import { equalJson } from "../../json/json-value.js";
import { isAnnotation, declaredTypes, isKeyword, valuesOfType } from "../context/schema-facts.js";

/**
 * A conjunction of two schemas, and the keywords that could not be joined. For those, only the second schema's value is
 * kept, which widens.
 */
interface Conjunction {
  readonly schema: JsonSchema;
  readonly dropped: readonly string[];
}

/**
 * Joins the constraints beside a union with one of its branches. `flatten` has merged all it can, so few keywords need
 * a rule here.
 */
export function conjoin(base: JsonSchema, branch: JsonSchema): Conjunction {
  if (base === false || branch === false) return { schema: false, dropped: [] };
  if (base === true) return { schema: branch, dropped: [] };
  if (branch === true) return { schema: base, dropped: [] };
  const dropped: string[] = [];
  const result = new Map<string, unknown>(Object.entries(base));
  for (const [keyword, value] of Object.entries(branch)) {
    const present = result.get(keyword);
    if (
      present === undefined ||
      isAnnotation(keyword) ||
      !isKeyword(keyword) ||
      equalJson(present as JsonValue, value as JsonValue)
    ) {
      result.set(keyword, value);
      continue;
    }
    const joined = joinKeyword(keyword, present, value);
    if (joined === false) return { schema: false, dropped };
    if (joined === undefined) dropped.push(keyword);
    result.set(keyword, joined ?? value);
  }
  if (base.type !== undefined && branch.type !== undefined && result.get("type") === undefined) {
    return { schema: false, dropped };
  }
  joinObjects(base, branch, result, dropped);
  joinArrays(base, branch, result, dropped);
  const schema: SchemaObject = Object.fromEntries(result);
  return { schema: listsNothing(schema) ? false : schema, dropped };
}

/** True if the lists of a schema and its types leave no value. */
function listsNothing({ type, enum: values, const: only }: SchemaObject): boolean {
  const listed =
    only === undefined ? values : values === undefined || values.some((value) => equalJson(value, only)) ? [only] : [];
  if (listed === undefined) return false;
  const types = declaredTypes(type === undefined ? {} : { type });
  return types === undefined ? listed.length === 0 : types.every((each) => valuesOfType(listed, each).length === 0);
}

/** Joins one keyword. Returns `false` if no value is left, and `undefined` if there is no rule. */
function joinKeyword(keyword: string, a: unknown, b: unknown): unknown {
  switch (keyword) {
    case "type":
      return joinTypes(a as TypeName | readonly TypeName[], b as TypeName | readonly TypeName[]) ?? false;
    case "enum": {
      const common = (b as JsonArray).filter((value) => (a as JsonArray).some((other) => equalJson(value, other)));
      return common.length === 0 ? false : common;
    }
    case "const":
      return false;
    case "minimum":
    case "exclusiveMinimum":
    case "minLength":
    case "minItems":
    case "minProperties":
      return Math.max(a as number, b as number);
    case "maximum":
    case "exclusiveMaximum":
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return Math.min(a as number, b as number);
    case "uniqueItems":
      return true;
    case "required":
      return [...new Set([...(a as readonly string[]), ...(b as readonly string[])])];
    case "properties":
    case "additionalProperties":
      return a; // joinObjects does both at once
    default:
      return undefined;
  }
}

function joinTypes(
  a: TypeName | readonly TypeName[],
  b: TypeName | readonly TypeName[],
): TypeName | readonly TypeName[] | undefined {
  const left = declaredTypes({ type: a }) ?? [];
  const right = declaredTypes({ type: b }) ?? [];
  const common = left.flatMap((type): readonly TypeName[] => {
    if (right.includes(type)) return [type];
    if (type === "number" && right.includes("integer")) return ["integer"];
    return type === "integer" && right.includes("number") ? ["integer"] : [];
  });
  const [first] = common;
  return common.length > 1 ? common : first;
}

/** Joins properties. One schema's `additionalProperties` applies to those that only the other declares. */
function joinObjects(a: SchemaObject, b: SchemaObject, result: Map<string, unknown>, dropped: string[]): void {
  if (a.properties === undefined && b.properties === undefined && a.additionalProperties === undefined) return;
  const names = new Set([...Object.keys(a.properties ?? {}), ...Object.keys(b.properties ?? {})]);
  const properties: (readonly [string, JsonSchema])[] = [];
  for (const name of names) {
    const joined = conjoin(schemaOfKey(a, name), schemaOfKey(b, name));
    dropped.push(...joined.dropped);
    properties.push([name, joined.schema]);
  }
  if (properties.length > 0) result.set("properties", Object.fromEntries(properties) satisfies SchemaMap);
  if (a.additionalProperties !== undefined && b.additionalProperties !== undefined) {
    const joined = conjoin(a.additionalProperties, b.additionalProperties);
    dropped.push(...joined.dropped);
    result.set("additionalProperties", joined.schema);
  }
}

/** Returns a schema's constraint on one key. A key that only a pattern covers counts as unconstrained, which widens. */
function schemaOfKey(schema: SchemaObject, name: string): JsonSchema {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) return schema.properties[name] ?? true;
  return schema.patternProperties === undefined ? (schema.additionalProperties ?? true) : true;
}

/** Joins items. The position of `items` depends on `prefixItems`, so the two are never combined. */
function joinArrays(a: SchemaObject, b: SchemaObject, result: Map<string, unknown>, dropped: string[]): void {
  if (a.items !== undefined && b.prefixItems !== undefined && a.prefixItems === undefined && b.items === undefined) {
    result.delete("items");
    dropped.push("items");
  } else if (b.items !== undefined && a.prefixItems !== undefined && b.prefixItems === undefined) {
    result.delete("prefixItems");
    dropped.push("prefixItems");
  } else if (
    a.items !== undefined &&
    b.items !== undefined &&
    a.prefixItems === undefined &&
    b.prefixItems === undefined
  ) {
    const joined = conjoin(a.items as JsonSchema, b.items as JsonSchema);
    result.set("items", joined.schema);
  }
}
