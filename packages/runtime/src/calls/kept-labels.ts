import type { CallStore, LabelEntry } from "./call-store.js";
import { LABELS } from "./labels.js";

/** True for a label as a store must return it. */
export function isLabelEntry(value: unknown): value is LabelEntry {
  const { label, callId, toolName, turnId } = Object(value) as { readonly [part in keyof LabelEntry]: unknown };
  return (
    LABELS.some((known) => known === label) &&
    [callId, toolName, turnId ?? ""].every((part) => typeof part === "string")
  );
}

/** Keeps the labels of conversations as long as the process. */
export function memoryLabels(): Required<Pick<CallStore, "addLabels" | "labels" | "forget">> {
  const labels = new Map<string, readonly LabelEntry[]>();
  return {
    async addLabels(conversation, entries) {
      const known = labels.get(conversation) ?? [];
      const added = entries.filter((entry) => !known.some((other) => isSameLabel(entry, other)));
      labels.set(conversation, Object.freeze([...known, ...added.map((entry) => Object.freeze({ ...entry }))]));
    },
    async labels(conversation) {
      return labels.get(conversation) ?? [];
    },
    async forget(conversation) {
      labels.delete(conversation);
    },
  };
}

function isSameLabel(one: LabelEntry, other: LabelEntry): boolean {
  return one.label === other.label && one.callId === other.callId && one.turnId === other.turnId;
}
