import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporary-folder.js";
import { makeToolset } from "./toolset.js";

/**
 * A generated toolset with a cache of its own (`env` leads there), and what to do before a run: `forget` the cache,
 * `clean` away all that a build makes, `edit` one spec.
 */
export function makeProject(count) {
  const folder = makeToolset(count);
  const cache = temporaryFolder("hasp-bench-cache-");
  const spec = join(
    folder,
    "specs",
    readdirSync(join(folder, "specs")).find((name) => name.endsWith(".tool.yaml")),
  );
  const text = readFileSync(spec, "utf8");
  let edits = 0;
  const forget = () => rmSync(cache, { recursive: true, force: true });
  return {
    folder,
    env: { XDG_CACHE_HOME: cache },
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
    edit: () => writeFileSync(spec, text.replace("description: ", `description: ${"So ".repeat(++edits)}`)),
  };
}
