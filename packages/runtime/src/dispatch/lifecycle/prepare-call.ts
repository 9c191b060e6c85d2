import { Refusal } from "../../results/outcome.js";
import type { Engine } from "../engine.js";
import type { Slot } from "../slot.js";
import type { ToolEntry } from "../tool-entry.js";
import type { TurnState } from "../turn-state.js";
import { guard, transform } from "./hooks.js";
import { setInput } from "./parse.js";
import { permit } from "./permission.js";
import { checkSemantics } from "./semantics.js";

/**
 * Everything between the schema and the handler: semantic checks → permission → transforms → [a changed input goes through
 * both validations, classification and permission again] → guards. Throws whatever ends the call.
 */
export async function prepareCall(engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry): Promise<void> {
  refuseNestedWriter(engine, slot);
  const settling = settleInput(engine, turn, slot, entry);
  if (settling !== undefined) await settling;
  if (engine.hooks.transform.length > 0) {
    const changed = await transform(engine, turn, slot);
    if (changed !== undefined) {
      setInput(engine, slot, entry, changed);
      refuseNestedWriter(engine, slot);
      await settleInput(engine, turn, slot, entry);
    }
  }
  if (engine.hooks.guard.length > 0) await guard(engine, turn, slot);
}

/** Semantic checks, then permission. Answers at once where neither must be waited for. */
function settleInput(engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry): void | Promise<void> {
  const checking = checkSemantics(engine, turn, slot, entry);
  if (checking !== undefined) return checking.then(() => permit(engine, turn, slot, entry));
  return permit(engine, turn, slot, entry);
}

/** A reader shares the gate with other readers; a writer inside it would run beside them. */
function refuseNestedWriter(engine: Engine, { toolName, classification }: Slot): void {
  if (engine.nested?.readersOnly === true && classification.class !== "READ_ONLY") {
    throw new Refusal(
      "permission",
      "nested-call-not-read-only",
      `${toolName} was not run: a READ_ONLY handler may dispatch READ_ONLY calls only.`,
    );
  }
}
