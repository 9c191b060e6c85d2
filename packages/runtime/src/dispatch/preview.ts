import type { JsonValue } from "@hasp/schema";
import { consultCheck, assertSomebodyToAsk } from "./pipeline/ask.js";
import { runHooks } from "./pipeline/hooks.js";
import { judge } from "./pipeline/judge.js";
import { findTool, parseCall } from "./pipeline/parse.js";
import { decide } from "./pipeline/permission.js";
import { toRefusal } from "./run-call.js";
import { digestDefinition } from "./permissions/tool-pattern.js";
import { type CallState, type Case, showCall } from "./state/call-state.js";
import type { CallPreview, Dispatcher } from "./state/dispatcher-types.js";
import type { Engine } from "./state/engine.js";
import { type TurnPlace, TurnState } from "./state/turn-state.js";

type PreviewOptions = NonNullable<Parameters<Dispatcher["preview"]>[1]>;

/** Judges a call without acting: it notes questions, emits no events and never rejects. */
export async function previewCall(
  engine: Engine,
  call: CallState,
  place: TurnPlace,
  { signal, context, runsHooks = false }: PreviewOptions = {},
): Promise<CallPreview> {
  const turn = new TurnState({ context }, place);
  const unfollow = turn.follow(signal);
  const isKept = engine.extensions.owns.includes("keep");
  // A call store keeps external calls for somebody else.
  const external = engine.external ?? (isKept ? () => undefined : undefined);
  const hooks = runsHooks ? engine.hooks : { ...engine.hooks, guard: [] };
  const silent: Engine = { ...engine, hooks, emit: undefined, external };
  turn.part = engine.extensions.turn(turn, undefined);
  call.part = turn.part?.call(call);
  try {
    await turn.part?.ready();
    if (!engine.extensions.isStandIn) await findTool(silent, place.tools, call)?.tool.load?.();
    const about: Case = { engine: silent, turn, call, entry: parseCall(silent, place.tools, call) };
    await judge(about);
    if (runsHooks) await runHooks(about);
    if (decide(about) === "check") await consultCheck(about);
    const { notes, votes } = call;
    if (decide(about) === "run") {
      return judged(engine, call, "allow", "nothing forbids it", runsHooks && { hooks: { notes, votes } });
    }
    if (!isKept || engine.permissions.mode === "unattended") assertSomebodyToAsk(about);
    const question = { ...showCall(call), toolDigest: digestDefinition(about.entry) };
    return judged(engine, call, "ask", question.reason ?? "a person has to be asked", { question });
  } catch (thrown) {
    const { phase, code, message } = toRefusal(call, thrown).error;
    if (phase === "permission" && call.input !== undefined) return judged(engine, call, "deny", message);
    return Object.freeze({ decision: "invalid", phase, code, reason: message });
  } finally {
    turn.part?.pass("end");
    unfollow();
  }
}

function judged(
  { permissions: { digests } }: Engine,
  call: CallState,
  decision: "allow" | "ask" | "deny",
  reason: string,
  more?: false | Pick<Extract<CallPreview, { readonly input: JsonValue }>, "question" | "hooks">,
): CallPreview {
  const { toolName, classification } = call;
  const input = call.input as JsonValue;
  return Object.freeze({
    decision,
    reason,
    toolName,
    input,
    inputDigest: digests.digest(call),
    classification,
    ...more,
  });
}
