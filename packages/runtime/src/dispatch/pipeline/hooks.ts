import { canonicalText, copyJson, deepFreeze } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import { Refusal, refusal } from "../../results/call-errors.js";
import { toContent } from "../../results/content.js";
import { replaceWords, type Outcome } from "../../results/outcome.js";
import { messageOf, createTextContent } from "../../results/text.js";
import { isThenable } from "../../tool/callback.js";
import type { ToolResult } from "../../tool/definition.js";
import { GRACE_MS, Stopped, withTimeout } from "../scheduling/with-timeout.js";
import { isDestructive, reportProblem, type CallState, type Case } from "../state/call-state.js";
import type { HookRequest } from "../state/dispatcher-types.js";
import type { Engine } from "../state/engine.js";
import type { TurnState } from "../state/turn-state.js";
import { readMembers } from "./answers.js";
import { judgeGivenInput, setGivenInput } from "./given-input.js";
import { explainFailure, leaveOutQuotes } from "./quoted-secrets.js";

/** Runs all transforms, judges a changed input again, then runs all guards. Rejects with the first `Refusal`. */
export async function runHooks(about: Case): Promise<void> {
  const { engine, turn, call } = about;
  const limits = { turn, milliseconds: engine.hookTimeoutMs };
  let input = call.input as JsonValue;
  for (const hook of engine.hooks.transform) {
    try {
      let answer: unknown = hook(request(turn, call, input));
      if (isThenable(answer)) answer = await withTimeout(answer, limits);
      if (answer === undefined) continue;
      const parts = readAnswer(answer, ["input", "note"]);
      takeNote(call, parts.note);
      if (Object.hasOwn(parts, "input")) input = deepFreeze(copyJson(parts.input));
    } catch (error) {
      throw failed(about, "transform", error, input);
    }
  }
  if (input !== call.input && canonicalText(input) !== canonicalText(call.input as JsonValue)) {
    setGivenInput(about, input, "transform");
    await judgeGivenInput(about, "transform");
  }
  await runGuards(about);
}

/** Runs all guards. Rejects with the first `Refusal`. */
export async function runGuards(about: Case): Promise<void> {
  const { engine, turn, call } = about;
  const limits = { turn, milliseconds: engine.hookTimeoutMs };
  for (const hook of engine.hooks.guard) {
    try {
      let answer: unknown = hook(request(turn, call, call.input));
      if (isThenable(answer)) answer = await withTimeout(answer, limits);
      if (answer !== undefined) takeGuardAnswer(about, answer);
    } catch (error) {
      throw failed(about, "guard", error);
    }
  }
}

function takeGuardAnswer(about: Case, answer: unknown): void {
  const { call } = about;
  const parts = readAnswer(answer, ["block", "note", "decision", "reason", "destructive"]);
  takeNote(call, parts.note);
  if (Object.hasOwn(parts, "block")) throw blocked(about, parts.block);
  const { decision, reason: said, destructive } = parts;
  if (decision === undefined) {
    if (said === undefined && destructive === undefined) return;
    throw new TypeError("a `reason` needs a `decision`, or a `block`");
  }
  if (said !== undefined && typeof said !== "string") throw new TypeError("its reason must be a string");
  if (destructive !== undefined && destructive !== true) throw new TypeError("`destructive` can only be true");
  const reason = leaveOutQuotes(about, said);
  const vote = { reason };
  switch (decision) {
    case "deny":
      throw refusal("permission/denied", {
        reason: reason ?? `A guard hook of the host refuses this call of ${call.toolName}.`,
      });
    case "ask":
      call.votes = { ...call.votes, guardAsks: call.votes.guardAsks ?? vote };
      return;
    case "allow":
      if (isDestructive(call) && destructive !== true) return;
      call.votes = { ...call.votes, guardAllows: { reason: reason ?? "a guard allows it" } };
      return;
    default:
      throw new TypeError("its decision must be allow, deny or ask");
  }
}

function blocked(about: Case, reason: unknown): Refusal {
  const given =
    typeof reason === "string" && reason !== ""
      ? (leaveOutQuotes(about, reason) ?? "its reason quotes a secret")
      : "no reason was given";
  return refusal("guard/blocked", { tool: about.call.toolName, reason: given });
}

/** Says why a hook failed. The `input` that it was given may not be the call's yet. */
function failed(about: Case, phase: "transform" | "guard", error: unknown, input?: unknown): Stopped | Refusal {
  if (error instanceof Stopped || error instanceof Refusal) return error;
  const reason = explainFailure(about, messageOf(error), input);
  reportProblem(about.engine, about.call, "hook-failed", `A ${phase} hook failed, so the call is refused: ${reason}`);
  return refusal(`${phase}/hook-failed`, { reason });
}

/** Runs all post-hooks. One that fails is reported as an event: the side effect has happened. */
export async function runPosts(
  engine: Engine,
  turn: TurnState,
  call: CallState,
  outcome: Outcome,
  preview: (outcome: Outcome) => ToolResult,
): Promise<Outcome> {
  const { callId, toolName, input } = call;
  const { context } = turn;
  let current = outcome;
  for (const hook of engine.hooks.post) {
    try {
      let answer: unknown = hook({ callId, toolName, input, context, result: preview(current) });
      if (isThenable(answer)) {
        // In a stopped turn, post-hooks still see executed calls, within the grace period.
        answer = await withTimeout(answer, { turn, milliseconds: engine.hookTimeoutMs, graceMs: GRACE_MS });
      }
      current = afterPost(current, answer);
    } catch (error) {
      reportProblem(engine, call, "post-hook-failed", messageOf(error));
    }
  }
  return current;
}

const RESULT_ONLY: readonly string[] = [
  "callId",
  "toolName",
  "calledAs",
  "isError",
  "error",
  "details",
  "durationMs",
  "wasConcurrent",
  "offloaded",
  "labels",
  "notes",
];

function afterPost(outcome: Outcome, answer: unknown): Outcome {
  if (answer === undefined) return outcome;
  // Members of the answer that a hook cannot change, above all `isError`, are ignored.
  const given = Object.entries(Object(answer)).filter(([key]) => !RESULT_ONLY.includes(key));
  const parts = readAnswer(Object.fromEntries(given), ["content", "output", "note", "terminate"]);
  let { content } = outcome;
  let rest = outcome;
  if (parts.content !== undefined) {
    content = toContent(parts.content);
    // Redacted content must not return through the structured output or the error message.
    const { output: _replaced, plainText: _shown, notes: _said, ...withoutOutput } = outcome;
    rest = withoutOutput;
    if (outcome.error !== undefined) {
      rest = { ...withoutOutput, ...replaceWords(outcome.error, content) };
      content = [...rest.content];
    }
  }
  if (typeof parts.note === "string") {
    content = [...content, ...createTextContent(parts.note)];
    rest = { ...rest, notes: [...(rest.notes ?? []), parts.note] };
  }
  const output = parts.output === undefined ? undefined : deepFreeze(copyJson(parts.output));
  return {
    ...rest,
    content,
    ...(output !== undefined && { output, outputChars: JSON.stringify(output).length }),
    ...(parts.terminate === true && { terminate: true }),
  };
}

/** Returns the members of an answer, which must have at least one. */
function readAnswer<Known extends string>(
  answer: unknown,
  known: readonly Known[],
): { readonly [Member in Known]?: unknown } {
  if (typeof answer !== "object" || answer === null || Object.keys(answer).length === 0) {
    throw new TypeError(`it must answer undefined or an object with ${known.join(" or ")}`);
  }
  return readMembers(answer, known, "it answered");
}

function takeNote(call: CallState, note: unknown): void {
  if (note === undefined) return;
  if (typeof note !== "string") throw new TypeError("its note must be a string");
  call.notes = [...call.notes, note];
}

function request({ context }: TurnState, { callId, toolName }: CallState, input: unknown): HookRequest {
  return { callId, toolName, input, context };
}
