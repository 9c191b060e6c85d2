import type { Phase } from "../tool/definition.js";
import { readProperty } from "../tool/callback.js";
import { explainFlowRefusal } from "../tool/flow-setting.js";
import { cut } from "./text.js";

// The most tool names that an error lists.
const MAX_LISTED_TOOLS = 20;

interface ToolCalled {
  readonly tool: string;
}

interface Because {
  readonly reason: string;
}

interface EndedCall extends ToolCalled, Because {}

interface StoppedCall extends EndedCall {
  readonly call: "not run" | "failed" | "unresponsive" | "discarded";
}

interface FailedExtension extends EndedCall {
  readonly extension: string;
}

interface FaultyInput extends ToolCalled {
  readonly faults: readonly string[];
}

interface InputWriter {
  /** True if the host or a person has written the input, which the model then cannot correct. */
  readonly isGiven?: boolean;
}

/** The causes for which a running call is stopped. */
const STOP_CODES = [
  "aborted",
  "interrupted",
  "sibling-failed",
  "handler-settled",
  "nested-too-deep",
  "dispatched-around",
] as const;

/** The codes of extensions that answer in place of a handler, and cannot. */
const UNANSWERED_CODES = ["not-on-tape", "tape-outdated", "cannot-simulate"] as const;

/** The error codes of handlers that were killed because they exceeded a limit. */
export const LIMIT_CODES = ["memory-limit", "cpu-limit", "output-limit", "time-limit"] as const;

/** The codes that a handler may give its error: any failure, an input that it refuses, the end of a program. */
export const STATED_CODES = [
  "tool-error",
  "invalid-input",
  "program-invalid",
  "program-threw",
  "program-stuck",
  "program-time-limit",
  "program-memory-limit",
  "program-call-limit",
  "program-output-limit",
  "program-diverged",
] as const;

export type StatedCode = (typeof STATED_CODES)[number];

export type LimitCode = (typeof LIMIT_CODES)[number];

/** The parameters of each error's message, by `phase/code`. */
export interface CallErrorParameters
  extends
    Record<`execute/${(typeof STOP_CODES)[number]}`, StoppedCall>,
    Record<`execute/${LimitCode | (typeof UNANSWERED_CODES)[number]}`, EndedCall>,
    Record<`execute/${StatedCode}`, { readonly text: string }>,
    Record<"lookup/malformed-call" | "lookup/malformed-origin" | "decode/truncated", Readonly<Record<string, never>>>,
    Record<
      | "lookup/tool-gone"
      | "permission/flow"
      | "permission/answered-later"
      | "permission/question-expired"
      | "permission/tool-changed"
      | "permission/plan-mode"
      | "permission/needs-interaction"
      | "permission/nested-call-not-read-only"
      | "permission/nested-call-elsewhere"
      | "execute/no-one-to-execute"
      | "execute/process-lost",
      ToolCalled
    >,
    Record<
      | "decode/invalid-json"
      | "decode/input-not-json"
      | "permission/denied"
      | "transform/hook-failed"
      | "guard/hook-failed"
      | "execute/internal-error",
      Because
    >,
    Record<
      | "prepare/prepare-failed"
      | "schema/internal-error"
      | "permission/policy-changed"
      | "guard/blocked"
      | "execute/threw"
      | "execute/not-executed"
      | "execute/tool-gone"
      | "result/invalid-output",
      EndedCall
    >,
    Record<"permission/extension-failed" | "result/extension-failed", FailedExtension>,
    Record<"schema/invalid-input" | "semantic/invalid-input", FaultyInput & InputWriter> {
  readonly "lookup/duplicate-call-id": { readonly id: string };
  readonly "lookup/unknown-tool": {
    readonly name: string;
    readonly meant: string | undefined;
    readonly tools: readonly string[];
  };
  readonly "lookup/not-loaded": ToolCalled & { readonly search: string };
  readonly "decode/unknown-dialect": { readonly dialect: unknown };
  readonly "decode/inexact-number": { readonly number: string };
  readonly "semantic/check-failed": ToolCalled & { readonly reasons: readonly string[] };
  readonly "semantic/missing-context": ToolCalled & { readonly missing: readonly string[] };
  readonly "semantic/invalid-context": FaultyInput;
  readonly "permission/no-one-to-ask": ToolCalled & { readonly reason: string | undefined };
  readonly "execute/earlier-call-still-running": ToolCalled & { readonly earlier: string };
  readonly "execute/timeout": ToolCalled & { readonly seconds: number | "unlimited" };
}

type CallErrorKey = keyof CallErrorParameters;

type MessageTable = { readonly [Key in CallErrorKey]: (parameters: CallErrorParameters[Key]) => string };

// The message of every error for the model. None says how a host could loosen its rules.
const MESSAGES: MessageTable = /* @__PURE__ */ createMessages();

function createMessages(): MessageTable {
  return {
    ...alike(STOP_CODES, stopped),
    ...alike([...LIMIT_CODES, "threw", "not-executed"], failed),
    ...alike(UNANSWERED_CODES, notRun),
    ...alike(STATED_CODES, (p: { readonly text: string }) => p.text),
    "lookup/malformed-call": () =>
      "A call needs an `id` and a `name`, both non-empty strings, so nothing was run. Send it again with both.",
    "lookup/duplicate-call-id": (p) =>
      `An earlier call of this turn has the id "${cut(p.id, 80)}", so this one was not run. Send it again under another id if it is still needed.`,
    "lookup/malformed-origin": () =>
      "The host passed this call with an `origin` that cannot be sent back, so it was not run. Continue without it.",
    "lookup/unknown-tool": (p) =>
      `There is no tool called "${cut(p.name, 80)}". ${p.meant === undefined ? "" : `Did you mean "${p.meant}"? `}${toolList(p.tools)}`,
    "lookup/tool-gone": (p) =>
      `${p.tool} was removed after it was listed, so nothing was run. Use another tool, or continue without it.`,
    "lookup/not-loaded": (p) =>
      `${p.tool} is not loaded yet. Call ${p.search} with the query "${p.tool}" first; you can call ${p.tool} after that turn.`,
    "decode/unknown-dialect": (p) =>
      `There is no list for a dialect called "${cut(String(p.dialect), 80)}", so nothing was run. Continue without this call.`,
    "decode/truncated": () =>
      "The response was cut off before this call was complete, so it was not run. Send it again with a shorter input.",
    "decode/invalid-json": (p) =>
      `The arguments are not valid JSON, so nothing was run: ${cut(p.reason, 300)}. Send them again as one JSON object.`,
    "decode/inexact-number": (p) =>
      `The number ${cut(p.number, 60)} has too many digits to be kept exactly, so nothing was run. If it is an identifier, send it as a string.`,
    "decode/input-not-json": (p) =>
      `The input is not JSON, so nothing was run. Send it again as one JSON object: ${p.reason}`,
    "prepare/prepare-failed": (p) =>
      `The input of ${p.tool} could not be prepared, so nothing was run. Correct it, or continue without ${p.tool}: ${p.reason}`,
    "schema/invalid-input": (p) =>
      `The ${nameInput(p)} does not fit ${p.tool}; nothing was run${adviseOn(p)}\n${bullets(p.faults)}`,
    "schema/internal-error": (p) =>
      `${p.tool} was not run, and no other input would help. Continue without it: ${p.reason}`,
    "semantic/invalid-input": (p) =>
      `The ${nameInput(p)} of ${p.tool} is refused; nothing was run${adviseOn(p)}\n${bullets(p.faults)}`,
    "semantic/check-failed": (p) =>
      `${p.tool} was not run: what checks its input failed itself, so the input may well be right. Do not call it again at once:\n${bullets(p.reasons)}`,
    "semantic/missing-context": (p) =>
      `${p.tool} needs ${p.missing.join(", ")} in the context, which the host did not provide. Continue without it.`,
    "semantic/invalid-context": (p) =>
      `${p.tool} was not run: values of the context, which the host provides, do not fit. Continue without it.\n${bullets(p.faults)}`,
    "permission/denied": (p) => p.reason,
    "permission/no-one-to-ask": (p) =>
      `${p.tool} needs permission${p.reason === undefined ? "" : ` (${p.reason})`} and there is no one to ask. Do not try it again unchanged.`,
    "permission/flow": explainFlowRefusal,
    "permission/extension-failed": (p) =>
      `${p.tool} was not run: the host's extension "${p.extension}" failed at ${p.reason}. Continue without it.`,
    "permission/answered-later": (p) =>
      `${p.tool} was not run: the person who has to allow it will answer later. Continue without it.`,
    "permission/question-expired": (p) =>
      `${p.tool} was not run: nobody decided in time whether it may run. Continue without it.`,
    "permission/tool-changed": (p) =>
      `The tool ${p.tool} has changed or was removed since this call was made, so it was not run. Check the current tools, and call again if that is still needed.`,
    "permission/policy-changed": (p) =>
      `The permissions of ${p.tool} have changed since this call was made, so it was not run. Do not try it again unchanged: ${p.reason}`,
    "permission/plan-mode": (p) =>
      `${p.tool} was not run: only calls that change nothing may run at the moment. Describe what you would do, or continue with calls that only read.`,
    "permission/needs-interaction": (p) => `${p.tool} needs a person, and nobody is present. Continue without it.`,
    "permission/nested-call-not-read-only": (p) =>
      `${p.tool} was not run: a READ_ONLY handler may dispatch only READ_ONLY calls. Call it in a turn of its own.`,
    "permission/nested-call-elsewhere": (p) =>
      `${p.tool} was not run: a handler with a resource key may dispatch only WRITE_EXCLUSIVE calls on the same resource. Call it in a turn of its own.`,
    "transform/hook-failed": (p) =>
      `A transform hook of the host failed, so the call was not run. Continue without it: ${p.reason}`,
    "guard/hook-failed": (p) =>
      `A guard hook of the host failed, so the call was not run. Continue without it: ${p.reason}`,
    "guard/blocked": (p) =>
      `The call of ${p.tool} was blocked, so nothing was run. Do not try it again unchanged: ${p.reason}`,
    "execute/earlier-call-still-running": (p) =>
      `${p.tool} was not run: the earlier call "${p.earlier}" exceeded its time limit and may still be changing things. Wait, or use tools that only read.`,
    "execute/no-one-to-execute": (p) =>
      `${p.tool} was not run: somebody else executes its calls, and nobody is there now. Continue without it.`,
    "execute/process-lost": (p) => `The process that ran ${p.tool} ended before it answered.`,
    "execute/timeout": (p) => `${p.tool} did not finish within ${p.seconds} s.`,
    "execute/tool-gone": (p) => `${p.tool} was not run: ${p.reason}. Use another tool, or continue without it.`,
    "execute/internal-error": (p) => `hasp failed, not the tool: ${p.reason}`,
    "result/extension-failed": (p) =>
      `${p.tool} has ended, but its result is withheld: the host's extension "${p.extension}" failed at ${p.reason}.`,
    "result/invalid-output": (p) => `${p.tool} ran, but what it returned cannot be used: ${p.reason}`,
  };
}

export interface CallError {
  readonly phase: Phase;
  readonly code: string;
  readonly message: string;
}

export function callError<Key extends CallErrorKey>(key: Key, parameters: CallErrorParameters[Key]): CallError {
  const [phase, code] = key.split("/") as [Phase, string];
  return { phase, code, message: MESSAGES[key](parameters) };
}

/** The reason why a call does not continue; thrown inside a phase, caught where phases are called. */
export class Refusal {
  /** The mark of its class, since a program may have several copies of the package. */
  readonly code = "hasp-refusal";
  readonly error: CallError;
  /** Tells the host how to allow the call; never shown to the model. */
  readonly remedy: string | undefined;
  /** True if the message quotes a function of the tool, which may have read what a result of the tool holds. */
  readonly quotesTool: boolean;

  constructor(error: CallError, { remedy, quotesTool = false }: Partial<Pick<Refusal, "remedy" | "quotesTool">> = {}) {
    this.error = error;
    this.remedy = remedy;
    this.quotesTool = quotesTool;
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return readProperty(value, "code") === "hasp-refusal";
  }
}

export function refusal<Key extends CallErrorKey>(key: Key, parameters: CallErrorParameters[Key]): Refusal {
  return new Refusal(callError(key, parameters));
}

/** Creates a refusal whose message quotes a function of the tool, so that it has the labels of a result. */
export function quotingRefusal<Key extends CallErrorKey>(key: Key, parameters: CallErrorParameters[Key]): Refusal {
  return new Refusal(callError(key, parameters), { quotesTool: true });
}

function nameInput({ isGiven }: InputWriter): string {
  return isGiven === true ? "changed input" : "input";
}

function adviseOn({ isGiven }: InputWriter): string {
  return isGiven === true ? ":" : ". Correct it and call again:";
}

/** Gives several codes the same message. */
function alike<Code extends string, Part>(
  codes: readonly Code[],
  write: (p: Part) => string,
): Record<`execute/${Code}`, typeof write> {
  return Object.fromEntries(codes.map((code) => [`execute/${code}`, write])) as Record<`execute/${Code}`, typeof write>;
}

function failed(p: EndedCall): string {
  return `${p.tool} failed: ${p.reason}`;
}

function notRun(p: EndedCall): string {
  return `${p.tool} was not run: ${p.reason}`;
}

function stopped(p: StoppedCall): string {
  if (p.call === "discarded") return `${p.tool} was told to stop, and its result was discarded: ${p.reason}`;
  if (p.call === "unresponsive") return `${p.tool} was told to stop and did not: ${p.reason}`;
  return p.call === "failed" ? `${p.tool} failed: ${p.reason}` : `${p.tool} was not run: ${p.reason}`;
}

function toolList(names: readonly string[]): string {
  if (names.length === 0) return "There are no tools.";
  return `The tools are: ${names.slice(0, MAX_LISTED_TOOLS).join(", ")}${names.length > MAX_LISTED_TOOLS ? ", …" : ""}.`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
