import type {
  ConcurrencyClass,
  FieldName,
  FieldPath,
  FIELDS,
  FlagValues,
  ToolMetadata,
  VaryingFlag,
} from "@hasp/runtime";
import type { JsonSchema, Origin } from "@hasp/schema";
import type { Location } from "../diagnostics/diagnostic.js";
import type { CompiledPredicate } from "./conditions.js";
import type { LoadedDocument } from "./document.js";
import type { Effect } from "./handlers.js";
import type { ToolSpec } from "./tool-spec.js";
import type { SchemaNode } from "./schemas.js";

/** An affirmative claim that loosens a fail-closed default; one line of the ledger. */
export interface Relaxation {
  /** The claim in one canonical line, the ledger's key, such as `behavior.requiresPermission: false`. */
  readonly claim: string;
  /** JSON Pointer of the claim inside the spec. */
  readonly pointer: string;
  /**
   * The scope of an approval: the whole input, the fields that a rule reads, or a function that hasp cannot read.
   * `after` holds the conditions of the rows above, in order: without one of them, this row decides more calls.
   */
  readonly covers:
    | { readonly kind: "input" }
    | { readonly kind: "rule"; readonly source: string; readonly after?: readonly string[] }
    | { readonly kind: "custom"; readonly name: string; readonly after?: readonly string[] };
}

/** A tool after `resolve`: every default filled, each relaxation marked, every `$ref` known to lead somewhere. */
export interface ToolModel {
  readonly name: string;
  readonly document: LoadedDocument;
  /** JSON Pointer of the spec inside its document: `""`, or `/tools/3` in a `*.tools.yaml`. */
  readonly pointer: string;
  readonly spec: ToolSpec;
  /**
   * The tool's own values: what the spec states or its class entails, else the default. A flag that varies by
   * `{ when }` is here with its strict value.
   */
  readonly metadata: ToolMetadata;
  /**
   * Field paths such as `behavior.isDestructive` whose value the spec states or entails; every other one is a default.
   */
  readonly stated: ReadonlySet<FieldPath>;
  readonly relaxations: readonly Relaxation[];
  /**
   * JSON Pointers inside the spec of faulty parts that were left out; empty for a sound tool. A tool without all its
   * parts is only searched for other faults.
   */
  readonly removed: readonly string[];
  /** The place of a value of the spec by its pointer inside the spec. */
  locate(pointer: string, part?: "key" | "value"): Location;
}

/** A schema after `flatten` (and, for `input`, closing), with the way back to the author's text. */
export interface FlatSchema {
  readonly schema: JsonSchema;
  /** Every schema in `schema`, listed on first use. */
  readonly nodes: readonly SchemaNode[];
  /** Locations from which a node of `schema` (by identity) came; the author's own first. */
  originsOf(node: object): readonly Origin[];
  /** The location in the user's file of a JSON Pointer into `schema`. */
  locate(pointer: string, part?: "key" | "value"): Location;
}

/** One row of the decision table, compiled. */
export interface FlatRule extends Partial<FlagValues> {
  readonly index: number;
  readonly when: CompiledPredicate;
  readonly class: ConcurrencyClass;
}

/**
 * A flag that varies by itself: true when the predicate is (`when`), or true unless it is (`unless`). The predicate is
 * as written.
 */
export interface FlatFlag {
  readonly flag: VaryingFlag;
  readonly polarity: "when" | "unless";
  readonly predicate: CompiledPredicate;
}

/** A semantic check, compiled. */
export interface FlatCheck {
  readonly index: number;
  readonly that: CompiledPredicate;
  /** `undefined` for a custom function, which brings its own. */
  readonly message?: string;
}

/** A tool after `flatten`. */
export interface FlatTool extends ToolModel {
  /** The arguments that callers may send: flat and closed. */
  readonly input: FlatSchema;
  /** The schema of the properties that `bind` fills in and hides. */
  readonly bound?: JsonSchema | undefined;
  readonly output?: FlatSchema;
  readonly rules: readonly FlatRule[];
  readonly flags: readonly FlatFlag[];
  readonly checks: readonly FlatCheck[];
  /** The effects of the declared handler, found when read; `undefined` if the handler is code. */
  readonly effects: readonly Effect[] | undefined;
  /** Names of functions that the handler must bring because CEL was too little, in order of first use. */
  readonly customFunctions: readonly string[];
  /** The strictest answer that any call may get: the static hints. */
  readonly worstCase: WorstCase;
}

/** A class, and whether each flag holds without condition for every call: `isIdempotent: withKey` is false here. */
export type WorstCase = { readonly class: ConcurrencyClass } & { readonly [Flag in StaticFlag]: boolean };

/** A flag that may vary from call to call, or that static hints have a word for. */
export type StaticFlag = VaryingFlag | HintedFlag;

type HintedFlag = {
  [Name in FieldName<"behavior">]: (typeof FIELDS)["behavior"][Name] extends { readonly hint: string } ? Name : never;
}[FieldName<"behavior">];
