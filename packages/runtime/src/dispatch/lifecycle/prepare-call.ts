import type { JsonValue } from "@hasp/schema";
import { Refusal } from "../../results/outcome.js";
import type { Engine } from "../engine.js";
import { inOrder } from "../in-order.js";
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
  return inOrder<PreparationPhase, void>(PHASES, undefined, (_none, phase) => phase(engine, turn, slot, entry));
}

type PreparationPhase = (engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry) => void | Promise<void>;

const PHASES: readonly PreparationPhase[] = [refuseNestedWriter, checkSemantics, permit, transformed, guard];

/** Lets hooks change the input. One that did change goes through everything again that judged the one before. */
function transformed(engine: Engine, turn: TurnState, slot: Slot, entry: ToolEntry): void | Promise<void> {
  if (engine.hooks.transform.length === 0) return;
  const after = transform(engine, turn, slot);
  return after instanceof Promise ? after.then(take) : take(after);

  function take(input: JsonValue): void | Promise<void> {
    if (input === slot.input) return;
    setInput(engine, slot, entry, input);
    return inOrder<PreparationPhase, void>(JUDGING, undefined, (_none, phase) => phase(engine, turn, slot, entry));
  }
}

const JUDGING: readonly PreparationPhase[] = [refuseNestedWriter, checkSemantics, permit];

/** A reader shares the gate with other readers; a writer inside it would run beside them. */
function refuseNestedWriter(engine: Engine, _turn: TurnState, { toolName, classification }: Slot): void {
  if (engine.nested?.readersOnly === true && classification.class !== "READ_ONLY") {
    const message = `${toolName} was not run: a READ_ONLY handler may dispatch READ_ONLY calls only.`;
    throw new Refusal("permission", "nested-call-not-read-only", message);
  }
}
