import { PatternBoundExceeded } from "../patterns/linear-pattern.js";
import { BoundExceeded, createRun, type Finding } from "./checks/check.js";
import { compile } from "./compile.js";
import { describe } from "./checks/describe.js";
import { createReshape } from "./reshape.js";

/** One reason why a value is not valid. */
export interface ValidationError {
  /** JSON Pointer to the place in the value; for a missing property, to where it should be. */
  readonly pointer: string;
  /** The keyword that refuses it; `""` for a `false` schema and for a value beyond the bounds. */
  readonly keyword: string;
  /** The accepted values, in words that follow "must be". */
  readonly expected: string;
  /** The value found, in words; long values are cut. */
  readonly received: string;
  /** One sentence for a model: place, what must be there, what was. */
  readonly message: string;
  /** JSON Pointer to the keyword in the schema. */
  readonly schemaPointer: string;
}

/** The verdict on one value. */
export interface ValidationResult {
  readonly valid: boolean;
  readonly errors: readonly ValidationError[];
  /** The value after coercion and defaults; the very value given when nothing changed. */
  readonly value: unknown;
}

/** Judges values by one schema. */
export type Validator = (value: unknown) => ValidationResult;

/** Settings of {@link createValidator}; all optional. */
export interface ValidatorOptions {
  /** Asserts the known formats (see `assertedFormats`); otherwise `format` only describes. Default true. */
  readonly formats?: boolean;
  /** `skip`: no `pattern` of a stranger's schema is run, and what hangs on one counts as met. Default `run`. */
  readonly foreignPatterns?: "run" | "skip";
  /** Most errors that one run reports. Default 20. */
  readonly maxErrors?: number;
  /**
   * Reads a text as the value it spells where that loses nothing: canonical numbers in the safe range, `true` and
   * `false`, the JSON of arrays and objects; only where the schema takes no text (or lists texts and this is none of
   * them). Default false.
   */
  readonly coerce?: boolean;
  /**
   * Fills absent properties with a fresh copy of their schema's own `default`: in objects reached through properties
   * and items, in a union only behind the constant that names the branch. Default false.
   */
  readonly defaults?: boolean;
}

/**
 * Compiles a schema to a function that validates values by it, without `eval` or generated code. It knows draft 2020-12
 * and, where `$schema` says so, draft-07, with references inside the schema (`#`, `#/…`); recursion is welcome.
 * Whatever it cannot decide (another document, a dynamic reference, a malformed keyword, a broken regular expression)
 * makes it throw a `TypeError` that names keyword and place. Unknown keywords are annotations. The values it validates are
 * JSON: own properties only, and a member that is `undefined` is absent. It changes neither schema nor value.
 */
export function createValidator(schema: unknown, options: ValidatorOptions = {}): Validator {
  const { formats = true, foreignPatterns = "run", coerce = false, defaults = false } = options;
  const maxErrors = Math.max(1, options.maxErrors ?? 20);
  const reshape = coerce || defaults ? createReshape(coerce, defaults) : undefined;
  const node = compile(schema, formats, foreignPatterns === "skip");

  return (given) => {
    try {
      const value = reshape === undefined ? given : reshape(node, given, createRun(maxErrors));
      if (node.check(value, createRun(maxErrors))) return { valid: true, errors: [], value };
      const findings: Finding[] = [];
      node.check(value, createRun(maxErrors, findings));
      return { valid: false, errors: findings.map(toError), value };
    } catch (error) {
      // The stack may also end before our own bound does, where little of it was left to us.
      if (!isBoundExceeded(error)) throw error;
      const received = error instanceof RangeError ? "nested too deeply" : error.message;
      const predicate = `is ${received}; send a smaller one`;
      const finding = {
        pointer: "",
        keyword: "",
        schemaPointer: "",
        expected: "smaller",
        value: given,
        received,
        predicate,
      };
      return { valid: false, errors: [toError(finding)], value: given };
    }
  };
}

/**
 * Compiles a schema to the verdict alone, as {@link createValidator} gives it by default, without the cost of reasons
 * and coercion. Throws the same.
 */
export function createMatcher(schema: unknown): (value: unknown) => boolean {
  const node = compile(schema, true, false);
  return (value) => {
    try {
      return node.check(value, createRun(1));
    } catch (error) {
      if (!isBoundExceeded(error)) throw error;
      return false;
    }
  };
}

function isBoundExceeded(error: unknown): error is Error {
  return error instanceof BoundExceeded || error instanceof PatternBoundExceeded || error instanceof RangeError;
}

const LONGEST_PLACE = 200;

function toError(finding: Finding): ValidationError {
  const { pointer, keyword, expected, schemaPointer, received = describe(finding.value) } = finding;
  const { predicate = `must be ${expected}; you sent ${received}` } = finding;
  const shown = pointer.length > LONGEST_PLACE ? `${pointer.slice(0, LONGEST_PLACE)}…` : pointer;
  const subject = pointer === "" ? "The value" : `\`${shown}\``;
  const end = predicate.endsWith("?") ? "" : ".";
  return { pointer, keyword, expected, received, message: `${subject} ${predicate}${end}`, schemaPointer };
}
