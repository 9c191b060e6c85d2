import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { glob } from "tinyglobby";
import type { SearchFilesHandler } from "../generated/tools/search-files.js";

const largestFile = 1_000_000;

/** Finds lines that contain a string, file by file in path order. */
export const execute: SearchFilesHandler["execute"] = async (input, { context, signal, progress }) => {
  const { root } = context.workspace;
  const paths = (
    await glob([input.files], {
      cwd: root,
      dot: false,
      followSymbolicLinks: false,
      ignore: ["**/node_modules/**", "**/.git/**"],
    })
  )
    .filter((path) => !path.startsWith("../"))
    .toSorted();
  const wanted = fold(input.text, input.ignoreCase);
  const found: { path: string; line: number; text: string }[] = [];
  for (const path of paths) {
    signal.throwIfAborted();
    progress({ path });
    const text = await readFile(join(root, path), "utf8").catch(() => "");
    if (text.length > largestFile || text.includes("\0")) continue;
    text.split("\n").forEach((line, index) => {
      if (fold(line, input.ignoreCase).includes(wanted)) {
        found.push({ path, line: index + 1, text: line.slice(0, 400) });
      }
    });
  }
  return { matches: found.slice(input.offset, input.offset + input.limit), total: found.length };
};

function fold(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text;
}
