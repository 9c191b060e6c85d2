import type { JsonValue } from "@hasp/schema";
import type { Outcome } from "../../results/outcome.js";
import { answerNow } from "../../tool/callback.js";
import { copyJson } from "@hasp/base/json";
import type { Label } from "../../calls/call-store.js";
import type { Classification } from "../../tool/definition.js";
import type { AnyTool } from "../../tool/tool.js";
import type { CallState, Case } from "../state/call-state.js";
import { BOTH_LABELS, type LabelFlags, readStoredLabels } from "../state/conversation.js";
import type { Engine, ToolEntry } from "../state/engine.js";
import type { TurnPlace, TurnState } from "../state/turn-state.js";

/** Adds the labels of a call whose handler starts: those of its classification, or of the stored text that it reads. */
export function startLabels({ engine, turn, call, entry }: Case): void {
  if (engine.flow === "off" || call.labels !== undefined) return;
  if (engine.resultStore?.readTool === entry.tool) {
    label(turn, call, engine.conversations.labelsAt(Object(call.input).reference));
  } else label(turn, call, toLabels(call.classification));
}

/** Loads what a conversation holds, and adds what the lists up to this turn bring in. Never rejects. */
export function loadLabels(
  { flow, conversations }: Engine,
  { tools, conversation }: TurnPlace,
): Promise<void> | undefined {
  const note = (): Promise<void> | undefined =>
    flow === "off" ? undefined : conversations.noteServers(conversation, tools.unreadServers);
  // Without a question, nobody needs the labels before a call.
  const isNeeded = flow === "ask" && tools.mayLeadOutside;
  const loading = isNeeded ? conversations.load(conversation) : undefined;
  return loading === undefined ? note() : loading.then(note);
}

/** Creates a function that reports, once, that people share a conversation: the results of one make calls of others ask. */
export function createSharingReport({ flow, emit }: Engine): (principal: string | undefined) => void {
  let first: string | undefined;
  let isReported = false;
  return (principal) => {
    if (flow !== "ask" || isReported || principal === undefined) return;
    first ??= principal;
    if (principal === first) return;
    isReported = true;
    const message =
      "Turns of several principals have no `conversation`, so that what one has read makes calls of another ask. Pass `conversation` with each turn.";
    emit?.({ type: "problem", callId: "", toolName: "", code: "shared-conversation", message });
  };
}

/** Adds the labels of a call that was refused in words that a function of its tool chose. */
export function labelRefusal({ flow }: Engine, turn: TurnState, call: CallState): void {
  const { entry, input } = call;
  if (flow === "off" || call.labels !== undefined || entry === undefined) return;
  // Before its classification, a call counts as the strictest of its tool.
  label(turn, call, toLabels(input === undefined ? entry.tool.metadata.behavior : call.classification));
}

function toLabels({
  returnsUntrusted: untrusted,
  returnsPrivate: isPrivate,
}: Pick<Classification, "returnsUntrusted" | "returnsPrivate">): LabelFlags {
  return untrusted && isPrivate ? BOTH_LABELS : { untrusted, private: isPrivate };
}

/** Adds both labels for a call that a lost process may have run, and the labels of another process's result. */
export function labelForeign({ flow }: Engine, turn: TurnState, call: CallState): void {
  if (flow === "off" || call.labels !== undefined) return;
  const mayHaveRun = call.stage !== "executed" && call.outcome?.error?.effect === "unknown";
  if (mayHaveRun) return label(turn, call, BOTH_LABELS);
  const found = readStoredLabels(call.result);
  label(turn, call, { untrusted: found.includes("untrusted"), private: found.includes("private") });
}

/** Applies what a handler said about its result. Drops a label only if the spec claims its absence. */
export function labelResult({ engine, turn, call, entry: { tool } }: Case, { stated }: Outcome): void {
  if (engine.flow === "off" || stated === undefined) return;
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
export function findFlow({ engine, turn, call, entry }: Case): void {
  call.flow =
    engine.flow === "ask" && call.classification.isOpenWorld
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
