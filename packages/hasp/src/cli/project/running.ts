import type { AnyTool } from "@hasp/runtime";
import type { Command } from "commander";
import {
  type OfferConditions,
  type OfferedTools,
  explainWithheld,
  openRunningProject,
  type RunningProject,
} from "@hasp/serve";
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

/** Opens the project of an invocation to run its tools, or only `tool`; explains why it cannot. */
export async function openRunning(
  invocation: Invocation<RunningOptions>,
  { tool, withoutHandlers }: { readonly tool?: string | undefined; readonly withoutHandlers: boolean },
): Promise<RunningProject | CommandResult> {
  const { options, folder, terminal } = invocation;
  const { value, ...found } = await openRunningProject(createSession(invocation), {
    folder,
    registry: options.registry,
    context: options.context,
    tool,
    isUnlocked: options.unlocked === true,
    isCached: options.cache !== false,
    withoutHandlers,
    onSaved: () => terminal.progress.end(),
  });
  return value ?? refuseFound(found, invocation);
}

export function isRunning(project: RunningProject | CommandResult): project is RunningProject {
  return "tools" in project;
}

/** Picks the tools that may be offered, and tells the terminal why others are not. */
export async function pickOffered(
  { terminal }: Pick<Invocation<object>, "terminal">,
  tools: readonly AnyTool[],
  choice: OfferConditions,
): Promise<OfferedTools> {
  const { selectOfferedTools } = await import("@hasp/serve");
  const picked = selectOfferedTools(tools, choice);
  for (const line of explainWithheld(picked)) terminal.error(`${line}\n`);
  return picked;
}
