import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { openCache, trackInputs, type TrackedInputs, verifyInputs } from "../../../../project/src/cache.js";
import { compilerHost } from "../../../../project/src/read/compiler-host.js";
import { own } from "../../../../compiler/src/model/own.js";
import { isPlain } from "../../../../compiler/src/run/plain-data.js";
import type { RunnableTool } from "../../../../compiler/src/run/runnable-spec.js";
import type { Invocation } from "../shell/command.js";
import { type BuildOfTool, isBuilt } from "./built-tool.js";
import { locateProject, refusedUnlocked } from "./project.js";
import type { CacheOption } from "./run-cache.js";

/** One tool of a project that may run: what its spec says, somebody approved, and the last build generated. Plain data. */
export interface CurrentTool {
  readonly tool: RunnableTool;
  /** The module of its handler, relative to the root. */
  readonly handler: string;
  /** The module of the handlers' context, relative to the root; absent where the configuration names none. */
  readonly contextModule?: string;
  readonly isUnlocked: boolean;
  /** What was found of this tool and stops nothing. */
  readonly diagnostics: readonly Diagnostic[];
  readonly build: BuildOfTool;
}

/** Options that decide whether a tool may run; the others change what is done with it. */
export type DecidingOptions = CacheOption & { readonly unlocked?: boolean };

interface StoredTool extends CurrentTool {
  readonly inputs: TrackedInputs;
}

/** By the name that was called, the latest first. */
type StoredTools = Readonly<Record<string, StoredTool>>;

/** People who try out a tool call it repeatedly, and try only a few tools at a time. */
const TOOLS_KEPT = 8;

/**
 * Finds one tool, by its name or an alias: as the last call of it did where nothing has changed since that it read, or
 * compiled. `undefined` where this does not settle that the tool may run, so that the project must tell.
 */
export async function currentTool(
  invocation: Invocation<DecidingOptions>,
  name: string,
): Promise<CurrentTool | undefined> {
  const { options, terminal } = invocation;
  const { root, config } = locateProject(invocation);
  if (refusedUnlocked(invocation, options.unlocked === true) !== undefined) return undefined;
  const cache = options.cache === false ? undefined : openCache(root, terminal.environment, config);
  const purpose = JSON.stringify(["call", config ?? null, options.unlocked === true, options.exact ?? null]);
  // Its digest shows that this function wrote it.
  const stored = (cache?.readRun(purpose) ?? {}) as StoredTools;
  const last = own(stored, name);
  if (last !== undefined && (await verifyInputs(last.inputs, compilerHost(root))) !== undefined) {
    if (isBuilt(last.build, root)) return last;
  }

  const host = trackInputs(compilerHost(root));
  const { compileTool } = await import("./compile-tool.js");
  const tool = await compileTool(invocation, name, host);
  if (tool === undefined) return undefined;
  if (isPlain(tool.tool)) {
    const { [name]: _before, ...others } = stored;
    const kept = [[name, { ...tool, inputs: { questions: host.questions } }], ...Object.entries(others)];
    cache?.saveRun(purpose, Object.fromEntries(kept.slice(0, TOOLS_KEPT)) as StoredTools);
  }
  return tool;
}
