import type { ProgramPreview, ToolCall, ToolResult, AnyTool } from "../../tool/definition.js";
import type { PermissionState } from "../permissions/permission-state.js";
import type { Resource } from "../../tool/resource-key.js";
import type { Activity, Limiter } from "../scheduling/concurrency.js";
import type { Gate } from "../scheduling/gate.js";
import type { CallState } from "./call-state.js";
import type {
  CallProgress,
  CallTracker,
  DispatchEvent,
  DispatcherOptions,
  GuardHook,
  PostHook,
  TransformHook,
  ExcludedTool,
} from "./dispatcher-types.js";
import type { ProgramCalls } from "./program-types.js";
import type { AskingOrder } from "./asking-order.js";
import type { TurnState } from "./turn-state.js";
import type { Attached } from "./no-extensions.js";
import type { ToolPlace } from "./extension.js";
import type { JsonObject } from "@hasp/schema";
import type { CallError } from "../../results/call-errors.js";
import type { NamedTool } from "../permissions/tool-pattern.js";

/** The state that all turns of a dispatcher share. A handler that dispatches gets a copy. */
export interface Engine {
  readonly gate: Gate;
  readonly limiter: Limiter;
  /** Limits semantic checks and `check`s that run at once. */
  readonly checks: Limiter;
  readonly activity: Activity;
  readonly permissions: PermissionState;
  readonly extensions: Attached;
  /** True if questions about what may leave are wanted, and no extension knows what a conversation holds. */
  readonly isUnguarded: boolean;
  readonly hooks: HookLists;
  readonly turnResultBudgetChars: number | undefined;
  readonly dialect: string | undefined;
  /** True if a name in a model's own syntax finds its tool. */
  readonly isLenient: boolean;
  /** False if inputs are refused whose values would have to be converted. */
  readonly coerces: boolean;
  readonly external: DispatcherOptions["external"];
  readonly hookTimeoutMs: number;
  readonly retryDelayMs: (attempt: number) => number;
  readonly nextIdempotencyKey: () => string;
  readonly tracker: CallTracker | undefined;
  /** `undefined` if nobody listens, so that no event is created. Never throws. */
  readonly emit: ((event: DispatchEvent) => void) | undefined;
  readonly progress: ((progress: CallProgress) => void) | undefined;
  readonly nest: (engine: Engine, turn: TurnState, call: CallState, handler: RunningHandler) => NestedDispatch;
  readonly nested: Nesting | undefined;
}

interface HookLists {
  readonly transform: readonly TransformHook[];
  readonly guard: readonly GuardHook[];
  readonly post: readonly PostHook[];
}

/** The context in which a handler's own calls run. */
interface Nesting {
  readonly depth: number;
  /** The gate of the dispatcher itself, which the outermost handler holds. */
  readonly outermostGate: Gate;
  /** True if the handler is a reader, which may dispatch readers only. */
  readonly readersOnly: boolean;
  /** The resource of a handler that other writers run beside: it may dispatch writers of that resource only. */
  readonly resource: Resource | undefined;
  /** True if a person has allowed the whole program, and with it what it reads. */
  readonly isPreviewed: boolean;
  readonly reaches: OfferedTool["reaches"];
  /** Set for the calls of a program. */
  readonly program: { readonly order: AskingOrder; onWrite(): void } | undefined;
}

export interface RunningHandler {
  readonly signal: AbortSignal;
  readonly isOver: boolean;
}

/** The `dispatch` that a handler receives. */
export interface NestedDispatch {
  readonly program: ProgramCalls;
  dispatch(calls: readonly ToolCall[]): Promise<readonly ToolResult[]>;
  /** Stops the calls that a settled handler left running; resolves when none runs. */
  close(): Promise<void>;
}

/** A tool that the host, a server or an extension offers. */
export interface OfferedTool extends NamedTool {
  /** True if its calls may call a tool; absent: they find all. */
  readonly reaches?: (tool: ToolEntry) => boolean;
  /** Finds the tools that a call names, for the person who is asked about it. */
  readonly preview?: (input: unknown) => ProgramPreview;
}

export interface ToolEntry extends OfferedTool {
  /** True for a tool that an extension adds, unless it is that of a server. */
  readonly isOwn?: boolean;
  readonly place?: ToolPlace | undefined;
  /** The refusal of every call to it; it is not listed either. */
  readonly unavailable?: CallError | undefined;
  /** True if the mode refuses every call to it: it is found, but not listed. */
  readonly isBeyondMode?: boolean;
}

/** The tools of a dispatcher at one moment. A turn keeps the snapshot it began with. */
export interface ToolSnapshot {
  /** Finds a tool by its name on the wire, its own name, or an alias. */
  find(name: string, dialect: string | undefined): ToolEntry | undefined;
  /** Lists the tools. A fixed list has those that the mode hides too, since the mode may change. */
  definitions(dialect: string, isFixed?: boolean): readonly JsonObject[];
  findListed(entry: JsonObject): AnyTool | undefined;
  /** The tools that are excluded now, with those that a list has left out. */
  readonly excluded: readonly ExcludedTool[];
  /** Replaces the excluded tools where the offered ones stay: a server may rename what nobody may call. */
  exclude(found: readonly ExcludedTool[]): void;
  /** False if no call of any tool reaches the outside. */
  readonly mayLeadOutside: boolean;
  /** The live servers whose texts the list shows although nobody here has read them. */
  readonly unreadServers: readonly string[];
  /** True if some tool loads its handler on its first call. */
  readonly hasLazyTools: boolean;
  /** By name; equal lists mean equal snapshots. */
  readonly entries: readonly ToolEntry[];
}
