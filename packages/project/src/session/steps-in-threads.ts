import { availableParallelism } from "node:os";
import type { CompilePlan, CompileCache, NewStep, OnProgress, Plugins, SourceText } from "@hasp/compiler";
import { locateOwnFile } from "../installation/own-package.js";
import { startThread } from "../processes/child.js";

/** A thread's part of the work. The plan is data, and the plugins are those built in. */
export interface ThreadQuestion {
  readonly sources: readonly SourceText[];
  readonly plan: CompilePlan;
}

interface StepsInThreads {
  readonly plan: CompilePlan;
  readonly plugins: Plugins;
  readonly cache: CompileCache;
  readonly onProgress: OnProgress;
}

/** The number of threads, this one included, and of the specs that pay for one. */
interface Division {
  readonly least: number;
  readonly most: number;
}

/**
 * A thread starts in the time in which some eighty specs are checked. More than four would take memory, and time from
 * other programs.
 */
const usual = (): Division => ({ least: 150, most: Math.min(availableParallelism(), 4) });

/** A thread that has not answered by then is ended, and its part of the work done by `compile`. */
const SECONDS = 120;

/**
 * Runs the steps of tools that are new to the cache, in several threads if there are many. That only saves time:
 * `compile` takes what the cache has, and runs the rest.
 */
export async function runStepsInThreads(
  sources: readonly SourceText[],
  { plan, plugins, cache, onProgress }: StepsInThreads,
  { least, most }: Division = usual(),
): Promise<void> {
  if (most < 2 || sources.length < 2 * least) return;
  const { divideNewSpecs, runStepsOfTools } = await import("@hasp/compiler");
  const [own = [], ...others] = divideNewSpecs(sources, { plan, plugins, cache }, { least, most });
  if (others.length === 0) return;
  const added = others.map(async (share) => {
    const thread = startThread<ThreadQuestion, readonly NewStep[]>(locateOwnFile("dist/session/steps-thread.js"), {});
    const reply = await thread.ask({ sources: share, plan }, SECONDS);
    thread.end("it has answered");
    if ("answer" in reply) cache.add(reply.answer);
  });
  await runStepsOfTools(own, { plan, plugins, cache, onProgress });
  await Promise.allSettled(added);
}
