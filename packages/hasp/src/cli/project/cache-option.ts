import type { Command } from "commander";
import type { Invocation } from "../shell/command.js";
import { openRunCache, type RunCache } from "@hasp/project/session";
import { createSession } from "./project.js";

export interface CacheOption {
  readonly cache?: boolean;
}

export function declareCacheOption(command: Command): Command {
  return command.option("--no-cache", "compute everything again; neither read nor write the cache");
}

/** Options that change the presentation of findings or the handling of files, but not the findings. */
const SHOWING: ReadonlySet<string> = new Set([
  "all",
  "cache",
  "config",
  "cwd",
  "dryRun",
  "envFile",
  "failOn",
  "format",
  "maxWarnings",
  "output",
  "quiet",
  "verbose",
]);

/** Opens the cache of a command. Unknown options count as part of the input. */
export function openCommandCache<Kept extends object>(
  invocation: Invocation<CacheOption>,
  command: string,
): RunCache<Kept> {
  const { options, terminal } = invocation;
  const settings = Object.entries(options)
    .filter(([name]) => !SHOWING.has(name))
    .toSorted();
  const onSaved = (): void => terminal.progress.end();
  return openRunCache(createSession(invocation), { command, settings, isCached: options.cache !== false, onSaved });
}
