import type { JsonValue } from "@hasp/schema";
import type { ToolCall } from "../tool/definition.js";
import { toRefusal } from "./run-call.js";
import { findTool, parseCall } from "./pipeline/parse.js";
import { judge } from "./pipeline/judge.js";
import { askCheck, assertSomebodyToAsk } from "./pipeline/ask.js";
import { decide, type Case } from "./pipeline/permission.js";
import { createCallState, inputDigest, questionReason, type CallState } from "./state/call-state.js";
import type { CallPreview, TurnOptions } from "./state/dispatcher-types.js";
import type { Engine } from "./state/engine.js";
import type { ToolSnapshot } from "./state/tool-snapshot.js";
import { TurnState } from "./state/turn-state.js";

/**
 * Takes a call through the phases that judge it and through none that acts. A question to a person is noted, not asked;
 * no events are emitted. Never rejects.
 */
export async function previewCall<Context>(
  engine: Engine,
  tools: ToolSnapshot,
  received: ToolCall,
  { signal, context }: Pick<TurnOptions<Context>, "signal" | "context"> = {},
  /** Whether a question can be stored until somebody answers. */
  canWait = false,
): Promise<CallPreview> {
  const call = createCallState(received);
  const turn = new TurnState(context, tools);
  const stop = (): void => turn.stop({ code: "aborted", message: "The session was stopped." });
  if (signal?.aborted === true) stop();
  else signal?.addEventListener("abort", stop, { once: true });
  const silent: Engine = { ...engine, emit: undefined };
  try {
    await findTool(silent, tools, call)?.tool.load?.();
    parseCall(silent, tools, call);
    if (call.entry === undefined) throw new Error("a parsed call has no tool");
    const about: Case = { engine: silent, turn, call, entry: call.entry };
    await judge(about);
    if (decide(about) === "check") await askCheck(about);
    if (decide(about) === "run") return judged(call, "allow", "nothing forbids it");
    if (!canWait || engine.permissions.mode === "unattended") assertSomebodyToAsk(about);
    return judged(call, "ask", questionReason(call.votes) ?? "a person has to be asked");
  } catch (thrown) {
    const { phase, code, message } = toRefusal(call, thrown).error;
    if (phase === "permission" && call.input !== undefined) return judged(call, "deny", message);
    return Object.freeze({ decision: "invalid", phase, code, reason: message });
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

function judged(call: CallState, decision: "allow" | "ask" | "deny", reason: string): CallPreview {
  const { toolName, classification } = call;
  const input = call.input as JsonValue;
  return Object.freeze({ decision, reason, toolName, input, inputDigest: inputDigest(call), classification });
}
