import { NotExecuted } from "@hasp/runtime";
import type { ReadFileHandler } from "../generated/tools/read-file.js";
import { readLines } from "../services/lines.js";
import { absolutePath, nothingHappened } from "../services/workspace.js";

export { insideWorkspace } from "../services/workspace.js";

/** Much more than one line may have, so that every piece gets on. */
const mostCharacters = 200_000;

/** Reads a text file of any size, or some of its lines, a piece at a time. */
export const execute: ReadFileHandler["execute"] = async ({ path, lines }, { context, signal }) => {
  const absolute = await absolutePath(context.workspace, path);
  const { first, last = Infinity } = lines ?? { first: 1 };
  const kept: string[] = [];
  let characters = 0;
  let next: number | undefined;
  const end = await readLines(absolute, signal, ({ number, text, omitted }) => {
    if (number < first) return true;
    if (number > last) return false;
    if (characters + text.length > mostCharacters) {
      next = number;
      return false;
    }
    kept.push(omitted === 0 ? text : `${text}… (${omitted} more characters)`);
    characters += text.length + 1;
    return true;
  }).catch(nothingHappened);
  if (end === "binary") throw new NotExecuted(`${path} is not a text file`);
  return { path, text: kept.join("\n"), ...(next === undefined ? {} : { next }) };
};
