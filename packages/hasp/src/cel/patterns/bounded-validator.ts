import { createValidator, type JsonSchema, type Validator, type ValidatorOptions } from "@hasp/schema";
import { isLinearTime } from "./linear-time.js";

/**
 * The validator of a schema, for values that stand in a spec or are made from it. A spec may be hostile and bring both
 * a pattern that backtracks without end and the text for it: where any pattern of the schema can be attacked, none is
 * run, and what hangs on one counts as met. Such a schema is an error of its own, `schema/slow-pattern`.
 */
export function boundedValidator(schema: JsonSchema, options: ValidatorOptions = {}): Validator {
  return createValidator(schema, hasSlowPattern(schema) ? { ...options, foreignPatterns: "skip" } : options);
}

/** Whether some text makes a pattern of the schema backtrack exponentially. */
export function hasSlowPattern(schema: JsonSchema): boolean {
  if (typeof schema === "boolean") return false;
  const known = verdicts.get(schema);
  if (known !== undefined) return known;
  const verdict = somePattern(schema, (pattern) => !isLinearTime(pattern));
  verdicts.set(schema, verdict);
  return verdict;
}

const verdicts = new WeakMap<object, boolean>();

/**
 * Whether something that may be a pattern is such; a word of the author's data that only looks like one does no harm.
 */
function somePattern(value: unknown, isSuch: (pattern: string) => boolean): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]: [string, unknown]) => {
    if (key === "pattern" && typeof member === "string") return isSuch(member);
    const isMap = key === "patternProperties" && typeof member === "object" && member !== null;
    return (isMap && Object.keys(member).some(isSuch)) || somePattern(member, isSuch);
  });
}
