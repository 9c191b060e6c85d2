import type { SearchFilesHandler } from "../generated/tools/search-files.js";
import { readLines } from "../services/lines.js";
import { listFiles } from "../services/workspace.js";

const mostCharacters = 400;

/** Finds lines that contain a string, file by file in path order. Keeps one page of them and counts the others. */
export const execute: SearchFilesHandler["execute"] = async (input, { context, signal, progress }) => {
  const { workspace } = context;
  const paths = await listFiles(workspace, input.files);
  const wanted = fold(input.text, input.ignoreCase);
  const matches: { path: string; line: number; text: string }[] = [];
  const skipped: string[] = [];
  let total = 0;
  for (const path of paths) {
    signal.throwIfAborted();
    progress({ path });
    const file = await workspace.locate(path);
    if ("refused" in file) continue;
    const before = total;
    const kept = matches.length;
    const end = await readLines(file.absolute, signal, ({ number, text }) => {
      const at = fold(text, input.ignoreCase).indexOf(wanted);
      if (at === -1) return true;
      if (total >= input.offset && matches.length < input.limit) {
        matches.push({ path, line: number, text: around(text, at) });
      }
      total += 1;
      return true;
    }).catch(() => {
      signal.throwIfAborted();
      return "unreadable" as const;
    });
    if (end === "complete") continue;
    matches.length = kept;
    total = before;
    if (end === "unreadable") skipped.push(path);
  }
  return { matches, total, ...(skipped.length === 0 ? {} : { unreadable: skipped.slice(0, 100) }) };
};

function fold(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text;
}

/** The part of a long line that shows the match. */
function around(text: string, at: number): string {
  const start = Math.max(0, Math.min(at - mostCharacters / 4, text.length - mostCharacters));
  return text.slice(start, start + mostCharacters);
}
