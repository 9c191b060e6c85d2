#!/usr/bin/env node
// `hasp --version` must answer at once, so this file loads nothing before it knows that there is work to do.
import { readFileSync } from "node:fs";

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${manifest.version}\n`);
} else {
  const { main } = await import("../dist/cli/main.js");
  process.exitCode = await main(words);
}
