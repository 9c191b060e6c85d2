import { canonicalText, escapeToken, own } from "@hasp/base/json";
import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { readListedValues, findSchemaAt } from "../schemas.js";
import { keywordRow } from "@hasp/schema/vocabulary";

/** A conjunction: a value must match every part. */
export type ConjunctList = readonly Conjunct[];

/** A schema object without its references and combinations. */
export interface Conjunct {
  readonly schema: SchemaObject;
  readonly pointer: string;
  /** Names that another branch of the same union may allow. */
  readonly otherNames?: ReadonlySet<string>;
}

/** A schema with more alternatives stays whole. */
const MOST_ALTERNATIVES = 64;

/** Combines every choice of both sides; `undefined` if there are too many. */
export function conjoinChoices(
  left: readonly ConjunctList[],
  right: readonly ConjunctList[],
): readonly ConjunctList[] | undefined {
  if (left.length * right.length > MOST_ALTERNATIVES) return undefined;
  return left.flatMap((some) => right.map((others) => [...some, ...others]));
}

interface Expansion {
  readonly root: JsonSchema;
  /** `keep` compares an overlapping `oneOf` as written; `open` treats it as the wider `anyOf`. */
  readonly overlaps: "keep" | "open";
}

/** Expands a schema into conjunctions. Follows references once; keeps a schema with too many choices whole. */
export function expandSchema(
  schema: JsonSchema,
  pointer: string,
  expansion: Expansion,
  followed: readonly SchemaObject[] = [],
): readonly ConjunctList[] {
  if (schema === false) return [];
  if (schema === true) return [[{ schema: {}, pointer }]];
  const whole: readonly ConjunctList[] = [[{ schema, pointer }]];
  if (followed.includes(schema)) return whole;
  const inside = [...followed, schema];
  const below = (part: JsonSchema, at: string): readonly ConjunctList[] => expandSchema(part, at, expansion, inside);
  const { $ref, allOf = [], anyOf, oneOf, ...bare } = schema;
  const parts: (readonly ConjunctList[])[] = [];
  if ($ref !== undefined) {
    const target = findSchemaAt(expansion.root, $ref);
    if (target === undefined) return whole;
    parts.push(below(target, $ref.slice(1)));
  }
  parts.push(...allOf.map((branch, index) => below(branch, `${pointer}/allOf/${index}`)));
  if (anyOf !== undefined) {
    const branches = anyOf.flatMap((branch, index) => below(branch, `${pointer}/anyOf/${index}`));
    parts.push(excludeEachOther(anyOf) ? branches : withNamesOfAll(branches));
  }
  if (oneOf !== undefined) {
    const isKept = expansion.overlaps === "keep" && !excludeEachOther(oneOf);
    parts.push(
      isKept
        ? [[{ schema: { oneOf }, pointer }]]
        : oneOf.flatMap((branch, index) => below(branch, `${pointer}/oneOf/${index}`)),
    );
  }
  let found: readonly ConjunctList[] | undefined = [[{ schema: bare, pointer }]];
  for (const part of parts) found = found && conjoinChoices(found, part);
  return found ?? whole;
}

/** Allows each branch of an `anyOf` the names of the others, since a value may match several. */
function withNamesOfAll(branches: readonly ConjunctList[]): readonly ConjunctList[] {
  const names = new Set(
    branches.flatMap((parts) =>
      parts.flatMap(({ schema, otherNames = [] }) => [...Object.keys(schema.properties ?? {}), ...otherNames]),
    ),
  );
  return branches.map((parts) => parts.map((part) => ({ ...part, otherNames: names })));
}

/** True if no value matches two branches: their types or the constants of a required property differ. */
function excludeEachOther(branches: readonly JsonSchema[]): boolean {
  const objects = branches.filter((branch) => typeof branch === "object");
  if (objects.length < branches.length) return false;
  const isApart = (values: readonly (readonly unknown[] | undefined)[]): boolean => {
    const texts = values.map((each) => each?.map(canonicalText));
    const all = texts.flatMap((each) => each ?? []);
    return texts.every((each) => each !== undefined) && new Set(all).size === all.length;
  };
  const types = objects.map(({ type }) =>
    type === undefined ? undefined : [type].flat().map((each) => (each === "integer" ? "number" : each)),
  );
  if (isApart(types) || isApart(objects.map(readListedValues))) return true;
  const shared = (objects[0]?.required ?? []).filter((name) =>
    objects.every(({ required = [] }) => required.includes(name)),
  );
  return shared.some((name) =>
    isApart(
      objects.map((branch) => {
        const property = branch.type === "object" ? own(branch.properties, name) : undefined;
        return typeof property === "object" ? readListedValues(property) : undefined;
      }),
    ),
  );
}

export interface SubSchema {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

/** Lists the schemas for the value of a property: its own, or those for undeclared names. */
export function findSchemasOfName(schema: SchemaObject, name: string, pointer: string): readonly SubSchema[] {
  const { patternProperties, additionalProperties } = schema;
  const declared = own(schema.properties, name);
  if (declared !== undefined) return [{ schema: declared, pointer: `${pointer}/properties/${escapeToken(name)}` }];
  // A pattern might match the name with a schema of its own; knowing less about the value is sound.
  if (additionalProperties === undefined || patternProperties !== undefined) return [];
  return [{ schema: additionalProperties, pointer: `${pointer}/additionalProperties` }];
}

/** True if `unevaluatedProperties: false` around a union forbids the name. */
export function isForbiddenByUnion(inner: ConjunctList, name: string): boolean {
  if (!inner.some(({ schema }) => schema.unevaluatedProperties === false) || !knowsItsNames(inner)) return false;
  return inner.every(
    ({ schema, otherNames }) => !Object.hasOwn(schema.properties ?? {}, name) && otherNames?.has(name) !== true,
  );
}

function evaluatesNames(keyword: string): boolean {
  return keyword === "patternProperties" || keyword === "if" || keywordRow(keyword)?.applies === "inPlace";
}

/** True if `unevaluatedProperties` counts nothing but the parts' `properties` as evaluated. */
export function knowsItsNames(inner: ConjunctList): boolean {
  return inner.every(({ schema }) => {
    if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) return false;
    return !Object.keys(schema).some(evaluatesNames);
  });
}
