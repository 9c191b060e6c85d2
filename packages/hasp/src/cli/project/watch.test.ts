import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { CommandResult } from "../shell/command.js";
import { noProgress } from "../shell/terminal.js";
import { recordingTerminal } from "../shell/terminal.testing.js";
import { CompileCache } from "@hasp/compiler/model";
import { watchProject } from "./watch.js";

test("a build from which the project is taken away on the way is begun again", async () => {
  const root = mkdtempSync(join(tmpdir(), "hasp-taken-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [folder, elsewhere] = [join(root, "here"), join(root, "elsewhere")];
  mkdirSync(folder);
  let builds = 0;
  const cache = {
    /** Each build asks for this, so that a test can act during a build. */
    get tools(): CompileCache {
      builds += 1;
      if (builds === 2) throw new Error("begun again");
      renameSync(folder, elsewhere);
      try {
        throw new Error(`it is still there: ${realpathSync(folder)}`);
      } finally {
        renameSync(elsewhere, folder);
      }
    },
    saveTools: () => undefined,
  };
  const watching = watchProject(
    {
      words: [],
      options: { format: "pretty" },
      folder,
      root: folder,
      terminal: recordingTerminal(folder),
      show: neverAsked,
    },
    cache,
    neverAsked,
  );
  await expect(watching).rejects.toThrow("begun again");
});

test("a change is seen that the system dropped over what hasp itself had written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hasp-flood-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const aside = [1, 2].map((number) => join(folder, `a.ts.${number}.hasp-tmp`));
  for (const path of aside) writeFileSync(path, "");
  let shown = 0;
  const show = async (outcome: CommandResult): Promise<CommandResult> => {
    shown += 1;
    if (shown === 2) throw new Error("seen");
    // After the watcher listens: it hears nothing while this thread is busy.
    setTimeout(() => {
      for (let count = 0; count < 17_000; count += 1) utimesSync(aside[count % 2] ?? "", count, count);
      writeFileSync(join(folder, "hasp.config.yaml"), "no: such key\n");
    }, 100);
    return outcome;
  };
  const watching = watchProject(
    { words: [], options: { format: "pretty" }, folder, root: folder, terminal: recordingTerminal(folder), show },
    { tools: new CompileCache(), saveTools: () => undefined },
    neverAsked,
  );
  await expect(watching).rejects.toThrow("seen");
});

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
  const watching = watchProject(
    { words: [], options: { format: "pretty" }, folder, root: folder, terminal, show },
    { tools: new CompileCache(), saveTools: () => undefined },
    neverAsked,
  );
  await expect(watching).rejects.toThrow("removed");
});

test("a change is seen beside a file that is written all the time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hasp-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let shown = 0;
  let log: ReturnType<typeof setInterval> | undefined;
  const show = async (outcome: CommandResult): Promise<CommandResult> => {
    shown += 1;
    if (shown === 2) throw new Error("seen");
    log = setInterval(() => appendFileSync(join(folder, "dev.log"), "x\n"), 1);
    // After the watcher listens and waits for the log to end.
    setTimeout(() => writeFileSync(join(folder, "hasp.config.yaml"), "no: such key\n"), 100);
    return outcome;
  };
  const watching = watchProject(
    { words: [], options: { format: "pretty" }, folder, root: folder, terminal: recordingTerminal(folder), show },
    { tools: new CompileCache(), saveTools: () => undefined },
    neverAsked,
  );
  await expect(watching.finally(() => clearInterval(log))).rejects.toThrow("seen");
});

async function neverAsked(): Promise<never> {
  throw new Error("no build comes so far");
}
