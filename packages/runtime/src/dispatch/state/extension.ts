import type { JsonObject, JsonValue } from "@hasp/schema";
import type { CallRecord, CallStore } from "../../calls/call-store.js";
import type { Label } from "../../calls/labels.js";
import type { Refusal } from "../../results/call-errors.js";
import type { Outcome } from "../../results/outcome.js";
import type { ToolResult } from "../../tool/definition.js";
import type { ResultStore } from "../../results/result-store.js";
import type { FlowSetting } from "../../tool/flow-setting.js";
import type { CallState, NamedCall, StoredProgram } from "./call-state.js";
import type { ExcludedTool, TurnOptions } from "./dispatcher-types.js";
import type { RunningTurn, TurnState } from "./turn-state.js";
import type { OfferedTool, ToolEntry, ToolSnapshot } from "./engine.js";

/** The parts of an extension, as `defineExtension` takes them. */
export interface ExtensionDefinition<Api = unknown, Part extends TurnPart = TurnPart> {
  /** Unique among the extensions of a dispatcher. */
  readonly name: string;
  /** The names of the extensions without which it does not work. */
  readonly needs?: readonly string[];
  /** Called once for each dispatcher; what it throws, `createDispatcher` throws. State begins here, never in the module. */
  attach(host: ExtensionHost): Attachment<Api, Part>;
}

/**
 * An addition to a dispatcher. It can make calls stricter and results safer; it cannot permit a call: only the owner of
 * `keep` recalls what a person has allowed. If it throws, or answers what its door does not accept, the call is refused
 * or its result is withheld, and the error names the extension. It is code of the host, and its types are no sandbox: one
 * that replaces `flow` of a registry decides what is asked about flows, and may ask less.
 */
export interface DispatcherExtension<Api = unknown, Part extends TurnPart = TurnPart> extends ExtensionDefinition<
  Api,
  Part
> {
  /** Connects it and others with a dispatcher. Only `defineExtension` makes it. */
  readonly connector: unknown;
}

/** The store of labels beside that of calls. */
export type KeptLabels = Pick<CallStore, "setUp" | "addLabels" | "labels" | "forget">;

/** A part of a dispatcher that only one extension may take over. */
export type OwnedDoor = "answer" | "flow" | "keep";

/** An extension of one dispatcher. */
export interface Attachment<Api = unknown, Part extends TurnPart = TurnPart> {
  /** The functions for the host: `use(extension)` returns them. */
  readonly api: Api;
  /** The doors that it takes over; a second owner is an error. */
  readonly owns?: readonly OwnedDoor[] | undefined;
  /** True if it answers every call: no handler is loaded, and nothing that only handlers need is required. */
  readonly isStandIn?: boolean | undefined;
  /** True if a call may begin while an earlier result is being stored: its reservation is never stored before that. */
  readonly keepsOrder?: boolean | undefined;
  /** The dispatcher's own conversation and principal, for turns that name none. */
  readonly conversation?: string | undefined;
  /** The functions by which the dispatcher asks the owner of `keep`: `keeping` of `@hasp/runtime/internal/durable`. */
  readonly keeping?: object | undefined;
  /** The store for labels, of the extension that keeps calls. */
  readonly labelStore?: KeptLabels | undefined;
  /** The store for results that are too long. */
  readonly resultStore?: KeptResults | undefined;
  /** The dispatcher is complete; what this throws, `createDispatcher` throws. */
  begin?(): void;
  readonly tools?: ToolDoor | undefined;
  /** The program asks for a list of tools, for a model (`isShown`) or for itself; a fixed one must have all from now on. */
  listed?(tools: ToolsInTurn, options: { readonly isFixed: boolean; readonly isShown: boolean }): void;
  /** Begins with a turn; `outer` is its part of the turn whose handler dispatches this one. `undefined`: not concerned. */
  turn?(turn: TurnFacts, outer: Part | undefined): Part | undefined;
  /** Results of an earlier run are handed out again. */
  recall?(conversation: string, calls: readonly CallRecord[]): Promise<void> | undefined;
}

/** The part of an extension in the list of tools. What a function throws, `createDispatcher` throws; later, the list stays. */
export interface ToolDoor {
  /** True if the provider itself searches: its list marks the deferred tools. */
  readonly marksDeferred?: boolean;
  /** Adds tools. Those without a `server` are the dispatcher's own: nothing places them, and a model need not see them first. */
  add?(report: (excluded: ExcludedTool) => void): readonly OfferedTool[];
  /** Places a tool of the host or of a server. */
  place?(tool: OfferedTool): ToolPlace | undefined;
  /** Adds tools that find the others, or call them; `again`: it now places tools otherwise. */
  addAbout?(tools: readonly ToolEntry[]): readonly OfferedTool[] | "again";
  /** Takes over what turns have changed, so that no list changes within one. True: the list is assembled again. */
  renew?(): boolean;
  /** Takes its tools from their source again. If it rejects, they stay as they are. */
  refresh?(): Promise<void>;
}

/**
 * The place of a tool. `not-loaded`: no call of it runs until the model has found it; `loaded`: the model has. `unlisted`:
 * only programs call it, so that the list leaves it out, unless it is always loaded.
 */
export type ToolPlace = "not-loaded" | "loaded" | "unlisted";

/** A store for results, and the way in which a model reads them: there may be no tool, or the model's list may lack it. */
export interface KeptResults extends Pick<ResultStore, "put" | "readTool"> {
  readonly reader: "read_result" | "elsewhere" | "nowhere";
}

/** The part of an extension in one turn. A plain object has no members but doors; for state, write a class. */
export interface TurnPart {
  /** Awaited before the first call. If it rejects, no call runs. */
  ready?(): Promise<void> | undefined;
  /** A call was pushed; its tool is not known yet. `undefined`: not concerned. */
  call?(call: CallFacts): CallPart | undefined;
  /** Keeps the call beyond the process; `undefined`: it is not kept. For the owner of `keep`. */
  keep?(call: CallFacts): KeptCall | undefined;
  beginBatch?(): void;
  /** All calls of a batch have ended, and none of their results has left. If it rejects, none does. */
  endBatch?(): Promise<void> | undefined;
  /** The turn is over. */
  end?(): void;
}

/** The part of an extension in one call, in the order of the call's life. A plain object has no members but doors. */
export interface CallPart {
  /** Grows when `vote` may answer otherwise, so that the permissions decide again before the start. */
  readonly version?: number;
  /** Votes each time that the permissions decide; the strictest vote wins. */
  vote?(): Vote | readonly Vote[] | undefined;
  /** Returns what a remembered answer about a concern of this topic covers, beside the input itself. */
  scope?(topic: string): JsonValue | undefined;
  /** The handler starts now: nothing is awaited between the last decision and this. */
  start?(): void;
  /** Answers in place of the handler. For the owner of `answer`. */
  answer?(): Outcome | Promise<Outcome> | undefined;
  /** A handler has used a secret. */
  hide?(secret: string): void;
  /** The handler has answered or failed; nothing has changed its outcome yet. */
  returned?(outcome: Outcome): void;
  /** The call was refused; `quotesTool` if a function of its tool chose the words. */
  refused?(refusal: Refusal): void;
  /** The calls of this program returned these results. */
  received?(results: readonly (ToolResult | undefined)[]): void;
  /** Its batch has ended, whatever became of the call. */
  ended?(): void;
  /** Writes down the call: in call order, and for the calls of a program in the order in which it asked. */
  log?(): void;
  /** The whole result was stored under a reference. */
  stored?(reference: string): void;
  /** Returns the labels of its result. */
  labels?(): readonly Label[] | undefined;
}

/**
 * A call that outlives the process, in the order of its life. Each function may throw a `Refusal`, which refuses the
 * call, and limits its own waiting: a write that is given up may still land.
 */
export interface KeptCall {
  /** The end of a call that must not run: it is neither parsed nor judged. */
  readonly outcome: Outcome | undefined;
  /** The work of an earlier run: the call has this input, and its hooks do not run again. */
  readonly earlier: PreparedCall | undefined;
  /** True if this run leaves the call open. It has no result then, and the batches after it wait. */
  readonly isOpen: boolean;
  /** The calls of this program, as the store keeps them. */
  readonly program: StoredProgram;
  /** Finds an earlier answer: the call was judged, and the permissions decide next. */
  recall(): KeptStep;
  /** Keeps the question before a person is asked by `askHost`, which is missing if nobody is there. */
  ask(askHost: (() => Promise<PersonVote | undefined>) | undefined): Promise<KeptStep>;
  /**
   * Reserves the permitted call. The permissions decide once more, and then its handler starts. `isAwaited`: nobody in
   * this process executes it, so it stays open until its output is there.
   */
  reserve(isAwaited: boolean): Promise<KeptStep>;
  /** Stores the result before it leaves. Returns it, or that of a process that was first. */
  settle(result: ToolResult): Promise<ToolResult>;
  /** Returns the outcome of a refused call, which earlier runs may have to explain. */
  explain(refusal: Refusal): Outcome;
}

/** A call as an earlier run prepared it. */
export interface PreparedCall {
  readonly toolName: string;
  readonly input: JsonValue;
  readonly notes: readonly string[];
  /** Throws a `Refusal` if the tool or the input of the call, which is parsed now, is no longer the earlier one. */
  assertSame(): void;
}

/** The answer of a person who allows a call. `topics`: those of the concerns that the person was told of. */
export interface PersonVote {
  readonly reason: string | undefined;
  readonly topics: readonly string[];
}

/** The output of an external call, or the reason why there is none. */
export type CallCompletion = NonNullable<CallRecord["completion"]>;

/** A step of a kept call. */
export interface KeptStep {
  readonly person?: PersonVote | undefined;
  /** The earlier vote of a guard hook that allows it. */
  readonly guardAllows?: { readonly reason: string } | undefined;
  /** The earlier vote of a guard hook that asks a person. */
  readonly guardAsks?: { readonly reason?: string | undefined } | undefined;
  /** The input with which the person allowed it, as long as the call does not have it. */
  readonly input?: JsonValue | undefined;
  /** The answer of somebody else, who has executed the call. */
  readonly completion?: CallCompletion | undefined;
  /** The key of its attempts, the same in every process. */
  readonly idempotencyKey?: string;
  /** Present if this run must not execute the call: it stays open, or this is its end. */
  readonly end?: "open" | ToolResult | Outcome | undefined;
}

/** A turn that an extension has begun. */
export type ExtensionTurn = Pick<RunningTurn, "push" | "end" | "abort">;

/** A vote on a call. There is no vote to allow it. */
export type Vote =
  | { readonly decision: "deny"; readonly reason: string }
  /** Asks a person, whatever allows the call. The reason ends without a full stop: others may follow it. */
  | { readonly decision: "ask"; readonly reason: string; readonly concern?: undefined }
  | { readonly decision: "ask"; readonly concern: Concern };

/** A vote in which a mere reason has become a concern, whose topic is the extension's name. */
export type JudgedVote = Exclude<Vote, { readonly decision: "ask"; readonly concern?: undefined }>;

/** A reason to ask a person that only a rule, an allow or an informed answer about its topic waives. */
export interface Concern {
  readonly topic: string;
  /** Ends without a full stop: other reasons may follow it. */
  readonly reason: string;
  readonly details: JsonObject;
  /** The refusal if nobody can be asked. The host reads the remedy; the model does not. */
  readonly refusal: { readonly code: string; readonly message: string; readonly remedy: string };
  /** Returns the concern as far as it follows from another input; without one, from none. */
  about(input?: JsonValue): Concern;
}

/** Tools, as an extension sees them. */
type ToolsInTurn = Pick<ToolSnapshot, "entries" | "mayLeadOutside" | "unreadServers">;

/** A turn, as an extension sees it. */
export type TurnFacts = Readonly<Pick<TurnState, "conversation" | "place" | "turnId"> & { tools: ToolsInTurn }>;

/** A call, as an extension sees it; what changes on its way is read when it is needed. */
export type CallFacts = Readonly<
  Pick<
    CallState,
    | keyof NamedCall
    | "entry"
    | "input"
    | "classification"
    | "stage"
    | "wasConcurrent"
    | "outcome"
    | "result"
    | "isStored"
    | "notes"
    | "concerns"
    | "votes"
  >
>;

/** The options of a turn that an extension begins. */
export type ExtensionTurnOptions = TurnOptions & { readonly turnId: string };

/** A dispatcher, as its extensions see it. */
export interface ExtensionHost {
  /** The longest time of a hook, a check or a store, in milliseconds. */
  readonly timeoutMs: number;
  /** The setting of information flow. */
  readonly flow: FlowSetting;
  /** Returns what the first extension states here, once all are attached. */
  first<Fact extends "labelStore" | "resultStore">(fact: Fact): Attachment[Fact];
  /** True if an extension of this name is attached. */
  has(name: string): boolean;
  /** Checks the id of a conversation; the dispatcher's own without one. */
  conversationId(given?: string): string;
  /** Begins a turn with the extension's own part. */
  begin(options: ExtensionTurnOptions, part: TurnPart): ExtensionTurn;
  /** Tells all extensions that results of an earlier run are handed out again. */
  recall(conversation: string, calls: readonly CallRecord[]): Promise<void>;
  /** Forgets the answers that were remembered about concerns in a conversation. */
  forgetAnswers(conversation: string): void;
  /** Reports a problem of a call, or of the tool of this name. */
  report(about: NamedCall | string, code: string, message: string): void;
}
