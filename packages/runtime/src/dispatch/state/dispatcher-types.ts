import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import type { DialectEntries } from "@hasp/schema/internal/entries";
import type { Gate } from "../scheduling/gate.js";
import type {
  CallTrace,
  Classification,
  ExecutionOptions,
  PermissionDecision,
  Phase,
  ToolCall,
  ToolContent,
  ToolResult,
  AnyTool,
  Tool,
} from "../../tool/definition.js";
import type { AskedCall } from "../../calls/present-question.js";
import type { ToolMetadata } from "../../tool/fields.js";
import type { FlowSetting } from "../../tool/flow-setting.js";
import type { LivePermissions, Permissions } from "../permissions/permission-types.js";
import type { DispatcherExtension } from "./extension.js";
import type { GivenOptions } from "./given-options.js";

/** A tool of a live MCP server, with a schema and hints that nobody here has reviewed. */
export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  /** Claims of the server. They affect scheduling if the server is trusted, and never grant permission. */
  readonly annotations?: { readonly [hint: string]: unknown } | undefined;
  /** The host's own statement that a call only reads, whatever the server claims. It never grants permission. */
  readonly isReadOnly?: boolean | undefined;
  readonly searchHint?: string | undefined;
  /** Lists it, or waits for a search. Default: `normal`. */
  readonly load?: ToolMetadata["visibility"]["load"] | undefined;
  readonly limits?: Partial<ToolMetadata["limits"]> | undefined;
  /** By dialect id, if `@hasp/mcp` lowered the schema. */
  readonly dialects?: Tool["dialects"] | undefined;
  /** Returns a value, a `toolResult`, or the result of `tools/call`. */
  readonly execute: (input: JsonObject, options: ExecutionOptions<unknown>) => unknown;
}

/** A live MCP server and the tools it offers. */
export interface McpServer {
  readonly server: string;
  /** Lets its hints affect scheduling. */
  readonly trusted?: boolean | undefined;
  /** The host's own statements about its tools, by the server's names. Whatever is not stated has its strict value. */
  readonly claims?:
    | {
        readonly [tool: string]: {
          readonly [Flag in "returnsUntrusted" | "returnsPrivate" | "isOpenWorld"]?: false | undefined;
        };
      }
    | undefined;
  /** True if the host has reviewed the texts of its tools and no others are offered, as `mcpTools` with `pins` does. */
  readonly isPinned?: boolean | undefined;
  readonly tools: readonly McpTool[];
  /** Tools that it offers but that were excluded; reported with the dispatcher's own. */
  readonly excluded?: readonly ExcludedTool[] | undefined;
}

/** The parameter of a hook. The input is frozen. */
export interface HookRequest<Context = unknown> {
  readonly callId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly context: Context;
}

/** Changes the input, or adds a note for the model. */
export type TransformHook<Context = unknown> = (
  request: HookRequest<Context>,
) => TransformAnswer | undefined | Promise<TransformAnswer | undefined>;
/** The answer of a transform; `undefined` changes nothing. */
export type TransformAnswer = { readonly input: unknown; readonly note?: string } | { readonly note: string };

/** Sees the final input and may block the call. */
export type GuardHook<Context = unknown> = (
  request: HookRequest<Context>,
) => GuardAnswer | undefined | Promise<GuardAnswer | undefined>;
/** The answer of a guard: it blocks the call, votes on it, or adds a note for the model; `undefined` does nothing. */
export type GuardAnswer = { readonly block: string } | { readonly note: string } | GuardVote;

/** The vote of a guard, combined with those of the rules. An ask is always asked; a deny always wins. */
interface GuardVote {
  readonly decision: PermissionDecision;
  /** The reason that the model reads if the call is refused, and the person if asked. */
  readonly reason: string;
  /** An allow covers a destructive call only if it says so. */
  readonly destructive?: true | undefined;
  readonly note?: string | undefined;
}

/** Sees the result of an execution, failed or not. */
export type PostHook<Context = unknown> = (
  request: HookRequest<Context> & { readonly result: ToolResult },
) => PostAnswer | undefined | Promise<PostAnswer | undefined>;
/** Replaces the content (and drops the structured output, unless it is passed again), adds a note, or ends the loop. */
export interface PostAnswer {
  readonly content?: string | readonly ToolContent[];
  readonly output?: JsonValue;
  readonly note?: string;
  readonly terminate?: true;
}

/** Functions that run around every call, one or a list of each. */
export interface Hooks<Context = unknown> {
  readonly transform?: TransformHook<Context> | readonly TransformHook<Context>[] | undefined;
  readonly guard?: GuardHook<Context> | readonly GuardHook<Context>[] | undefined;
  readonly post?: PostHook<Context> | readonly PostHook<Context>[] | undefined;
}

/** The part of every event that names its call. */
export interface EventSubject {
  readonly callId: string;
  readonly toolName: string;
  /** The sentence of the tool's `display` for the event, if there is one. */
  readonly line?: string;
  /** The trace of the call's turn, if the host gave one. */
  readonly trace?: CallTrace;
  /** The call whose handler or program made this one. */
  readonly parentCallId?: string;
}

export type DispatchEvent = EventSubject &
  (
    | { readonly type: "classified"; readonly classification: Classification }
    | {
        readonly type: "validated";
        readonly inputDigest: string;
        /** JSON Pointers to the parts that were coerced: to text that was read, and to null that counts as absent. */
        readonly coerced?: readonly string[];
        /** The number of these parts; `coerced` lists the places of the first 100. */
        readonly coercedCount?: number;
      }
    | {
        /** An answer allows the call with another input. Both are without their secrets. */
        readonly type: "input-changed";
        readonly by: "ask" | "check";
        readonly before: JsonValue;
        readonly input: JsonValue;
        readonly beforeDigest: string;
        readonly inputDigest: string;
      }
    | { readonly type: "permitted"; readonly inputDigest: string; readonly reason: string }
    | {
        readonly type: "denied";
        readonly inputDigest: string;
        readonly code: string;
        readonly reason: string;
        /** Tells the host how to allow such calls; the model never reads it. */
        readonly remedy?: string;
      }
    | {
        readonly type: "started";
        readonly class: Classification["class"];
        readonly attempt: number;
        readonly idempotencyKey: string;
        /** The reason of its permission. */
        readonly reason?: string;
        /** The effect of `interrupt` on the call: `cancel` aborts it, `block` lets it finish. */
        readonly interruptBehavior: ToolMetadata["behavior"]["interruptBehavior"];
      }
    | {
        readonly type: "progress";
        readonly update: JsonValue;
        /** Present if the update is a list of content blocks. */
        readonly content?: readonly ToolContent[];
      }
    | {
        readonly type: "settled";
        readonly result: ToolResult;
        readonly attempts: number;
        /** The key of its `started` events; absent if it never started. */
        readonly idempotencyKey?: string;
        readonly class: Classification["class"];
        readonly phase: Phase | undefined;
      }
    | { readonly type: "settled-late"; readonly outcome: "returned" | "threw"; readonly afterMs: number }
    /** A problem that changes no result, such as a post-hook that threw or an excluded tool. */
    | { readonly type: "problem"; readonly code: string; readonly message: string }
  );

/** Tells which call a piece of code runs for, across `await`. Created by `asyncCallTracker` of `@hasp/handlers/isolation`. */
export interface CallTracker {
  run<Value>(call: TrackedCall, body: () => Value): Value;
  current(): TrackedCall | undefined;
}
/** A running call, as a tracker sees it. */
export interface TrackedCall {
  readonly callId: string;
  readonly toolName: string;
  /** The key of its `started` and `settled` events, and of no other call. */
  readonly idempotencyKey: string;
  readonly tool: AnyTool;
  /** Frozen, and with its secrets. */
  readonly input: JsonValue;
  /** The gate of its dispatcher, also if another handler made the call. */
  readonly gate: Gate;
  /** False once the handler has settled: work that it left behind is no longer part of the call. */
  readonly isRunning: () => boolean;
}

/** The answer of `refreshTools`: the new tools, or a registry of them. */
type RefreshedTools =
  | readonly Tool<never, unknown, never>[]
  | { readonly tools: readonly Tool<never, unknown, never>[] };

/** Settings of `createDispatcher`; only `tools` is required. */
export interface DispatcherOptions<Context = unknown, Name extends string = string> {
  /** Built tools, or a registry, whose names then type the permissions. */
  readonly tools:
    | readonly Tool<never, unknown, Context>[]
    | {
        readonly tools: readonly Tool<never, unknown, Context>[];
        readonly names?: readonly Name[] | undefined;
        readonly leftOut?: readonly string[];
        readonly flow?: FlowSetting;
        readonly extensions?: readonly DispatcherExtension[];
      };
  /** Who may call what: fixed settings, or live permissions from `createPermissions`. */
  readonly permissions?: Permissions<Context, NoInfer<Name>> | LivePermissions<NoInfer<Name>> | undefined;
  /** Replaces the registry's setting of information flow. Default without a registry: `off`. */
  readonly flow?: FlowSetting | undefined;
  readonly hooks?: Hooks<Context> | undefined;
  /** Opens a feature gate: only `true` does. */
  readonly features?: ((name: string) => boolean) | undefined;
  /** The most calls that run at once. Default: the environment's `HASP_MAX_CONCURRENCY`, else 10. */
  readonly maxConcurrency?: number | undefined;
  /** Additions to the dispatcher, beside those of a registry: one of the same name replaces the registry's. */
  readonly extensions?: readonly DispatcherExtension[] | undefined;
  /** A gate to share with other dispatchers. */
  readonly gate?: Gate | undefined;
  /** The most characters of all results of a turn together. */
  readonly turnResultBudgetChars?: number | undefined;
  /**
   * Supplies other tools: asked once before the first list, and as each turn ends. A turn keeps to the tools of the last
   * list before it: later ones do not run, and calls of those that have gone are answered `tool-gone`.
   */
  readonly refreshTools?: (() => RefreshedTools | Promise<RefreshedTools>) | undefined;
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
  readonly onEvent?: ((event: DispatchEvent) => void) | undefined;
  /** The dialect of the list that the model sees: names and shapes are decoded by it. */
  readonly dialect?: string | undefined;
  /**
   * `lenient`: names in a model's own syntax, such as `functions.find_order`, find their tool too; each is a `problem`
   * event. Default `exact`: they are refused with the name that was meant.
   */
  readonly names?: "exact" | "lenient" | undefined;
  /**
   * `false`: an input whose values would have to be converted is refused, whatever its tool says. Default: the tool's own
   * `coerce`.
   */
  readonly coerce?: boolean | undefined;
  /** Executes the calls of tools that are `external`, and returns their output, which is validated like any. */
  readonly external?:
    | ((
        call: { readonly callId: string; readonly toolName: string; readonly input: JsonValue },
        options: ExecutionOptions<Context>,
      ) => unknown)
    | undefined;
  /** The variables for `needs.env`. Default: the environment of the process, if there is one. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /**
   * Milliseconds before attempt `attempt` (2, 3, …). Default: doubling from 200 with jitter, at most 10 seconds. An
   * error with `retryAfterSeconds`, such as that of an HTTP handler, extends the wait up to a minute; a call whose
   * error asks for more is not retried.
   */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
  /** The longest time of a hook, a check or a store; a person who is asked has no limit. Default 60 000. */
  readonly hookTimeoutMs?: number | undefined;
  /** Turns the deadlock of a handler that calls the dispatcher instead of its own `dispatch` into an error. */
  readonly callTracker?: CallTracker | undefined;
}

export interface TurnOptions<Context = unknown> {
  /** Stops the whole turn. */
  readonly signal?: AbortSignal | undefined;
  /** Passed to handlers, checks and hooks. */
  readonly context?: Context | undefined;
  /**
   * The host's own id of the conversation that reads the results: it holds their labels. Without it, the dispatcher is
   * one conversation or, with `durableCalls`, its principal; that can only ask more often.
   */
  readonly conversation?: string | undefined;
  /**
   * The person for whom the turn runs, if one dispatcher serves several: remembered answers hold for them alone.
   * Default: the `principal` of `durableCalls`.
   */
  readonly principal?: string | undefined;
  /** The trace that the turn belongs to. Handlers receive it, and every event has it. */
  readonly trace?: CallTrace | undefined;
  /**
   * Refuses calls of this turn by the input that will run, after all hooks: the reason, or `undefined`. A throw and any
   * other answer refuse. Nested calls are not asked about.
   */
  readonly refuse?: ((call: { readonly toolName: string; readonly input: unknown }) => string | undefined) | undefined;
  /** Receives each result when its batch has ended, before the budget of the turn is applied. */
  readonly onResult?: ((result: ToolResult) => void) | undefined;
  /** Receives the progress of this turn's calls, in addition to the dispatcher's own `onProgress`. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
}

/** The options of a turn, required if handlers need a context. */
export type TurnArguments<Context> = GivenOptions<TurnOptions<Context>, Context>;

export interface CallProgress {
  readonly callId: string;
  readonly toolName: string;
  readonly update: JsonValue;
  /** Present if the update is a list of content blocks. */
  readonly content?: readonly ToolContent[];
  readonly line?: string;
}

/** The decision about a call as far as it is known without running the call, running hooks or asking a person. */
export type CallPreview =
  | {
      readonly decision: "allow" | "ask" | "deny";
      readonly reason: string;
      readonly toolName: string;
      /** Decoded, coerced, with defaults. */
      readonly input: JsonValue;
      readonly inputDigest: string;
      readonly classification: Classification;
      /** Present for `ask`: what a person may see. */
      readonly question?: AskedCall;
      /** Present for `allow` if the hooks have run: what they add to the call, beside its input. */
      readonly hooks?: {
        readonly notes: readonly string[];
        readonly votes: { readonly guardAllows?: { readonly reason: string } };
      };
    }
  | {
      /** The call would be refused before permission: no such tool, or an invalid input. */
      readonly decision: "invalid";
      readonly phase: Phase;
      readonly code: string;
      readonly reason: string;
    };

/** All calls of one response, pushed one by one. */
export interface Turn {
  /** Adds a call. Readers start at once, other calls in their order. */
  push(call: ToolCall): void;
  /** Ends the turn. Resolves with one result per call, in call order. */
  end(): Promise<readonly ToolResult[]>;
}

export interface ExcludedTool {
  readonly toolName: string;
  readonly code: string;
  readonly message: string;
}

/** A provider's list, in the type that the provider's SDK accepts. */
export type ToolDefinitions<Dialect extends string> = Dialect extends keyof DialectEntries
  ? (DialectEntries[Dialect] & JsonObject)[]
  : readonly JsonObject[];

/** Runs the calls of a model: every call gets one result, and nothing unsafe runs in parallel with anything else. */
export interface Dispatcher<Context = unknown> {
  dispatch(calls: readonly ToolCall[], ...options: TurnArguments<Context>): Promise<readonly ToolResult[]>;
  openTurn(...options: TurnArguments<Context>): Turn;
  /** Returns the functions of an extension. Throws a `TypeError` if the dispatcher does not have it. */
  use<Api>(extension: DispatcherExtension<Api>): Api;
  /**
   * Decodes, validates and classifies a call and asks rules and checks, but no person, and runs nothing: for a host
   * that asks people in its own way. With `durableCalls`, the answer is that of `run`, whose questions can wait. A later
   * `dispatch` or `run` judges the call again.
   */
  preview(
    call: ToolCall,
    options?: Pick<TurnOptions<Context>, "signal" | "context" | "conversation" | "principal"> & {
      /** Runs the hooks, too: `input` is then what they make of it. Pass the preview to `run`, or they run again. */
      readonly runsHooks?: boolean | undefined;
    },
  ): Promise<CallPreview>;
  /**
   * The user's interrupt: aborts running `cancel` tools, lets `block` tools finish, and starts no further calls.
   * Resolves when the `block` tools have finished, or their time is up; never rejects. A handler must not await it.
   */
  interrupt(reason?: string): Promise<void>;
  /** Declares a timed-out call over. Returns false if there was none. */
  releaseAbandoned(callId: string): boolean;
  /**
   * The provider's tool list, for the next request: the same frozen object until the tools change. With `isFixed`, for a
   * program that keeps the list, it has `read_result` from the start and what the mode `plan` hides. With `context`,
   * tools that have `describe` are described for it: equal descriptions give the same object, and the other entries never
   * change. The next turns keep to this list, unless it is for the program alone (`isShown: false`).
   */
  definitions<Dialect extends string>(
    dialect: Dialect,
    options?: {
      readonly isFixed?: boolean | undefined;
      readonly isShown?: boolean | undefined;
      readonly context?: Context | undefined;
    },
  ): ToolDefinitions<Dialect>;
  /**
   * True for an entry of that list, without `context`, whose calls nobody in this process executes: they wait in the
   * call store until somebody completes them. Leave it out where nobody would.
   */
  isAwaited(entry: JsonObject): boolean;
  /** SHA-256 of that list, for prompt caches and drift pins. */
  definitionsDigest(dialect: string): string;
  /** Assembles the tools again between turns, so that the next list is up to date. */
  refresh(): Promise<void>;
  /** Tools that are not offered because of a fault or a collision. */
  readonly excluded: readonly ExcludedTool[];
  readonly gate: Gate;
}

/** The options of one call, by which the calls of a response are recognized. */
export interface CallSession<Context> extends TurnOptions<Context> {
  /** An object that all calls of one response share, and no calls of another. */
  readonly step?: unknown;
}
