import { posix } from "node:path";
import type { JsonValue } from "@hasp/schema";
import type { Diagnostic, Location } from "@hasp/base/diagnostics";
import { appendToPointer, dropUndefined, escapeToken, isList, toList, toObject } from "@hasp/base/json";
import { configDiagnostics } from "./diagnostics.js";
import type { HaspConfig } from "./config.js";
import type { PlacedSetting } from "./findings.js";
import type { CustomRule, NamedPlugin } from "@hasp/compiler/model";

export interface ConfigFile {
  readonly uri: string;
  readonly value: JsonValue;
  readonly digest: string;
  /** The rules that a file of an earlier version declares itself. */
  readonly rules?: JsonValue | undefined;
  locate(pointer: string, part?: "key" | "value"): Location;
}

/** The keys that a preset may set. Suppressions and pinned schemas belong where a reviewer of the project sees them. */
const PRESET_KEYS: ReadonlySet<string> = new Set(["extends", "findings", "plugins", "budgets", "dialects", "$schema"]);

/** True for a plugin that is a file of rules, which is data. */
export function isRuleFile(plugin: string): boolean {
  return /\.(?:ya?ml|json)$/u.test(plugin);
}

/** Lists the files that a configuration names under a key. The format's check reports entries that are not names. */
export function listNamedFiles(
  { value, locate }: ConfigFile,
  key: "extends" | "plugins",
): readonly { readonly name: string; readonly location: Location }[] {
  const named = toObject(value)[key];
  if (typeof named === "string") return [{ name: named, location: locate(`/${key}`) }];
  return toList(named).flatMap((name, index) =>
    typeof name === "string" ? [{ name, location: locate(`/${key}/${index}`) }] : [],
  );
}

export function findForbiddenInPreset({ uri, value, locate }: ConfigFile): readonly Diagnostic[] {
  const { findings = [], plugins = [], ...others } = toObject(value) as HaspConfig;
  const forbid = (pointer: string, key: string) =>
    configDiagnostics("not-in-preset", locate(pointer, "key"), { key, uri, allowed: [...PRESET_KEYS] });
  return [
    ...Object.keys(others).flatMap((key) => (PRESET_KEYS.has(key) ? [] : forbid(`/${escapeToken(key)}`, key))),
    ...findings.flatMap((entry, index) =>
      entry.in === undefined ? [] : forbid(`/findings/${index}`, "an entry with `in`"),
    ),
    ...plugins.flatMap((name, index) =>
      isRuleFile(name) || !isInstalled(uri)
        ? []
        : forbid(`/plugins/${index}`, "a plugin with code from outside the project"),
    ),
  ];
}

/** True for a preset that no reviewer of the project sees. */
function isInstalled(uri: string): boolean {
  return uri.startsWith("../") || /(?:^|\/)node_modules\//u.test(uri);
}

/** Lists the plugins with code that files name, each once, relative to the project. */
function listPlugins(files: readonly ConfigFile[]): readonly NamedPlugin[] {
  const named = files.flatMap((file) =>
    listNamedFiles(file, "plugins")
      .filter(({ name }) => !isRuleFile(name))
      .map(({ name, location }): [string, NamedPlugin] => {
        const module = name.startsWith(".") ? `./${posix.join(posix.dirname(file.uri), name)}` : name;
        return [module, { module, location }];
      }),
  );
  return [...new Map(named).values()];
}

interface MergedConfig {
  readonly config: HaspConfig;
  readonly customRules: { readonly [id: string]: CustomRule };
  readonly findings: readonly PlacedSetting[];
  readonly plugins: readonly NamedPlugin[];
  readonly locate: ConfigFile["locate"];
  /** Locates a custom rule, or a part of it. */
  readonly locateRule: ConfigFile["locate"];
}

/** Merges a configuration with its presets: their findings, rules, plugins and budgets; the last file with dialects decides. */
export function mergeConfigs(
  presets: readonly ConfigFile[],
  own: ConfigFile,
  ruleFiles: readonly ConfigFile[],
): MergedConfig {
  const files = [...presets, own];
  const configs = files.map(({ value }) => value as HaspConfig);
  const dialects = configs.findLast((each) => each.dialects !== undefined)?.dialects;
  const locateIn =
    (places: readonly ConfigFile[]): ConfigFile["locate"] =>
    (pointer, part) =>
      (places.findLast((file) => file.locate(pointer).pointer === pointer) ?? own).locate(pointer, part);
  return {
    config: {
      ...(own.value as HaspConfig),
      ...dropUndefined({ dialects }),
      budgets: Object.fromEntries(configs.flatMap(({ budgets }) => Object.entries(budgets ?? {}))),
    },
    customRules: Object.assign(
      {},
      ...files.map(({ rules }) => rules),
      ...ruleFiles.map(({ value }) => toObject(value)["rules"]),
    ) as { readonly [id: string]: CustomRule },
    findings: files.flatMap(({ locate }, place) =>
      (configs[place]?.findings ?? []).map((entry, index) => ({
        entry,
        locate: (key) => locate(`/findings/${index}${key === undefined ? "" : `/${key}`}`),
      })),
    ),
    plugins: listPlugins(files),
    locate: locateIn(files),
    locateRule: locateIn(ruleFiles),
  };
}

/** Lists JSON Pointers of the settings that later findings may be about, each with the part that says it. */
export function listSettings(config: HaspConfig): readonly (readonly [pointer: string, part: "key" | "value"])[] {
  const { dialects, clients, specs = [], toolsets, connections } = config;
  const whole = [
    "outDir",
    "handlers",
    "dialects",
    "findings",
    "flow",
    "budgets",
    "diff",
    "approvals",
    "callStore",
    "serve",
  ] as const;
  const keys = (holder: string, object: object | undefined): readonly (readonly [string, "key"])[] =>
    Object.keys(object ?? {}).map((key) => [appendToPointer(holder, key), "key"]);
  const items = (holder: string, list: readonly unknown[] = []): readonly (readonly [string, "value"])[] =>
    list.map((_item, index) => [`${holder}/${index}`, "value"]);
  return [
    ...whole.filter((key) => Object.keys(Object(config[key])).length > 0).map((key) => [`/${key}`, "value"] as const),
    ...(isList(dialects) ? items("/dialects", dialects) : keys("/dialects", dialects)),
    ...items("/clients", clients),
    ...items("/specs", specs),
    ...keys("/toolsets", toolsets),
    ...keys("/connections", connections),
    ...Object.entries(toolsets ?? {}).flatMap(([name, { include, exclude, policy, flow }]) => {
      const pointer = `/toolsets/${escapeToken(name)}`;
      return [
        ...items(`${pointer}/include`, include),
        ...items(`${pointer}/exclude`, exclude),
        ...(policy === undefined ? [] : [[`${pointer}/policy`, "value"] as const]),
        ...(flow === undefined ? [] : [[`${pointer}/flow`, "value"] as const]),
      ];
    }),
  ];
}
