import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "./temporary-folder.js";

const generator = resolve(import.meta.dirname, "../../../shared/bench/generate-toolset.mjs");

export const hasGenerator = existsSync(generator);

/**
 * Makes a project of `count` generated tools in a temporary folder and gives its path; it is removed when the process
 * ends.
 */
export function makeToolset(count, ...flags) {
  const folder = temporaryFolder("hasp-bench-");
  execFileSync(process.execPath, [generator, "--n", String(count), "--out", folder, ...flags]);
  writeFileSync(
    join(folder, "hasp.config.yaml"),
    "specs: [specs]\noutDir: generated\nhandlers: handlers\ndialects: [anthropic, openai-responses, gemini, gemini-json-schema, mcp]\n",
  );
  return folder;
}
