import type { Codec } from "../../codec/codec.js";
import type { DialectName } from "../../dialects/definition/dialect.js";
import type { Origin, SchemaDiagnostic } from "@hasp/base/diagnostics";
import type { FlattenOptions } from "../../flatten/flatten.js";
import type { JsonValue } from "@hasp/base/json";
import type { JsonSchema } from "../../vocabulary/json-schema.js";

export interface LowerOptions extends FlattenOptions {
  /** Allows a lowered schema that accepts fewer values than the source. Default false. */
  readonly allowNarrowing?: boolean;
  /** Allows a root that is no object, as results may have, which travel unchanged. Default false. */
  readonly allowAnyRoot?: boolean;
  /** Limits the steps of the search for a witness of each loss; 0 disables it. Default 200. */
  readonly witnessBudget?: number;
  /** Set if the schema is already flat. A `FlatSource` of it saves work for several dialects. */
  readonly flat?: { originsOf(node: object): readonly Origin[] };
}

/** One constraint that a dialect cannot express. */
export interface Loss {
  readonly dialect: DialectName;
  /** JSON Pointer into the flat schema. */
  readonly pointer: string;
  readonly origin: Origin;
  readonly keyword: string;
  /** `widened`: the lowered schema accepts more than the source (the normal case). `narrowed`: it accepts less. */
  readonly direction: "widened" | "narrowed";
  /** Who enforces the constraint: the runtime (always, for `widened`) or nobody. */
  readonly enforcedBy: "runtime" | "nobody";
  /** The sentence that was added to the description; `undefined` if there is none. */
  readonly words?: string;
  /** A checked value of the whole input on which the two schemas differ; `undefined` if none was found. */
  readonly witness?: JsonValue;
}

export interface LowerResult {
  /** The schema in the dialect; `undefined` if the dialect cannot express it (the diagnostics say why). */
  readonly schema: JsonSchema | undefined;
  readonly losses: readonly Loss[];
  readonly diagnostics: readonly SchemaDiagnostic[];
  /** The codec as data; `undefined` if values are sent unchanged. */
  readonly codec: Codec | undefined;
  /** Encodes a value for the lowered schema. Throws a `RangeError` for one that narrowing excludes. */
  encode(value: JsonValue): JsonValue;
  /** Decodes what the model sent. Leaves what it does not understand unchanged; the validator refuses it. */
  decode(value: JsonValue): JsonValue;
  /** Returns the pointer into the flat schema for a node of `schema` (by identity). */
  sourceOf(node: object): string | undefined;
}
