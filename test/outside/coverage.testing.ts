// Counts what a run of the built hasp executes of its emitters, by V8's own coverage of blocks.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly CountedRange[] }[];
}

interface CountedRange {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** A module as the bundler has put it into a file: its path in a comment, then its code. */
const MODULE = /^\/\/ (?:\.\.\/\w+\/)?(?<path>src\/\S+\.ts)$/gmu;

/** Lists the code of modules that no run has executed, one line per block, from the folders that NODE_V8_COVERAGE named. */
export function listUnexecuted(folders: readonly string[], isCounted: (path: string) => boolean): readonly string[] {
  const executed = new Map<string, Uint8Array>();
  for (const { url, functions } of folders.flatMap(readCoverage)) {
    const length = readFileSync(fileURLToPath(url), "utf8").length;
    const here = new Uint8Array(length).fill(1);
    // V8 lists a function before those in it, and a block before those in it.
    for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
      here.fill(count === 0 ? 0 : 1, startOffset, endOffset);
    }
    const before = executed.get(url);
    executed.set(url, before === undefined ? here : here.map((each, at) => each | (before[at] ?? 0)));
  }
  return [...executed].flatMap(([url, here]) =>
    unexecutedIn(readFileSync(fileURLToPath(url), "utf8"), here, isCounted),
  );
}

function readCoverage(folder: string): readonly ScriptCoverage[] {
  return readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { readonly result: ScriptCoverage[] };
    return result.filter(({ url }) => url.includes("/hasp/dist/"));
  });
}

function unexecutedIn(text: string, here: Uint8Array, isCounted: (path: string) => boolean): readonly string[] {
  const modules = [...text.matchAll(MODULE)];
  return modules.flatMap(({ groups, index, 0: comment }, position) => {
    const path = groups?.["path"] ?? "";
    if (!isCounted(path)) return [];
    const blocks: string[] = [];
    let start: number | undefined;
    const end = modules[position + 1]?.index ?? text.length;
    for (let at = index + comment.length; at <= end; at += 1) {
      const isOut = at < end && here[at] === 0;
      if (isOut) start ??= at;
      else if (start !== undefined) {
        const block = text.slice(start, at).replaceAll(/\s+/gu, " ").trim();
        if (/\w/u.test(block)) blocks.push(`${path}: ${block}`);
        start = undefined;
      }
    }
    return blocks;
  });
}
