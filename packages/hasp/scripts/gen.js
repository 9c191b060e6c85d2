// `pnpm gen` writes the files derived from our own sources. `--check` only compares; `--built` skips the build.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { indexes } from "./gen/indexes.js";
import { root } from "./gen/workspace.js";

const isCheck = process.argv.includes("--check");
const stale = [];

// Indexes come first: the pages are printed from the build that contains them.
update(indexes());
if (process.argv.includes("--built") || builds()) {
  const { pages } = await import("./gen/pages.js");
  update(await pages());
} else {
  process.stderr.write("The build failed, so no page was printed.\n");
  process.exitCode = 2;
}
for (const path of stale) process.stdout.write(`${isCheck ? "stale" : "written"}: ${path}\n`);
if (isCheck && stale.length > 0) {
  process.stdout.write("Run `pnpm gen` and commit what it writes.\n");
  process.exitCode = 1;
}

/** Builds the packages by the repository's own script; needs neither pnpm nor a global TypeScript. */
function builds() {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const path = [join(root, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter);
  const { status } = spawnSync(scripts.compile, {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: "inherit",
    shell: true,
  });
  return status === 0;
}

function update(files) {
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
