import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const generator = resolve(import.meta.dirname, "../../../shared/bench/generate-toolset.mjs");

/** Whether the generator of large toolsets lies beside the repository. */
export const hasGenerator = existsSync(generator);

/**
 * Makes a project of `count` generated tools in a temporary folder and gives its path; it is removed when the process
 * ends.
 */
export function makeToolset(count, ...flags) {
  const folder = mkdtempSync(join(tmpdir(), "hasp-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [generator, "--n", String(count), "--out", folder, ...flags]);
  writeFileSync(
    join(folder, "hasp.config.yaml"),
    "specs: [specs]\noutDir: generated\nhandlers: handlers\ndialects: [anthropic, openai-responses, gemini, gemini-json-schema, mcp]\n",
  );
  return folder;
}
