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

interface Division {
  /** The fewest specs for which a thread pays. */
  readonly least: number;
  /** The most threads, this one included. */
  readonly most: number;
}

/**
 * Starting a thread takes as long as checking some eighty specs. More than four would take too much memory, and the cores
 * of other programs.
 */
const usual = (): Division => ({ least: 150, most: Math.min(availableParallelism(), 4) });

/** A thread that takes longer is ended, and `compile` does its part of the work. */
const SECONDS = 120;

/**
 * If many specs are new to the cache, runs the steps of their tools in several threads, and adds the results to the
 * cache. This only saves time: `compile` takes what the cache has, and runs the rest.
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
