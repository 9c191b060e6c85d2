import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { recordingTerminal } from "./terminal.testing.js";
import { type KeptRecords, watchProject } from "./watch.js";

test("a build from which the project is taken away on the way is begun anew", async () => {
  const root = mkdtempSync(join(tmpdir(), "hasp-taken-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [folder, elsewhere] = [join(root, "here"), join(root, "elsewhere")];
  mkdirSync(folder);
  let builds = 0;
  const memory: KeptRecords = {
    /** Asked for by each build, so that something can happen in it. */
    get records(): undefined {
      builds += 1;
      if (builds === 2) throw new Error("begun anew");
      renameSync(folder, elsewhere);
      try {
        throw new Error(`it is still there: ${realpathSync(folder)}`);
      } finally {
        renameSync(elsewhere, folder);
      }
    },
    rememberRecords: () => undefined,
  };
  const neverAsked = async (): Promise<never> => {
    throw new Error("no build comes so far");
  };
  const watching = watchProject(
    { words: [], options: { format: "pretty" }, folder, terminal: recordingTerminal(folder), show: neverAsked },
    memory,
    neverAsked,
  );
  await expect(watching).rejects.toThrow("begun anew");
});
