import { canonicalText, type JsonSchema, type SchemaObject } from "@hasp/schema";
import { schemaAt } from "../../model/schemas/schema-at.js";
import { listedValues, propertyOf } from "../../model/schemas/schema-parts.js";

/** One way in which a schema lets a value be: every part holds. */
export type Alternative = readonly Part[];

/** One schema object of a conjunction, without its references and combinations. */
export interface Part {
  readonly schema: SchemaObject;
  readonly pointer: string;
  /** Names that another branch of the same union may let in, where a value can take both. */
  readonly otherNames?: ReadonlySet<string>;
}

/** As many alternatives are told apart; a schema with more stays whole. */
const MOST_ALTERNATIVES = 64;

/** Every choice of the one side together with every choice of the other; `undefined` where those are too many. */
export function conjoined(
  left: readonly Alternative[],
  right: readonly Alternative[],
): readonly Alternative[] | undefined {
  if (left.length * right.length > MOST_ALTERNATIVES) return undefined;
  return left.flatMap((some) => right.map((others) => [...some, ...others]));
}

/** The root that references lead into, and what is done with a `oneOf` whose branches overlap. */
interface Expansion {
  readonly root: JsonSchema;
  /** Such a `oneOf` refuses the overlap: kept whole, it is compared as it stands. To open it is to let more in. */
  readonly overlaps: "keep" | "open";
}

/**
 * A schema as a choice of conjunctions. References are followed once; where there are too many choices, it stays whole.
 */
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

/** A value may take several branches of an `anyOf`; each then lets the names of the others in. */
function withNamesOfAll(branches: readonly Alternative[]): readonly Alternative[] {
  const names = new Set(
    branches.flatMap((parts) =>
      parts.flatMap(({ schema, otherNames = [] }) => [...Object.keys(schema.properties ?? {}), ...otherNames]),
    ),
  );
  return branches.map((parts) => parts.map((part) => ({ ...part, otherNames: names })));
}

/** True if no value passes two branches: their types differ, or a required property has other constants in each. */
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
