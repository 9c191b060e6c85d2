import { Refusal } from "../../results/outcome.js";
import type { Engine } from "../engine.js";
import { inOrder } from "../scheduling/in-order.js";
import type { Slot } from "../slot.js";
import type { ToolEntry } from "../registry/tool-entry.js";
import type { TurnState } from "../turn-state.js";
import { permit } from "./permission.js";
import { checkSemantics } from "./semantics.js";

/**
 * Everything between the schema and the handler: semantic checks → permission → transforms → [a changed input goes
 * through both validations, classification and permission again] → guards. Throws whatever ends the call; answers at
 * once where nothing must be waited for.
 */
export function prepareCall(engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry): void | Promise<void> {
  return inTurn(PREPARING, engine, turn, slot, entry);
}

type PreparationPhase = (engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry) => void | Promise<void>;

const JUDGING: readonly PreparationPhase[] = [refuseNestedWriter, checkSemantics, permit];
const PREPARING: readonly PreparationPhase[] = [...JUDGING, hooked];

/** One phase after the other, without a promise as long as none must be waited for. */
function inTurn(
  phases: readonly PreparationPhase[],
  engine: Engine,
  turn: TurnState,
  slot: Slot,
  entry: ToolEntry,
): void | Promise<void> {
  return inOrder<PreparationPhase, void>(phases, undefined, (_none, phase) => phase(engine, turn, slot, entry));
}

/** Hooks see what was judged. An input that they changed goes through everything again that judged the one before. */
function hooked(engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry): void | Promise<void> {
  return engine.hooks?.before(engine, turn, slot, entry, () => inTurn(JUDGING, engine, turn, slot, entry));
}

/** A reader shares the gate with other readers; a writer inside it would run beside them. */
function refuseNestedWriter(engine: Engine, _turn: TurnState, { toolName, classification }: Slot): void {
  if (engine.nested?.readersOnly === true && classification.class !== "READ_ONLY") {
    const message = `${toolName} was not run: a READ_ONLY handler may dispatch READ_ONLY calls only.`;
    throw new Refusal("permission", "nested-call-not-read-only", message);
  }
}
