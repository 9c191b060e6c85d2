import type { JsonValue } from "@hasp/schema";
import type { ToolResult } from "../../contract/definition.js";
import type { HookRequest } from "../../contract/dispatcher.js";
import { copyJson } from "../../json/copy-json.js";
import { canonicalText } from "../../json/canonical.js";
import { toContent } from "../../results/content.js";
import { Refusal, type Outcome } from "../../results/outcome.js";
import { messageOf, textContent } from "../../results/text.js";
import { NEVER_STOPPED, bounded, isThenable } from "../bounded.js";
import type { Engine } from "../engine.js";
import type { Slot } from "../slot.js";
import type { TurnState } from "../turn-state.js";

/** The input after all transforms; `undefined` if none changed it. */
export async function transform(engine: Engine, turn: TurnState, slot: Slot): Promise<JsonValue | undefined> {
  let input = slot.input as JsonValue;
  for (const hook of engine.hooks.transform) {
    const answer = await answerOf("transform", ["input", "note"], () => hook(request(turn, slot, input)), engine, turn);
    if (Object.hasOwn(answer, "input")) input = copied(answer["input"]);
    takeNote(slot, answer["note"], "transform");
  }
  return input === slot.input || canonicalText(input) === canonicalText(slot.input as JsonValue) ? undefined : input;
}

/** Lets every guard see the final input; the first that blocks refuses the call. */
export async function guard(engine: Engine, turn: TurnState, slot: Slot): Promise<void> {
  for (const hook of engine.hooks.guard) {
    const answer = await answerOf(
      "guard",
      ["block", "note"],
      () => hook(request(turn, slot, slot.input)),
      engine,
      turn,
    );
    if (Object.hasOwn(answer, "block")) {
      const reason =
        typeof answer["block"] === "string" && answer["block"] !== "" ? answer["block"] : "no reason was given";
      throw new Refusal("guard", "blocked", `The call of ${slot.toolName} was blocked; nothing was run: ${reason}`);
    }
    takeNote(slot, answer["note"], "guard");
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
  let outcome = before;
  for (const hook of engine.hooks.post) {
    try {
      const pending = hook(Object.freeze({ ...request(turn, slot, slot.input), result: preview(outcome) }));
      // A turn that was stopped still lets its post-hooks see what was executed, for as long as a hook may take.
      const answer: unknown = isThenable(pending)
        ? await bounded(pending, NEVER_STOPPED, engine.hookTimeoutMs)
        : pending;
      outcome = afterPost(outcome, answer);
    } catch (error) {
      engine.emit?.({
        type: "problem",
        callId: slot.callId,
        toolName: slot.toolName,
        code: "post-hook-failed",
        message: messageOf(error),
      });
    }
  }
  return outcome;
}

function afterPost(outcome: Outcome, answer: unknown): Outcome {
  if (answer === undefined) return outcome;
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
    ...(parts["output"] !== undefined && { output: copyJson(parts["output"]) }),
    ...(parts["terminate"] === true && { terminate: true }),
  };
}

async function answerOf(
  phase: "transform" | "guard",
  known: readonly string[],
  body: () => unknown,
  engine: Engine,
  turn: TurnState,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const pending = body();
    const answer = isThenable(pending) ? await bounded(pending, turn, engine.hookTimeoutMs) : pending;
    return answer === undefined ? {} : record(answer, known);
  } catch (error) {
    if (turn.stopped !== undefined) throw error;
    throw new Refusal(
      phase,
      "hook-failed",
      `A ${phase} hook of the host failed, so the call was not run: ${messageOf(error)}`,
    );
  }
}

/** An answer with known keys only: one that was misspelt must not pass for consent. */
function record(answer: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  const fits =
    typeof answer === "object" &&
    answer !== null &&
    Object.keys(answer).length > 0 &&
    Object.keys(answer).every((key) => known.includes(key));
  if (!fits) throw new TypeError(`it must answer undefined or an object with ${known.join(" or ")}`);
  return answer as Readonly<Record<string, unknown>>;
}

function copied(input: unknown): JsonValue {
  try {
    return copyJson(input);
  } catch (error) {
    throw new Refusal(
      "transform",
      "hook-failed",
      `A transform hook of the host gave an input that is no JSON, so the call was not run: ${messageOf(error)}`,
    );
  }
}

function takeNote(slot: Slot, note: unknown, phase: "transform" | "guard"): void {
  if (note === undefined) return;
  if (typeof note !== "string")
    throw new Refusal(
      phase,
      "hook-failed",
      `A ${phase} hook of the host gave a note that is no text, so the call was not run.`,
    );
  slot.notes.push(note);
}

function request(turn: TurnState, slot: Slot, input: unknown): HookRequest {
  return Object.freeze({ callId: slot.callId, toolName: slot.toolName, input, context: turn.context });
}
