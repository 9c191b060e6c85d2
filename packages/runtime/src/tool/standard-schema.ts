import { createValidator } from "@hasp/schema/validate";
import { keywordRow, mapSubschemas } from "@hasp/schema/vocabulary";
import { readReference, writeReference } from "@hasp/schema/internal/runtime";
import type { JsonObject, JsonSchema, JsonValue, Validator } from "@hasp/schema";
import { cloneJson, setOwn, parsePointer, own } from "@hasp/base/json";

interface StandardIssue {
  readonly message: string;
  readonly path: readonly string[];
}

/** The answer of `validate`: the value with defaults and lossless coercion, or the issues. */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** The requested version of JSON Schema. */
interface StandardTarget {
  readonly target: string;
}

/** Standard Schema v1 and Standard JSON Schema v1 in one object. Structural, so that nothing must be installed. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardProperties<Input, Output>;
}

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
  return Object.freeze({ "~standard": createStandardProperties<Output>(schema, validate, toDraft07) });
}

/** Wraps a schema that has a validator already. Without `toOlder`, it is the same schema in draft 07. */
export function createStandardProperties<Output = unknown>(
  schema: JsonSchema,
  validate: Validator,
  toOlder: typeof toDraft07 | undefined,
): StandardProperties<unknown, Output> {
  const convert = ({ target }: StandardTarget): Record<string, unknown> => {
    const copy = cloneJson(schema as unknown as JsonObject) as JsonObject | boolean;
    const root = typeof copy === "boolean" ? (copy ? {} : { not: {} }) : copy;
    if (target === "draft-2020-12") return { ...root };
    if (target === "draft-07") return toOlder === undefined ? { ...root } : toOlder(root);
    throw new TypeError(`The target "${target}" must be "draft-2020-12" or "draft-07".`);
  };
  return Object.freeze<StandardProperties<unknown, Output>>({
    version: 1,
    vendor: "hasp",
    validate(value) {
      const result = validate(value);
      if (result.valid) return { value: result.value as Output };
      return { issues: result.errors.map(({ message, pointer }) => ({ message, path: parsePointer(pointer) })) };
    },
    jsonSchema: Object.freeze({ input: convert, output: convert }),
  });
}

/** Converts a schema to draft 07 for the same values. Throws a `TypeError` if that is impossible. */
export function toDraft07(schema: JsonObject): Record<string, unknown> {
  return convert(schema, "");
}

function convert(schema: JsonObject, pointer: string): Record<string, JsonValue> {
  const result: Record<string, JsonValue> = {};
  const dependencies: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${pointer}/${keyword}`;
    const converted = mapSubschemas(keyword, value, (inner, step) =>
      typeof inner === "object" ? convert(inner as JsonObject, step === undefined ? at : `${at}/${step}`) : inner,
    ) as JsonValue;
    if (keyword === "$schema") continue;
    else if (keyword === "$ref") setOwn(result, "$ref", inDraft07(String(value)));
    else if (keyword === "$defs") setOwn(result, "definitions", converted);
    else if (keyword === "dependentRequired" || keyword === "dependentSchemas") {
      copyInto(dependencies, converted as JsonObject);
    } else if (keyword === "prefixItems") setOwn(result, "items", converted);
    else if (isOnlyIn2020(keyword)) {
      throw new TypeError(
        `This schema has no equivalent in draft-07: it has nothing like "${keyword}" at ${at}. Ask for "draft-2020-12".`,
      );
    } else if (keyword === "items" && Object.hasOwn(schema, "prefixItems")) {
      setOwn(result, "additionalItems", converted);
    } else setOwn(result, keyword, converted);
  }
  if (Object.keys(dependencies).length > 0) setOwn(result, "dependencies", dependencies);
  return aloneWithReference(result);
}

function inDraft07(reference: string): string {
  const pointer = readReference(reference);
  return pointer?.startsWith("/$defs/") === true
    ? writeReference(pointer.replace("/$defs/", "/definitions/"))
    : reference;
}

/** True if draft 07 would ignore a keyword that it must not ignore; annotations it may. */
function isOnlyIn2020(keyword: string): boolean {
  const row = keywordRow(keyword);
  return row?.draft === "2020-12" && row.role !== "annotation";
}

/** Moves a `$ref` into an `allOf` beside its siblings, which draft 07 would ignore; definitions are only looked up. */
function aloneWithReference({ $ref, definitions, ...siblings }: Record<string, JsonValue>): Record<string, JsonValue> {
  const defined = definitions === undefined ? {} : { definitions };
  if ($ref === undefined) return { ...siblings, ...defined };
  if (Object.keys(siblings).length === 0 && definitions === undefined) return { $ref };
  return { allOf: [{ $ref }, siblings], ...defined };
}

function copyInto(target: Record<string, JsonValue>, source: JsonObject): void {
  for (const [name, value] of Object.entries(source)) {
    // Two keywords of 2020-12 may concern one property; draft 07 has one place for them.
    const other = own(target, name);
    setOwn(target, name, other === undefined ? value : both(other, value));
  }
}

function both(one: JsonValue, other: JsonValue): JsonValue {
  return { allOf: [one, other].map((part) => (Array.isArray(part) ? { required: part } : part)) };
}
