import type { JsonObject, JsonSchema, Validator } from "@hasp/schema";
import { createValidator } from "@hasp/schema/validate";
import { cloneJson } from "../json/copy-json.js";
import { toDraft07 } from "./to-draft-07.js";
import { pointerTokens } from "../json/pointer.js";

/** One issue of a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path: readonly string[];
}

/** The answer of `validate`: the value with defaults and lossless coercion, or the issues. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** The JSON Schema version that is wanted. */
export interface StandardTarget {
  readonly target: string;
}

/** Standard Schema v1 and Standard JSON Schema v1 in one object. Structural, so that nothing must be installed. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardProperties<Input, Output>;
}

/** The members of `~standard`. */
export interface StandardProperties<Input = unknown, Output = Input> {
  readonly version: 1;
  readonly vendor: "hasp";
  /** Synchronous, as some hosts require. */
  readonly validate: (value: unknown) => StandardResult<Output>;
  /** Returns a new copy each time. Throws for a target that cannot express the schema. */
  readonly jsonSchema: {
    readonly input: (options: StandardTarget) => Record<string, unknown>;
    readonly output: (options: StandardTarget) => Record<string, unknown>;
  };
  readonly types?: { readonly input: Input; readonly output: Output };
}

/** Wraps a JSON Schema of draft 2020-12 as a Standard Schema. The validator is created with the first value. */
export function standardOf<Output = unknown>(schema: JsonSchema): StandardSchema<unknown, Output> {
  let validator: Validator | undefined;
  const validate: Validator = (value) =>
    (validator ??= createValidator(schema, { coerce: true, defaults: true }))(value);
  return Object.freeze({ "~standard": standardProperties<Output>(schema, validate) });
}

/** The same for a schema with an existing validator. */
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
  throw new TypeError(`The target "${target}" is not supported; use "draft-2020-12" or "draft-07".`);
}
