import type { Codec, JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import type { ConcurrencyClass, FieldGroup, FieldName, FieldValues, FlagValues, VaryingFlag } from "./fields.js";

/** A synchronous judgement of one parsed input. A throw and any answer but true or false give the strict answer. */
export type Predicate<Input> = (input: Input) => boolean;

/** A flag that is the same for every call, or varies alone with the input. */
export type FlagClaim<Value, Input> =
  Value | { readonly when: Predicate<Input> } | { readonly unless: Predicate<Input> };

/**
 * One row of the decision table: the first that matches decides class and flags; what it leaves out keeps the tool's
 * own value.
 */
export interface ConcurrencyRule<Input> extends Partial<FlagValues> {
  readonly when: Predicate<Input>;
  readonly class: ConcurrencyClass;
}

/** What one call may do, judged on its parsed input. */
export interface Classification extends FlagValues {
  readonly class: ConcurrencyClass;
}

/** What a definition states of a group of fields: plain values, and functions for the flags that may vary. */
export type StatedFields<Group extends FieldGroup, Input> = {
  readonly [Name in FieldName<Group>]?:
    (Name extends VaryingFlag ? FlagClaim<FieldValues<Group>[Name], Input> : FieldValues<Group>[Name]) | undefined;
};

/** What a semantic check may see beside the input. */
export interface ValidationContext<Context> {
  readonly context: Context;
  readonly signal: AbortSignal;
}

/** A semantic check: a predicate with its message, or a function that answers `true` or a message. */
export type SemanticCheck<Input, Context> =
  | { readonly that: Predicate<Input>; readonly message: string }
  | ((input: Input, options: ValidationContext<Context>) => true | string | Promise<true | string>);

/** What a permission function is asked about. */
export interface PermissionRequest<Input = unknown, Context = unknown> extends Classification {
  readonly callId: string;
  readonly toolName: string;
  readonly input: Input;
  readonly context: Context;
  /** Present for tools of a live MCP server. */
  readonly server?: string;
  /** Digest of tool and input: what an approval is bound to. */
  readonly inputDigest: string;
  /** Aborted when nobody waits for the answer any more: a question that is still open is to be taken away. */
  readonly signal: AbortSignal;
}

/** A word, alone or with the reason that the model is told. Anything else counts as `deny`. */
export type PermissionAnswer = PermissionDecision | { readonly decision: PermissionDecision; readonly reason?: string };
/** The three words of permission. */
export type PermissionDecision = "allow" | "deny" | "ask";

/**
 * What `execute` is given beside the input. `signal`, `progress` and `dispatch` are made when they are read: take them
 * out by name, a copy by spread (`{ ...options }`) lacks them.
 */
export interface ExecutionOptions<Context> {
  /** Aborts on timeout, on the session's abort, on interrupt of a `cancel` tool and when a sibling failed. */
  readonly signal: AbortSignal;
  readonly callId: string;
  /** The same on each attempt of one call. */
  readonly idempotencyKey: string;
  /** The class this call was given. */
  readonly class: ConcurrencyClass;
  /** Reports progress; never throws. */
  readonly progress: (update: JsonValue) => void;
  readonly context: Context;
  /** Runs further calls inside this call's hold of the gate. */
  readonly dispatch: (calls: readonly ToolCall[]) => Promise<readonly ToolResult[]>;
}

/** One call of a model. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** A parsed object, or JSON text (`""` is `{}`). */
  readonly input: unknown;
  /** The response ended before the call did: it is answered, never run. */
  readonly truncated?: boolean;
  /**
   * The dialect whose list the model saw, when it differs from the dispatcher's: names and shapes are decoded by it.
   */
  readonly dialect?: string;
}

/** What the model reads of a result. */
export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | { readonly type: "resource"; readonly uri: string; readonly mimeType?: string; readonly text?: string };

/** Whether the world may have changed: not at all, surely, or nobody knows. */
export type Effect = "none" | "landed" | "unknown";

/** Where in its life a call failed. */
export type Phase =
  | "lookup"
  | "decode"
  | "prepare"
  | "schema"
  | "semantic"
  | "permission"
  | "transform"
  | "guard"
  | "execute"
  | "post-hook"
  | "result";

/** Why a call failed, for programs; the model reads `content`. */
export interface ToolError {
  readonly phase: Phase;
  /** Stable word such as `unknown-tool`, `invalid-input`, `no-one-to-ask`, `timeout`. */
  readonly code: string;
  readonly message: string;
  readonly effect: Effect;
  /** Present and true where `effect` is `unknown`. */
  readonly indeterminate?: boolean;
}

/** The one answer to one call. Frozen. */
export interface ToolResult {
  readonly callId: string;
  readonly toolName: string;
  /** The name that the model used, where it is another one: an alias, or the name on the wire. */
  readonly calledAs?: string;
  readonly isError: boolean;
  readonly content: readonly ToolContent[];
  /** The structured output, valid against the tool's `output` schema. */
  readonly output?: JsonValue;
  /** For logs and screens; the model never sees it. */
  readonly details?: unknown;
  readonly error?: ToolError;
  /** Milliseconds of execution with retries; 0 if it never began. */
  readonly durationMs: number;
  /** Whether its batch ran more than one call. */
  readonly wasConcurrent: boolean;
  readonly terminate?: boolean;
  /** Where the full content lies, when the model got a preview. */
  readonly offloaded?: { readonly reference: string; readonly sizeChars: number };
}

/** Sentences for a screen; absent fields print nothing. */
export interface Display<Input> {
  readonly running?: (input: Input) => string;
  readonly done?: (input: Input) => string;
  readonly failed?: (input: Input) => string;
  readonly rejected?: (input: Input) => string;
  readonly progress?: (input: Input) => string;
}

/** How one dialect's list names and shapes this tool; only what differs from the tool's own. */
export interface ToolDialect {
  /** The name on the wire, where it was shortened or cleaned. */
  readonly name?: string;
  readonly codec?: Codec;
  /** The provider's entry for this tool, ready to be sent; or what makes it, where no list may ever ask for it. */
  readonly definition?: JsonObject | (() => JsonObject);
  /** The dialect cannot carry the tool: it stands in no list of it, not even with its schema as given. */
  readonly isExcluded?: boolean;
}

/**
 * What `buildTool` takes: the spec's own keys, with functions where a spec has expressions. `undefined` counts as
 * omitted.
 */
export interface ToolDefinition<Input = unknown, Output = unknown, Context = unknown> {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly owner?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly searchHint?: string | undefined;
  readonly input: JsonSchema;
  readonly output?: JsonSchema | undefined;
  readonly concurrency?:
    | (StatedFields<"concurrency", Input> & { readonly rules?: readonly ConcurrencyRule<Input>[] | undefined })
    | undefined;
  readonly behavior?: StatedFields<"behavior", Input> | undefined;
  readonly visibility?: (StatedFields<"visibility", Input> & { readonly featureGate?: string | undefined }) | undefined;
  readonly limits?: StatedFields<"limits", Input> | undefined;
  readonly needs?: { readonly env?: readonly string[]; readonly context?: readonly string[] } | undefined;
  readonly validate?: readonly SemanticCheck<Input, Context>[] | undefined;
  readonly examples?: readonly { readonly input: JsonObject }[] | undefined;
  /** Sentences with placeholders such as `Reading {path}`, or functions. */
  readonly display?: { readonly [State in keyof Display<Input>]?: Display<Input>[State] | string } | undefined;
  /** By dialect id; written by the compiler. */
  readonly dialects?: { readonly [dialect: string]: ToolDialect } | undefined;

  /** Mends raw input before coercion; a throw fails the call. */
  readonly prepare?: ((raw: unknown) => unknown) | undefined;
  /** May only tighten what the dispatcher's permissions say. */
  readonly permit?:
    ((request: PermissionRequest<Input, Context>) => PermissionAnswer | Promise<PermissionAnswer>) | undefined;
  /** Asked when the tools of a turn are assembled. */
  readonly isEnabled?: (() => boolean) | undefined;
  readonly execute: (input: Input, options: ExecutionOptions<Context>) => Output | Promise<Output>;
}
