import type { JsonObject, JsonSchema } from "@hasp/schema";
import { createValidator } from "@hasp/schema/validate";
import type { Tool } from "../contract/tool.js";
import { cloneJson } from "../json/copy-json.js";
import { toDraft07 } from "./to-draft-07.js";

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
 * Standard Schema v1 and Standard JSON Schema v1 in one object: whatever takes one of them takes this. Structural, so that
 * nothing must be installed.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
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
  };
}

/**
 * The input of a tool as a Standard Schema: for frameworks that want to describe and validate it by themselves. It says what
 * the tool's schema says; the checks of `validate`, permission and scheduling are the dispatcher's.
 */
export function standardInput<Input>(tool: Pick<Tool<Input, unknown, never>, "input">): StandardSchema<unknown, Input> {
  return standardOf<Input>(tool.input);
}

/** Any JSON Schema of draft 2020-12 as a Standard Schema. The validator is made with the first value. */
export function standardOf<Output = unknown>(schema: JsonSchema): StandardSchema<unknown, Output> {
  let validator: ReturnType<typeof createValidator> | undefined;
  const convert = ({ target }: StandardTarget): Record<string, unknown> => convertTo(target, schema);
  const standard: StandardSchema<unknown, Output>["~standard"] = {
    version: 1,
    vendor: "hasp",
    validate(value) {
      validator ??= createValidator(schema, { coerce: true, defaults: true });
      const result = validator(value);
      if (result.valid) return { value: result.value as Output };
      return { issues: result.errors.map(({ message, pointer }) => ({ message, path: pathOf(pointer) })) };
    },
    jsonSchema: Object.freeze({ input: convert, output: convert }),
  };
  return Object.freeze({ "~standard": Object.freeze(standard) });
}

function convertTo(target: string, schema: JsonSchema): Record<string, unknown> {
  const copy = cloneJson(schema as unknown as JsonObject) as JsonObject | boolean;
  const root = typeof copy === "boolean" ? (copy ? {} : { not: {} }) : copy;
  if (target === "draft-2020-12") return { ...root };
  if (target === "draft-07") return toDraft07(root);
  throw new TypeError(`No JSON Schema for the target "${target}" can be given; "draft-2020-12" and "draft-07" can.`);
}

function pathOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
