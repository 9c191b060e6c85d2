import type { SemanticCheck } from "../../tool/definition.js";
import type { AnyTool } from "../../tool/tool.js";
import { Refusal } from "../../results/outcome.js";
import { messageOf } from "../../results/text.js";
import { Stopped, bounded, isThenable } from "../scheduling/bounded.js";
import type { Engine } from "../engine.js";
import { inOrder } from "../scheduling/in-order.js";
import type { Slot } from "../slot.js";
import type { ToolEntry } from "../registry/tool-entry.js";
import type { TurnState } from "../turn-state.js";

type Check = SemanticCheck<unknown, unknown>;

/**
 * What the tool itself asks of an input beyond its schema. The first check that does not hold refuses the call. Answers
 * at once where no check must be waited for.
 */
export function checkSemantics(engine: Engine, turn: TurnState, slot: Slot, { tool }: ToolEntry): void | Promise<void> {
  if (tool.needs.context.length > 0) checkContext(turn, tool);
  if (tool.validate.length === 0) return;
  return inOrder<Check, void>(tool.validate as readonly Check[], undefined, (_none, check) => {
    let answer: unknown;
    try {
      answer = ask(check, turn, slot);
    } catch (error) {
      refuse(slot, typeof check === "function" ? `A check of the tool failed: ${messageOf(error)}` : check.message);
    }
    if (!isThenable(answer)) return hold(slot, answer);
    return bounded(answer, turn, { milliseconds: engine.hookTimeoutMs }).then(
      (late) => hold(slot, late),
      (error: unknown) => {
        if (error instanceof Stopped) throw error;
        refuse(slot, `A check of the tool failed: ${messageOf(error)}`);
      },
    );
  });
}

function checkContext({ context }: TurnState, { name, needs }: AnyTool): void {
  const missing = needs.context.filter((member) => !hasMember(context, member));
  if (missing.length === 0) return;
  const message = `${name} needs ${missing.join(", ")} in the context, which the host did not give. Go on without it.`;
  throw new Refusal("semantic", "missing-context", message);
}

function ask(check: Check, turn: TurnState, slot: Slot): unknown {
  if (typeof check !== "function") return check.that(slot.input) === true ? true : check.message;
  return check(slot.input, { context: turn.context, signal: turn.signal });
}

function hold(slot: Slot, answer: unknown): void {
  if (answer === true) return;
  refuse(slot, typeof answer === "string" && answer !== "" ? answer : "A check of the tool did not hold.");
}

function refuse({ toolName }: Slot, message: string): never {
  const text = `The input of ${toolName} is refused; nothing was run. Correct it and call again:\n- ${message}`;
  throw new Refusal("semantic", "invalid-input", text);
}

function hasMember(context: unknown, name: string): boolean {
  return typeof context === "object" && context !== null && (context as Record<string, unknown>)[name] !== undefined;
}
