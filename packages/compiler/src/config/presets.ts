import type { JsonValue } from "@hasp/schema";
import type { Diagnostic, Location } from "../diagnostics/diagnostic.js";
import { isObject } from "../model/json-kind.js";
import { escapeToken } from "../model/json-pointer.js";
import { configDiagnostics } from "./diagnostics.js";

/** One file of a configuration as it was read: the project's own, or a preset. */
export interface ConfigFile {
  /** Path relative to the project's root. */
  readonly uri: string;
  readonly value: JsonValue;
  /** The digest of its text, for the manifest. */
  readonly digest: string;
  /** The place of the value (or of its key) at a JSON Pointer, as exactly as the file shows it. */
  locate(pointer: string, part?: "key" | "value"): Location;
}

/**
 * The keys that a preset may set. Paths, toolsets and contexts belong to one project. Suppressions (`ignore`, `overrides`)
 * and trust in another party's schema (`remotes`) belong where a reviewer of the project sees them.
 */
const PRESET_KEYS: ReadonlySet<string> = new Set(["$schema", "extends", "rules", "customRules", "budgets", "dialects"]);

/**
 * The presets that a configuration names, in its order, each with its place. Of what is not a name the format's check
 * speaks.
 */
export function listPresets(file: ConfigFile): readonly { readonly name: string; readonly location: Location }[] {
  const named = isObject(file.value) && Object.hasOwn(file.value, "extends") ? file.value["extends"] : undefined;
  if (typeof named === "string") return [{ name: named, location: file.locate("/extends") }];
  if (!Array.isArray(named)) return [];
  return named.flatMap((name, index) =>
    typeof name === "string" ? [{ name, location: file.locate(`/extends/${index}`) }] : [],
  );
}

/** The keys of a preset that only a project's own configuration may have. */
export function forbiddenInPreset({ uri, value, locate }: ConfigFile): readonly Diagnostic[] {
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
