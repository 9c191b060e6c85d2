import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporary-folder.js";
import { makeToolset } from "./toolset.js";

/** A project of generated tools. */
export function makeProject(count) {
  return projectIn(makeToolset(count));
}

/**
 * The project in a folder with a cache of its own (`env` leads there), and what to do before a run: `forget` the cache,
 * `clean` away all that a build makes, `edit` one spec.
 */
export function projectIn(folder) {
  const cache = temporaryFolder("hasp-bench-cache-");
  let edited;
  let edits = 0;
  const forget = () => rmSync(cache, { recursive: true, force: true });
  const env = { XDG_CACHE_HOME: cache };
  return {
    folder,
    env,
    where: { cwd: folder, env },
    forget,
    clean() {
      forget();
      // Aside, not away: where thousands of files were deleted a moment ago, ext4 takes several times as long to create
      // others.
      const aside = temporaryFolder("hasp-bench-aside-", join(folder, ".."));
      for (const made of ["generated", "handlers"]) {
        if (existsSync(join(folder, made))) renameSync(join(folder, made), join(aside, made));
      }
    },
    /** Saves one spec with another description, so that every list changes. */
    edit() {
      edited ??= firstSpec(folder);
      writeFileSync(edited.path, edited.text.replace(described, `description: ${"So ".repeat(++edits)}$1`));
    },
  };
}

/** A description that begins on its own line, to which words can be added. */
const described = /^description: (["A-Z])/mu;

/** The first spec with such a description. */
function firstSpec(folder) {
  for (const name of readdirSync(join(folder, "specs"))) {
    if (!name.endsWith(".tool.yaml")) continue;
    const path = join(folder, "specs", name);
    const text = readFileSync(path, "utf8");
    if (described.test(text)) return { path, text };
  }
  throw new Error(`No spec in ${folder} has a description on one line.`);
}
