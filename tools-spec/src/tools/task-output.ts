import { NotExecuted } from "@hasp/runtime";
import type { TaskOutputHandler } from "../generated/tools/task-output.js";

/** Returns what a background task has printed since the last look. */
export const execute: TaskOutputHandler["execute"] = ({ taskId, from }, { context }) => {
  const output = context.tasks.output(taskId, from);
  if (output === undefined) throw new NotExecuted(`there is no task ${taskId}`);
  return output;
};
