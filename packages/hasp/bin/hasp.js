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
  // A configuration or a handler is a program: whatever it does to this process, nobody may read "all is well" out of
  // it.
  let verdict;
  process.once("exit", (code) => {
    if (verdict === undefined) {
      writeSync(
        2,
        "hasp was ended before it had finished, perhaps by a configuration or handler that calls process.exit.\n",
      );
    }
    process.exitCode = verdict === undefined ? 2 : code === 0 ? verdict : code;
  });
  optimizeLater();
  keepCompiled();
  const { main } = await import("../dist/cli/main.js");
  verdict = await main(words);
  // What was printed goes out first; then the process ends, whatever timers and connections a handler has left open.
  for (const stream of [process.stdout, process.stderr]) await new Promise((done) => stream.write("", done));
  process.exit(verdict);
}

/**
 * Node 22 and later keep what they have compiled: in the user's own cache folder, since others can write to the one for
 * all.
 */
function keepCompiled() {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME, USERPROFILE } = process.env;
  const home = HOME ?? USERPROFILE;
  const folder = [XDG_CACHE_HOME, LOCALAPPDATA, home && join(home, ".cache")].find((path) => path && isAbsolute(path));
  if (folder !== undefined) module.enableCompileCache?.(join(folder, "hasp", "compiled"));
}

/**
 * A run is over in seconds, and V8 would spend a seventh of them on optimizing what is about to end: it waits about six
 * times as long before it does. What goes on for longer gets there all the same. Only where the option is known to
 * exist: V8 complains of others.
 */
function optimizeLater() {
  if (Number.parseInt(process.versions.node, 10) <= 24) setFlagsFromString("--interrupt-budget=400000");
}
