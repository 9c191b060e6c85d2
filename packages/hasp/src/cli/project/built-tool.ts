import { join } from "node:path";
import { isUnedited, readTextIfThere } from "../../../../project/src/output/previous-manifest.js";
import { interruptedManifests } from "../../../../project/src/output/interrupted-manifests.js";
import { ownMember } from "../../../../compiler/src/model/own.js";

/** What must be so of a tool's last build: plain data. Paths are relative to the root. */
export interface BuildOfTool {
  readonly manifest: string;
  readonly isUnlocked: boolean;
  /** The digests of what the build must have read. */
  readonly inputs: readonly (readonly [path: string, digest: string])[];
  /** What it must have generated, and nobody may have edited. */
  readonly outputs: readonly string[];
}

/**
 * Whether the last build read these very files, and nobody has changed what it generated. Nothing generated is run here:
 * this only tells whether it is up to date.
 */
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
