import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/**
 * Milliseconds from saving a spec until the manifest, which is written last, is on disk; `count` times in one watching
 * process.
 */
export async function savesInWatchMode(hasp, { folder, env, edit }, count) {
  const { CI: _ci, ...inherited } = process.env;
  const child = spawn(process.execPath, [hasp, "build", "--watch", "--quiet"], {
    cwd: folder,
    env: { ...inherited, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((done) => child.once("exit", done));
  try {
    await watching(child, ended);
    const times = [];
    // The first saves warm the process up, as those of its first minute do.
    for (let save = 0; save < count + 5; save += 1) {
      times.push(await timeToFiles(join(folder, "generated/manifest.json"), edit));
    }
    return times.slice(5);
  } finally {
    child.kill("SIGINT");
    await ended;
  }
}

function watching(child, ended) {
  return new Promise((done, fail) => {
    let printed = "";
    child.stderr.on("data", (chunk) => {
      printed += chunk;
      if (printed.includes("Watching")) done();
    });
    void ended.then(() => fail(new Error(`hasp build --watch ended:\n${printed}`)));
  });
}

async function timeToFiles(file, edit) {
  // What the last build set off has come to rest.
  await wait(500);
  const before = statSync(file).mtimeMs;
  const started = performance.now();
  edit();
  while (statSync(file, { throwIfNoEntry: false })?.mtimeMs === before) {
    if (performance.now() - started > 60_000) throw new Error("a save changed nothing within a minute");
    await wait(1);
  }
  return performance.now() - started;
}
