import { comparePatterns, findMatch } from "@hasp/schema/vocabulary";
import type { JsonSchema, JsonValue, SchemaObject } from "@hasp/schema";
import { isObject, own } from "@hasp/base/json";
import { requireBoth, sampleValues } from "./sample-values.js";
import { findSchemaAt } from "../../model/schemas.js";

const DEEPEST = 6;
const MOST_INPUTS = 5000;
const MOST_VALUES = 120;
const LONGEST_TEXT = 20_000;

interface Pair {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly other: JsonSchema | undefined;
  readonly otherRoot: JsonSchema;
}

/** Generates candidate values near the bounds of two versions of a schema; the caller validates them. */
export function findEdgeInputs(schema: JsonSchema, other: JsonSchema): readonly JsonValue[] {
  return edges({ schema, root: schema, other, otherRoot: other }, 0);
}

function edges(pair: Pair, depth: number): readonly JsonValue[] {
  const { root, otherRoot } = pair;
  const schema = followed(pair.schema, root);
  const other = pair.other === undefined ? undefined : followed(pair.other, otherRoot);
  if (schema === false || depth > DEEPEST) return [];
  if (schema === true) return ANYTHING;
  const listed = Object.hasOwn(schema, "const") && schema.const !== undefined ? [schema.const] : schema.enum;
  if (listed !== undefined) return listed.slice(0, MOST_VALUES);
  const values: JsonValue[] = [...sampleValues(schema, root)];
  const whole = schema.anyOf === undefined && schema.oneOf === undefined ? [] : (schema.anyOf ?? schema.oneOf ?? []);
  for (const [index, branch] of whole.entries()) {
    const others = typeof other === "object" ? (other.anyOf ?? other.oneOf) : undefined;
    const { anyOf: _any, oneOf: _one, ...siblings } = schema;
    values.push(
      ...edges(
        { ...pair, schema: joined(siblings, followed(branch, root)), other: others?.[index] ?? other },
        depth + 1,
      ),
    );
  }
  const most = depth === 0 ? MOST_INPUTS : MOST_VALUES;
  if (whole.length > 0) return unique(values, most);
  const beside = typeof other === "object" ? other : {};
  const types = schema.type === undefined ? impliedTypes(schema) : [schema.type].flat();
  for (const type of types) values.push(...edgesOfType(type, schema, beside, pair, depth));
  return unique(values, most);
}

const ANYTHING: readonly JsonValue[] = ["x", "", 1, 1.5, true, null, [], {}];

function impliedTypes(schema: SchemaObject): readonly string[] {
  if (schema.properties !== undefined || schema.required !== undefined) return ["object"];
  if (schema.items !== undefined || schema.prefixItems !== undefined) return ["array"];
  return ["string", "number", "boolean", "null", "array", "object"];
}

function edgesOfType(
  type: string,
  schema: SchemaObject,
  other: SchemaObject,
  pair: Pair,
  depth: number,
): readonly JsonValue[] {
  switch (type) {
    case "null":
      return [null];
    case "boolean":
      return [true, false];
    case "integer":
    case "number":
      return numbers(schema, other, type === "integer" ? 1 : 0.5);
    case "string":
      return texts(schema, other);
    case "array":
      return lists(schema, other, pair, depth);
    default:
      return objects(schema, other, pair, depth);
  }
}

function numbers(schema: SchemaObject, other: SchemaObject, step: number): readonly number[] {
  const bounds = [schema, other].flatMap(({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }) => [
    minimum,
    maximum,
    exclusiveMinimum,
    exclusiveMaximum,
    multipleOf,
  ]);
  const listed = [other.const, ...(other.enum ?? [])].filter((value) => typeof value === "number");
  const marks = [0, 1, 1000, ...bounds.filter((value) => value !== undefined), ...listed];
  return marks.flatMap((mark) => [mark, mark - step, mark + step]);
}

function texts(schema: SchemaObject, other: SchemaObject): readonly string[] {
  const lengths = [schema.minLength, schema.maxLength, other.minLength, other.maxLength].filter(
    (length) => length !== undefined,
  );
  const wanted = new Set([0, 1, ...lengths.flatMap((length) => [length - 1, length, length + 1])]);
  const lengthsToTry = [...wanted].filter((length) => length >= 0 && length <= LONGEST_TEXT);
  const patterns = [...new Set([schema.pattern, other.pattern])].filter((pattern) => pattern !== undefined);
  const sized = [
    ...patterns.flatMap((pattern) => lengthsToTry.flatMap((length) => findMatch(pattern, length) ?? [])),
    ...lengthsToTry.map((length) => "x".repeat(length)),
  ];
  const known = [other, schema].flatMap(({ enum: listed = [], const: constant, examples = [] }) => [
    ...listed,
    constant,
    ...examples,
  ]);
  return [
    ...differences(schema.pattern, other.pattern),
    ...SPELLINGS,
    ...sized,
    ...known.filter((value) => typeof value === "string"),
  ];
}

/** Returns texts that one pattern matches and the other does not. */
function differences(pattern = "", other = ""): readonly string[] {
  if (pattern === other) return [];
  return [comparePatterns(pattern, other), comparePatterns(other, pattern)].flatMap((found) =>
    typeof found === "object" ? [found.witness] : [],
  );
}

const SPELLINGS: readonly string[] = ["a", "A", "abc", "ABC", "a b", "a-b", "a_b", "a.b", "1", "abc123", "ab/c", "é"];

function lists(schema: SchemaObject, other: SchemaObject, pair: Pair, depth: number): readonly JsonValue[] {
  const items = single(schema.items) ?? true;
  const found = edges({ ...pair, schema: items, other: single(other.items) }, depth + 1);
  const [first] = found;
  const counts = [schema.minItems, schema.maxItems, other.minItems, other.maxItems].filter(
    (count) => count !== undefined,
  );
  const sizes = [...new Set([0, 1, 2, ...counts.flatMap((count) => [count, count + 1])])].filter(
    (count) => count <= 200,
  );
  const least = Math.max(1, schema.minItems ?? 1);
  const one = found.map((value) => [value, ...Array.from({ length: Math.min(least, 200) - 1 }, () => value)]);
  return [
    ...one,
    ...(first === undefined ? [] : [[first, first]]),
    ...(first === undefined
      ? [[]]
      : sizes.map((count) => Array.from({ length: count }, (_, index) => found[index % found.length] ?? first))),
  ];
}

function objects(schema: SchemaObject, other: SchemaObject, pair: Pair, depth: number): readonly JsonValue[] {
  const { properties = {}, required = [] } = schema;
  const names = [...new Set([...Object.keys(properties), ...required])];
  const choices = new Map(
    names.map((name) => {
      const property = own(properties, name) ?? true;
      return [
        name,
        edges(
          { ...pair, schema: property, other: own(other.properties, name) ?? single(other.additionalProperties) },
          depth + 1,
        ),
      ];
    }),
  );
  const starts = sampleValues(schema, pair.root).filter(isObject);
  const madeUp = Object.fromEntries(required.map((name) => [name, choices.get(name)?.[0] ?? "x"]));
  const bases = [...starts.slice(0, 4), madeUp];
  const found: JsonValue[] = [...bases];
  for (const base of bases) {
    const full = Object.fromEntries(names.flatMap((name) => firstOf(base, name, choices.get(name))));
    found.push(full);
    for (const [name, values] of choices) {
      // One at a time, so that a witness differs in one property.
      for (const value of values) found.push(withEntry(base, name, value));
      if (!required.includes(name)) {
        found.push(Object.fromEntries(Object.entries(full).filter(([key]) => key !== name)));
      }
    }
    const others = single(schema.additionalProperties);
    const undeclared =
      others === undefined
        ? ANYTHING
        : edges({ ...pair, schema: others, other: single(other.additionalProperties) }, depth + 1);
    for (const name of ["x", ...Object.keys(other.properties ?? {}).filter((key) => !Object.hasOwn(properties, key))]) {
      for (const value of undeclared.slice(0, 8)) found.push(withEntry(base, name, value));
    }
    // Names that differ in length, and more of them than one.
    const [value = "x"] = undeclared;
    const long = withEntry(base, "xxxxxxxxxxxx", value);
    found.push(long, withEntry(withEntry(long as object, "y", value) as object, "z", value));
  }
  return found;
}

function firstOf(
  base: object,
  name: string,
  values: readonly JsonValue[] | undefined,
): readonly (readonly [string, JsonValue])[] {
  const given: unknown = Object.hasOwn(base, name) ? Reflect.get(base, name) : values?.[0];
  return given === undefined ? [] : [[name, given as JsonValue]];
}

function withEntry(base: object, name: string, value: JsonValue): JsonValue {
  return Object.fromEntries([...Object.entries(base).filter(([key]) => key !== name), [name, value]]);
}

function followed(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (typeof schema !== "object") return schema;
  const { $ref, allOf, ...bare } = schema;
  let merged: JsonSchema = bare;
  const target = $ref === undefined ? undefined : findSchemaAt(root, $ref);
  for (const part of [...(target === undefined ? [] : [target]), ...(allOf ?? [])]) merged = joined(merged, part);
  return merged;
}

function joined(left: JsonSchema, right: JsonSchema): JsonSchema {
  if (left === false || right === false) return false;
  if (left === true) return right;
  return right === true ? left : requireBoth(left, right);
}

function single(schema: SchemaObject["items"]): JsonSchema | undefined {
  return Array.isArray(schema) ? undefined : (schema as JsonSchema | undefined);
}

function unique(values: readonly JsonValue[], most: number): readonly JsonValue[] {
  const seen = new Set<string>();
  const kept: JsonValue[] = [];
  for (const value of values) {
    const text = JSON.stringify(value);
    if (kept.length >= most) break;
    if (seen.has(text)) continue;
    seen.add(text);
    kept.push(value);
  }
  return kept;
}
