import type { SemanticCheck } from "../../contract/definition.js";
import { Refusal } from "../../results/outcome.js";
import { messageOf } from "../../results/text.js";
import { bounded, isThenable } from "../bounded.js";
import type { Engine } from "../engine.js";
import type { Slot } from "../slot.js";
import type { ToolEntry } from "../tool-entry.js";
import type { TurnState } from "../turn-state.js";

/** What the tool itself asks of an input beyond its schema. The first check that does not hold refuses the call. */
export async function checkSemantics(engine: Engine, turn: TurnState, slot: Slot, { tool }: ToolEntry): Promise<void> {
  const missing = tool.needs.context.filter((name) => !hasMember(turn.context, name));
  if (missing.length > 0) {
    throw new Refusal(
      "semantic",
      "missing-context",
      `${tool.name} needs ${missing.join(", ")} in the context, which the host did not give. Go on without it.`,
    );
  }
  for (const check of tool.validate as readonly SemanticCheck<unknown, unknown>[]) {
    const message = await verdictOf(check, engine, turn, slot);
    if (message !== undefined) {
      throw new Refusal(
        "semantic",
        "invalid-input",
        `The input of ${tool.name} is refused; nothing was run. Correct it and call again:\n- ${message}`,
      );
    }
  }
}

/** `undefined` where the check holds. */
async function verdictOf(
  check: SemanticCheck<unknown, unknown>,
  engine: Engine,
  turn: TurnState,
  slot: Slot,
): Promise<string | undefined> {
  try {
    if (typeof check !== "function") return check.that(slot.input) === true ? undefined : check.message;
    const pending = check(slot.input, { context: turn.context, signal: turn.signal });
    const answer: unknown = isThenable(pending) ? await bounded(pending, turn, engine.hookTimeoutMs) : pending;
    if (answer === true) return undefined;
    return typeof answer === "string" && answer !== "" ? answer : "A check of the tool did not hold.";
  } catch (error) {
    if (turn.stopped !== undefined) throw error;
    return typeof check === "function" ? `A check of the tool failed: ${messageOf(error)}` : check.message;
  }
}

function hasMember(context: unknown, name: string): boolean {
  return typeof context === "object" && context !== null && (context as Record<string, unknown>)[name] !== undefined;
}
