import { readFile, stat } from "node:fs/promises";
import { NotExecuted } from "@hasp/runtime";
import { createTwoFilesPatch } from "diff";
import type { EditFileHandler } from "../generated/tools/edit-file.js";
import { absolutePath, nothingHappened, writeWhole } from "../services/workspace.js";

export { insideWorkspace } from "../services/workspace.js";

const largestFile = 10_000_000;
const mostChangedLines = 2000;

/** Replaces text that occurs exactly once, or everywhere when asked to, and returns what changed as a unified diff. */
export const execute: EditFileHandler["execute"] = async ({ path, before, after, everywhere }, { context }) => {
  const absolute = await absolutePath(context.workspace, path);
  const { size } = await stat(absolute).catch(nothingHappened);
  if (size > largestFile) throw new NotExecuted(`${path} has ${size} bytes; files up to ${largestFile} can be edited`);
  const text = await readFile(absolute, "utf8").catch(nothingHappened);
  const parts = text.split(before);
  const occurrences = parts.length - 1;
  if (occurrences === 0) throw new NotExecuted(`${path} does not contain that text`);
  if (occurrences > 1 && !everywhere) {
    throw new NotExecuted(`${path} contains that text ${occurrences} times; give more of it, or set everywhere`);
  }
  const edited = parts.join(after);
  const diff = createTwoFilesPatch(path, path, text, edited, undefined, undefined, {
    context: 3,
    maxEditLength: mostChangedLines,
  });
  await writeWhole(absolute, edited, { mayReplace: true });
  return { path, replaced: occurrences, ...(diff === undefined ? {} : { diff }) };
};
