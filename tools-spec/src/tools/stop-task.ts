import { NotExecuted } from "@hasp/runtime";
import type { StopTaskHandler } from "../generated/tools/stop-task.js";

/** Stops a background task; stopping it again changes nothing. */
export const execute: StopTaskHandler["execute"] = async ({ taskId }, { context }) => {
  const stopped = await context.tasks.stop(taskId);
  if (stopped === undefined) throw new NotExecuted(`there is no task ${taskId}`);
  return { stopped };
};
