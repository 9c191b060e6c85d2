import { proposeValues } from "@hasp/schema/internal/generate";
import type { JsonValue } from "@hasp/schema";
import { type Expression, listOperands } from "../../model/conditions.js";
import { readOwnMember, toObject, isList, own, pickMembers } from "@hasp/base/json";
import { findItemType, findMemberType, FOLLOWED, type InputType } from "../check/input-type.js";

/** Steps from the input to a value in it: names of members, and `0` for every item of a list. */
export type InputPlace = readonly (string | 0)[];

/** The places of the items of the loops around an expression, by variable. */
export type LoopPlaces = ReadonlyMap<string, InputPlace>;

export function withItem(places: LoopPlaces, variable: string, list: InputPlace): LoopPlaces {
  return new Map([...places, [variable, [...list, 0] as const]]);
}

export function readItems(input: JsonValue, places: LoopPlaces): ReadonlyMap<string, unknown> {
  return new Map([...places].map(([name, path]) => [name, readPlace(input, path)]));
}

export function listPlaces(of: Expression, places: LoopPlaces): readonly InputPlace[] {
  const found = new Map<string, InputPlace>();
  const visit = (part: Expression, inner: LoopPlaces): void => {
    const path = findPlace(part, inner);
    if (path !== undefined && path.length > 0) found.set(JSON.stringify(path), path);
    if (path !== undefined) return;
    const list = part.kind === "quantifier" ? findPlace(part.list, inner) : undefined;
    const within = list === undefined || part.kind !== "quantifier" ? inner : withItem(inner, part.variable, list);
    for (const operand of listOperands(part)) visit(operand, within);
  };
  visit(of, places);
  return [...found.values()];
}

/** Returns the place that an expression reads or tests; `undefined` if it computes its value. */
export function findPlace(of: Expression, places: LoopPlaces): InputPlace | undefined {
  if (of.kind === "input") return [];
  if (of.kind === "variable") return places.get(of.name);
  if (of.kind !== "member" && of.kind !== "has") return undefined;
  const holder = findPlace(of.object, places);
  return holder && [...holder, of.name];
}

export function findPlaceType(root: InputType, path: InputPlace): InputType {
  return path.reduce<InputType>(
    (type, step) => (step === 0 ? findItemType(type) : findMemberType(type, step).type),
    root,
  );
}

/** The most values of one kind of a place, and of a place. */
const [MOST_OF_KIND, MOST_OF_PLACE] = [4, 16];

/** Lists small values of a place in the input. */
export function sampleType({ alternatives, root }: InputType): readonly JsonValue[] {
  return alternatives
    .flatMap((parts) => {
      // The schemas of these keywords are parts of the alternative themselves.
      const schemas = parts.map(({ schema }) => pickMembers(schema, (keyword) => !FOLLOWED.has(keyword)));
      return [...proposeValues(schemas, root, { most: MOST_OF_KIND })];
    })
    .slice(0, MOST_OF_PLACE);
}

export function readPlace(input: JsonValue | undefined, path: InputPlace): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, step) => {
    if (step === 0) return isList(value) ? value[0] : undefined;
    return readOwnMember(value, step);
  }, input);
}

/** Returns the input with another value at a place, which `undefined` removes. All items of a list change alike. */
export function writePlace(
  input: JsonValue | undefined,
  [step, ...rest]: InputPlace,
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (step === undefined) return value;
  if (step === 0) {
    if (!isList(input)) return undefined;
    return (input.length === 0 ? [{}] : input).flatMap((item) => writePlace(item, rest, value) ?? []);
  }
  const holder = toObject(input);
  const inside = rest.length === 0 ? value : writePlace(own(holder, step), rest, value);
  if (inside !== undefined) return { ...holder, [step]: inside };
  const { [step]: _removed, ...others } = holder;
  return others;
}
