import type { JsonObject, JsonValue, DialectFamily } from "@hasp/schema";
import type { FieldGroup, FieldName, FieldValues, FlagValues, VaryingFlag } from "@hasp/runtime/contract";
import type { Display, ConcurrencyClass } from "@hasp/runtime";

type SpecFlag<Value> = Value | { readonly when: string } | { readonly unless: string } | { readonly custom: string };

/** One row of `concurrency.rules` as written. Exactly one of `when` and `custom` is present. */
export interface SpecRule extends Partial<FlagValues> {
  readonly when?: string;
  readonly custom?: string;
  readonly class: ConcurrencyClass;
}

export type SpecFields<Group extends FieldGroup> = {
  readonly [Name in FieldName<Group>]?: Name extends VaryingFlag
    ? SpecFlag<FieldValues<Group>[Name]>
    : FieldValues<Group>[Name];
};

export type SpecConcurrency = SpecFields<"concurrency"> & {
  readonly key?: string;
  readonly rules?: readonly SpecRule[];
};

/** In a file, a word alone is its `load`. */
export type SpecVisibility = SpecFields<"visibility"> & {
  readonly featureGate?: string;
  readonly searchHint?: string;
  readonly describe?: { readonly custom: string };
};

export type SpecCheck = { readonly that: string; readonly message: string } | { readonly custom: string };

export interface SpecExample {
  readonly input: JsonObject;
  readonly description?: string;
}

export type SpecDisplay = { readonly [State in keyof Display<unknown>]?: string };

export type SpecProviders = { readonly [family in DialectFamily]?: SpecProvider };

export interface SpecProvider {
  readonly strict?: false;
  readonly allowNarrowing?: boolean;
}

export interface SpecTest {
  readonly input: JsonValue;
  readonly context?: JsonObject;
  readonly respond?: JsonObject;
  /** The file of a tape that answers the call, relative to the spec. */
  readonly tape?: string;
  readonly expect: {
    readonly valid?: boolean;
    /** JSON Pointer of the place that must be refused. */
    readonly invalid?: string;
    readonly class?: ConcurrencyClass;
    readonly output?: JsonValue;
    /** A part of the message of the handler's error. */
    readonly error?: string;
    readonly request?: JsonObject;
  } & Partial<FlagValues>;
}
