import type { JsonObject, JsonSchema, JsonValue, DialectFamily } from "@hasp/schema";
import type {
  ConcurrencyClass,
  FieldGroup,
  FieldName,
  FieldValues,
  FlagValues,
  OutputCheck,
  VaryingFlag,
} from "@hasp/runtime";
import type { SpecBind, SpecHandler } from "./handlers/declaration.js";

/** A flag as a spec states it: a value, or a CEL expression over `input`. */
export type SpecFlag<Value> =
  Value | { readonly when: string } | { readonly unless: string } | { readonly custom: string };

/** One row of `concurrency.rules` as written. Exactly one of `when` and `custom` is present. */
export interface SpecRule extends Partial<FlagValues> {
  readonly when?: string;
  readonly custom?: string;
  readonly class: ConcurrencyClass;
}

/** What a spec states of a group of fields. */
export type SpecFields<Group extends FieldGroup> = {
  readonly [Name in FieldName<Group>]?: Name extends VaryingFlag
    ? SpecFlag<FieldValues<Group>[Name]>
    : FieldValues<Group>[Name];
};

/** One tool exactly as its author wrote it; `schema/tool-spec.schema.json` says the same for editors and for Ajv. */
export interface ToolSpec {
  /** For editors only. */
  readonly $schema?: string;
  readonly hasp?: 1;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly owner?: string;
  readonly tags?: readonly string[];
  readonly aliases?: readonly string[];
  readonly searchHint?: string;
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  readonly outputCheck?: OutputCheck;
  readonly concurrency?: SpecFields<"concurrency"> & { readonly rules?: readonly SpecRule[] };
  readonly behavior?: SpecFields<"behavior">;
  readonly visibility?: SpecFields<"visibility"> & { readonly featureGate?: string };
  readonly limits?: SpecFields<"limits">;
  readonly needs?: { readonly env?: readonly string[]; readonly context?: readonly string[] };
  readonly handler?: SpecHandler;
  readonly bind?: SpecBind;
  readonly validate?: readonly ({ readonly that: string; readonly message: string } | { readonly custom: string })[];
  readonly examples?: readonly { readonly input: JsonObject; readonly description?: string }[];
  readonly tests?: readonly SpecTest[];
  readonly display?: {
    readonly running?: string;
    readonly done?: string;
    readonly failed?: string;
    readonly rejected?: string;
    readonly progress?: string;
  };
  readonly providers?: { readonly [family in DialectFamily]?: SpecProvider };
  /** What an importer read in the source; no emitter and no runtime reads it. */
  readonly suggested?: JsonObject;
  /** Where an imported spec came from. */
  readonly origin?: JsonObject;
  readonly [extension: `x-${string}`]: JsonValue;
}

/** A wish for one family of providers. */
export interface SpecProvider {
  readonly strict?: boolean | "auto";
  readonly allowNarrowing?: boolean;
}

/** A call and what must come of it. */
export interface SpecTest {
  readonly input: JsonValue;
  /** What the handler's own checks are given as the context of the call. */
  readonly context?: JsonObject;
  /** What the outside world answers the handler, in the words of its kind. */
  readonly respond?: JsonObject;
  readonly expect: {
    readonly valid?: boolean;
    /** JSON Pointer of the place that must be refused. */
    readonly invalid?: string;
    readonly class?: ConcurrencyClass;
    readonly output?: JsonValue;
    /** A part of the message of the handler's error. */
    readonly error?: string;
    /** What the handler sends, in the words of its kind. */
    readonly request?: JsonObject;
  } & Partial<FlagValues>;
}
