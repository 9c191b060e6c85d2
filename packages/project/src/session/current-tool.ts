import { digestCode } from "@hasp/builtin";
import { attempt } from "@hasp/base/diagnostics";
import { join } from "node:path";
import { isPlain, own, readOwnMember } from "@hasp/base/json";
import { openCache, type TrackedInputs, trackInputs, verifyInputs } from "../cache.js";
import { findInterruptedManifests, readTextIfThere } from "../output/previous-manifest.js";
import { findTwins } from "../modules/twins.js";
import { createCompilerHost } from "../read/compiler-host.js";
import { refuseUnlocked, type ReadSession } from "./compile-project.js";
import type { BuildOfTool, CurrentTool, ToolOptions } from "./compile-tool.js";

/** True if the last build read these very specs and wrote these very files. Runs nothing generated. */
function isBuilt(
  { manifest: path, isUnlocked, spec: [name, spec], inputs, outputs }: BuildOfTool,
  root: string,
): boolean {
  if (findInterruptedManifests(root, path).length > 0) return false;
  const manifest = manifestAt(join(root, path));
  return (
    readOwnMember(readOwnMember(readOwnMember(manifest, "tools"), name), "digest") === spec &&
    readOwnMember(manifest, "unlocked") === (isUnlocked || undefined) &&
    inputs.every(([input, digest]) => readOwnMember(readOwnMember(manifest, "inputs"), input) === digest) &&
    outputs.every(([output, digest]) => {
      const text = readTextIfThere(join(root, output));
      return text !== undefined && digestCode(text) === digest;
    }) &&
    findTwins(
      root,
      outputs.map(([output]) => output),
    ).length === 0
  );
}

function manifestAt(path: string): unknown {
  return attempt(() => JSON.parse(readTextIfThere(path) ?? "null"));
}

interface StoredTool extends CurrentTool {
  readonly inputs: TrackedInputs;
}

type StoredTools = Readonly<Record<string, StoredTool>>;

/** People call the same few tools repeatedly while they try them out. */
const TOOLS_KEPT = 8;

/**
 * Finds one tool, by name or alias: from its last call if nothing that it read has changed, else by compiling it alone.
 * Returns `undefined` if that does not prove that the tool may run; then the whole project must be compiled.
 */
export async function findCurrentTool(
  session: ReadSession,
  name: string,
  { isUnlocked, isCached }: Pick<ToolOptions, "isUnlocked"> & { readonly isCached: boolean },
): Promise<CurrentTool | undefined> {
  const { root, config, environment, isExact } = session;
  if (refuseUnlocked(session, isUnlocked) !== undefined) return undefined;
  const cache = isCached ? openCache(root, environment, config) : undefined;
  const purpose = JSON.stringify(["call", config ?? null, isUnlocked, isExact ?? null]);
  // Its digest shows that this function wrote it.
  const stored = (cache?.readRun(purpose) ?? {}) as StoredTools;
  const last = own(stored, name);
  if (last !== undefined && (await verifyInputs(last.inputs, createCompilerHost(root))) !== undefined) {
    if (isBuilt(last.build, root)) return last;
  }

  const host = trackInputs(createCompilerHost(root));
  const { compileTool } = await import("./compile-tool.js");
  const tool = await compileTool(session, name, { host, isUnlocked });
  if (tool === undefined || !isBuilt(tool.build, root)) return undefined;
  if (isPlain(tool.tool)) {
    const { [name]: _before, ...others } = stored;
    const kept = [[name, { ...tool, inputs: { questions: host.questions } }], ...Object.entries(others)];
    cache?.saveRun(purpose, Object.fromEntries(kept.slice(0, TOOLS_KEPT)) as StoredTools);
  }
  return tool;
}
