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
import { CompileCache } from "@hasp/compiler";
import type { ReadSession } from "./compile-project.js";
import { type FinishRound, watchProject } from "./watch.js";

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
  const watching = watchProject(sessionIn(folder), cache, neverAsked);
  await expect(watching).rejects.toThrow("begun again");
});

test("a change is seen that the system dropped over what hasp itself had written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hasp-flood-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const aside = [1, 2].map((number) => join(folder, `a.ts.${number}.hasp-tmp`));
  for (const path of aside) writeFileSync(path, "");
  let shown = 0;
  const finish = finishWith(() => {
    shown += 1;
    if (shown === 2) throw new Error("seen");
    // After the watcher listens: it hears nothing while this thread is busy.
    setTimeout(() => {
      for (let count = 0; count < 17_000; count += 1) utimesSync(aside[count % 2] ?? "", count, count);
      writeFileSync(join(folder, "hasp.config.yaml"), "no: such key\n");
    }, 100);
  });
  const watching = watchProject(sessionIn(folder), { tools: new CompileCache(), saveTools: () => undefined }, finish);
  await expect(watching).rejects.toThrow("seen");
});

test("a change is seen beside a file that is written all the time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hasp-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let shown = 0;
  let log: ReturnType<typeof setInterval> | undefined;
  const finish = finishWith(() => {
    shown += 1;
    if (shown === 2) throw new Error("seen");
    log = setInterval(() => appendFileSync(join(folder, "dev.log"), "x\n"), 1);
    // After the watcher listens and waits for the log to end.
    setTimeout(() => writeFileSync(join(folder, "hasp.config.yaml"), "no: such key\n"), 100);
  });
  const watching = watchProject(sessionIn(folder), { tools: new CompileCache(), saveTools: () => undefined }, finish);
  await expect(watching.finally(() => clearInterval(log))).rejects.toThrow("seen");
});

async function neverAsked(): Promise<never> {
  throw new Error("no build comes so far");
}

const sessionIn = (root: string): ReadSession => ({ root, environment: {}, onProgress: () => undefined });

/** Calls a function for each round with news. */
function finishWith(show: () => void): FinishRound {
  return async ({ diagnostics }) => ({
    hasChanged: false,
    identity: JSON.stringify(diagnostics),
    end: async (isNews) => {
      if (isNews) show();
    },
  });
}
