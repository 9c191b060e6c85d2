import { attempt } from "@hasp/base/diagnostics";
import type { CompilePlan } from "@hasp/compiler";
import type { NamedPlugin } from "@hasp/compiler/model";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export const SPEC_FILE: RegExp = /\.tools?\.(?:ya?ml|json)$/u;

// This file stands alone because every command looks for a configuration, and few have to parse one.

export const CONFIG_NAMES = [
  "hasp.config.yaml",
  "hasp.config.yml",
  "hasp.config.json",
  "hasp.config.mjs",
  "hasp.config.ts",
] as const;

/** Misspelt names of a configuration. `hasp.json` is not one: reports have this name. */
export const MISTAKEN_NAMES: readonly string[] = [
  ...["hasp", ".hasp", "hasp-config", "hasp_config", "hasp.conf", ".hasprc"].flatMap((name) => [
    `${name}.yaml`,
    `${name}.yml`,
  ]),
  ...["js", "cjs", "mts", "cts", "jsonc", "json5", "toml"].map((ending) => `hasp.config.${ending}`),
  ...["hasp-config", "hasp.conf", ".hasprc"].map((name) => `${name}.json`),
  ".hasprc",
];

/** The places of CODEOWNERS in a repository. GitHub reads the first that exists, and no other. */
export const OWNER_FILES: readonly string[] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

/** Lists the configurations in a folder; there should be at most one. */
export function findConfigs(folder: string): readonly string[] {
  return CONFIG_NAMES.filter((name) => existsSync(join(folder, name)));
}

/** True if the files of a folder make it a project's root, even with a misspelt configuration. */
export function isProjectRoot(folder: string): boolean {
  return [...CONFIG_NAMES, ...MISTAKEN_NAMES].some((name) => existsSync(join(folder, name)));
}

/** The name of a configuration beside others, such as `hasp.apple.yaml`. */
export const SIDE_NAME: RegExp = /^hasp\.(?!(?:config|d|test|spec)\.)[^.]+\.(?:ya?ml|json|mjs|ts)$/u;

/** Lists the configurations of a folder: the default one first, then those with names of their own. */
export function findAllConfigs(folder: string): readonly string[] {
  const sides = namesIn(folder).filter(isSideName);
  return [...findConfigs(folder), ...sides.toSorted()];
}

/**
 * Lists those of some configurations, as paths from a folder, whose projects are gone. A project of its own name is one
 * file; another is the folder that has one of the usual names.
 */
export function listGone(folder: string, configs: readonly string[]): readonly string[] {
  return configs.filter((path) => {
    const home = dirname(join(folder, path));
    return isSideName(basename(path)) ? !existsSync(join(folder, path)) : findConfigs(home).length === 0;
  });
}

/** True for the name of a configuration. */
export function isConfigName(name: string): boolean {
  return CONFIG_NAMES.some((each) => each === name) || isSideName(name);
}

function isSideName(name: string): boolean {
  return SIDE_NAME.test(name) && !MISTAKEN_NAMES.includes(name);
}

function namesIn(folder: string): readonly string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

/** Lists the files of a project that configure it: its configuration, presets, rules and own plugins. */
export function listSettingFiles(
  { configDigests = {} }: Pick<CompilePlan, "configDigests">,
  plugins: readonly Pick<NamedPlugin, "module">[] = [],
): readonly string[] {
  return [
    ...Object.keys(configDigests),
    ...plugins.map(({ module }) => module).filter((module) => module.startsWith(".")),
  ];
}
