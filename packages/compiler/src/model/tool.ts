import type { FieldName, FieldPath, FIELDS, FlagValues, VaryingFlag } from "@hasp/runtime/contract";
import type { ConcurrencyClass, ToolMetadata } from "@hasp/runtime";
import type { JsonSchema, Origin } from "@hasp/schema";
import type { Location } from "@hasp/base/diagnostics";
import type { CompiledExpression, CompiledPredicate } from "./conditions.js";
import type { LoadedDocument } from "./document.js";
import type { Effect } from "./handlers.js";
import type { ToolSpec } from "./spec-keys.js";
import type { SchemaNode } from "./schemas.js";

/** An affirmative claim that loosens a fail-closed default; one line of the ledger. */
export interface Relaxation {
  /** The ledger's key, such as `behavior.requiresPermission: false`. */
  readonly claim: string;
  readonly pointer: string;
  /** The scope of an approval. `after` holds the conditions of the rows above, without which this row decides more calls. */
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
  /** Values that the spec states or its class entails, else defaults. A flag that varies has its strict value. */
  readonly metadata: ToolMetadata;
  /** Paths of the fields whose value is no default, such as `behavior.isDestructive`. */
  readonly stated: ReadonlySet<FieldPath>;
  readonly relaxations: readonly Relaxation[];
  /** JSON Pointers of faulty parts that were left out. Such a tool is only searched for other faults. */
  readonly removed: readonly string[];
  locate(pointer: string, part?: "key" | "value"): Location;
}

/** A schema after `flatten` (and, for `input`, closing), with the way back to the author's text. */
export interface FlatSchema {
  readonly schema: JsonSchema;
  /** Every schema in `schema`, listed on first use. */
  readonly nodes: readonly SchemaNode[];
  /** Locations from which a node of `schema` (by identity) came; the author's own first. */
  originsOf(node: object): readonly Origin[];
  locate(pointer: string, part?: "key" | "value"): Location;
}

export interface FlatRule extends Partial<FlagValues> {
  readonly index: number;
  readonly when: CompiledPredicate;
  readonly class: ConcurrencyClass;
}

/** A flag that is true when the predicate is (`when`), or unless it is (`unless`). */
export interface FlatFlag {
  readonly flag: VaryingFlag;
  readonly polarity: "when" | "unless";
  readonly predicate: CompiledPredicate;
}

export interface FlatCheck {
  readonly index: number;
  readonly that: CompiledPredicate;
  /** `undefined` for a custom function, which brings its own. */
  readonly message?: string;
}

/** True if a tool requires no permission and somebody is asked all the same: every call of it may destroy data. */
export function isAskedAnyway({ metadata, rules, flags }: FlatTool): boolean {
  const { requiresPermission, isDestructive } = metadata.behavior;
  if (requiresPermission || !isDestructive) return false;
  return !rules.some((rule) => rule.isDestructive === false) && !flags.some(({ flag }) => flag === "isDestructive");
}

export interface FlatTool extends ToolModel {
  /** The arguments that callers may send: flat and closed. */
  readonly input: FlatSchema;
  /** The schema of the properties that `bind` fills in and hides. */
  readonly bound?: JsonSchema | undefined;
  readonly output?: FlatSchema;
  readonly rules: readonly FlatRule[];
  readonly flags: readonly FlatFlag[];
  readonly checks: readonly FlatCheck[];
  readonly destination?: CompiledExpression;
  /** True if its declared handler starts a program: it gets `needs.env`, and values of the input as arguments. */
  readonly startsProgram: boolean;
  /** The effects of the declared handler, found when read; `undefined` if the handler is code. */
  readonly effects: readonly Effect[] | undefined;
  /** Names of custom functions that the handler must export, in order of first use. */
  readonly customFunctions: readonly string[];
  /** The strictest values that any call may get, for static hints. */
  readonly worstCase: WorstCase;
}

/** A class, and whether each flag holds without condition for every call: `isIdempotent: withKey` is false here. */
export type WorstCase = { readonly class: ConcurrencyClass } & { readonly [Flag in StaticFlag]: boolean };

/** A flag that may vary from call to call, or that static hints have a word for. */
export type StaticFlag = VaryingFlag | HintedFlag;

type HintedFlag = {
  [Name in FieldName<"behavior">]: (typeof FIELDS)["behavior"][Name] extends { readonly hint: string } ? Name : never;
}[FieldName<"behavior">];
