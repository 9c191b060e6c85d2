import type { Effect } from "../base/effect.js";

/** Returns an unknown effect: what a server says about its tools is a hint, not a proof. */
export function mcpEffects(): readonly Effect[] {
  return [];
}
