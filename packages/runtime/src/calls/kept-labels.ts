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
  const labels = new Map<string, Map<string, LabelEntry>>();
  return {
    async addLabels(conversation, entries) {
      const kept = labels.get(conversation) ?? new Map<string, LabelEntry>();
      labels.set(conversation, kept);
      for (const entry of entries) {
        const key = JSON.stringify([entry.label, entry.callId, entry.turnId]);
        if (!kept.has(key)) kept.set(key, Object.freeze({ ...entry }));
      }
    },
    async labels(conversation) {
      return [...(labels.get(conversation)?.values() ?? [])];
    },
    async forget(conversation) {
      labels.delete(conversation);
    },
  };
}
