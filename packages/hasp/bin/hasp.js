#!/usr/bin/env node
// `hasp --version` must answer at once, so this file loads nothing before it knows that there is work to do.
import { readFileSync, writeSync } from "node:fs";
import module from "node:module";
import { isAbsolute, join } from "node:path";
import { setFlagsFromString } from "node:v8";

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${manifest.version}\n`);
} else {
  // `call` and `serve` run the user's code in this process. It must not turn a failure into a success: hasp's listener is
  // the first one, and ends the process before any other can set an exit code.
  let verdict;
  const { reallyExit } = process;
  process.once("exit", () => {
    if (verdict === undefined) {
      writeSync(2, "hasp was ended before it had finished, perhaps by a handler that calls process.exit.\n");
    }
    reallyExit.call(process, verdict ?? 2);
  });
  optimizeLate();
  keepCompiled();
  const { main } = await import("../dist/cli/main.js");
  const exitCode = await main(words);
  // What was printed goes out first; then the process ends, whatever timers and connections a handler has left open.
  for (const stream of [process.stdout, process.stderr]) await new Promise((done) => stream.write("", done));
  // The terminal sets the code 2 where the output could not be written.
  verdict = process.exitCode === 2 ? 2 : exitCode;
  process.exit();
}

/**
 * Makes V8 optimize functions 15 times later: most runs end before that pays. Saves 30 to 40 % of a check of 200 tools.
 */
function optimizeLate() {
  const major = Number.parseInt(process.versions.node, 10);
  if (major === 20) setFlagsFromString("--interrupt-budget=1000000");
  else if (major <= 24) setFlagsFromString("--invocation-count-for-turbofan=45000");
}

/** Keeps compiled code (Node 22 and later) in the user's own cache folder, since others can write to the shared one. */
function keepCompiled() {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME, USERPROFILE } = process.env;
  const home = HOME ?? USERPROFILE;
  const folder = [XDG_CACHE_HOME, LOCALAPPDATA, home && join(home, ".cache")].find((path) => path && isAbsolute(path));
  if (folder !== undefined) module.enableCompileCache?.(join(folder, "hasp", "compiled"));
}
