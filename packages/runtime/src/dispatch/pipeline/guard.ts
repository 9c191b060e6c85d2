import type { JsonValue } from "@hasp/schema";
import type { Outcome } from "../../results/outcome.js";
import { answerNow } from "../../tool/callback.js";
import { copyJson } from "../../json/copy-json.js";
import type { Label } from "../../calls/call-store.js";
import type { AnyTool } from "../../tool/tool.js";
import type { CallState, Case } from "../state/call-state.js";
import { BOTH_LABELS, type LabelFlags, readStoredLabels } from "../state/conversation.js";
import type { ToolEntry } from "../state/engine.js";
import type { TurnState } from "../state/turn-state.js";

/** Adds the labels of a call whose handler starts: those of its classification, or of the stored text that it reads. */
export function startLabels({ engine, turn, call, entry }: Case): void {
  if (call.labels !== undefined) return;
  const { returnsUntrusted, returnsPrivate } = call.classification;
  if (engine.resultStore?.readTool === entry.tool) {
    label(turn, call, engine.conversations.labelsAt(Object(call.input).reference));
  } else if (returnsUntrusted || returnsPrivate) {
    const isBoth = returnsUntrusted && returnsPrivate;
    label(turn, call, isBoth ? BOTH_LABELS : { untrusted: returnsUntrusted, private: returnsPrivate });
  }
}

/** Adds both labels for a call that a lost process may have run, and the labels of another process's result. */
export function labelForeign(turn: TurnState, call: CallState): void {
  if (call.labels !== undefined) return;
  const mayHaveRun = call.stage !== "executed" && call.outcome?.error?.effect === "unknown";
  if (mayHaveRun) return label(turn, call, BOTH_LABELS);
  const found = readStoredLabels(call.result);
  label(turn, call, { untrusted: found.includes("untrusted"), private: found.includes("private") });
}

/** Applies what a handler said about its result. Drops a label only if the spec claims its absence. */
export function labelResult(turn: TurnState, call: CallState, { stated }: Outcome, { tool }: ToolEntry): void {
  if (stated === undefined) return;
  const labels = {
    untrusted: has("untrusted", call, stated, tool),
    private: has("private", call, stated, tool),
  };
  if (call.labels !== undefined) call.labels = labels;
  if (!turn.outermost.labelled.includes(call)) label(turn, call, labels);
  else if (labels.untrusted || labels.private) turn.conversation.version += 1;
}

function has(
  name: Label,
  { labels }: CallState,
  stated: NonNullable<Outcome["stated"]>,
  { droppable }: AnyTool,
): boolean {
  const before = labels?.[name] === true;
  if (stated[name] === undefined) return before;
  return stated[name] || (before && !droppable[name]);
}

function label(turn: TurnState, call: CallState, labels: LabelFlags): void {
  if (!labels.untrusted && !labels.private) return;
  call.labels = labels;
  turn.conversation.start(turn, call);
}

/** Sets what a call may carry outside; `undefined` unless its conversation has both labels and it leads outside. */
export function findFlow({ turn, call, entry }: Case): void {
  call.flow = call.classification.isOpenWorld
    ? turn.conversation.flowInto(turn, call.callId, () => destinationOf(call, entry))
    : undefined;
}

/** Returns the destination that the tool names for this input. An error or absence gives `undefined`. */
export function destinationOf({ input }: Pick<CallState, "input">, { tool }: ToolEntry): JsonValue | undefined {
  try {
    const destination = answerNow(tool.destination?.(input as never));
    return destination === undefined || destination === null ? undefined : copyJson(destination);
  } catch {
    return undefined;
  }
}
