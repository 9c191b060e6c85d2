import type { Effect } from "../base/effect.js";

/** Tells what a tool of another server does: nobody here knows. What a server says of its tools is a hint, not a proof. */
export function mcpEffects(): readonly Effect[] {
  return [];
}
