import { refusal } from "../../results/call-errors.js";
import { messageOf } from "../../results/text.js";
import { answerNow, isThenable } from "../../tool/callback.js";
import type { SemanticCheck } from "../../tool/definition.js";
import type { AnyTool } from "../../tool/tool.js";
import { Stopped, withTimeout } from "../scheduling/with-timeout.js";
import type { CallState } from "../state/call-state.js";
import type { Engine } from "../state/engine.js";
import type { ToolEntry } from "../state/tool-snapshot.js";
import type { TurnState } from "../state/turn-state.js";
import { permit } from "./permission.js";

type Check = SemanticCheck<unknown, unknown>;

/**
 * Judges a valid input: what the tool requires beyond its schema, then permission. Rejects with the `Refusal` that ends
 * the call.
 */
export async function judge(engine: Engine, turn: TurnState, call: CallState, entry: ToolEntry): Promise<void> {
  const { toolName, classification } = call;
  const { tool } = entry;
  // A reader shares the gate with other readers; a writer inside it would run beside them.
  if (engine.nested?.readersOnly === true && classification.class !== "READ_ONLY") {
    throw refusal("permission/nested-call-not-read-only", { tool: toolName });
  }
  if (tool.needs.context.length > 0) checkContext(turn, tool);
  for (const check of tool.validate as readonly Check[]) {
    const answer = typeof check === "function" ? await answerOf(check, engine, turn, call) : holds(check, call);
    if (answer !== true) throw refusal("semantic/invalid-input", { tool: toolName, fault: answer });
  }
  await permit({ engine, turn, call, entry });
}

/** `true`, or the message for the model. */
function holds(check: Exclude<Check, (...parameters: never) => unknown>, call: CallState): string | true {
  try {
    return answerNow(check.that(call.input)) === true ? true : check.message;
  } catch {
    return check.message;
  }
}

async function answerOf(
  check: Extract<Check, (...parameters: never) => unknown>,
  engine: Engine,
  turn: TurnState,
  call: CallState,
): Promise<string | true> {
  let answer: unknown;
  try {
    answer = check(call.input, { context: turn.context, signal: turn.signal });
    if (isThenable(answer)) answer = await withTimeout(answer, { turn, milliseconds: engine.hookTimeoutMs });
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return `A check of the tool failed: ${messageOf(error)}`;
  }
  if (answer === true) return true;
  return typeof answer === "string" && answer !== "" ? answer : "A check of the tool did not hold.";
}

function checkContext({ context }: TurnState, { name, needs }: AnyTool): void {
  const missing = needs.context.filter((member) => !hasMember(context, member));
  if (missing.length > 0) throw refusal("semantic/missing-context", { tool: name, missing });
}

function hasMember(context: unknown, name: string): boolean {
  return typeof context === "object" && context !== null && (context as Record<string, unknown>)[name] !== undefined;
}
