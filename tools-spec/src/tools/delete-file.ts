import { unlink } from "node:fs/promises";
import type { DeleteFileHandler } from "../generated/tools/delete-file.js";
import { absolutePath, nothingHappened } from "../services/workspace.js";

export { insideWorkspace } from "../services/workspace.js";

/** Deletes one file; fails for a folder. */
export const execute: DeleteFileHandler["execute"] = async ({ path }, { context }) => {
  await unlink(await absolutePath(context.workspace, path)).catch(nothingHappened);
  return { path };
};
