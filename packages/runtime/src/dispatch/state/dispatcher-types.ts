import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import type { Gate } from "../scheduling/gate.js";
import type {
  Classification,
  ExecutionOptions,
  Phase,
  PermissionAnswer,
  PermissionDecision,
  PermissionRequest,
  ToolCall,
  ToolContent,
  ToolResult,
} from "../../tool/definition.js";
import type { ResultStore } from "../../results/memory-result-store.js";
import type { ToolMetadata } from "../../tool/fields.js";
import type { Tool } from "../../tool/tool.js";

/** A tool of a live MCP server: a stranger's schema, a stranger's hints. */
export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  /** What the server claims. It may schedule if the server is trusted; it never grants permission. */
  readonly annotations?: { readonly [hint: string]: unknown } | undefined;
  readonly searchHint?: string | undefined;
  readonly shouldDefer?: boolean | undefined;
  readonly limits?: Partial<ToolMetadata["limits"]> | undefined;
  /** By dialect id, where `@hasp/runtime/mcp` lowered the schema. */
  readonly dialects?: Tool["dialects"] | undefined;
  /** Answers with a value, a `toolResult`, or what `tools/call` answers. */
  readonly execute: (input: JsonObject, options: ExecutionOptions<unknown>) => unknown;
}

/** A live MCP server and the tools it offers. */
export interface McpServer {
  readonly server: string;
  /** Its hints may decide what runs beside what. */
  readonly trusted?: boolean | undefined;
  readonly tools: readonly McpTool[];
  /** What it offers and whoever listed it did not take; told with the dispatcher's own. */
  readonly excluded?: readonly ExcludedTool[] | undefined;
}

/** A tool's name, or a text in which `*` is the only wildcard. Typed by the names of a registry, where one is given. */
export type NamePattern<Name extends string = string> = Name | `${string}*${string}` | `mcp__${string}` | "tool_search";

/** Which tools: by name; `server` for tools of a live MCP server, which are named as the server does. */
export type ToolPattern<Name extends string = string> =
  NamePattern<Name> | { readonly server: string; readonly tool: string };

/** One rule of the host: for tools by name, or for those of a live MCP server. The first that matches decides. */
export type PermissionRule<Name extends string = string> = PermissionRuling &
  (
    | { readonly tool: NamePattern<Name>; readonly server?: undefined }
    | { readonly tool: string; readonly server: string }
  );

/** What a rule says of the calls that it matches. One without `server` never allows an MCP tool. */
export interface PermissionRuling {
  /** Only calls for which this answers `true`. A throw denies. */
  readonly when?: ((input: never, request: PermissionRequest) => boolean) | undefined;
  readonly decision: PermissionDecision;
  /** Told to the model where the call is refused. */
  readonly reason?: string | undefined;
}

/** What the host allows. */
export interface Permissions<Context = unknown, Name extends string = string> {
  /** Tools that are never listed and never run, by name or alias. */
  readonly deny?: readonly ToolPattern<Name>[] | undefined;
  readonly rules?: readonly PermissionRule<Name>[] | undefined;
  /** Decides what no rule decided. */
  readonly check?:
    ((request: PermissionRequest<unknown, Context>) => PermissionAnswer | Promise<PermissionAnswer>) | undefined;
  /** Asks a person; only where `interactive`. */
  readonly ask?:
    ((request: PermissionRequest<unknown, Context>) => PermissionAnswer | Promise<PermissionAnswer>) | undefined;
}

/** What a hook is given. The input is frozen. */
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
/** `undefined` changes nothing. */
export type TransformAnswer = { readonly input: unknown; readonly note?: string } | { readonly note: string };

/** Sees the final input and may block the call. */
export type GuardHook<Context = unknown> = (
  request: HookRequest<Context>,
) => GuardAnswer | undefined | Promise<GuardAnswer | undefined>;
/** `undefined` lets the call pass. */
export type GuardAnswer = { readonly block: string } | { readonly note: string };

/** Sees the result of an execution, failed or not. */
export type PostHook<Context = unknown> = (
  request: HookRequest<Context> & { readonly result: ToolResult },
) => PostAnswer | undefined | Promise<PostAnswer | undefined>;
/** Replaces what the model reads (structured output goes with it, unless given anew), adds a note, or ends the loop. */
export interface PostAnswer {
  readonly content?: string | readonly ToolContent[];
  readonly output?: JsonValue;
  readonly note?: string;
  readonly terminate?: true;
}

/** Functions around every call, one or a list of each. */
export interface Hooks<Context = unknown> {
  readonly transform?: TransformHook<Context> | readonly TransformHook<Context>[] | undefined;
  readonly guard?: GuardHook<Context> | readonly GuardHook<Context>[] | undefined;
  readonly post?: PostHook<Context> | readonly PostHook<Context>[] | undefined;
}

/**
 * What a dispatcher tells whoever listens. `line` is a sentence for a screen, where the tool's `display` has one for
 * it.
 */
export type DispatchEvent = { readonly callId: string; readonly toolName: string; readonly line?: string } & (
  | { readonly type: "classified"; readonly classification: Classification }
  | { readonly type: "validated"; readonly inputDigest: string }
  | { readonly type: "permitted"; readonly inputDigest: string; readonly reason: string }
  | {
      readonly type: "denied";
      readonly inputDigest: string;
      readonly code: string;
      readonly reason: string;
      /** How the host could allow such calls; the model never reads it. */
      readonly remedy?: string;
    }
  | {
      readonly type: "started";
      readonly class: Classification["class"];
      readonly attempt: number;
      readonly idempotencyKey: string;
    }
  | { readonly type: "progress"; readonly update: JsonValue }
  | {
      readonly type: "settled";
      readonly result: ToolResult;
      readonly attempts: number;
      readonly class: Classification["class"];
      readonly phase: Phase | undefined;
    }
  | { readonly type: "settled-late"; readonly outcome: "returned" | "threw"; readonly afterMs: number }
  /** Something the host should know that changes no result: a post-hook that threw, a tool left out of the list. */
  | { readonly type: "problem"; readonly code: string; readonly message: string }
);

/** Notices which call a piece of code runs for, across `await`; `@hasp/runtime/node` makes one. */
export interface CallTracker {
  run<Value>(call: TrackedCall, body: () => Value): Value;
  current(): TrackedCall | undefined;
}
/** A running call, as a tracker carries it about. */
export interface TrackedCall {
  readonly callId: string;
  readonly toolName: string;
  /** The gate of its dispatcher, also where another handler made the call. */
  readonly gate: Gate;
  /** False once the handler has settled: what it left behind is no part of the call any more. */
  readonly isRunning: () => boolean;
}

/** What `refreshTools` answers: the new tools, or tools and servers. */
export type RefreshedTools =
  | readonly Tool<never, unknown, never>[]
  | { readonly tools?: readonly Tool<never, unknown, never>[]; readonly mcp?: readonly McpServer[] };

/** Settings of `createDispatcher`; only `tools` is needed. */
export interface DispatcherOptions<Context = unknown, Name extends string = string> {
  /** Built tools, or a registry that holds them: then permissions are typed by its names. */
  readonly tools:
    | readonly Tool<never, unknown, Context>[]
    | { readonly tools: readonly Tool<never, unknown, Context>[]; readonly names?: readonly Name[] };
  readonly mcp?: readonly McpServer[] | undefined;
  readonly permissions?: Permissions<Context, NoInfer<Name>> | undefined;
  readonly hooks?: Hooks<Context> | undefined;
  /** Opens a feature gate: only `true` does. */
  readonly features?: ((name: string) => boolean) | undefined;
  /** Whether a person is there to be asked. Default false. */
  readonly interactive?: boolean | undefined;
  /** Most calls that run at once. Default: the environment's `HASP_MAX_CONCURRENCY`, else 10. */
  readonly maxConcurrency?: number | undefined;
  /** A gate to share with other dispatchers. */
  readonly gate?: Gate | undefined;
  readonly resultStore?: ResultStore | undefined;
  /** Characters that all results of a turn may have together. */
  readonly turnResultBudgetChars?: number | undefined;
  /** Asked before and after each turn; may be slow, must not hang. */
  readonly refreshTools?: (() => RefreshedTools | Promise<RefreshedTools>) | undefined;
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
  readonly onEvent?: ((event: DispatchEvent) => void) | undefined;
  /** The dialect whose list the model sees: names and shapes are decoded by it. */
  readonly dialect?: string | undefined;
  /**
   * `provider`: deferred tools are listed, and the provider's own search loads them. Default `search`: `tool_search`
   * does.
   */
  readonly deferral?: "search" | "provider" | undefined;
  /** Where `needs.env` is looked up. Default: the environment of the process, where there is one. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /** Milliseconds before attempt `attempt` (2, 3, …). Default: doubling from 200 with jitter, at most 10 seconds. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
  /** Milliseconds that a hook, a check or `prepare` may take; a person who is asked has no limit. Default 60 000. */
  readonly hookTimeoutMs?: number | undefined;
  /**
   * From `@hasp/runtime/node`: answers a handler that dispatches around its handle with an error instead of a deadlock.
   */
  readonly callTracker?: CallTracker | undefined;
}

/** Settings of one turn. */
export interface TurnOptions<Context = unknown> {
  /** Stops everything of this turn. */
  readonly signal?: AbortSignal | undefined;
  /** Handed to handlers, checks and hooks. */
  readonly context?: Context | undefined;
  /**
   * Each result as soon as its batch has ended, before the budget of the turn: for hosts that take results one by one.
   */
  readonly onResult?: ((result: ToolResult) => void) | undefined;
  /** What the calls of this turn report while they run, beside the dispatcher's own `onProgress`. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
}

/** One report of a running call. */
export interface CallProgress {
  readonly callId: string;
  readonly toolName: string;
  readonly update: JsonValue;
  /** The tool's `display.progress` for this call, where there is one. */
  readonly line?: string;
}

/** What would become of a call as far as that can be said without running it, a hook, or a question to a person. */
export type CallPreview =
  | {
      readonly decision: "allow" | "ask" | "deny";
      /** Why, where somebody said so. */
      readonly reason: string;
      readonly toolName: string;
      /** Decoded, coerced, with defaults: what a person would be asked about. */
      readonly input: JsonValue;
      readonly inputDigest: string;
      readonly classification: Classification;
    }
  | {
      /** The call would be refused before permission: no such tool, or an input that does not fit. */
      readonly decision: "invalid";
      readonly phase: Phase;
      readonly code: string;
      readonly reason: string;
    };

/** All calls of one response, fed one by one. */
export interface Turn {
  /** Hands over a call as soon as it is known. Readers start at once, the rest in its order. */
  push(call: ToolCall): void;
  /** No more calls will come: answers with one result a call, in call order, when all are settled. */
  end(): Promise<readonly ToolResult[]>;
}

/** A tool that is not offered, and why. */
export interface ExcludedTool {
  readonly toolName: string;
  readonly code: string;
  readonly message: string;
}

/** Runs the calls of a model: every call gets one answer, and nothing unsafe runs beside anything. */
export interface Dispatcher<Context = unknown> {
  dispatch(calls: readonly ToolCall[], options?: TurnOptions<Context>): Promise<readonly ToolResult[]>;
  openTurn(options?: TurnOptions<Context>): Turn;
  /**
   * Decodes, validates, classifies and asks rules and checks, never a person, and runs nothing: for a host that brings
   * the question to a person by ways of its own. A later `dispatch` judges the call anew.
   */
  preview(call: ToolCall, options?: Pick<TurnOptions<Context>, "signal" | "context">): Promise<CallPreview>;
  /**
   * The user stops: running `cancel` tools are aborted, `block` tools finish, calls not started are answered as not
   * run.
   */
  interrupt(reason?: string): void;
  /** Declares that a call that outlived its time is over. Answers whether there was one. */
  releaseAbandoned(callId: string): boolean;
  /** The provider's tool list: the same frozen object until the tools change. */
  definitions(dialect: string): readonly JsonObject[];
  /** SHA-256 of that list, for prompt caches and drift pins. */
  definitionsDigest(dialect: string): string;
  /** Assembles the tools anew between turns, so that `definitions` is up to date. */
  refresh(): Promise<void>;
  /** Tools that exist and are not offered because of a fault or a collision. */
  readonly excluded: readonly ExcludedTool[];
  readonly gate: Gate;
}
