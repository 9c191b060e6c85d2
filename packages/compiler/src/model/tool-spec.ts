import type { JsonObject, JsonValue, DialectFamily } from "@hasp/schema";
import type {
  ConcurrencyClass,
  Display,
  FieldGroup,
  FieldName,
  FieldValues,
  FlagValues,
  VaryingFlag,
} from "@hasp/runtime";
import type { KeysWith, SPEC_KEYS, SpecValue } from "./spec-keys.js";

/** A flag as a spec states it: a value, or a CEL expression over `input`. */
type SpecFlag<Value> = Value | { readonly when: string } | { readonly unless: string } | { readonly custom: string };

/** One row of `concurrency.rules` as written. Exactly one of `when` and `custom` is present. */
export interface SpecRule extends Partial<FlagValues> {
  readonly when?: string;
  readonly custom?: string;
  readonly class: ConcurrencyClass;
}

/** The part of a group of fields that a spec states. */
export type SpecFields<Group extends FieldGroup> = {
  readonly [Name in FieldName<Group>]?: Name extends VaryingFlag
    ? SpecFlag<FieldValues<Group>[Name]>
    : FieldValues<Group>[Name];
};

type RequiredKey = KeysWith<{ readonly required: true }>;

/** One tool exactly as its author wrote it; `schema/tool-spec.schema.json` says the same for editors and for Ajv. */
export type ToolSpec = { readonly [Key in RequiredKey]: SpecValue<Key> } & {
  readonly [Key in Exclude<keyof typeof SPEC_KEYS, RequiredKey>]?: SpecValue<Key>;
} & { readonly [extension: `x-${string}`]: JsonValue };

/** The classes of calls. */
export type SpecConcurrency = SpecFields<"concurrency"> & { readonly rules?: readonly SpecRule[] };

/** A semantic check: an expression with its message, or a function of the handler. */
export type SpecCheck = { readonly that: string; readonly message: string } | { readonly custom: string };

/** An example call. */
export interface SpecExample {
  readonly input: JsonObject;
  readonly description?: string;
}

/** Templates of status messages, by the state of a call. */
export type SpecDisplay = { readonly [State in keyof Display<unknown>]?: string };

/** Wishes by family of providers. */
export type SpecProviders = { readonly [family in DialectFamily]?: SpecProvider };

/** A wish for one family of providers. */
interface SpecProvider {
  readonly strict?: boolean | "auto";
  readonly allowNarrowing?: boolean;
}

/** A call and what must come of it. */
export interface SpecTest {
  readonly input: JsonValue;
  /** The context of the call, for the handler's own checks. */
  readonly context?: JsonObject;
  /** The outside world's answer to the handler, in the words of its kind. */
  readonly respond?: JsonObject;
  readonly expect: {
    readonly valid?: boolean;
    /** JSON Pointer of the place that must be refused. */
    readonly invalid?: string;
    readonly class?: ConcurrencyClass;
    readonly output?: JsonValue;
    /** A part of the message of the handler's error. */
    readonly error?: string;
    /** The request that the handler sends, in the words of its kind. */
    readonly request?: JsonObject;
  } & Partial<FlagValues>;
}
