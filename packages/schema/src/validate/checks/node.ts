import type { LinearPattern } from "../../patterns/linear-pattern.js";
import type { Check, Members } from "./check.js";

/**
 * One schema object, compiled. What its keywords say about its parts stays at hand for coercion, defaults and messages.
 */
export interface Node {
  readonly schema: Members;
  /** JSON Pointer of the schema. */
  readonly pointer: string;
  /** Replaced once the keywords are compiled: a recursive schema meets its own node before. */
  check: Check;
  /** The types that `type` allows, as bits. */
  types: number;
  /** The types that the whole schema may accept, as far as coercion has found out. */
  accepted?: number;
  /** The values that `enum` and `const` allow together. */
  values?: readonly unknown[];
  /** Creates a fresh copy of the `default`. */
  fill?: () => unknown;
  properties: ReadonlyMap<string, Node>;
  /** The properties that have a default, with what gives it. */
  fills: readonly (readonly [string, () => unknown])[];
  patterns: readonly (readonly [LinearPattern, Node])[];
  additional?: Node;
  prefix: readonly Node[];
  rest?: Node;
  /** Schemas that hold for the same value: `$ref` and `allOf`. */
  readonly all: Node[];
  /** Alternatives for the same value: each `anyOf` and `oneOf`. */
  readonly unions: (readonly Node[])[];
  /** Schemas that may hold for the same value: conditions and dependents. */
  readonly others: Node[];
}
