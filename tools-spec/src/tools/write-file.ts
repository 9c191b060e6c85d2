import type { WriteFileHandler } from "../generated/tools/write-file.js";
import { absolutePath, writeWhole } from "../services/workspace.js";

export { insideWorkspace } from "../services/workspace.js";

/** Creates or replaces a file. The claim that `create` destroys nothing relies on {@link writeWhole}. */
export const execute: WriteFileHandler["execute"] = async ({ path, text, mode }, { context }) => {
  const absolute = await absolutePath(context.workspace, path);
  const bytes = await writeWhole(absolute, text, { mayReplace: mode === "replace" });
  return { path, bytes, created: mode === "create" };
};
