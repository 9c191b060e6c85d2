import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { configDiagnostics } from "../../../compiler/src/config/diagnostics.js";
import type { ConfigFile } from "../../../compiler/src/config/presets.js";
import type { Diagnostic, Found } from "../../../compiler/src/diagnostics/diagnostic.js";
import { createLocator } from "../../../compiler/src/phases/1-load/locator.js";
import type { CompilerHost } from "./compiler-host.js";
import { CONFIG_NAMES, MISTAKEN_NAMES } from "./config-names.js";
import { configFrom } from "./read-config-file.js";
import { readPresets } from "./read-presets.js";

/** The project's own configuration file, if there is one, and the presets that it extends. */
export interface ReadConfig {
  readonly own: ConfigFile | undefined;
  /** The farthest first: later ones take precedence. */
  readonly presets: readonly ConfigFile[];
}

/** Reads the configuration of a project: the named one, else the one in its root, else an empty one. */
export async function readConfig(
  root: string,
  files: CompilerHost,
  named: string | undefined,
): Promise<Found<ReadConfig | undefined>> {
  const present = (await files.ask("present", named === undefined ? CONFIG_NAMES : [named])).map(({ path }) => path);
  if (named !== undefined && present.length === 0) {
    return refused(configDiagnostics("not-found", undefined, { path: named }));
  }
  const [, second] = present;
  if (second !== undefined) {
    return refused(
      configDiagnostics("two-configurations", createLocator(second, "")({ start: 0, end: 0 }, ""), { names: present }),
    );
  }
  const [uri] = present;
  if (uri === undefined) {
    const [mistaken] = await files.ask("present", MISTAKEN_NAMES);
    if (mistaken !== undefined) {
      return refused(configDiagnostics("misnamed", undefined, { path: mistaken.path, names: CONFIG_NAMES }));
    }
    return { value: { own: undefined, presets: [] }, diagnostics: [] };
  }
  const source = await files.ask("text", { uri, role: "config" });
  if (source === undefined) return refused(configDiagnostics("not-found", undefined, { path: uri }));
  const { value: own, diagnostics } = await configFrom(source, pathToFileURL(join(root, uri)).href);
  if (own === undefined) return { value: undefined, diagnostics };
  const presets = await readPresets(root, own);
  return presets.value === undefined
    ? { value: undefined, diagnostics: presets.diagnostics }
    : { value: { own, presets: presets.value }, diagnostics: [] };
}

function refused(diagnostic: Diagnostic): Found<undefined> {
  return { value: undefined, diagnostics: [diagnostic] };
}
