import { cpSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { haspJson, type JsonFinding, project } from "../cli/command-line.js";
import { Editor } from "./editor.testing.js";

/** Opens a folder in an editor that ends with the test. */
export async function editorIn(
  folder: string,
  roots?: readonly string[],
  environment?: Readonly<Record<string, string>>,
): Promise<Editor> {
  const editor = await new Editor(folder, environment).start(roots);
  onTestFinished(() => editor.stop());
  return editor;
}

/** Runs `hasp check` from nothing and returns its findings in the form of `Editor.findings`. */
export async function check(folder: string): Promise<readonly string[]> {
  const { data } = await haspJson(folder, ["check", "--no-cache"]);
  return (data["diagnostics"] as readonly JsonFinding[])
    .map(
      ({ uri, line, column, code, message, help }) =>
        `${uri ?? "hasp.config.yaml"}:${line ?? 1}:${column ?? 1} ${code} ${message}${help === null ? "" : `\n${help}`}`,
    )
    .toSorted();
}

/** Drops the notes on paths: every example project can leak. */
export function withoutPaths(findings: readonly string[]): readonly string[] {
  return findings.filter((finding) => !finding.includes(" flow/"));
}

/** A copy of the worked example without its output. */
export function workedExample(): string {
  const folder = project();
  const source = join(import.meta.dirname, "../../tools-spec");
  for (const part of [
    "hasp.config.yaml",
    "hasp-ledger",
    "policies",
    "specs",
    "src/context.ts",
    "src/tools",
    "src/services",
  ]) {
    cpSync(join(source, part), join(folder, part), { recursive: true });
  }
  return folder;
}
