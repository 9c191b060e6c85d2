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

/** Names by which somebody may have meant a configuration. `hasp.json` is none of them: reports are called so. */
export const MISTAKEN_NAMES: readonly string[] = [
  ...["hasp", ".hasp", "hasp-config", "hasp_config", "hasp.conf", ".hasprc"].flatMap((name) => [
    `${name}.yaml`,
    `${name}.yml`,
  ]),
  ...["js", "cjs", "mts", "cts", "jsonc", "json5", "toml"].map((ending) => `hasp.config.${ending}`),
  ...["hasp-config", "hasp.conf", ".hasprc"].map((name) => `${name}.json`),
  ".hasprc",
];

/** The configurations that are in a folder; there should be one at most. */
export function configsIn(folder: string): readonly string[] {
  return CONFIG_NAMES.filter((name) => existsSync(join(folder, name)));
}

/** Whether a folder is the root of a project, as far as its files say: also by a configuration under a wrong name. */
export function isProjectRoot(folder: string): boolean {
  return [...CONFIG_NAMES, ...MISTAKEN_NAMES].some((name) => existsSync(join(folder, name)));
}
