import type { JsonValue } from "@hasp/schema";
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
 * both validations, classification and permission again] → guards. Throws whatever ends the call; answers at once where
 * nothing must be waited for.
 */
export function prepareCall(engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry): void | Promise<void> {
  return inTurn(PREPARING, engine, turn, slot, entry);
}

type PreparationPhase = (engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry) => void | Promise<void>;

const JUDGING: readonly PreparationPhase[] = [refuseNestedWriter, checkSemantics, permit];
const PREPARING: readonly PreparationPhase[] = [refuseNestedWriter, checkSemantics, permit, transformed, guard];

/** One phase after the other, without a promise as long as none must be waited for. */
function inTurn(
  phases: readonly PreparationPhase[],
  engine: Engine,
  turn: TurnState,
  slot: Slot,
  entry: ToolEntry,
  first = 0,
): void | Promise<void> {
  for (let index = first; index < phases.length; index++) {
    const pending = phases[index]?.(engine, turn, slot, entry);
    if (pending !== undefined) return pending.then(() => inTurn(phases, engine, turn, slot, entry, index + 1));
  }
}

/** Lets hooks change the input. One that did change goes through everything again that judged the one before. */
function transformed(engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry): void | Promise<void> {
  if (engine.hooks.transform.length === 0) return;
  const take = (input: JsonValue): void | Promise<void> => {
    if (input === slot.input) return;
    setInput(engine, slot, entry, input);
    return inTurn(JUDGING, engine, turn, slot, entry);
  };
  const after = transform(engine, turn, slot);
  return after instanceof Promise ? after.then(take) : take(after);
}

/** A reader shares the gate with other readers; a writer inside it would run beside them. */
function refuseNestedWriter(engine: Engine, _turn: TurnState, { toolName, classification }: Slot): void {
  if (engine.nested?.readersOnly === true && classification.class !== "READ_ONLY") {
    const message = `${toolName} was not run: a READ_ONLY handler may dispatch READ_ONLY calls only.`;
    throw new Refusal("permission", "nested-call-not-read-only", message);
  }
}
