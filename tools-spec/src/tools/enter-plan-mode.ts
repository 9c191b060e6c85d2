import type { EnterPlanModeHandler } from "../generated/tools/enter-plan-mode.js";

/** Asks the host for plan mode. The host switches, or does not. */
export const execute: EnterPlanModeHandler["execute"] = async ({ reason }, { context, signal }) => ({
  approved: await context.askForMode("plan", reason, signal),
});
