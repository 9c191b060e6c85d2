import type { JsonValue } from "@hasp/schema";
import type { ToolCall } from "../tool/definition.js";
import type { CallPreview, TurnOptions } from "./dispatcher-types.js";
import { Refusal } from "../results/outcome.js";
import { messageOf } from "../results/text.js";
import { Stopped } from "./scheduling/bounded.js";
import type { Engine } from "./engine.js";
import { partFor } from "./parts.js";
import { parseCall } from "./pipeline/parse.js";
import { permit } from "./pipeline/permission.js";
import { checkSemantics } from "./pipeline/semantics.js";
import { createSlot, inputDigest, type Slot } from "./slot.js";
import type { Toolset } from "./registry/toolset.js";
import { TurnState } from "./turn-state.js";

/**
 * Takes a call through the phases that judge it and through none that acts. A question to a person is noted, not asked;
 * nobody hears of it as an event. Rejects only where the dispatcher has no part for digests.
 */
export async function previewCall<Context>(
  engine: Engine,
  toolset: Toolset,
  call: ToolCall,
  { signal, context }: Pick<TurnOptions<Context>, "signal" | "context"> = {},
): Promise<CallPreview> {
  partFor("`preview`", engine.parts.sha256);
  const slot = createSlot(call);
  const turn = new TurnState(context, toolset);
  const stop = (): void => turn.stop({ code: "aborted", message: "The session was stopped." });
  if (signal?.aborted === true) stop();
  else signal?.addEventListener("abort", stop, { once: true });
  let question: string | undefined;
  const note = (): "deny" => {
    question = "a person has to be asked";
    return "deny";
  };
  const silent: Engine = {
    ...engine,
    emit: undefined,
    permissions: { ...engine.permissions, ask: engine.permissions.ask && note },
  };
  try {
    parseCall(silent, toolset, slot);
    const { entry } = slot;
    if (entry === undefined) throw new Error("a parsed call has no tool");
    await checkSemantics(silent, turn, slot, entry);
    await permit(silent, turn, slot, entry);
    return judged(engine, slot, "allow", "nothing stands against it");
  } catch (error) {
    if (question !== undefined) return judged(engine, slot, "ask", question);
    const refusal = refusalOf(error);
    if (refusal.phase === "permission" && slot.input !== undefined) {
      return judged(engine, slot, "deny", refusal.message);
    }
    return Object.freeze({ decision: "invalid", phase: refusal.phase, code: refusal.code, reason: refusal.message });
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

function judged(engine: Engine, slot: Slot, decision: "allow" | "ask" | "deny", reason: string): CallPreview {
  const { toolName, classification } = slot;
  const input = slot.input as JsonValue;
  return Object.freeze({ decision, reason, toolName, input, inputDigest: inputDigest(engine, slot), classification });
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Stopped) return new Refusal("execute", error.stop.code, error.stop.message);
  return new Refusal("schema", "internal-error", messageOf(error));
}
