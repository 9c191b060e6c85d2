import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { CommandResult } from "../shell/command.js";
import { noProgress } from "../shell/terminal.js";
import { recordingTerminal } from "../shell/terminal.testing.js";
import { build } from "./build.js";

test("a build that finds nothing new removes its progress line", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hasp-quiet-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "hasp.config.yaml"), "no: such key\n");
  let isShown = false;
  const show = async (outcome: CommandResult): Promise<CommandResult> => {
    isShown = true;
    return outcome;
  };
  const end = (): void => {
    if (isShown) throw new Error("removed");
  };
  const terminal = recordingTerminal(folder, { progress: { ...noProgress, end } });
  const options = { format: "pretty", watch: true, cache: false };
  const watching = build.run({ words: [], options, folder, root: folder, terminal, show });
  await expect(watching).rejects.toThrow("removed");
});
