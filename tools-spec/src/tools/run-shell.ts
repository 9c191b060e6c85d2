import type { RunShellHandler } from "../generated/tools/run-shell.js";

/** Runs a command line in the workspace's root, or starts it as a background task. */
export const execute: RunShellHandler["execute"] = async ({ command, background }, { context, signal, progress }) =>
  background
    ? { taskId: context.tasks.start(command, context.workspace.root) }
    : context.tasks.run(command, context.workspace.root, signal, (printed) => progress({ printed }));
