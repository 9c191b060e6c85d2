import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { transform } from "esbuild";
import { growth, measureProcess, median, printTable } from "./measure.js";
import { makeToolset } from "./toolset.js";

const hasp = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");
const peer = resolve(import.meta.dirname, "types-by-peer.mjs");
const ownModules = resolve(import.meta.dirname, "../../tools-spec/src/generated/tools");

/**
 * Generated code: how much of it a program loads, what it costs to make beside a peer that makes types alone, and how
 * that grows.
 */
export default async function run() {
  const folder = makeToolset(1000);
  const made = ["generated", "handlers", "node_modules", "types"];
  const clean = (project) => () =>
    made.forEach((name) => rmSync(join(project, name), { recursive: true, force: true }));
  const build = (project, runs) =>
    measureProcess([hasp, "build", "--unlocked", "--quiet"], {
      cwd: project,
      runs,
      before: clean(project),
      allowed: [0],
    });
  const types = (...flags) => measureProcess([peer, folder, ...flags], { cwd: folder, runs: 3, before: clean(folder) });

  const [formatted, plain, ours] = [types(), types("--unformatted"), build(folder, 3)];
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
    ["1000 generated tools, five dialects", join(folder, "generated/tools")],
  ];
  printTable(
    "a generated module as a program loads it (types gone), gzipped",
    ["", "median bytes", "largest"],
    await Promise.all(sizes.map(async ([name, modules]) => [name, ...(await moduleSizes(modules))])),
  );

  const large = makeToolset(5000);
  const grown = build(large, 1);
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
