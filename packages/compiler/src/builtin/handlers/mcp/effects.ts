import type { Effect } from "../base/effect.js";

/** Tells what a tool of another server does, which is unknown. What a server says about its tools is a hint, not a proof. */
export function mcpEffects(): readonly Effect[] {
  return [];
}
