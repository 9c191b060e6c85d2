import { availableParallelism } from "node:os";
import type { CompilePlan, CompileCache, Helpers, NewStep, OnProgress, Plugins, SourceText } from "@hasp/compiler";
import { locateOwnFile } from "../installation/own-package.js";
import { startThread } from "../processes/child.js";

/** A thread's part of the work. The plan is data, and the plugins are those built in. */
export interface ThreadQuestion {
  readonly sources: readonly SourceText[];
  readonly plan: CompilePlan;
  readonly emits: boolean;
  readonly names?: unknown;
}

interface StepsInThreads {
  readonly plan: CompilePlan;
  readonly plugins: Plugins;
  readonly cache: CompileCache;
  readonly emits: boolean;
  readonly onProgress: OnProgress;
}

/** Threads that help `compile` to emit, until they are ended. */
interface HelpingThreads extends Helpers {
  end(): void;
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
 * cache. This only saves time: `compile` takes what the cache has, and runs the rest. If the compilation emits, the threads
 * wait to help it.
 */
export async function runStepsInThreads(
  sources: readonly SourceText[],
  { plan, plugins, cache, emits, onProgress }: StepsInThreads,
  { least, most }: Division = usual(),
): Promise<HelpingThreads | undefined> {
  if (most < 2 || sources.length < 2 * least) return undefined;
  const { divideNewSpecs, runStepsOfTools } = await import("@hasp/compiler");
  const [own = [], ...others] = divideNewSpecs(sources, { plan, plugins, cache }, { least, most });
  if (others.length === 0) return undefined;
  const helpers = others.map((share) => {
    const thread = startThread<ThreadQuestion, readonly NewStep[]>(locateOwnFile("dist/session/steps-thread.js"), {});
    return {
      specs: share.flatMap(({ uri, role }) => (role === "spec" ? [uri] : [])),
      async ask(names?: unknown) {
        const reply = await thread.ask({ sources: share, plan, emits, names }, SECONDS);
        if ("answer" in reply) cache.add(reply.answer);
      },
      end: () => thread.end("it has answered"),
    };
  });
  const end = (): void => helpers.forEach((helper) => helper.end());
  const askAll = async (names?: unknown): Promise<void> => {
    await Promise.allSettled(helpers.map((helper) => helper.ask(names)));
  };
  // Failures are ignored here: `compile` runs the same step again and reports them, if it gets that far.
  await Promise.allSettled([askAll(), runStepsOfTools(own, { plan, plugins, cache, emits, onProgress })]);
  if (!emits) {
    end();
    return undefined;
  }
  const specs = new Set(helpers.flatMap((helper) => helper.specs));
  return { have: ({ document }) => specs.has(document.uri), emit: askAll, end };
}
