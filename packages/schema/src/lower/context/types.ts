import type { Codec } from "../../codec/codec.js";
import type { DialectId } from "../../dialects/definition/dialect-id.js";
import type { Origin, SchemaDiagnostic } from "../../diagnostics/diagnostic.js";
import type { FlattenOptions } from "../../flatten/types.js";
import type { JsonValue } from "../../json/json.js";
import type { JsonSchema } from "../../vocabulary/json-schema.js";

/** Settings of {@link lower}; all optional. */
export interface LowerOptions extends FlattenOptions {
  /** Permit the named exception to the law: a lowered schema that takes fewer values than the source. Default false. */
  readonly allowNarrowing?: boolean;
  /** Steps that the search for a witness of each loss may take; 0 switches it off. Default 200. */
  readonly witnessBudget?: number;
  /** The schema is already the result of `flatten`: skip that step. Its origins may be handed on. */
  readonly flat?: { originsOf(node: object): readonly Origin[] };
}

/** One constraint that a dialect cannot carry. */
export interface Loss {
  readonly dialect: DialectId;
  /** JSON Pointer into the flat schema. */
  readonly pointer: string;
  readonly origin: Origin;
  readonly keyword: string;
  /** `widened`: the lowered schema takes more than the source (the law's normal case). `narrowed`: it takes less. */
  readonly direction: "widened" | "narrowed";
  /** Who still holds the constraint: the runtime (always, for `widened`) or nobody. */
  readonly enforcedBy: "runtime" | "nobody";
  /** The constraint in words, as it was added to the description; `undefined` where words were not needed. */
  readonly words?: string;
  /** A value of the whole input on which the two schemas differ; checked, `undefined` where the search found none. */
  readonly witness?: JsonValue;
}

/** What {@link lower} gives. */
export interface LowerResult {
  /** The schema in the dialect; `undefined` where the dialect cannot carry it (the diagnostics say why). */
  readonly schema: JsonSchema | undefined;
  readonly losses: readonly Loss[];
  readonly diagnostics: readonly SchemaDiagnostic[];
  /** The shape change as data; `undefined` where values travel unchanged. */
  readonly codec: Codec | undefined;
  /**
   * Turns a value that the source accepts into one that the lowered schema accepts. Throws `RangeError` on a value that
   * a narrowed lowering cannot take.
   */
  encode(value: JsonValue): JsonValue;
  /** Turns what the model sent back; leaves what it does not understand as it is, for the validator to refuse. */
  decode(value: JsonValue): JsonValue;
  /** Pointers into the flat schema from which a node of `schema` (by identity) came. */
  sourceOf(node: object): string | undefined;
}
