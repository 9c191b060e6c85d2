import { type CheckFinding, createRun, MAX_NESTED } from "./checks/check.js";
import { compile, isBoundExceeded } from "./validator.js";

/** A keyword that a value breaks. */
export interface Fault {
  /** JSON Pointer to the place in the value; for a missing property, to where it should be. */
  readonly pointer: string;
  /** `""` for a `false` schema and for a value beyond the bounds. */
  readonly keyword: string;
  /** JSON Pointer to the keyword in the schema. */
  readonly schemaPointer: string;
  /** The accepted values, in words that follow "must be". */
  readonly expected: string;
}

/** Compiles a schema to a function that lists every fault of a value. A union counts as one. */
export function createFaultFinder(schema: unknown): (value: unknown) => readonly Fault[] {
  const node = compile(schema, true, false).nodeOf(schema, "");
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
