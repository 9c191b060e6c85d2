import type { JsonValue } from "@hasp/schema";
import type { Diagnostic, Location } from "@hasp/base/diagnostics";
import { appendToPointer, dropUndefined, escapeToken, isList, isObject } from "@hasp/base/json";
import { configDiagnostics } from "./diagnostics.js";
import type { HaspConfig } from "./config.js";

export interface ConfigFile {
  readonly uri: string;
  readonly value: JsonValue;
  readonly digest: string;
  locate(pointer: string, part?: "key" | "value"): Location;
}

/** The keys that a preset may set. Suppressions and pinned schemas belong where a reviewer of the project sees them. */
const PRESET_KEYS: ReadonlySet<string> = new Set(["$schema", "extends", "rules", "customRules", "budgets", "dialects"]);

/** Lists the presets that a configuration names. The format's check reports entries that are not names. */
export function listPresets(file: ConfigFile): readonly { readonly name: string; readonly location: Location }[] {
  const named = isObject(file.value) && Object.hasOwn(file.value, "extends") ? file.value["extends"] : undefined;
  if (typeof named === "string") return [{ name: named, location: file.locate("/extends") }];
  if (!Array.isArray(named)) return [];
  return named.flatMap((name, index) =>
    typeof name === "string" ? [{ name, location: file.locate(`/extends/${index}`) }] : [],
  );
}

export function findForbiddenInPreset({ uri, value, locate }: ConfigFile): readonly Diagnostic[] {
  if (!isObject(value)) return [];
  return Object.keys(value)
    .filter((key) => !PRESET_KEYS.has(key))
    .map((key) =>
      configDiagnostics("not-in-preset", locate(`/${escapeToken(key)}`, "key"), {
        key,
        uri,
        allowed: [...PRESET_KEYS].slice(1),
      }),
    );
}

interface MergedConfig {
  readonly config: HaspConfig;
  readonly locate: ConfigFile["locate"];
}

/** Merges a configuration with its presets. Rules and budgets merge key by key; the last file with dialects decides. */
export function mergeConfigs(presets: readonly ConfigFile[], own: ConfigFile): MergedConfig {
  const files = [...presets, own];
  const configs = files.map(({ value }) => value as HaspConfig);
  const dialects = configs.findLast((each) => each.dialects !== undefined)?.dialects;
  return {
    config: {
      ...(own.value as HaspConfig),
      ...dropUndefined({ dialects }),
      budgets: Object.fromEntries(configs.flatMap(({ budgets }) => Object.entries(budgets ?? {}))),
      rules: Object.fromEntries(configs.flatMap(({ rules }) => Object.entries(rules ?? {}))),
      customRules: Object.fromEntries(configs.flatMap(({ customRules }) => Object.entries(customRules ?? {}))),
    },
    locate: (pointer, part) =>
      (files.findLast((file) => file.locate(pointer).pointer === pointer) ?? own).locate(pointer, part),
  };
}

/** Lists JSON Pointers of the settings that later findings may be about, each with the part that says it. */
export function listSettings(config: HaspConfig): readonly (readonly [pointer: string, part: "key" | "value"])[] {
  const {
    rules,
    customRules,
    overrides = [],
    ignore = [],
    exclude: excluded = [],
    dialects,
    specs = [],
    toolsets,
    connections,
  } = config;
  const whole = ["outDir", "handlers", "dialects", "flow", "budgets", "diff", "callStore"] as const;
  const keys = (holder: string, object: object | undefined): readonly (readonly [string, "key"])[] =>
    Object.keys(object ?? {}).map((key) => [appendToPointer(holder, key), "key"]);
  const items = (holder: string, list: readonly unknown[] = []): readonly (readonly [string, "value"])[] =>
    list.map((_item, index) => [`${holder}/${index}`, "value"]);
  return [
    ...whole
      .filter((key) => Object.keys(Object(config[key] ?? {})).length > 0)
      .map((key) => [`/${key}`, "value"] as const),
    ...keys("/rules", rules),
    ...keys("/customRules", customRules),
    ...overrides.flatMap((override, index) => [
      [`/overrides/${index}/path`, "value"] as const,
      ...keys(`/overrides/${index}/rules`, override.rules),
    ]),
    ...items("/ignore", ignore),
    ...items("/exclude", excluded),
    ...(isList(dialects) ? items("/dialects", dialects) : keys("/dialects", dialects)),
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
