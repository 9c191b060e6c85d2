import type { ConcurrencyClass, PermissionDecision, PermissionMode } from "@hasp/runtime";
import type { JsonObject, JsonSchema, JsonValue, Severity } from "@hasp/schema";
import type { Codec } from "@hasp/schema/codec";
import type { Expression } from "../../compiler/src/model/conditions/expression.js";
import type { RunnableTool } from "../../compiler/src/run/runnable-spec.js";

/** Everything that the pages of a catalogue show: plain JSON, without dates or absolute paths. */
export interface CatalogueData {
  readonly overview: Overview;
  /** By name; a tool with errors has none. */
  readonly tools: readonly ToolPage[];
  /** The lines of the files that specs share, by uri. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

/** Facts about the project as a whole. */
export interface Overview {
  /** The name of the project. */
  readonly project: string;
  /** True if tokens are counted rather than estimated. */
  readonly countsTokens: boolean;
  readonly tools: readonly ToolSummary[];
  /** Tools that have errors, so that nothing else is known of them. */
  readonly unknown: readonly UnknownTool[];
  readonly lists: readonly ListSummary[];
  readonly findings: FindingList;
  readonly policies: readonly PolicySummary[];
  readonly changes?: Changes;
}

/** The worst effect that calls of a tool may have. */
export type Effect = "reads" | "writes" | "destroys";

/** The calls that need somebody's agreement before they run. */
export type Asking = "always" | "sometimes" | "never";

/** One tool in a list. */
export interface ToolSummary {
  readonly name: string;
  readonly title?: string;
  /** The first sentence of the description. */
  readonly about: string;
  readonly owner?: string;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly toolsets: readonly string[];
  readonly effect: Effect;
  readonly asking: Asking;
  /** The strictest class that a call may have. */
  readonly class: ConcurrencyClass;
  readonly isOpenWorld: boolean;
  readonly needsUser: boolean;
  readonly isDeferred: boolean;
  readonly featureGate?: string;
  /** Tokens in every request that lists it. */
  readonly tokens: number;
  readonly claims: number;
  /** Claims without a valid approval. */
  readonly waiting: number;
  readonly findings: number;
}

/** A tool about which nothing is known but its errors. */
export interface UnknownTool {
  readonly name: string;
  readonly errors: number;
}

/** One provider list of one toolset. */
export interface ListSummary {
  readonly toolset: string;
  readonly dialect: string;
  readonly tools: number;
  readonly strict: number;
  readonly losses: number;
  readonly tokens: number;
  /** The tokens that the configuration allows. */
  readonly budget?: number;
  readonly excluded: readonly { readonly tool: string; readonly reason: string }[];
}

/** A place in one of the project's files. */
export interface Place {
  readonly uri: string;
  readonly line: number;
}

/** A finding of `hasp check`, or of a comparison. */
export interface Finding {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  readonly tool?: string;
  readonly place?: Place;
  /** The comparison could not prove it: it may be so. */
  readonly may?: true;
}

/** Findings, of which a page lists the most severe. */
export interface FindingList {
  /** The total number, listed or not. */
  readonly total: number;
  readonly counts: Readonly<Record<Severity, number>>;
  readonly listed: readonly Finding[];
}

/** Changes since another version. */
export type Changes =
  | { readonly base: string; readonly refusal: string }
  | {
      readonly base: string;
      readonly lists: readonly ChangeList[];
      readonly costs: readonly CostChange[];
    };

/** One list of a comparison, such as what breaks callers. */
interface ChangeList {
  readonly kind: "breaks" | "loosens" | "prompt";
  readonly title: string;
  /** The meaning of an empty list. */
  readonly empty: string;
  readonly findings: FindingList;
}

/** The tokens that a list costs in every request, before and after. */
export interface CostChange {
  readonly toolset: string;
  readonly dialect: string;
  readonly before: number;
  readonly after: number;
  /** True if any byte of it has changed, so that a prompt cache starts over. */
  readonly isOther: boolean;
}

/** The policy of a toolset. */
export interface PolicySummary {
  readonly toolset: string;
  readonly uri: string;
  readonly description?: string;
  readonly mode?: PermissionMode;
  readonly deny: readonly string[];
  readonly rules: readonly PolicyRuleSummary[];
  /** A value for each field of the context that its conditions may read. */
  readonly context?: JsonObject;
}

/** One rule of a policy, with its condition as data. */
interface PolicyRuleSummary {
  readonly tool: string;
  readonly server?: string;
  readonly decision: PermissionDecision;
  readonly reason?: string;
  readonly when?: string;
  readonly condition?: Expression;
}

/** Everything about one tool. */
export interface ToolPage extends ToolRecord {
  readonly claims: readonly ClaimRow[];
  readonly policies: readonly PolicyMatch[];
}

/** Facts that follow from the spec of a tool, the files that it leads to and the plan. */
export interface ToolRecord {
  readonly name: string;
  readonly description: string;
  readonly place: Place;
  /** The fields that have another value than the fail-closed default, or state it. */
  readonly fields: readonly FieldRow[];
  readonly table: readonly TableRow[];
  /** Flags that vary by themselves. */
  readonly varying: readonly { readonly flag: string; readonly polarity: string; readonly condition: string }[];
  readonly checks: readonly { readonly condition: string; readonly message?: string }[];
  readonly handler: HandlerView;
  /** The lines of the author's texts that entries repeat, by key, in the first of {@link sources}. */
  readonly textLines: Readonly<Record<string, LineRef>>;
  /** The schemas that models read, and what callers may send; each once. */
  readonly schemas: readonly ReadSchema[];
  /** Index of what callers may send. */
  readonly input: number;
  readonly entries: readonly DialectEntry[];
  /** Losses in all dialects, each once. */
  readonly losses: readonly LossRow[];
  /** The texts that the entries lead to; the spec itself is the first. */
  readonly sources: readonly SourceView[];
  /** Inputs that the author wrote down. */
  readonly inputs: readonly JsonValue[];
  /** The data that trying a call needs beside the input schema. */
  readonly runnable: RunnableWithoutInput;
}

/** A tool as it runs, whose input schema stands elsewhere. */
export type RunnableWithoutInput = Omit<RunnableTool, "spec"> & { readonly spec: Omit<RunnableTool["spec"], "input"> };

/** One behavioural field. */
export interface FieldRow {
  readonly path: string;
  readonly value: JsonValue;
  readonly source: "stated" | "entailed";
  readonly line?: number;
}

/** One row of the decision table. */
export interface TableRow {
  /** `undefined` for what applies where no row does. */
  readonly condition?: string;
  /** The condition is a function of the handler. */
  readonly isCustom?: true;
  readonly line?: number;
  readonly class: ConcurrencyClass;
  /** The flags, in the order of {@link FLAGS}. */
  readonly flags: readonly JsonValue[];
  /** An input that this row decides. */
  readonly example?: JsonValue;
}

/** A claim that loosens a default, and its approval. */
export interface ClaimRow {
  readonly claim: string;
  readonly place: Place;
  readonly state: "approved" | "new" | "stale" | "expired" | "contradicted" | "uncoverable";
  readonly reason?: string;
  readonly by?: string;
  readonly on?: string;
  readonly expires?: string;
  readonly example?: JsonValue;
}

/** A policy's statement about a tool. */
export interface PolicyMatch {
  readonly toolset: string;
  readonly uri: string;
  readonly denied?: string;
  /** Indexes of the rules of {@link PolicySummary} that name the tool. */
  readonly rules: readonly number[];
}

/** The code or declaration that runs when the tool is called. */
export interface HandlerView {
  readonly kind: "http" | "sql" | "command" | "mcp" | "code";
  /** The declaration, or the path of the code. */
  readonly declaration: JsonObject;
  readonly bind?: JsonObject;
  readonly connection?: { readonly name: string; readonly settings: JsonObject };
}

/** A tool as one dialect's model reads it, or the reason why its list omits the tool. */
export type DialectEntry = ListedEntry | { readonly dialect: string; readonly excluded: string };

/** A tool as one dialect's model reads it. */
export interface ListedEntry {
  readonly dialect: string;
  readonly strict: boolean;
  readonly wireName: string;
  readonly tokens: number;
  /** The entry in the provider's list, with `null` in the place of its schemas. */
  readonly frame: JsonObject;
  /** The paths of its schemas, and their indexes in {@link ToolPage.schemas}. */
  readonly schemas: readonly (readonly [path: readonly string[], index: number])[];
  /** Indexes of its losses in {@link ToolPage.losses}. */
  readonly losses: readonly number[];
  /** The changes of shape that values undergo; left out where they are sent unchanged. */
  readonly codec?: Codec;
}

/** A schema that models read. */
export interface ReadSchema {
  readonly schema: JsonSchema;
  /** The source of each line of the printed schema. */
  readonly lines: readonly LineRef[];
}

/**
 * A line in a file: the number of a line in the tool's own spec, or the index of another one of
 * {@link ToolPage.sources} and the line there; 0 for none.
 */
export type LineRef = number | readonly [source: number, line: number];

/** A constraint that a dialect cannot express. */
export interface LossRow {
  readonly pointer: string;
  readonly keyword: string;
  readonly direction: string;
  readonly enforcedBy: string;
  readonly line: LineRef;
  readonly words?: string;
  /** A value that one side accepts and the other does not. */
  readonly witness?: JsonValue;
}

/** A part of one of the project's files. */
export interface SourceView {
  readonly uri: string;
  /** The number of the first line. */
  readonly first: number;
  /** The number of the last line. */
  readonly last: number;
  /** The lines; left out for a file that specs share, which is in {@link CatalogueData.files}. */
  readonly lines?: readonly string[];
}
