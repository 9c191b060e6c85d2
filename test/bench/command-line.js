import { resolve } from "node:path";
import { growth, measureProcess, median, printTable } from "./measure.js";
import { savesInWatchMode } from "./watch-mode.js";
import { makeProject } from "./project.js";

const hasp = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");

/** Starting, checking and building from the command line, each in a fresh process; then saves under `--watch`. */
export default async function run() {
  const bare = measureProcess(["-e", ""], { runs: 9 });
  const version = measureProcess([hasp, "--version"], { runs: 9 });
  printTable(
    "start",
    ["", "ms", "MB", "x bare node"],
    [
      ["node -e ''", bare.milliseconds.toFixed(0), bare.megabytes.toFixed(0), "1.00"],
      [
        "hasp --version",
        version.milliseconds.toFixed(0),
        version.megabytes.toFixed(0),
        (version.milliseconds / bare.milliseconds).toFixed(2),
      ],
      ...Object.entries(smallProject()).map(([name, figure]) => [
        name,
        figure.milliseconds.toFixed(0),
        figure.megabytes.toFixed(0),
        (figure.milliseconds / bare.milliseconds).toFixed(2),
      ]),
    ],
  );

  const rows = [];
  const colds = [];
  for (const [count, runs] of [
    [100, 5],
    [1000, 5],
    [5000, 1],
  ]) {
    const project = makeProject(count);
    const figures = measureProject(project, runs);
    colds.push({ size: count, value: figures["build, cold"].milliseconds });
    for (const [name, figure] of Object.entries(figures)) {
      rows.push([
        `${count} tools: ${name}`,
        figure.milliseconds.toFixed(0),
        figure.megabytes.toFixed(0),
        (figure.milliseconds / bare.milliseconds).toFixed(1),
      ]);
    }
    if (count === 1000) {
      rows.push([
        "1000 tools: --watch, from save to files",
        median(await savesInWatchMode(hasp, project, 9)).toFixed(0),
        "",
        "",
      ]);
    }
  }
  printTable("command line, generated YAML tools, five dialects", ["", "ms", "MB", "x bare node"], rows);
  const [small, medium, large] = colds;
  process.stdout.write(
    `growth of a cold build: n^${growth(small, medium).toFixed(2)} from 100 to 1000 tools, n^${growth(medium, large).toFixed(2)} from 1000 to 5000\n`,
  );
}

/** A project so small that most of a command's cost is its start. */
function smallProject() {
  const { folder, env, forget } = makeProject(12);
  const measure = (words, before, allowed = [0, 1]) =>
    measureProcess([hasp, ...words, "--unlocked", "--quiet"], { cwd: folder, env, runs: 9, before, allowed });
  return {
    "12 tools: check, cold": measure(["check"], forget),
    "12 tools: check, nothing changed": measure(["check"]),
    "12 tools: build, nothing changed": measure(["build"]),
  };
}

function measureProject({ folder, env, forget, clean, edit }, runs) {
  // Nothing is approved in a generated toolset, and its style is not what is measured: findings are allowed, failing to
  // check is not.
  const measure = (command, before, allowed = [0]) =>
    measureProcess([hasp, command, "--unlocked", "--quiet"], { cwd: folder, env, runs, before, allowed });
  return {
    "check, cold": measure("check", forget, [0, 1]),
    "check, nothing changed": measure("check", undefined, [0, 1]),
    "build, cold": measure("build", clean),
    // The first build has made handlers, which are input of the next.
    "build, nothing changed": measure("build", undefined),
    "build, one spec changed": measure("build", edit),
  };
}
