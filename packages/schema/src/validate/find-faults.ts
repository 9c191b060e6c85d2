import { type CheckFinding, createRun, MAX_NESTED } from "./checks/check.js";
import { allParts, compile, isBoundExceeded } from "./validator.js";

/** A keyword that a value breaks; `""` for a `false` schema and for a value beyond the bounds. */
export type Fault = Pick<CheckFinding, "pointer" | "keyword" | "schemaPointer" | "expected">;

/** Compiles a schema to a function that lists every fault of a value. A union counts as one. */
export function createFaultFinder(schema: unknown): (value: unknown) => readonly Fault[] {
  const node = compile(schema, true, false, allParts).nodeOf(schema, "");
  return (value) => {
    const findings: CheckFinding[] = [];
    try {
      node.check(value, { ...createRun(Infinity, findings), mismatches: MAX_NESTED });
    } catch (error) {
      if (!isBoundExceeded(error)) throw error;
      return [{ pointer: "", keyword: "", schemaPointer: "", expected: "smaller" }];
    }
    return findings;
  };
}
