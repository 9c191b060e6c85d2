import type { Display } from "../tool/definition.js";
import type { Slot } from "./slot.js";

/**
 * The sentence for a screen about a call in some state, as part of an event. Nothing where the tool has none, where its
 * function throws or answers no text, and for an input that was never valid.
 */
export function displayLine({ entry, input }: Slot, state: keyof Display<never>): { readonly line?: string } {
  if (input === undefined) return {};
  try {
    const line: unknown = entry?.tool.display[state]?.(input as never);
    return typeof line === "string" ? { line } : {};
  } catch {
    // It is the host's screen, not the call, that goes without.
    return {};
  }
}
