import { join } from "node:path";
import { isUnedited, readTextIfThere } from "../../../../project/src/output/previous-manifest.js";
import { interruptedManifests } from "../../../../project/src/output/interrupted-manifests.js";
import { ownMember } from "../../../../compiler/src/model/own.js";

/** The digests that prove a tool's last build. Paths are relative to the root. */
export interface BuildOfTool {
  readonly manifest: string;
  readonly isUnlocked: boolean;
  readonly inputs: readonly (readonly [path: string, digest: string])[];
  readonly outputs: readonly string[];
}

/** True if the last build read these very files and its outputs are unchanged. Runs nothing generated. */
export function isBuilt({ manifest: path, isUnlocked, inputs, outputs }: BuildOfTool, root: string): boolean {
  if (interruptedManifests(root, path).length > 0) return false;
  const manifest = manifestAt(join(root, path));
  return (
    ownMember(manifest, "unlocked") === (isUnlocked || undefined) &&
    inputs.every(([input, digest]) => ownMember(ownMember(manifest, "inputs"), input) === digest) &&
    outputs.every((output) => {
      const digest = ownMember(ownMember(manifest, "outputs"), output);
      const text = readTextIfThere(join(root, output));
      return text !== undefined && typeof digest === "string" && isUnedited(text, [digest]);
    })
  );
}

function manifestAt(path: string): unknown {
  try {
    return JSON.parse(readTextIfThere(path) ?? "null");
  } catch {
    return undefined;
  }
}
