import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { WriteFileHandler } from "../generated/tools/write-file.js";
import { absolutePath } from "../services/workspace.js";

export { insideWorkspace } from "../services/workspace.js";

/** Creates or replaces a file. The claim that `create` destroys nothing relies on the flag `wx`. */
export const execute: WriteFileHandler["execute"] = async ({ path, text, mode }, { context, signal }) => {
  const absolute = await absolutePath(context.workspace, path);
  await mkdir(dirname(absolute), { recursive: true });
  await writeFile(absolute, text, { flag: mode === "create" ? "wx" : "w", signal });
  return { path, bytes: Buffer.byteLength(text), created: mode === "create" };
};
