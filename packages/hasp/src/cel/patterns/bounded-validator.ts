import { createValidator, type JsonSchema, type Validator, type ValidatorOptions } from "@hasp/schema";
import { canBeRun } from "./pattern.js";

/**
 * The validator of a schema, for values that are part of a spec or derived from it. If the validator cannot run some
 * pattern of the schema in linear time, no pattern is run and each counts as matched. Such a schema is an error of its
 * own, `schema/slow-pattern`.
 */
export function boundedValidator(schema: JsonSchema, options: ValidatorOptions = {}): Validator {
  return boundedValidators(schema, options)(schema);
}

/** The validators of parts of a schema, whose patterns are examined once. */
export function boundedValidators(whole: JsonSchema, options: ValidatorOptions = {}): (part: JsonSchema) => Validator {
  const bounded = hasSlowPattern(whole) ? { ...options, foreignPatterns: "skip" as const } : options;
  return (part) => createValidator(part, bounded);
}

/** Whether a schema has a pattern that the validator cannot run in linear time. */
export function hasSlowPattern(schema: JsonSchema): boolean {
  return somePattern(schema, (pattern) => !canBeRun(pattern));
}

/** Whether some pattern satisfies a test. A key of the author's data that only looks like a keyword does no harm. */
function somePattern(value: unknown, test: (pattern: string) => boolean): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]: [string, unknown]) => {
    if (key === "pattern" && typeof member === "string") return test(member);
    const isMap = key === "patternProperties" && typeof member === "object" && member !== null;
    return (isMap && Object.keys(member).some(test)) || somePattern(member, test);
  });
}
