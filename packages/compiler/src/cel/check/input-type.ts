import type { JsonSchema, JsonValue, SchemaObject } from "@hasp/schema";
import { keywordRow, type Keyword } from "@hasp/schema/vocabulary";
import { equal } from "@hasp/base/conditions";
import { isStructured, own } from "@hasp/base/json";
import { findSchemaAt, readListedValues } from "../../model/schemas.js";
import { findKind, listKindsOfType, type Kind } from "./kinds.js";

interface Part {
  readonly schema: SchemaObject;
  /** True if it holds in only one branch of a union. */
  readonly inUnion: boolean;
  /** True if the alternative lacks some of its subschemas. */
  readonly isPartial?: true;
}

/** Schemas that all hold for a value. */
type Alternative = readonly Part[];

/** The possible values at one place of the input. Each matches at least one alternative. */
export interface InputType {
  readonly root: JsonSchema;
  readonly alternatives: readonly Alternative[];
}

interface Member {
  /** Its type if present: no alternatives if it is always absent, anything if no schema declares it. */
  readonly type: InputType;
  readonly isDeclared: boolean;
  /** Present in every valid input, once defaults are filled. */
  readonly isCertain: boolean;
}

/** A union with more alternatives is ignored: that only allows more values, so every judgement stays sound. */
const MOST_ALTERNATIVES = 256;

export function readInputType(schema: JsonSchema): InputType {
  return { root: schema, alternatives: alternativesOf(schema, schema, false, []).filter(isPossible) };
}

function alternativesOf(
  schema: JsonSchema,
  root: JsonSchema,
  inUnion: boolean,
  followed: readonly SchemaObject[],
): readonly Alternative[] {
  if (schema === false) return [];
  if (schema === true) return [[{ schema: {}, inUnion }]];
  const unknown: Part = { schema: {}, inUnion, isPartial: true };
  if (followed.includes(schema)) return [[unknown]];
  const inside = [...followed, schema];
  let alternatives: readonly Alternative[] = [[{ schema, inUnion }]];
  const conjoin = (others: readonly Alternative[]): void => {
    const isTooMany = alternatives.length * others.length > MOST_ALTERNATIVES;
    alternatives = alternatives.flatMap((left) =>
      (isTooMany ? [[unknown]] : others).map((right) => [...left, ...right]),
    );
  };
  if (typeof schema.$ref === "string") {
    const target = findSchemaAt(root, schema.$ref);
    conjoin(target === undefined ? [[unknown]] : alternativesOf(target, root, inUnion, inside));
  }
  for (const branch of schema.allOf ?? []) conjoin(alternativesOf(branch, root, inUnion, inside));
  for (const union of [schema.anyOf, schema.oneOf]) {
    if (union !== undefined) conjoin(union.flatMap((branch) => alternativesOf(branch, root, true, inside)));
  }
  return alternatives;
}

/** Lists the kinds of one alternative; `double` includes integers. */
function kindsOf(alternative: Alternative): ReadonlySet<Kind> {
  let kinds: readonly Kind[] = ["null", "bool", "int", "double", "string", "list", "map"];
  for (const { schema } of alternative) {
    const { type } = schema;
    for (const named of [type && [type].flat().flatMap(listKindsOfType), readListedValues(schema)?.map(findKind)]) {
      const possible = new Set(named);
      if (named !== undefined) kinds = kinds.filter((kind) => possible.has(kind));
    }
  }
  return withoutIntegers(kinds);
}

/** Leaves out integers beside doubles, which include them. */
function withoutIntegers(kinds: readonly Kind[]): ReadonlySet<Kind> {
  return new Set(kinds.includes("double") ? kinds.filter((kind) => kind !== "int") : kinds);
}

/** Lists the kinds of all alternatives; `double` includes integers. */
export function findKinds(type: InputType): ReadonlySet<Kind> {
  return withoutIntegers(type.alternatives.flatMap((alternative) => [...kindsOf(alternative)]));
}

/** Returns the only values that an alternative allows; `undefined` if it does not list them. */
export function listValues(alternative: Alternative): readonly JsonValue[] | undefined {
  const [shortest, ...others] = alternative
    .flatMap(({ schema }) => {
      const values = readListedValues(schema);
      return values === undefined ? [] : [values];
    })
    .toSorted((a, b) => a.length - b.length);
  const tests = others.map(containedIn);
  // The list is that of all schemas, so search none of them again.
  return shortest?.filter(
    (value) => tests.every((test) => test(value)) && alternative.every(({ schema }) => isWithin(schema, value)),
  );
}

/** Creates a test for membership in a list. For plain values, its cost does not depend on the length of the list. */
function containedIn(values: readonly JsonValue[]): (value: JsonValue) => boolean {
  const plain = new Set(values);
  const structured = values.filter(isStructured);
  return (value) => plain.has(value) || (isStructured(value) && structured.some((other) => equal(other, value)));
}

/** True if an alternative may have this value, judged by type, listed values and numeric bounds. */
export function isAllowed(alternative: Alternative, value: JsonValue): boolean {
  return alternative.every(({ schema }) => {
    const values = readListedValues(schema);
    return (values === undefined || values.some((other) => equal(other, value))) && isWithin(schema, value);
  });
}

/** True if a value is of the type, and within the numeric bounds, of a schema. */
function isWithin(schema: SchemaObject, value: JsonValue): boolean {
  const { type } = schema;
  if (type !== undefined && ![type].flat().flatMap(listKindsOfType).includes(findKind(value))) return false;
  return (
    typeof value !== "number" ||
    (value >= (schema.minimum ?? -Infinity) &&
      value <= (schema.maximum ?? Infinity) &&
      value > (schema.exclusiveMinimum ?? -Infinity) &&
      value < (schema.exclusiveMaximum ?? Infinity))
  );
}

function isPossible(alternative: Alternative): boolean {
  const listed = listValues(alternative);
  return listed === undefined ? kindsOf(alternative).size > 0 : listed.length > 0;
}

export function narrowTo(type: InputType, values: readonly JsonValue[]): InputType {
  const part: Part = { schema: { enum: values }, inUnion: false };
  const alternatives = type.alternatives.map((alternative) => alternative.concat(part));
  return { root: type.root, alternatives: alternatives.filter(isPossible) };
}

export function narrowFrom(type: InputType, values: readonly JsonValue[]): InputType {
  const alternatives = type.alternatives.flatMap((alternative): Alternative[] => {
    const listed = listValues(alternative);
    if (listed !== undefined) {
      const isExcluded = containedIn(values);
      const left = listed.filter((value) => !isExcluded(value));
      return left.length === 0 ? [] : [[...alternative, { schema: { enum: left }, inUnion: false }]];
    }
    if (!values.includes(null)) return [alternative];
    const notNull = ["array", "boolean", "number", "object", "string"] as const;
    return [[...alternative, { schema: { type: notNull }, inUnion: false }]].filter(isPossible);
  });
  return { root: type.root, alternatives };
}

function memberOf(alternative: Alternative, name: string, root: JsonSchema): Member {
  const found: (readonly Alternative[])[] = [];
  let isCertain = false;
  for (const { schema, inUnion } of alternative) {
    if (schema.required?.includes(name) === true) isCertain = true;
    const declared = own(schema.properties, name);
    if (declared !== undefined) {
      found.push(alternativesOf(declared, root, inUnion, []));
      // Defaults are filled in only outside unions.
      if (!inUnion && typeof declared === "object" && Object.hasOwn(declared, "default")) isCertain = true;
    } else if (isTypedMap(schema.additionalProperties) && schema.patternProperties === undefined) {
      found.push(alternativesOf(schema.additionalProperties, root, inUnion, []));
    }
  }
  const canBePresent =
    kindsOf(alternative).has("map") &&
    !alternative.some((part) => part.schema.additionalProperties === false && !declares(part.schema, name)) &&
    !isClosedTo(alternative, name);
  const alternatives = canBePresent ? conjunction(found).filter(isPossible) : [];
  return { type: { root, alternatives }, isDeclared: found.length > 0, isCertain };
}

/** True if `unevaluatedProperties: false` excludes a property from an alternative of which no part evaluates it. */
function isClosedTo(alternative: Alternative, name: string): boolean {
  return (
    alternative.some(({ schema }) => schema.unevaluatedProperties === false) &&
    !alternative.some((part) => part.isPartial === true || mayEvaluate(part.schema, name))
  );
}

/** True if a schema may evaluate a property. Conditional subschemas may; patterns are not run here. */
function mayEvaluate(schema: SchemaObject, name: string): boolean {
  const { additionalProperties = false, unevaluatedProperties = false } = schema;
  return (
    declares(schema, name) ||
    additionalProperties !== false ||
    unevaluatedProperties !== false ||
    Object.keys(schema).some(appliesConditionally)
  );
}

function declares({ properties, patternProperties }: SchemaObject, name: string): boolean {
  return own(properties, name) !== undefined || Object.keys(patternProperties ?? {}).length > 0;
}

/** Keywords whose subschemas are parts of an alternative: {@link alternativesOf} follows them. */
export const FOLLOWED: ReadonlySet<string> = new Set<Keyword>(["$ref", "allOf", "anyOf", "oneOf"]);

/** True if a keyword's subschemas apply to some values only and so are no parts of an alternative. */
function appliesConditionally(keyword: string): boolean {
  return keyword === "if" || (keywordRow(keyword)?.applies === "inPlace" && !FOLLOWED.has(keyword));
}

function isTypedMap(schema: JsonSchema | undefined): schema is SchemaObject {
  return typeof schema === "object" && Object.keys(schema).length > 0;
}

function conjunction(parts: readonly (readonly Alternative[])[]): readonly Alternative[] {
  let result: readonly Alternative[] = [[]];
  for (const part of parts) {
    if (result.length * part.length > MOST_ALTERNATIVES) continue;
    result = result.flatMap((left) => part.map((right) => [...left, ...right]));
  }
  return result;
}

export function findMemberType(type: InputType, name: string): Member {
  const members = type.alternatives.map((alternative) => memberOf(alternative, name, type.root));
  return {
    type: { root: type.root, alternatives: members.flatMap((member) => member.type.alternatives) },
    isDeclared: members.some((member) => member.isDeclared),
    isCertain: members.length > 0 && members.every((member) => member.isDeclared && member.isCertain),
  };
}

export function listDeclaredNames(type: InputType): readonly string[] {
  const names = type.alternatives.flatMap((alternative) =>
    alternative.flatMap(({ schema }) => Object.keys(schema.properties ?? {})),
  );
  return [...new Set(names)];
}

export function filterByMember(type: InputType, name: string, test: (member: InputType) => boolean): InputType {
  const alternatives = type.alternatives.filter((alternative) => test(memberOf(alternative, name, type.root).type));
  return { root: type.root, alternatives };
}

export function removeMember(type: InputType, name: string): InputType {
  const alternatives = type.alternatives.filter((alternative) => !memberOf(alternative, name, type.root).isCertain);
  return { root: type.root, alternatives };
}

export function findItemType(type: InputType): InputType {
  const alternatives = type.alternatives.flatMap((alternative) => {
    const isTuple = alternative.some(({ schema }) => schema.prefixItems !== undefined);
    // The items of a tuple differ by position, and nothing is known about those that no schema describes.
    if (isTuple) return [[]];
    return conjunction(
      alternative.flatMap(({ schema, inUnion }) =>
        isSchema(schema.items) ? [alternativesOf(schema.items, type.root, inUnion, [])] : [],
      ),
    );
  });
  return { root: type.root, alternatives: alternatives.filter(isPossible) };
}

function isSchema(items: SchemaObject["items"]): items is JsonSchema {
  return typeof items === "boolean" || (typeof items === "object" && !Array.isArray(items));
}

export function countMostItems(type: InputType): number {
  const bounds = type.alternatives.map((alternative) =>
    Math.min(...alternative.map(({ schema }) => schema.maxItems ?? Infinity)),
  );
  return Math.max(0, ...bounds);
}

/** Returns the maximum length of a text at this place, in code points. */
export function measureLongestString(type: InputType): number {
  const bounds = type.alternatives.map((alternative) => {
    const listed = listValues(alternative);
    if (listed !== undefined) {
      return Math.max(0, ...listed.map((value) => (typeof value === "string" ? value.length : 0)));
    }
    return Math.min(...alternative.map(({ schema }) => schema.maxLength ?? Infinity));
  });
  return Math.max(0, ...bounds);
}
