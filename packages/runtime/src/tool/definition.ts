import type { Codec, JsonObject, JsonSchema, JsonValue, ValidationResult, Validator } from "@hasp/schema";
import type { DecodeFault } from "@hasp/schema/codec";
import type {
  ConcurrencyClass,
  FieldGroup,
  FieldName,
  FieldValues,
  FlagValues,
  OutputCheck,
  ToolMetadata,
  VaryingFlag,
} from "./fields.js";
import type { FlowSetting } from "./flow-setting.js";
import type { ToolData, ToolFacts } from "./keys.js";
import type { Resource, ResourceKey } from "./resource-key.js";
import type { StandardProperties, StandardSchema } from "./standard-schema.js";
import type { ToolParts } from "./tool-parts.js";

/** A synchronous judgement of one parsed input. A throw and any answer but true or false give the strict answer. */
export type Predicate<Input> = (input: Input) => boolean;

/** A flag with one value for every call, or a condition on the input. */
export type FlagClaim<Value, Input> =
  | Value
  | { readonly when: Predicate<Input> }
  | { readonly unless: Predicate<Input> };

/** One row of the decision table. The first match decides; omitted flags keep the tool's own value. */
export interface ConcurrencyRule<Input> extends Partial<FlagValues> {
  readonly when: Predicate<Input>;
  readonly class: ConcurrencyClass;
}

/** The class and the flags of one call, decided from its parsed input. */
export interface Classification extends FlagValues {
  readonly class: ConcurrencyClass;
}

/** The fields of one group in a definition: plain values, or conditions for the flags that may vary. */
type StatedFields<Group extends FieldGroup, Input> = {
  readonly [Name in FieldName<Group>]?:
    | (Name extends VaryingFlag ? FlagClaim<FieldValues<Group>[Name], Input> : FieldValues<Group>[Name])
    | undefined;
};

/** The second parameter of a semantic check. */
export interface ValidationContext<Context> {
  readonly context: Context;
  readonly signal: AbortSignal;
}

/** `true` if a semantic check holds; otherwise its message, or all its messages. An empty list is none. */
export type CheckAnswer = true | string | readonly string[];

export type SemanticCheck<Input, Context> =
  | { readonly that: Predicate<Input>; readonly message: string }
  | ((input: Input, options: ValidationContext<Context>) => CheckAnswer | Promise<CheckAnswer>);

/** The part of a question about what may leave a conversation: the calls that brought in both labels. */
export interface FlowDetails {
  /** The value of the tool's `behavior.destination` for this input. */
  readonly destination?: JsonValue;
  readonly untrusted: readonly { readonly callId: string; readonly toolName: string }[];
  readonly private: readonly { readonly callId: string; readonly toolName: string }[];
}

/** The call that a permission function decides on. */
export interface PermissionRequest<Input = unknown, Context = unknown> extends Classification {
  readonly callId: string;
  readonly toolName: string;
  /** In `ask` without what the tool declares secret. */
  readonly input: Input;
  /** JSON Pointers to the parts that `ask` gets as `[secret]`. */
  readonly hidden?: readonly string[] | undefined;
  /** Present if too much is hidden to allow the call. */
  readonly refuseOnly?: true | undefined;
  readonly context: Context;
  /** Present for tools of a live MCP server. */
  readonly server?: string;
  /** The reason why a person is asked, if a rule, a hook, the tool or the host's `check` gave one. */
  readonly reason?: string | undefined;
  /** Present if the call may carry private data outside because an outsider asked for it. */
  readonly flow?: FlowDetails | undefined;
  /** Present for a program that a person sees before it runs. */
  readonly program?: ProgramPreview;
  /**
   * Digest of tool and input, to which an approval is bound. For a tool that declares secrets, it depends on a random
   * key, so it differs between processes.
   */
  readonly inputDigest: string;
  /** SHA-256 of the tool's definition, to which an approval is bound, too. */
  readonly toolDigest: string;
  /** Returns the digest under a key of the host: it is the same in all processes with that key. */
  readonly digestUnder: (key: string) => string;
  /** Aborts when the answer is no longer needed; close a question that is still open. */
  readonly signal: AbortSignal;
}

/** The tools that the text of a program calls. `dynamic`: it may call others too, since it has `tools` in other places. */
export type ProgramPreview = {
  readonly tools: readonly string[];
  readonly dynamic: boolean;
};

/** A decision, alone or with a reason for the model. Anything else counts as `deny` and is a `problem` event. */
export type PermissionAnswer = PermissionDecision | { readonly decision: PermissionDecision; readonly reason?: string };
export type PermissionDecision = "allow" | "deny" | "ask";

/**
 * The second parameter of `execute`. `signal`, `progress` and `dispatch` are created when they are read: destructure
 * them by name, since a spread copy (`{ ...options }`) lacks them.
 */
export interface ExecutionOptions<Context> {
  /** Aborts on a timeout, an abort of the session, an interrupt of a `cancel` tool or a failed sibling. */
  readonly signal: AbortSignal;
  readonly callId: string;
  /** The same for every attempt of one call. */
  readonly idempotencyKey: string;
  readonly class: ConcurrencyClass;
  /** Reports progress, as any JSON value or as content blocks; never throws. */
  readonly progress: (update: JsonValue | readonly ToolContent[]) => void;
  readonly context: Context;
  /** The trace of the turn, to pass on to services; absent if the host gave none. */
  readonly trace?: CallTrace | undefined;
  /** Runs further calls while this call holds the gate. */
  readonly dispatch: (calls: readonly ToolCall[]) => Promise<readonly ToolResult[]>;
}

/** The trace that a turn belongs to, as W3C Trace Context and Baggage write it. */
export interface CallTrace {
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** A parsed object, or JSON text (`""` is `{}`). */
  readonly input: unknown;
  /** True if the response ended inside the call; such a call is answered, never run. */
  readonly truncated?: boolean;
  /** The dialect of the list that the model saw, if not the dispatcher's. */
  readonly dialect?: string;
  /**
   * The maker of the call, as the provider names it, and `custom` if it wrote bare text. The result has the same. At most
   * 10,000 characters of JSON.
   */
  readonly origin?: { readonly caller?: JsonValue; readonly namespace?: string; readonly type?: "custom" };
}

/** One block of a result that the model reads. */
export type ToolContent = (
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource";
      readonly uri: string;
      readonly mimeType?: string;
      readonly text?: string;
      /** Base64 of a resource that is not text. Models are told its type and size. */
      readonly blob?: string;
    }
) & {
  /** The block as an MCP server sent it, if it says more than this form. Our own MCP server passes it on. */
  readonly mcp?: JsonObject;
};

/** The side effects of a call: none, landed, or unknown. */
export type Effect = "none" | "landed" | "unknown";

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

/** The reason for a failure, for programs; the model reads `content`. */
export interface ToolError {
  readonly phase: Phase;
  /** A stable code such as `unknown-tool`, `invalid-input`, `no-one-to-ask`, `timeout`. */
  readonly code: string;
  readonly message: string;
  readonly effect: Effect;
  /** Present and true if `effect` is `unknown`. */
  readonly indeterminate?: boolean;
}

/** The result of one call. Frozen. */
export interface ToolResult {
  readonly callId: string;
  readonly toolName: string;
  /** The name that the model used, if it differs: an alias or a wire name. */
  readonly calledAs?: string;
  /** The origin of its call. */
  readonly origin?: ToolCall["origin"];
  readonly isError: boolean;
  readonly content: readonly ToolContent[];
  /** Valid against the tool's `output` schema. */
  readonly output?: JsonValue;
  /** For logs and screens; the model never sees it. */
  readonly details?: unknown;
  readonly error?: ToolError;
  /** Milliseconds of execution including retries; 0 if the call never executed. */
  readonly durationMs: number;
  /** True if its execution overlapped another's, in any turn of the dispatcher. */
  readonly wasConcurrent: boolean;
  readonly terminate?: boolean;
  /** The labels that the result brings into its conversation; absent if it brings none. */
  readonly labels?: readonly ("untrusted" | "private")[];
  /** Remarks of hooks, and of people who changed the input, about the call. They are part of the content. */
  readonly notes?: readonly string[];
  /** Present if the model got a preview: the size of the full content, and the reference to it, if a store has it. */
  readonly offloaded?: { readonly reference?: string; readonly sizeChars: number };
}

/** The call that a status line is about. */
export interface DisplayedCall<Input = unknown> {
  readonly input: Input;
  /** The structured output, or the plain string, of a finished call. */
  readonly output?: JsonValue | undefined;
  readonly error?: ToolError | undefined;
  readonly progress?: JsonValue | undefined;
}

/** Status lines for a screen. Absent input fields print nothing. */
export interface Display<Input> {
  readonly running?: (call: DisplayedCall<Input>) => string;
  readonly done?: (call: DisplayedCall<Input>) => string;
  readonly failed?: (call: DisplayedCall<Input>) => string;
  readonly rejected?: (call: DisplayedCall<Input>) => string;
  readonly progress?: (call: DisplayedCall<Input>) => string;
}

/** The name, codec and entry of a tool in one dialect, as far as they differ from the tool's own. */
export interface ToolDialect {
  /** The wire name, if it was shortened or cleaned. */
  readonly name?: string;
  readonly codec?: Codec;
  /** The entry of the provider's list, or a function that creates it when a list is requested. */
  readonly definition?: JsonObject | (() => JsonObject);
  /** True if the dialect cannot carry the tool, so that none of its lists may have it. */
  readonly isExcluded?: boolean;
}

/** The parameter of `buildTool`: the keys of a spec, with functions instead of expressions. */
export interface ToolDefinition<Input = unknown, Output = unknown, Context = unknown> extends ToolData {
  readonly concurrency?:
    | (StatedFields<"concurrency", Input> & {
        readonly rules?: readonly ConcurrencyRule<Input>[] | undefined;
        /** The resource that a `WRITE_EXCLUSIVE` call changes; calls on different ones may run in parallel. */
        readonly key?: ResourceKey<Input> | undefined;
      })
    | undefined;
  readonly behavior?:
    | (StatedFields<"behavior", Input> & {
        /** Names where the input goes, so that a remembered answer covers calls with the same destination. */
        readonly destination?: ((input: Input) => unknown) | undefined;
      })
    | undefined;
  /** A word alone is its `load`. */
  readonly visibility?:
    | ToolMetadata["visibility"]["load"]
    | (StatedFields<"visibility", Input> & {
        readonly featureGate?: string | undefined;
        /** Words by which a search for tools finds it. */
        readonly searchHint?: string | undefined;
        /**
         * Returns the description for one context, which holds only what `needs.context` names. Called by
         * `definitions(dialect, { context })`; after a throw, the model reads `description`.
         */
        readonly describe?: ((context: Context) => string) | undefined;
      })
    | undefined;
  readonly limits?: StatedFields<"limits", Input> | undefined;
  readonly validate?: readonly SemanticCheck<Input, Context>[] | undefined;
  /** Templates such as `Reading {path}`, or functions. */
  readonly display?: { readonly [State in keyof Display<Input>]?: Display<Input>[State] | string } | undefined;
  /** By dialect id; written by the compiler. */
  readonly dialects?: { readonly [dialect: string]: ToolDialect } | undefined;
  /** The decoders for codecs of `dialects`: `{ decoders: allDecoders }`, from `@hasp/runtime/codegen/v1`. */
  readonly parts?: { readonly decoders: object } | undefined;

  /** Repairs raw input before coercion; a throw fails the call. */
  readonly prepare?: ((raw: unknown) => unknown) | undefined;
  /** May only tighten the dispatcher's permissions. */
  readonly permit?:
    | ((request: PermissionRequest<Input, Context>) => PermissionAnswer | Promise<PermissionAnswer>)
    | undefined;
  /** Called when the tools of a turn are assembled. */
  readonly isEnabled?: (() => boolean) | undefined;
  /** Somebody else executes the calls: the `external` of the dispatcher. The definition has no `execute` then. */
  readonly external?: true | undefined;
  readonly execute: (input: Input, options: ExecutionOptions<Context>) => Output | Promise<Output>;
}

/** A definition whose `visibility` is no word. */
export interface PlainDefinition<Input = unknown, Output = unknown, Context = unknown> extends Omit<
  ToolDefinition<Input, Output, Context>,
  "visibility"
> {
  readonly visibility?: Exclude<ToolDefinition<Input, Output, Context>["visibility"], string>;
}

/** A tool ready to be dispatched: checked, closed, every flag decided, frozen. Made by `buildTool`. */
export interface Tool<Input = unknown, Output = unknown, Context = unknown> extends StandardSchema, ToolFacts {
  /** The schema of the input, closed. */
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  /** The treatment of an output that does not fit `output`. */
  readonly outputCheck: OutputCheck;
  /** The tool's own values. A flag that varies has its strict value here. */
  readonly metadata: ToolMetadata;
  /** Names where an input goes; may throw. */
  readonly destination?: (input: Input) => unknown;
  /** False if a model's input reaches nobody outside, whatever it contains. */
  readonly mayLeadOutside: boolean;
  /** True if the class of some call is READ_ONLY. The mode `plan` lists no other tools. */
  readonly mayRead: boolean;
  /** The labels whose absence the spec claims for some input, so that a handler may drop them from one result. */
  readonly droppable: { readonly untrusted: boolean; readonly private: boolean };
  readonly featureGate?: string;
  readonly searchHint?: string;
  readonly needs: { readonly env: readonly string[]; readonly context: readonly string[] };
  /** The input properties that the host fills in from the context, and the validator of an input with these. */
  readonly bound?: { readonly from: { readonly [property: string]: string }; readonly validate: Validator };
  readonly validate: readonly SemanticCheck<Input, Context>[];
  /** Compiles the patterns of its schemas; absent if they have none. */
  readonly patterns?: ToolParts["patterns"] | undefined;
  readonly examples: readonly { readonly input: JsonObject }[];
  readonly display: Display<Input>;
  readonly dialects: { readonly [dialect: string]: ToolDialect };
  readonly describe?: (context: Context) => string;
  readonly prepare?: (raw: unknown) => unknown;
  readonly permit?: (request: PermissionRequest<Input, Context>) => PermissionAnswer | Promise<PermissionAnswer>;
  readonly isEnabled?: () => boolean;
  /** Loads the handler if needed: until then it has no `prepare`, `permit` and `isEnabled`. */
  readonly load?: () => Promise<void> | undefined;
  /** Present on a tool from a spec; its registry sets it. */
  readonly registration?: { flow: FlowSetting | undefined };
  /** True if somebody else executes its calls: then nothing calls `execute`. */
  readonly external?: true;
  readonly execute: (input: Input, options: ExecutionOptions<Context>) => Output | Promise<Output>;
  /**
   * Undoes the encoding of a dialect's list. Unknown values are left for validation to reject; a call with a fault that
   * it adds must be refused.
   */
  readonly decodeInput: (dialect: string, value: JsonValue, faults: DecodeFault[]) => JsonValue;
  /** Coerces without loss, fills defaults and validates a copy. */
  readonly validateInput: (value: unknown) => ValidationResult;
  /** Validates structured output without changing it; absent if the tool has no `output` schema. */
  readonly validateOutput?: (value: unknown) => ValidationResult;
  /** The entry of a provider's list: the compiled one, or one with the schema as given if the dialect accepts it. */
  readonly definitionFor: (dialect: string) => JsonObject | undefined;
  /** True if hasp knows the dialect, even if a strict one cannot list the tool, or the tool was compiled for it. */
  readonly knowsDialect: (dialect: string) => boolean;
  /**
   * Decides class and flags of one call. Never throws: an error gives the strict answer. The input must be valid, with
   * defaults filled, as the dispatcher passes it; predicates are proved for such inputs only.
   */
  readonly classify: (input: unknown) => Classification;
  /** Finds the resource that a `WRITE_EXCLUSIVE` call changes. `undefined`: it excludes all others. Never throws. */
  readonly findResource?: (input: unknown) => Resource | undefined;
  /** True if a call with this parsed input may run in parallel with others: only for `READ_ONLY`. */
  readonly isConcurrencySafe: (input: unknown) => boolean;
  /**
   * The input as Standard Schema and Standard JSON Schema, for frameworks that accept these. It covers `input` only;
   * semantic checks, permission and scheduling belong to the dispatcher.
   */
  readonly "~standard": StandardProperties;
}

/** A tool with any input, for lists of tools. */
export type AnyTool = Tool<never, unknown, never>;
