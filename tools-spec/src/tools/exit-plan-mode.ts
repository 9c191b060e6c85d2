import type { ExitPlanModeHandler } from "../generated/tools/exit-plan-mode.js";

/** Shows the plan and asks the host to leave plan mode. The host switches, or does not. */
export const execute: ExitPlanModeHandler["execute"] = async ({ plan }, { context, signal }) => ({
  approved: await context.askForMode("work", plan, signal),
});
