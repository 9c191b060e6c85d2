import type { JsonValue } from "@hasp/schema";
import type { ToolResult } from "../../contract/definition.js";
import type { HookRequest } from "../../contract/dispatcher.js";
import { copyJson } from "../../json/copy-json.js";
import { canonicalText } from "../../json/canonical.js";
import { deepFreeze } from "../../json/deep-freeze.js";
import { toContent } from "../../results/content.js";
import { Refusal, type Outcome } from "../../results/outcome.js";
import { messageOf, textContent } from "../../results/text.js";
import { NEVER_STOPPED, Stopped, bounded, isThenable } from "../bounded.js";
import type { Engine } from "../engine.js";
import type { Slot } from "../slot.js";
import type { TurnState } from "../turn-state.js";

/** The input after all transforms; `undefined` if none changed it. */
export async function transform(engine: Engine, turn: TurnState, slot: Slot): Promise<JsonValue | undefined> {
  let input = slot.input as JsonValue;
  for (const hook of engine.hooks.transform) {
    try {
      let answer: unknown = hook(request(turn, slot, input));
      if (isThenable(answer)) answer = await bounded(answer, turn, engine.hookTimeoutMs);
      if (answer === undefined) continue;
      const parts = record(answer, ["input", "note"]);
      if (Object.hasOwn(parts, "input")) input = deepFreeze(copyJson(parts["input"]));
      takeNote(slot, parts["note"]);
    } catch (error) {
      throw hookFailed("transform", error);
    }
  }
  return input === slot.input || canonicalText(input) === canonicalText(slot.input as JsonValue) ? undefined : input;
}

/** Lets every guard see the final input; the first that blocks refuses the call. */
export async function guard(engine: Engine, turn: TurnState, slot: Slot): Promise<void> {
  for (const hook of engine.hooks.guard) {
    let block: unknown;
    try {
      let answer: unknown = hook(request(turn, slot, slot.input));
      if (isThenable(answer)) answer = await bounded(answer, turn, engine.hookTimeoutMs);
      if (answer === undefined) continue;
      const parts = record(answer, ["block", "note"]);
      takeNote(slot, parts["note"]);
      if (!Object.hasOwn(parts, "block")) continue;
      block = parts["block"];
    } catch (error) {
      throw hookFailed("guard", error);
    }
    const reason = typeof block === "string" && block !== "" ? block : "no reason was given";
    throw new Refusal("guard", "blocked", `The call of ${slot.toolName} was blocked; nothing was run: ${reason}`);
  }
}

/** The outcome after all post-hooks. What one throws is reported aside: the side effect has landed, so the result stays. */
export async function post(
  engine: Engine,
  turn: TurnState,
  slot: Slot,
  before: Outcome,
  preview: (outcome: Outcome) => ToolResult,
): Promise<Outcome> {
  const { callId, toolName, input } = slot;
  const { context } = turn;
  let outcome = before;
  for (const hook of engine.hooks.post) {
    try {
      let answer: unknown = hook(Object.freeze({ callId, toolName, input, context, result: preview(outcome) }));
      // A turn that was stopped still lets its post-hooks see what was executed, for as long as a hook may take.
      if (isThenable(answer)) answer = await bounded(answer, NEVER_STOPPED, engine.hookTimeoutMs);
      if (answer !== undefined) outcome = afterPost(outcome, answer);
    } catch (error) {
      engine.emit?.({ type: "problem", callId, toolName, code: "post-hook-failed", message: messageOf(error) });
    }
  }
  return outcome;
}

function afterPost(outcome: Outcome, answer: unknown): Outcome {
  const parts = record(answer, ["content", "output", "note", "terminate"]);
  let { content } = outcome;
  let rest = outcome;
  if (parts["content"] !== undefined) {
    content = toContent(parts["content"]);
    // What was taken from the text must not come back through the structured output.
    const { output: _replaced, ...withoutOutput } = outcome;
    rest = withoutOutput;
  }
  if (typeof parts["note"] === "string") content = [...content, ...textContent(parts["note"])];
  return {
    ...rest,
    content,
    ...(parts["output"] !== undefined && { output: deepFreeze(copyJson(parts["output"])) }),
    ...(parts["terminate"] === true && { terminate: true }),
  };
}

/** An answer with known keys only: one that was misspelt must not pass for consent. */
function record(answer: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  const keys = typeof answer === "object" && answer !== null ? Object.keys(answer) : [];
  if (keys.length === 0 || !keys.every((key) => known.includes(key))) {
    throw new TypeError(`it must answer undefined or an object with ${known.join(" or ")}`);
  }
  return answer as Readonly<Record<string, unknown>>;
}

function takeNote(slot: Slot, note: unknown): void {
  if (note === undefined) return;
  if (typeof note !== "string") throw new TypeError("its note must be a text");
  slot.notes.push(note);
}

function hookFailed(phase: "transform" | "guard", error: unknown): unknown {
  if (error instanceof Stopped) return error;
  return new Refusal(
    phase,
    "hook-failed",
    `A ${phase} hook of the host failed, so the call was not run: ${messageOf(error)}`,
  );
}

function request({ context }: TurnState, { callId, toolName }: Slot, input: unknown): HookRequest {
  return Object.freeze({ callId, toolName, input, context });
}
