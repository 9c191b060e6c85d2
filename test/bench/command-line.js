import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { growth, measureProcess, printTable } from "./measure.js";
import { makeToolset } from "./toolset.js";

const hasp = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");

/** Starting, checking and building from the command line, each in a fresh process. */
export default function run() {
  const bare = measureProcess(["-e", ""], { runs: 9 });
  const version = measureProcess([hasp, "--version"], { runs: 9 });
  printTable("start", ["", "ms", "MB", "x bare node"], [
    ["node -e ''", bare.milliseconds.toFixed(0), bare.megabytes.toFixed(0), "1.00"],
    ["hasp --version", version.milliseconds.toFixed(0), version.megabytes.toFixed(0), (version.milliseconds / bare.milliseconds).toFixed(2)],
  ]);

  const rows = [];
  const colds = [];
  for (const count of [100, 1000]) {
    const folder = makeToolset(count);
    const forget = () => rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    const clean = () => {
      forget();
      rmSync(join(folder, "generated"), { recursive: true, force: true });
      rmSync(join(folder, "handlers"), { recursive: true, force: true });
    };
    // Nothing is approved in a generated toolset, and its style is not what is measured: findings are allowed, failing to check is not.
    const check = measureProcess([hasp, "check", "--unlocked", "--quiet"], { cwd: folder, runs: 5, before: forget, allowed: [0, 1] });
    const cold = measureProcess([hasp, "build", "--unlocked", "--quiet"], { cwd: folder, runs: 5, before: clean, allowed: [0] });
    const warm = measureProcess([hasp, "build", "--unlocked", "--quiet"], { cwd: folder, runs: 5, allowed: [0] });
    colds.push({ size: count, value: cold.milliseconds });
    for (const [name, figure] of [["check, cold", check], ["build, cold", cold], ["build, nothing changed", warm]]) {
      rows.push([`${count} tools: ${name}`, figure.milliseconds.toFixed(0), figure.megabytes.toFixed(0), (figure.milliseconds / bare.milliseconds).toFixed(1)]);
    }
  }
  printTable("command line, generated YAML tools, five dialects", ["", "ms", "MB", "x bare node"], rows);
  process.stdout.write(`growth of a cold build from 100 to 1000 tools: n^${growth(...colds).toFixed(2)}\n`);
}
