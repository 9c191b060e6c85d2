import type { JsonValue, ValidationError, Validator } from "@hasp/schema";
import { pointerTokens } from "../model/json.js";

/** A value that the second version refuses. */
interface Witness {
  readonly value: JsonValue;
  readonly error: ValidationError;
}

const MOST_WITNESSES = 20;

/** Finds values that only the first version accepts: the shortest for each place and keyword. */
export function findWitnesses(
  candidates: readonly JsonValue[],
  accepts: (value: JsonValue) => boolean,
  refuse: Validator,
): readonly Witness[] {
  const found = new Map<string, Witness & { readonly length: number }>();
  for (const value of candidates) {
    const { valid, errors } = refuse(value);
    const [error] = errors;
    // A candidate with a single error shows it best.
    if (valid || error === undefined || !accepts(value)) continue;
    const key = `${placeKey(error.pointer)} ${error.keyword}`;
    const { length } = JSON.stringify(value);
    const known = found.get(key);
    const isBetter = known === undefined || length < known.length;
    if (isBetter && (errors.length === 1 || known === undefined)) found.set(key, { value, error, length });
  }
  return [...found.values()].slice(0, MOST_WITNESSES).map(({ value, error }) => ({ value, error }));
}

// All items of a list count as one place.
const placeKey = (pointer: string): string =>
  pointerTokens(pointer)
    .map((token) => (/^\d+$/u.test(token) ? "*" : token))
    .join("/");

/** True if two places match, where `*` is any item, or one contains the other. */
export function isSameLocation(pattern: string, pointer: string): boolean {
  const [left, right] = [pointerTokens(pattern), pointerTokens(pointer)];
  return left
    .slice(0, right.length)
    .every((token, index) => token === "*" || token === right[index] || right[index] === "*");
}
