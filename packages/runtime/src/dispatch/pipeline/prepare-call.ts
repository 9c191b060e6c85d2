import { refusal } from "../../results/call-errors.js";
import type { CallState } from "../state/call-state.js";
import type { Engine } from "../state/engine.js";
import type { ToolEntry } from "../state/tool-snapshot.js";
import type { TurnState } from "../state/turn-state.js";
import { runGuards, runTransforms } from "./hooks.js";
import { setInput } from "./parse.js";
import { permit } from "./permission.js";
import { checkSemantics } from "./semantics.js";

/**
 * Everything between the schema and the handler: semantic checks → permission → transforms → [a changed input is
 * validated, classified and permitted again] → guards. Rejects with what ends the call.
 */
export async function prepareCall(engine: Engine, turn: TurnState, call: CallState, entry: ToolEntry): Promise<void> {
  await judge(engine, turn, call, entry);
  if (engine.transforms.length > 0) {
    const input = await runTransforms(engine, turn, call);
    if (input !== call.input) {
      setInput(engine, call, entry, input);
      await judge(engine, turn, call, entry);
    }
  }
  if (engine.guards.length > 0) await runGuards(engine, turn, call);
}

async function judge(engine: Engine, turn: TurnState, call: CallState, entry: ToolEntry): Promise<void> {
  const { toolName, classification } = call;
  // A reader shares the gate with other readers; a writer inside it would run beside them.
  if (engine.nested?.readersOnly === true && classification.class !== "READ_ONLY") {
    throw refusal("permission/nested-call-not-read-only", { tool: toolName });
  }
  await checkSemantics(engine, turn, call, entry);
  await permit({ engine, turn, call, entry });
}
