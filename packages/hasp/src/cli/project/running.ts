import type { Command } from "commander";
import { openRunningProject, type RunningProject, type RunRequest } from "@hasp/serve";
import type { CommandResult, Invocation } from "../shell/command.js";
import { type CacheOption, declareCacheOption } from "./cache-option.js";
import { createSession, refuseFound } from "./project.js";

export interface RunningOptions extends CacheOption {
  readonly registry?: string;
  readonly context?: string;
  readonly feature?: readonly string[];
  readonly unlocked?: boolean;
}

export function declareRunningOptions(command: Command): void {
  command
    .option(
      "--registry <file>",
      "use this generated registry as it is, instead of compiling the project and using its own",
    )
    .option("--context <file#export>", "what handlers receive besides their input, or the function that creates it")
    .option("--feature <name>", "turn this feature gate on; repeatable", collect)
    .option("--unlocked", "continue without approvals, with a warning");
  declareCacheOption(command);
}

export function collect(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, word];
}

/** Returns what the options say about the tools that are to run. */
export function createRunRequest({
  options,
  folder,
  terminal,
}: Invocation<RunningOptions>): Omit<RunRequest, "tool" | "withoutHandlers"> {
  return {
    folder,
    registry: options.registry,
    context: options.context,
    isUnlocked: options.unlocked === true,
    isCached: options.cache !== false,
    onSaved: () => terminal.progress.end(),
  };
}

/** Opens the project of an invocation to run its tools, or only `tool`; explains why it cannot. */
export async function openRunning(
  invocation: Invocation<RunningOptions>,
  { tool, withoutHandlers }: { readonly tool?: string | undefined; readonly withoutHandlers: boolean },
): Promise<RunningProject | CommandResult> {
  const request = { ...createRunRequest(invocation), tool, withoutHandlers };
  const { value, ...found } = await openRunningProject(createSession(invocation), request);
  return value ?? refuseFound(found, invocation);
}

export function isRunning(project: RunningProject | CommandResult): project is RunningProject {
  return "tools" in project;
}
