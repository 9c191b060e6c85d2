import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { transform } from "esbuild";
import { growth, measureProcess, median, printTable } from "./measure.js";
import { makeProject } from "./project.js";

const hasp = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");
const peer = resolve(import.meta.dirname, "types-by-peer.mjs");
const ownModules = resolve(import.meta.dirname, "../../tools-spec/src/generated/tools");

/**
 * Generated code: how much of it a program loads, what it costs to make beside a peer that makes types alone, and how
 * that grows.
 */
export default async function run() {
  const project = makeProject(1000);
  const types = (...flags) =>
    measureProcess([peer, project.folder, ...flags], {
      cwd: project.folder,
      runs: 3,
      before: () => rmSync(join(project.folder, "types"), { recursive: true, force: true }),
    });

  const [formatted, plain, ours] = [types(), types("--unformatted"), build(project, 3)];
  const row = (name, { milliseconds, megabytes }) => [
    name,
    milliseconds.toFixed(0),
    megabytes.toFixed(0),
    (milliseconds / ours.milliseconds).toFixed(2),
  ];
  printTable(
    "1000 generated YAML tools, from nothing to files",
    ["", "ms", "MB", "x hasp"],
    [
      row("hasp build: types, five dialects, all else", ours),
      row("json-schema-to-typescript: types alone", formatted),
      row("  the same without its formatter", plain),
    ],
  );

  const sizes = [
    ["tools-spec, six dialects", ownModules],
    ["1000 generated tools, five dialects", join(project.folder, "generated/tools")],
  ];
  printTable(
    "a generated module as a program loads it (types gone), gzipped",
    ["", "median bytes", "largest"],
    await Promise.all(sizes.map(async ([name, modules]) => [name, ...(await moduleSizes(modules))])),
  );

  const grown = build(makeProject(5000), 1);
  const exponent = growth({ size: 1000, value: ours.milliseconds }, { size: 5000, value: grown.milliseconds });
  printTable(
    "growth of a cold build",
    ["", "ms", "MB"],
    [
      ["1000 tools", ours],
      ["5000 tools", grown],
    ].map(([name, figure]) => row(name, figure).slice(0, 3)),
  );
  process.stdout.write(`n^${exponent.toFixed(2)}\n`);
}

/** A build from nothing: without the cache, the output and the handlers of the run before. */
function build({ folder, env, clean }, runs) {
  return measureProcess([hasp, "build", "--unlocked", "--quiet"], { cwd: folder, env, runs, before: clean });
}

/** The middle and the greatest of the gzipped sizes of a folder's modules, as JavaScript. */
async function moduleSizes(folder) {
  const sizes = await Promise.all(
    readdirSync(folder).map(async (name) => {
      const { code } = await transform(readFileSync(join(folder, name), "utf8"), { loader: "ts" });
      return gzipSync(code).length;
    }),
  );
  return [median(sizes), Math.max(...sizes)];
}
