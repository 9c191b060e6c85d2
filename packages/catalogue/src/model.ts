import type { PermissionDecision, PermissionMode, ConcurrencyClass } from "@hasp/runtime";
import type { JsonObject, JsonSchema, JsonValue, Severity } from "@hasp/schema";
import type { Codec } from "@hasp/schema/codec";
import type { Expression } from "@hasp/compiler/conditions";
import type { RunnableTool } from "@hasp/compiler/run";

/** Everything that the pages of a catalogue show: plain JSON, without dates or absolute paths. */
export interface CatalogueData {
  readonly overview: Overview;
  /** Sorted by name; a tool with errors has no page. */
  readonly tools: readonly ToolPage[];
  readonly files: Readonly<Record<string, readonly string[]>>;
}

export interface Overview {
  readonly project: string;
  /** True if tokens are counted rather than estimated. */
  readonly countsTokens: boolean;
  readonly tools: readonly ToolSummary[];
  /** Tools with errors, of which nothing else is known. */
  readonly unknown: readonly UnknownTool[];
  readonly lists: readonly ListSummary[];
  readonly findings: FindingList;
  readonly policies: readonly PolicySummary[];
  /** The toolsets that can leak. */
  readonly flows: readonly FlowSummary[];
  readonly changes?: Changes;
  /** The folders below with a catalogue each, if the page only shows what has changed in all of them. */
  readonly pages?: readonly string[];
}

/** The tools through which an outsider may make a model send private data outside. */
export interface FlowSummary {
  readonly toolset: string;
  readonly untrusted: readonly string[];
  readonly private: readonly string[];
  /** The tools that may send data outside, grouped by their guard, the weakest first. */
  readonly sinks: readonly {
    readonly guard: string;
    readonly isWaived: boolean;
    readonly tools: readonly string[];
  }[];
}

export type ToolEffect = "reads" | "writes" | "destroys";

export type Asking = "always" | "sometimes" | "never";

export interface ToolSummary {
  readonly name: string;
  readonly title?: string;
  readonly about: string;
  readonly owner?: string;
  /** The folder of its spec. */
  readonly folder: string;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly toolsets: readonly string[];
  readonly effect: ToolEffect;
  readonly asking: Asking;
  /** The strictest class that a call may have. */
  readonly class: ConcurrencyClass;
  readonly isOpenWorld: boolean;
  readonly needsUser: boolean;
  readonly isDeferred: boolean;
  readonly featureGate?: string;
  readonly tokens: number;
  readonly claims: number;
  /** Claims without a valid approval. */
  readonly waiting: number;
  readonly findings: number;
}

export interface UnknownTool {
  readonly name: string;
  readonly errors: number;
}

export interface ListSummary {
  readonly toolset: string;
  readonly dialect: string;
  readonly tools: number;
  readonly strict: number;
  readonly losses: number;
  readonly tokens: number;
  readonly budget?: number;
  readonly excluded: readonly { readonly tool: string; readonly reason: string }[];
}

export interface Place {
  readonly uri: string;
  readonly line: number;
  /** The shared definition that holds it, such as `Owner`. */
  readonly definition?: string;
}

export interface Finding {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  readonly tool?: string;
  readonly place?: Place;
  /** Unproved: the comparison could neither confirm nor exclude it. */
  readonly may?: true;
  /** The number of findings with the same cause, if there are several. */
  readonly count?: number;
  /** The tools or projects of that cause, if there are several. */
  readonly tools?: readonly string[];
  readonly projects?: readonly string[];
  /** Who last changed its file, according to git. */
  readonly by?: string;
}

export interface FindingList {
  readonly total: number;
  readonly counts: Readonly<Record<Severity, number>>;
  readonly listed: readonly Finding[];
}

export type Changes =
  | { readonly base: string; readonly refusal: string }
  | {
      readonly base: string;
      readonly lists: readonly ChangeList[];
      readonly costs: readonly CostChange[];
    };

interface ChangeList {
  readonly kind: "breaks" | "loosens" | "prompt";
  readonly title: string;
  readonly empty: string;
  readonly findings: FindingList;
}

export interface CostChange {
  readonly toolset: string;
  readonly dialect: string;
  readonly before: number;
  readonly after: number;
  /** True if any byte has changed, so that a prompt cache starts over. */
  readonly isOther: boolean;
}

export interface PolicySummary {
  readonly toolset: string;
  readonly uri: string;
  readonly description?: string;
  readonly mode?: PermissionMode;
  readonly deny: readonly string[];
  readonly rules: readonly PolicyRuleSummary[];
  /** A value for each context field that its conditions may read. */
  readonly context?: JsonObject;
}

interface PolicyRuleSummary {
  readonly tool: string;
  readonly server?: string;
  readonly decision: PermissionDecision;
  readonly reason?: string;
  readonly when?: string;
  readonly condition?: Expression;
}

export interface ToolPage extends ToolRecord {
  readonly claims: readonly ClaimRow[];
  readonly policies: readonly PolicyMatch[];
}

/** Facts that follow from the spec of a tool, the files that it refers to and the plan. */
export interface ToolRecord {
  readonly name: string;
  readonly description: string;
  readonly place: Place;
  readonly fields: readonly FieldRow[];
  readonly table: readonly TableRow[];
  readonly varying: readonly { readonly flag: string; readonly polarity: string; readonly condition: string }[];
  readonly checks: readonly { readonly condition: string; readonly message?: string }[];
  readonly handler: HandlerView;
  /** Lines of the author's texts in entries, by key, in the first of {@link sources}. */
  readonly textLines: Readonly<Record<string, LineRef>>;
  /** Schemas that models read or callers must satisfy, without duplicates. */
  readonly schemas: readonly ReadSchema[];
  readonly input: number;
  readonly entries: readonly DialectEntry[];
  /** Losses in all dialects, without duplicates. */
  readonly losses: readonly LossRow[];
  /** Texts that the entries refer to; the spec itself is the first. */
  readonly sources: readonly SourceView[];
  readonly inputs: readonly JsonValue[];
  readonly runnable: RunnableWithoutInput;
}

export type RunnableWithoutInput = Omit<RunnableTool, "spec"> & { readonly spec: Omit<RunnableTool["spec"], "input"> };

export interface FieldRow {
  readonly path: string;
  readonly value: JsonValue;
  readonly source: "stated" | "entailed";
  readonly line?: number;
}

export interface TableRow {
  /** `undefined` for the default. */
  readonly condition?: string;
  /** True if the condition is a function of the handler. */
  readonly isCustom?: true;
  readonly line?: number;
  readonly class: ConcurrencyClass;
  /** In the order of `VARYING_FLAGS`. */
  readonly flags: readonly JsonValue[];
  readonly example?: JsonValue;
}

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

export interface PolicyMatch {
  readonly toolset: string;
  readonly uri: string;
  readonly denied?: string;
  /** Indexes of the rules of {@link PolicySummary} that name the tool. */
  readonly rules: readonly number[];
}

export interface HandlerView {
  /** The key under `handler`, `plugin` for a kind of a plugin, or `code`. */
  readonly kind: string;
  readonly declaration: JsonObject;
  readonly bind?: JsonObject;
  readonly connection?: { readonly name: string; readonly settings: JsonObject };
}

export type DialectEntry = ListedEntry | { readonly dialect: string; readonly excluded: string };

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
  /** The changes of shape that values undergo; absent if they are sent unchanged. */
  readonly codec?: Codec;
}

export interface ReadSchema {
  readonly schema: JsonSchema;
  /** The source of each line of the printed schema. */
  readonly lines: readonly LineRef[];
}

/** A line in the tool's own spec, or in another of {@link ToolPage.sources}, by index; 0 for none. */
export type LineRef = number | readonly [source: number, line: number];

export interface LossRow {
  readonly pointer: string;
  readonly keyword: string;
  readonly direction: string;
  readonly enforcedBy: string;
  readonly line: LineRef;
  readonly words?: string;
  /** A value that only one side accepts. */
  readonly witness?: JsonValue;
}

export interface SourceView {
  readonly uri: string;
  readonly first: number;
  readonly last: number;
  /** Absent for a shared file, whose lines are in {@link CatalogueData.files}. */
  readonly lines?: readonly string[];
}
