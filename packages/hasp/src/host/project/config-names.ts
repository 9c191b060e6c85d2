// By itself: every command looks for a configuration at its start, and few have to parse one.
import { existsSync } from "node:fs";
import { join } from "node:path";

/** What a configuration is called, where nobody names another file. */
export const CONFIG_NAMES = [
  "hasp.config.yaml",
  "hasp.config.yml",
  "hasp.config.json",
  "hasp.config.mjs",
  "hasp.config.ts",
] as const;

/** The configurations that stand in a folder; there should be one at most. */
export function configsIn(folder: string): readonly string[] {
  return CONFIG_NAMES.filter((name) => existsSync(join(folder, name)));
}
