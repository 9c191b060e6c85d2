import { createValidator, type JsonSchema, type JsonValue } from "@hasp/schema";
import { proposeValues } from "@hasp/schema/internal/generate";
import { isStructured, parsePointer, readOwnMember } from "@hasp/base/json";

/** A search for a value that shows a change; it found none. */
interface Search {
  readonly what: "call" | "output";
  /** The values that were tried. */
  readonly tried: readonly JsonValue[];
  /** The schema that a value had to fit. */
  readonly schema: JsonSchema;
  /** The place that has changed; `""` for the whole value. */
  readonly location?: string;
}

/** Describes what a search has tried: nothing was found only where something was tried. */
export function describeSearch({ what, tried, schema, location = "" }: Search): string {
  const tokens = parsePointer(location);
  if (tried.some((value) => hasPlace(value, tokens))) return `No such ${what} was found.`;
  const gap = tried.length > 0 ? undefined : findGap(schema);
  const remedy = "An example in the spec would be.";
  return gap === undefined
    ? `No ${what} with a value at ${location || "this place"} was tried. ${remedy}`
    : `No ${what} was tried, since no value is known that fits ${gap}. ${remedy}`;
}

/** Finds the keyword that every sample breaks, with its place. */
function findGap(schema: JsonSchema): string | undefined {
  const validate = createValidator(schema);
  const broken = [...proposeValues([schema], schema, { most: 16 })].map((value) => validate(value).errors);
  if (broken.some((errors) => errors.length === 0)) return undefined;
  const [error] = broken.toSorted((left, right) => left.length - right.length)[0] ?? [];
  return error === undefined ? "the schema" : `"${error.keyword}" at ${error.pointer || "the top"}`;
}

/** True if a value has something at a place, where `*` is any item or member. */
function hasPlace(value: JsonValue, [token, ...others]: readonly string[]): boolean {
  if (token === undefined) return true;
  if (token === "*") return isStructured(value) && Object.values(value).some((each) => hasPlace(each, others));
  const inside = readOwnMember(value, token);
  return inside !== undefined && hasPlace(inside, others);
}
