import { escapeToken } from "../model/json-pointer.js";
import type { HaspConfig } from "./config.js";
import type { ConfigFile } from "./presets.js";

/** A configuration with what its presets say. */
interface MergedConfig {
  readonly config: HaspConfig;
  /** The place of a setting in the file that decides it. */
  readonly locate: ConfigFile["locate"];
}

/**
 * Puts a project's own configuration over its presets, the farthest first; every file has been checked. Severities and
 * budgets are merged key by key; dialects, a choice that is made as a whole, are those of the last file that names any.
 */
export function mergeConfigs(presets: readonly ConfigFile[], own: ConfigFile): MergedConfig {
  const files = [...presets, own];
  const configs = files.map(({ value }) => value as HaspConfig);
  const dialects = configs.findLast((each) => each.dialects !== undefined)?.dialects;
  return {
    config: {
      ...(own.value as HaspConfig),
      ...(dialects === undefined ? {} : { dialects }),
      budgets: Object.fromEntries(configs.flatMap(({ budgets }) => Object.entries(budgets ?? {}))),
      rules: Object.fromEntries(configs.flatMap(({ rules }) => Object.entries(rules ?? {}))),
      customRules: Object.fromEntries(configs.flatMap(({ customRules }) => Object.entries(customRules ?? {}))),
    },
    locate: (pointer, part) =>
      (files.findLast((file) => file.locate(pointer).pointer === pointer) ?? own).locate(pointer, part),
  };
}

/** JSON Pointers of the settings that a finding of a later phase may be about, each with the part that says it. */
export function settingsOf({
  rules,
  customRules,
  overrides = [],
  ignore = [],
  exclude: excluded = [],
  specs = [],
  toolsets,
  connections,
}: HaspConfig): readonly (readonly [pointer: string, part: "key" | "value"])[] {
  const keys = (holder: string, object: object | undefined): readonly (readonly [string, "key"])[] =>
    Object.keys(object ?? {}).map((key) => [`${holder}/${escapeToken(key)}`, "key"]);
  const items = (holder: string, list: readonly unknown[] = []): readonly (readonly [string, "value"])[] =>
    list.map((_item, index) => [`${holder}/${index}`, "value"]);
  return [
    ...keys("/rules", rules),
    ...keys("/customRules", customRules),
    ...overrides.flatMap((override, index) => [
      [`/overrides/${index}/path`, "value"] as const,
      ...keys(`/overrides/${index}/rules`, override.rules),
    ]),
    ...items("/ignore", ignore),
    ...items("/exclude", excluded),
    ...items("/specs", specs),
    ...keys("/toolsets", toolsets),
    ...keys("/connections", connections),
    ...Object.entries(toolsets ?? {}).flatMap(([name, { include, exclude, policy }]) => {
      const pointer = `/toolsets/${escapeToken(name)}`;
      return [
        ...items(`${pointer}/include`, include),
        ...items(`${pointer}/exclude`, exclude),
        ...(policy === undefined ? [] : [[`${pointer}/policy`, "value"] as const]),
      ];
    }),
  ];
}
