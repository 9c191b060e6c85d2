import type { JsonObject, JsonValue } from "@hasp/schema";
import { answerNow } from "../../tool/callback.js";
import type {
  CallTrace,
  Classification,
  Display,
  DisplayedCall,
  FlowDetails,
  PermissionRequest,
  ProgramPreview,
  ToolCall,
  ToolResult,
  AnyTool,
} from "../../tool/definition.js";
import type { Limit } from "../../tool/fields.js";
import type { InputDigests } from "../permissions/input-digests.js";
import { digestDefinition } from "../permissions/tool-pattern.js";
import { FLOW_TOPIC } from "../../tool/flow-setting.js";
import type { Resource } from "../../tool/resource-key.js";
import { removeSecrets } from "../../tool/secrets.js";
import type { Question } from "../../calls/call-store.js";
import type { Outcome } from "../../results/outcome.js";
import type { EventSubject } from "./dispatcher-types.js";
import type { ProgramPast, SettledProgramCall } from "./program-types.js";
import type { ToolEntry, Engine } from "./engine.js";
import type { TurnState } from "./turn-state.js";
import type { JoinedCall } from "./attachments.js";
import type { Concern, ExtensionTurn, PersonVote, TurnPart } from "./extension.js";

/** The strictest classification, which a call has until its tool has judged it. */
export const UNCLASSIFIED: Classification = /* @__PURE__ */ Object.freeze({
  class: "UNSAFE",
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: false,
  isOpenWorld: true,
  returnsUntrusted: true,
  returnsPrivate: true,
  requiresPermission: true,
});
const NO_VOTES: Votes = /* @__PURE__ */ Object.freeze({});
const NO_NOTES: readonly string[] = /* @__PURE__ */ Object.freeze([]);
const NO_CONCERNS: readonly Concern[] = /* @__PURE__ */ Object.freeze([]);

/** One call of a turn. Phases fill it in; exactly one outcome ends it. */
export class CallState {
  readonly received: ToolCall;
  readonly callId: string;
  readonly origin: TracedTurn | undefined;
  /** The loading of its tool's handler, until that has succeeded. `pending` never rejects. */
  load: { readonly pending: Promise<void> } | { readonly failure: string } | undefined;
  readonly calledAs: string;
  /** The tool's own name; the called one until the tool is known. */
  toolName: string;
  entry: ToolEntry | undefined;
  /** Decoded, prepared, coerced, with defaults, frozen; `undefined` until then. */
  input: unknown;
  classification: Classification = UNCLASSIFIED;
  /** The resource of a keyed writer; any other writer excludes all. */
  resource: Resource | undefined;
  /** `judged`: semantic checks and rules have begun. `ready`: its hooks have run. */
  stage: "pushed" | "parsed" | "judged" | "ready" | "executed" = "pushed";
  /** Settles when semantic checks and rules have ended; never rejects. `undefined`: they have. */
  judging: Promise<void> | undefined;
  thrown: { readonly error: unknown } | undefined;
  votes: Votes = NO_VOTES;
  request: RequestState | undefined;
  permitted: StandingVerdict | undefined;
  /** The part of the extensions in it. */
  part: JoinedCall | undefined;
  /** The reasons to ask a person that nothing waives. */
  concerns: readonly Concern[] = NO_CONCERNS;
  notes: readonly string[] = NO_NOTES;
  outcome: Outcome | undefined;
  /** Set at the end of the call's batch. */
  result: ToolResult | undefined;
  attempts = 0;
  wasConcurrent = false;
  /** Created with the first attempt, the same for all. */
  idempotencyKey: string | undefined;

  constructor(received: ToolCall, origin?: TracedTurn) {
    this.received = received;
    this.callId = readCallId(received);
    this.origin = origin;
    this.calledAs = this.toolName = stringAt(received, "name");
  }

  get trace(): CallTrace | undefined {
    return this.origin?.trace;
  }

  get parentCallId(): string | undefined {
    return this.origin?.parentCallId;
  }

  /** True if an extension keeps it: another process may have run it. */
  get isStored(): boolean {
    return this.part?.kept !== undefined;
  }
}

type TracedTurn = Pick<TurnState, "trace" | "parentCallId">;

/** The permission of a call. */
interface StandingVerdict {
  /** The very input that was permitted; nothing else is executed. */
  readonly input: unknown;
  readonly version: number;
  readonly reason: string;
  /** Its end, in milliseconds since 1970. */
  readonly until: number | undefined;
}

/** The votes about a call with its present input. Guards vote last, and their votes stay. */
interface Votes {
  readonly rule?: {
    readonly decision: "allow" | "ask";
    readonly reason: string | undefined;
    /** The topics of the concerns that it waives. */
    readonly waives: readonly string[];
  };
  /** The tool's own `permit` wants a person asked. */
  readonly permit?: { readonly reason: string | undefined };
  readonly guardAsks?: { readonly reason: string | undefined };
  readonly guardAllows?: { readonly reason: string };
  readonly check?: { readonly decision: "allow" | "ask"; readonly reason: string | undefined };
  readonly person?: PersonVote;
}

interface RequestState {
  readonly request: PermissionRequest;
  withdraw(reason: Error): void;
}

/** Returns the id under which a call is answered, whatever the caller passed; `""` if it has none. */
export function readCallId(call: unknown): string {
  return stringAt(call, "id");
}

function stringAt(call: unknown, key: "id" | "name"): string {
  try {
    const value: unknown = typeof call === "object" && call !== null ? (call as Partial<ToolCall>)[key] : undefined;
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}

const UNKNOWN_TOOL_LIMIT = 2000;

export function findResultLimit({ entry }: CallState): Limit {
  return entry?.tool.metadata.limits.maxResultSizeChars ?? UNKNOWN_TOOL_LIMIT;
}

/** The parts of a call by which events name it. */
export type NamedCall = Pick<CallState, "callId" | "toolName" | "trace" | "parentCallId">;

/** Reports to the host a problem of a call, or of the tool of this name. */
export function reportProblem(
  { emit }: Pick<Engine, "emit">,
  about: NamedCall | string,
  code: string,
  message: string,
): void {
  const subject = typeof about === "string" ? { callId: "", toolName: about } : createEventSubject(about);
  emit?.({ type: "problem", ...subject, code, message });
}

export function createEventSubject({ callId, toolName, trace, parentCallId }: NamedCall): Omit<EventSubject, "line"> {
  if (trace === undefined && parentCallId === undefined) return { callId, toolName };
  return {
    callId,
    toolName,
    ...(trace !== undefined && { trace }),
    ...(parentCallId !== undefined && { parentCallId }),
  };
}

/** Returns the line of the tool's `display`, without secrets; empty if it fails, or the input was never valid. */
export function displayLine(
  { entry, input }: CallState,
  state: keyof Display<never>,
  details: Omit<DisplayedCall, "input"> = {},
): { readonly line?: string } {
  const tool = entry?.tool;
  const show = tool?.display[state];
  if (input === undefined || tool === undefined || show === undefined) return {};
  try {
    const { output } = details;
    const shownOutput =
      output === undefined || tool.output === undefined ? output : removeSecrets(output, tool.output, tool).value;
    const line = answerNow(
      show({
        ...details,
        input: removeSecrets(input as JsonValue, tool.input, tool).value as never,
        output: shownOutput,
      }),
    );
    return typeof line === "string" ? { line } : {};
  } catch {
    return {};
  }
}

/** Sets the input for later phases and forgets the votes about the previous one. */
export function replaceInput(call: CallState, input: unknown, { classify, findResource }: AnyTool): void {
  call.input = input;
  call.classification = classify(input);
  call.resource = call.classification.class === "WRITE_EXCLUSIVE" ? findResource?.(input) : undefined;
  call.request = undefined;
  call.votes = NO_VOTES;
}

export function forgetJudgement(call: CallState): void {
  call.stage = "parsed";
  call.judging = undefined;
  call.thrown = undefined;
  call.votes = NO_VOTES;
}

export function isReader({ classification }: CallState): boolean {
  return classification.class === "READ_ONLY";
}

/** True if a call counts as destructive. A live MCP tool always does: a server's hints never grant permission. */
export function isDestructive({ entry, classification }: Pick<CallState, "entry" | "classification">): boolean {
  return entry?.server !== undefined || classification.isDestructive;
}

export function explainQuestion(call: Pick<CallState, "votes" | "concerns">): string | undefined {
  const { guardAsks, permit, rule, check } = call.votes;
  const ruleAsks = rule?.decision === "ask" ? rule : undefined;
  const checkAsks = check?.decision === "ask" ? check : undefined;
  const reason = (guardAsks ?? permit ?? ruleAsks ?? checkAsks)?.reason;
  const reasons = [...call.concerns.map((concern) => concern.reason), ...(reason === undefined ? [] : [reason])];
  return reasons.length === 0 ? undefined : reasons.join(". ");
}

/** Returns what a person is told about what may leave the conversation, if that is a concern. */
function findFlow(concerns: readonly Concern[]): FlowDetails | undefined {
  return concerns.find(({ topic }) => topic === FLOW_TOPIC)?.details as (FlowDetails & JsonObject) | undefined;
}

/** Returns the tools that a call names for its own calls, if it can tell. */
export function previewProgram({ entry, input }: Pick<CallState, "entry" | "input">): {
  readonly program?: ProgramPreview;
} {
  const program = answerNow(entry?.preview?.(input)) as ProgramPreview | undefined;
  return program === undefined ? {} : { program };
}

type ShownCall = Pick<
  Question,
  "toolName" | "input" | "hidden" | "refuseOnly" | "class" | "isDestructive" | "reason" | "flow"
>;

/**
 * Returns what a person may see of a call: its input without what the tool declares secret, and nothing that quotes it.
 */
export function showCall(
  call: Pick<CallState, "toolName" | "entry" | "input" | "classification" | "concerns" | "votes">,
  allowsUnseen = false,
): ShownCall {
  const { toolName, entry, classification, votes } = call;
  const input = call.input as JsonValue;
  // The schema of a live server is not ours: it must not decide what a person sees.
  const isOurs = entry !== undefined && entry.server === undefined;
  const { value, hidden } = isOurs ? removeSecrets(input, entry.tool.input, entry.tool) : { value: input, hidden: [] };
  const concerns = hidden.length === 0 ? call.concerns : call.concerns.map((concern) => concern.about(value));
  const isDestructiveCall = isDestructive(call);
  const reason = explainQuestion({ votes, concerns });
  const flow = findFlow(concerns);
  return {
    toolName,
    input: value,
    ...(hidden.length > 0 && { hidden }),
    ...(hidden.length > 0 && isDestructiveCall && !allowsUnseen && { refuseOnly: true }),
    class: classification.class,
    isDestructive: isDestructiveCall,
    ...(reason !== undefined && { reason }),
    ...(flow !== undefined && { flow }),
  };
}

type AskingCase = Pick<Case, "engine" | "call" | "turn">;

interface AskingTurn {
  readonly context: unknown;
  readonly stopped: { readonly message: string } | undefined;
}

export function createPermissionRequest({ engine, call, turn }: AskingCase): PermissionRequest {
  return (call.request ??= new RequestOf(call, turn, engine.permissions.digests)).request;
}

/** Creates the request for the function that asks a person: it shows what the person may see. */
export function createShownRequest(about: AskingCase): PermissionRequest {
  // A spread copy would create digests and signal.
  const parts = [createPermissionRequest(about), showCall(about.call)].map(Object.getOwnPropertyDescriptors);
  return Object.freeze(Object.defineProperties({}, Object.assign({}, ...parts))) as PermissionRequest;
}

/** Creates digests and signal only if they are read. */
class RequestOf implements RequestState {
  readonly request: PermissionRequest;
  #controller: AbortController | undefined;
  #withdrawn: Error | undefined;

  constructor(call: CallState, turn: AskingTurn, digests: InputDigests) {
    let digest: string | undefined;
    const signal = (): AbortSignal => this.#signal(turn);
    const server = call.entry?.server?.name;
    this.request = Object.freeze({
      callId: call.callId,
      toolName: call.toolName,
      input: call.input,
      context: turn.context,
      ...call.classification,
      ...(server !== undefined && { server }),
      ...previewProgram(call),
      get inputDigest(): string {
        return (digest ??= digests.digest(call));
      },
      digestUnder: (key: string) => digests.digest(call, key),
      get toolDigest(): string {
        return call.entry === undefined ? "" : digestDefinition(call.entry);
      },
      get reason(): string | undefined {
        return explainQuestion(call);
      },
      get flow(): FlowDetails | undefined {
        return findFlow(call.concerns);
      },
      get signal(): AbortSignal {
        return signal();
      },
    });
  }

  withdraw(reason: Error): void {
    this.#withdrawn ??= reason;
    this.#controller?.abort(this.#withdrawn);
  }

  #signal({ stopped }: AskingTurn): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      const reason = this.#withdrawn ?? (stopped === undefined ? undefined : new Error(stopped.message));
      if (reason !== undefined) this.#controller.abort(reason);
    }
    return this.#controller.signal;
  }
}

/** A program whose calls are stored turns of their own, so that it can run again. */
export interface StoredProgram {
  readonly isSuspended: boolean;
  readonly mayHaveWritten: boolean;
  load(): Promise<ProgramPast>;
  isSame(n: number, call: ToolCall): boolean;
  /** Runs a call in a turn that `begin` opens, unless it is settled. `undefined`: it waits for an answer. */
  run(n: number, call: ToolCall, begin: BeginNested): Promise<SettledProgramCall | undefined>;
  suspend(): void;
  /** Settles the calls that wait, once the program has ended. */
  close(begin: BeginNested): Promise<void>;
}

/** Begins a turn of a program with the part of the extension that keeps its calls. */
export type BeginNested = (part: TurnPart) => ExtensionTurn;

/** A call of a turn with the tool that it names. */
export interface Case {
  readonly engine: Engine;
  readonly turn: TurnState;
  readonly call: CallState;
  readonly entry: ToolEntry;
}
