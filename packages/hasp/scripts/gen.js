// `pnpm gen`: writes what is made from our own sources. `--check` writes nothing and fails where a file differs;
// `--built` takes it that the packages have been built.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { indexes } from "./gen/indexes.js";
import { root } from "./gen/root.js";

const isCheck = process.argv.includes("--check");
const stale = [];

// The indexes first: the pages are printed from what is built with them.
settle(indexes());
if (process.argv.includes("--built") || builds()) {
  const { pages } = await import("./gen/pages.js");
  settle(await pages());
} else {
  process.stderr.write("The build failed, so no page was printed.\n");
  process.exitCode = 2;
}
for (const path of stale) process.stdout.write(`${isCheck ? "stale" : "written"}: ${path}\n`);
if (isCheck && stale.length > 0) {
  process.stdout.write("Run `pnpm gen` and commit what it writes.\n");
  process.exitCode = 1;
}

function builds() {
  const { status, error } = spawnSync("pnpm", ["run", "--silent", "build"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error?.code === "ENOENT") {
    process.stderr.write("pnpm is not on the PATH: run this as `npx --yes pnpm@12.21.0 gen`.\n");
  }
  return status === 0;
}

/** Writes the files that differ, or only notes them. */
function settle(files) {
  for (const [path, text] of files) {
    if (textOf(path) === text) continue;
    stale.push(path);
    if (isCheck) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function textOf(path) {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
