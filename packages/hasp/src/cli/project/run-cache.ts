import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { CallStoreSetting } from "../../../../compiler/src/config/call-store-setting.js";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { digestFile, digestText } from "../../../../compiler/src/builtin/emitters/base/digest.js";
import {
  type InputTracker,
  openCache,
  type ProjectCache,
  trackInputs,
  type TrackedInputs,
  verifyInputs,
} from "../../../../project/src/cache.js";
import { entryAt } from "../../../../project/src/fs/entries.js";
import { insideProject } from "../../../../project/src/fs/inside-project.js";
import { interruptedManifests } from "../../../../project/src/output/interrupted-manifests.js";
import type { WriteReport } from "../../../../project/src/output/write-files.js";
import { compilerHost } from "../../../../project/src/read/compiler-host.js";
import { CompileCache } from "../../../../compiler/src/context/compile-cache.js";
import type { ServedTool } from "../../mcp-server/served-tools.js";
import type { FileOwner } from "../../../../compiler/src/model/output.js";
import type { CompilePlan } from "../../../../compiler/src/model/plan.js";
import type { BuildFacts } from "../../../../report/src/views/build-facts.js";
import type { Invocation } from "../shell/command.js";
import { addMissingTexts, type CompiledProject, locateProject } from "./project.js";

/** The option of commands that use the cache. */
export interface CacheOption {
  /** `false` for `--no-cache`. */
  readonly cache?: boolean;
}

/** Adds `--no-cache` to a command. */
export function declareCacheOption(command: Command): Command {
  return command.option("--no-cache", "compute everything again; neither read nor write the cache");
}

/** A file of a build without its text. */
interface OutputRecord {
  readonly path: string;
  readonly owner: FileOwner;
  readonly digest: string;
}

/** What a run found and made, as far as a run on the same input must say and do the same: plain data. */
export interface RunRecord {
  readonly plan: Pick<CompilePlan, "outDir" | "handlersDir" | "context">;
  readonly callStore?: CallStoreSetting;
  /** The names of the tools of each toolset. */
  readonly toolsets: readonly { readonly name: string; readonly tools: readonly string[] }[];
  /** The tools without errors, each with its other names and its file. */
  readonly tools: readonly { readonly name: string; readonly aliases: readonly string[]; readonly uri: string }[];
  readonly diagnostics: readonly Diagnostic[];
  readonly facts: BuildFacts;
  /** The files that the specs call for; none if there was an error, or nobody asked for files. */
  readonly outputs: readonly OutputRecord[];
  readonly canWrite: boolean;
  /** What binds the tools to their handlers, for commands that run them; absent where only generated code tells. */
  readonly served?: readonly ServedTool[];
}

/** The last run, whose input is still the same. */
export interface LastRun extends RunRecord {
  /** The texts for its code frames. */
  readonly texts: ReadonlyMap<string, string>;
  /**
   * What writing its files would report, if there is nothing to write: every file of hasp's is on disk with the digest
   * that it was made with, line endings aside, and every file of the user's is there. The manifest is among them, so
   * that nothing can be left over from an older build either.
   */
  readonly upToDate: WriteReport | undefined;
}

interface SaveOptions extends Pick<RunRecord, "served"> {
  /** Default: `true`. */
  readonly tools?: boolean;
}

/** The cache of one command. */
export interface RunCache {
  /** False where nothing is kept from run to run. */
  readonly isStored: boolean;
  /** What earlier runs computed of each tool. */
  readonly tools: CompileCache;
  readonly host: InputTracker;
  /** The last run with the same settings, if its input is still the same. */
  lastRun(): Promise<LastRun | undefined>;
  /** Stores this run for the next one, and what was computed of each tool unless `tools` is `false`. */
  save(project: CompiledProject, options?: SaveOptions): RunRecord;
  /** Stores what was computed of each tool, and nothing else of the run. */
  saveTools(): void;
}

/** Options that change how findings are shown, or what is done with files, and not what is found. */
const SHOWING: ReadonlySet<string> = new Set([
  "cache",
  "config",
  "cwd",
  "dryRun",
  "failOn",
  "format",
  "maxWarnings",
  "output",
  "quiet",
  "verbose",
]);

/** Opens the cache of a command. Any option that is not known to change nothing is taken to change what is found. */
export function openRunCache(invocation: Invocation<CacheOption>, command: string): RunCache {
  const { root, config } = locateProject(invocation);
  const stored: ProjectCache | undefined =
    invocation.options.cache === false ? undefined : openCache(root, invocation.terminal.environment, config);
  const settings = Object.entries(invocation.options)
    .filter(([name]) => !SHOWING.has(name))
    .toSorted();
  const purpose = JSON.stringify([command, config ?? null, settings]);
  const host = trackInputs(compilerHost(root));
  return {
    isStored: stored !== undefined,
    tools: stored?.tools ?? invocation.cache ?? new CompileCache(),
    host,
    async lastRun() {
      const last = stored?.readRun(purpose);
      if (last === undefined) return undefined;
      // Its digest shows that `save` wrote it.
      const { inputs, ...run } = last as RunRecord & { readonly inputs: TrackedInputs };
      const texts = await verifyInputs(inputs, compilerHost(root));
      if (texts === undefined) return undefined;
      await addMissingTexts(texts, run.diagnostics, root);
      return { ...run, texts, upToDate: upToDate(run, root) };
    },
    save(project, { tools = true, served } = {}) {
      const record = { ...recordOf(project), ...(served === undefined ? {} : { served }) };
      const inputs: TrackedInputs = { questions: host.questions };
      stored?.saveRun(purpose, { inputs, ...record });
      if (tools) stored?.saveTools();
      return record;
    },
    saveTools: () => stored?.saveTools(),
  };
}

function recordOf({ result, diagnostics, plan, callStore, facts, canWrite }: CompiledProject): RunRecord {
  const { outDir, handlersDir, context } = plan;
  return {
    plan: { outDir, handlersDir, ...(context === undefined ? {} : { context }) },
    ...(callStore === undefined ? {} : { callStore }),
    toolsets: result.toolsets.map(({ name, tools }) => ({ name, tools: tools.map((tool) => tool.name) })),
    tools: result.tools.map(({ name, spec: { aliases = [] }, document: { uri } }) => ({ name, aliases, uri })),
    diagnostics,
    facts,
    canWrite,
    outputs: result.files.map((file) => ({ path: file.path, owner: file.owner, digest: digestFile(file) })),
  };
}

function upToDate({ outputs, plan }: RunRecord, root: string): WriteReport | undefined {
  // A build removes the temporary files of an interrupted one.
  if (interruptedManifests(root, `${plan.outDir}/manifest.json`).length > 0) return undefined;
  const isInside = insideProject(root);
  const isThere = ({ path, owner, digest }: OutputRecord): boolean =>
    isInside(path) && (owner === "user" ? isReadableFile(join(root, path)) : digestAt(join(root, path)) === digest);
  if (!outputs.every(isThere)) return undefined;
  const pathsOf = (owner: FileOwner): readonly string[] =>
    outputs.filter((output) => output.owner === owner).map(({ path }) => path);
  return { created: [], updated: [], unchanged: pathsOf("hasp"), deleted: [], kept: pathsOf("user") };
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return entryAt(path)?.isFile() === true;
  } catch {
    return false;
  }
}

/** The digest of a file's text; `undefined` where it cannot be read. */
function digestAt(path: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    // Most files have plain line endings, and need not be decoded.
    return bytes.includes("\r\n")
      ? digestText(bytes.toString("utf8"))
      : `sha256-${createHash("sha256").update(bytes).digest("base64url")}`;
  } catch {
    return undefined;
  }
}
