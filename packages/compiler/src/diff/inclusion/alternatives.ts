import { canonicalText, type JsonSchema, type SchemaObject } from "@hasp/schema";
import { schemaAt, listedValues, propertyOf } from "../../model/schemas.js";

/** A conjunction: a value must match every part. */
export type Alternative = readonly Part[];

/** A schema object without its references and combinations. */
export interface Part {
  readonly schema: SchemaObject;
  readonly pointer: string;
  /** Names that another branch of the same union may allow. */
  readonly otherNames?: ReadonlySet<string>;
}

/** A schema with more alternatives stays whole. */
const MOST_ALTERNATIVES = 64;

/** Combines every choice of both sides; `undefined` if there are too many. */
export function conjoined(
  left: readonly Alternative[],
  right: readonly Alternative[],
): readonly Alternative[] | undefined {
  if (left.length * right.length > MOST_ALTERNATIVES) return undefined;
  return left.flatMap((some) => right.map((others) => [...some, ...others]));
}

interface Expansion {
  readonly root: JsonSchema;
  /** `keep` compares an overlapping `oneOf` as written; `open` treats it as the wider `anyOf`. */
  readonly overlaps: "keep" | "open";
}

/** Expands a schema into conjunctions. Follows references once; keeps a schema with too many choices whole. */
export function alternativesOf(
  schema: JsonSchema,
  pointer: string,
  expansion: Expansion,
  followed: readonly SchemaObject[] = [],
): readonly Alternative[] {
  if (schema === false) return [];
  if (schema === true) return [[{ schema: {}, pointer }]];
  const whole: readonly Alternative[] = [[{ schema, pointer }]];
  if (followed.includes(schema)) return whole;
  const inside = [...followed, schema];
  const below = (part: JsonSchema, at: string): readonly Alternative[] => alternativesOf(part, at, expansion, inside);
  const { $ref, allOf = [], anyOf, oneOf, ...bare } = schema;
  const parts: (readonly Alternative[])[] = [];
  if ($ref !== undefined) {
    const target = schemaAt(expansion.root, $ref);
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
  let found: readonly Alternative[] | undefined = [[{ schema: bare, pointer }]];
  for (const part of parts) found = found && conjoined(found, part);
  return found ?? whole;
}

/** A value may match several branches of an `anyOf`, so each branch allows the names of the others. */
function withNamesOfAll(branches: readonly Alternative[]): readonly Alternative[] {
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
  if (isApart(types) || isApart(objects.map(listedValues))) return true;
  const shared = (objects[0]?.required ?? []).filter((name) =>
    objects.every(({ required = [] }) => required.includes(name)),
  );
  return shared.some((name) =>
    isApart(
      objects.map((branch) => {
        const property = branch.type === "object" ? propertyOf(branch, name) : undefined;
        return typeof property === "object" ? listedValues(property) : undefined;
      }),
    ),
  );
}
