import { NotExecuted } from "@hasp/runtime";
import { linearPattern } from "@hasp/schema/vocabulary";
import type { SearchFilesHandler, SearchFilesInput } from "../generated/tools/search-files.js";
import { readLines } from "../services/lines.js";
import { listFiles } from "../services/workspace.js";

const mostCharacters = 400;

/** The most milliseconds for matching in all. Any one line takes less than a second. */
const mostMilliseconds = 10_000;

/** Accepts an expression that the engine of `@hasp/schema` matches in linear time, so that no text makes it backtrack. */
export const matchesInLinearTime: SearchFilesHandler["matchesInLinearTime"] = ({ text, regex }) => {
  if (!regex) return true;
  try {
    return linearPattern(text) !== undefined || "leave out back references and large nested counts";
  } catch (error) {
    return String(error);
  }
};

/** Finds lines that match, file by file in path order. Keeps one page of them and counts the others. */
export const execute: SearchFilesHandler["execute"] = async (input, { context, signal, progress }) => {
  const { workspace } = context;
  const paths = await listFiles(workspace, input.files);
  const find = createFinder(input);
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
      const at = find(text);
      if (at === -1) return true;
      if (total >= input.offset && matches.length < input.limit) {
        matches.push({ path, line: number, text: around(text, at) });
      }
      total += 1;
      return true;
    }).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof NotExecuted) throw error;
      return "unreadable" as const;
    });
    if (end === "complete") continue;
    matches.length = kept;
    total = before;
    if (end === "unreadable") skipped.push(path);
  }
  return { matches, total, ...(skipped.length === 0 ? {} : { unreadable: skipped.slice(0, 100) }) };
};

/** Creates the function that finds a match in a line. A match of an expression is shown from the start of its line. */
function createFinder({ text: wanted, regex, ignoreCase }: SearchFilesInput): (text: string) => number {
  if (!regex) {
    const folded = fold(wanted, ignoreCase);
    return (text) => fold(text, ignoreCase).indexOf(folded);
  }
  const expression = linearPattern(wanted);
  let spent = 0;
  return (text) => {
    const start = performance.now();
    const isMatch = expression?.test(text) === true;
    spent += performance.now() - start;
    if (spent > mostMilliseconds) throw new NotExecuted("the expression takes too long; look for something simpler");
    return isMatch ? 0 : -1;
  };
}

function fold(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text;
}

/** Returns the part of a long line that shows the match. */
function around(text: string, at: number): string {
  const start = Math.max(0, Math.min(at - mostCharacters / 4, text.length - mostCharacters));
  return text.slice(start, start + mostCharacters);
}
