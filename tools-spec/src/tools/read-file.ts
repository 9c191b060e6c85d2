import { readFile, stat } from "node:fs/promises";
import type { ReadFileHandler } from "../generated/tools/read-file.js";
import { absolutePath } from "../services/workspace.js";

export { insideWorkspace } from "../services/workspace.js";

const largestFile = 1_000_000;

/** Reads a text file or some of its lines. */
export const execute: ReadFileHandler["execute"] = async ({ path, lines }, { context, signal }) => {
  const absolute = await absolutePath(context.workspace, path);
  const { size } = await stat(absolute);
  if (size > largestFile) throw new Error(`${path} has ${size} bytes; ask for files up to ${largestFile} bytes.`);
  const text = await readFile(absolute, { encoding: "utf8", signal });
  const all = text.split("\n");
  return {
    path,
    text: lines === undefined ? text : all.slice(lines.first - 1, lines.last).join("\n"),
    lineCount: all.length,
  };
};
