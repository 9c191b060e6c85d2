import type { JsonObject, JsonSchema, Validator } from "@hasp/schema";
import { createValidator } from "@hasp/schema/validate";
import { cloneJson } from "../json/copy-json.js";
import { toDraft07 } from "./to-draft-07.js";
import { pointerTokens } from "../json/pointer.js";

/** One fault of a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path: readonly string[];
}

/** What `validate` answers: the value with defaults and lossless coercion, or the faults. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** Which JSON Schema is asked for. */
export interface StandardTarget {
  readonly target: string;
}

/**
 * Standard Schema v1 and Standard JSON Schema v1 in one object: whatever takes one of them takes this. Structural, so
 * that nothing must be installed.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardProperties<Input, Output>;
}

/** What stands behind `~standard`. */
export interface StandardProperties<Input = unknown, Output = Input> {
  readonly version: 1;
  readonly vendor: "hasp";
  /** Answers at once, never with a promise: some hosts take none. */
  readonly validate: (value: unknown) => StandardResult<Output>;
  /** A fresh copy each time, which the host may change. Throws for a target that cannot say the same. */
  readonly jsonSchema: {
    readonly input: (options: StandardTarget) => Record<string, unknown>;
    readonly output: (options: StandardTarget) => Record<string, unknown>;
  };
  readonly types?: { readonly input: Input; readonly output: Output };
}

/** Any JSON Schema of draft 2020-12 as a Standard Schema. The validator is made with the first value. */
export function standardOf<Output = unknown>(schema: JsonSchema): StandardSchema<unknown, Output> {
  let validator: Validator | undefined;
  const validate: Validator = (value) =>
    (validator ??= createValidator(schema, { coerce: true, defaults: true }))(value);
  return Object.freeze({ "~standard": standardProperties<Output>(schema, validate) });
}

/** The same for a schema whose validator is there. */
export function standardProperties<Output = unknown>(
  schema: JsonSchema,
  validate: Validator,
): StandardProperties<unknown, Output> {
  const convert = ({ target }: StandardTarget): Record<string, unknown> => convertTo(target, schema);
  return Object.freeze<StandardProperties<unknown, Output>>({
    version: 1,
    vendor: "hasp",
    validate(value) {
      const result = validate(value);
      if (result.valid) return { value: result.value as Output };
      return { issues: result.errors.map(({ message, pointer }) => ({ message, path: pointerTokens(pointer) })) };
    },
    jsonSchema: Object.freeze({ input: convert, output: convert }),
  });
}

function convertTo(target: string, schema: JsonSchema): Record<string, unknown> {
  const copy = cloneJson(schema as unknown as JsonObject) as JsonObject | boolean;
  const root = typeof copy === "boolean" ? (copy ? {} : { not: {} }) : copy;
  if (target === "draft-2020-12") return { ...root };
  if (target === "draft-07") return toDraft07(root);
  throw new TypeError(`No JSON Schema for the target "${target}" can be given; "draft-2020-12" and "draft-07" can.`);
}
