import { dropUndefined } from "@hasp/base/json";
import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FlowSetting } from "@hasp/runtime";
import { type CallStoreSetting, type FileOwner, type CompilePlan, CompileCache } from "@hasp/compiler";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { digestFile, digestText } from "@hasp/builtin";
import {
  type InputTracker,
  openCache,
  type ProjectCache,
  trackInputs,
  type TrackedInputs,
  verifyInputs,
} from "../cache.js";
import { entryAt } from "../fs/entries.js";
import { createInsideCheck } from "../fs/read-inside.js";
import { findInterruptedManifests } from "../output/previous-manifest.js";
import type { WriteReport } from "../output/write-files.js";
import { createCompilerHost } from "../read/compiler-host.js";
import { listToolsetMembers } from "@hasp/compiler/model";
import { addMissingTexts, type CompiledProject, type ReadSession } from "./compile-project.js";

type OutputRecord =
  | { readonly path: string; readonly owner: "hasp"; readonly digest: string }
  | { readonly path: string; readonly owner: "user" };

/** A toolset as `hasp serve` needs it. */
interface RunToolset {
  readonly name: string;
  readonly tools: readonly string[];
  readonly flow: FlowSetting;
}

export interface RunRecord {
  readonly plan: Pick<CompilePlan, "outDir" | "handlersDir" | "context" | "instructions">;
  readonly callStore?: CallStoreSetting;
  readonly toolsets: readonly RunToolset[];
  /** The names of policies in the ledger. */
  readonly policies: readonly string[];
  readonly tools: readonly { readonly name: string; readonly aliases: readonly string[]; readonly uri: string }[];
  readonly diagnostics: readonly Diagnostic[];
  /** The generated files; none if there was an error or files were not asked for. */
  readonly outputs: readonly OutputRecord[];
  readonly canWrite: boolean;
}

export interface LastRun extends RunRecord {
  readonly texts: ReadonlyMap<string, string>;
  /** The write report, if all of hasp's files have their digests (line endings aside) and all user files exist. */
  readonly upToDate: WriteReport | undefined;
}

/** The cache of a command, which keeps `Kept` with the record of a run: plain data that the command needs again. */
export interface RunCache<Kept extends object> {
  /** False without a cache folder. */
  readonly isStored: boolean;
  readonly tools: CompileCache;
  readonly host: InputTracker;
  lastRun(): Promise<(LastRun & Kept) | undefined>;
  save(project: CompiledProject, kept: Kept, options?: { readonly tools?: boolean }): RunRecord & Kept;
  saveTools(): void;
}

interface RunPurpose {
  readonly command: string;
  /** The options that may change the findings. */
  readonly settings: readonly (readonly [string, unknown])[];
  /** False if the cache is neither read nor written. */
  readonly isCached: boolean;
  /** Called when the results have been saved. */
  readonly onSaved: () => void;
}

/** Opens the cache of a command in a project. */
export function openRunCache<Kept extends object>(
  { root, config, environment, onProgress, cache }: ReadSession,
  { command, settings, isCached, onSaved }: RunPurpose,
): RunCache<Kept> {
  const stored: ProjectCache | undefined = isCached ? openCache(root, environment, config) : undefined;
  const purpose = JSON.stringify([command, config ?? null, settings]);
  const host = trackInputs(createCompilerHost(root));
  const saveTools = (): void => {
    if (stored === undefined) return;
    onProgress("Saving results");
    stored.saveTools();
    onSaved();
  };
  return {
    isStored: stored !== undefined,
    tools: cache ?? stored?.tools ?? new CompileCache(),
    host,
    async lastRun() {
      const last = stored?.readRun(purpose);
      if (last === undefined) return undefined;
      // Its digest shows that `save` wrote it.
      const { inputs, ...others } = last as { readonly inputs: TrackedInputs };
      const run = others as RunRecord & Kept;
      const texts = await verifyInputs(inputs, createCompilerHost(root));
      if (texts === undefined) return undefined;
      await addMissingTexts(texts, run.diagnostics, root);
      return { ...run, texts, upToDate: upToDate(run, root) };
    },
    save(project, kept, { tools = true } = {}) {
      const record = { ...recordOf(project), ...kept };
      const inputs: TrackedInputs = { questions: host.questions };
      if (!record.diagnostics.some(mayPass)) stored?.saveRun(purpose, { inputs, ...record });
      if (tools) saveTools();
      return record;
    },
    saveTools,
  };
}

/** True for a finding that may be gone in the next run with the same inputs, such as a plugin that took too long. */
function mayPass({ code }: Diagnostic): boolean {
  return code.startsWith("plugin/") || code === "emit/no-formatter";
}

function recordOf({ result, diagnostics, plan, callStore, canWrite }: CompiledProject): RunRecord {
  const { outDir, handlersDir, context, instructions } = plan;
  return {
    plan: { outDir, handlersDir, ...dropUndefined({ context, instructions }) },
    ...dropUndefined({ callStore }),
    policies: result.policies.map(({ name }) => name),
    toolsets: listToolsetMembers(result.tools, plan.toolsets).map(({ name, tools, flow }) => ({
      name,
      tools: tools.map((tool) => tool.name),
      flow,
    })),
    tools: result.tools.map(({ name, spec: { aliases = [] }, document: { uri } }) => ({ name, aliases, uri })),
    diagnostics,
    canWrite,
    outputs: result.files.map((file) => {
      const { path, owner } = file;
      return owner === "hasp" ? { path, owner, digest: digestFile(file) } : { path, owner };
    }),
  };
}

function upToDate({ outputs, plan }: RunRecord, root: string): WriteReport | undefined {
  // A build removes the temporary files of an interrupted one.
  if (findInterruptedManifests(root, `${plan.outDir}/manifest.json`).length > 0) return undefined;
  const isInside = createInsideCheck(root);
  const isThere = (output: OutputRecord): boolean => {
    const path = join(root, output.path);
    return isInside(output.path) && (output.owner === "user" ? isReadableFile(path) : digestAt(path) === output.digest);
  };
  const pathsOf = (owner: FileOwner): readonly string[] =>
    outputs.filter((output) => output.owner === owner).map(({ path }) => path);
  if (!outputs.every(isThere)) return undefined;
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
