import { linearPattern } from "../patterns/linear-pattern.js";

const LONGEST_TESTED_NAME = 256;

/** Creates a test of property names by a pattern; `undefined` if a test is not known to take linear time. */
export function nameTester(pattern: string): (name: string) => boolean | undefined {
  const expression = linearPattern(pattern);
  return (name) => (name.length > LONGEST_TESTED_NAME ? undefined : expression?.test(name));
}

/** True if a pattern matches one property name; `undefined` where testing it might take too long. */
export function matchesName(pattern: string, name: string): boolean | undefined {
  return nameTester(pattern)(name);
}
