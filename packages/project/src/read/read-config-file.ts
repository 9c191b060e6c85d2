import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { configDiagnostics } from "../../../compiler/src/config/diagnostics.js";
import type { ConfigFile } from "../../../compiler/src/config/presets.js";
import { spansInProgram } from "../../../compiler/src/config/program-spans.js";
import type { Diagnostic, Found } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { SourceText } from "../../../compiler/src/model/document.js";
import { digestText } from "../../../compiler/src/builtin/emitters/base/module-text.js";
import { conflictDiagnostic, createLocator } from "../../../compiler/src/phases/1-load/source-text.js";
import { parseSource } from "../../../compiler/src/phases/1-load/index.js";
import { runConfig, type LineAndColumn } from "../modules/run-config.js";
import { createProjectReader } from "../fs/read-inside.js";

/**
 * Reads one file of a configuration: data is parsed, a program is run. `path` is relative to `folder`, outside of which
 * nothing is read; findings call it `uri`.
 */
export async function readConfigFile(
  folder: string,
  path: string,
  uri: string,
): Promise<Found<ConfigFile | undefined>> {
  const source = createProjectReader(folder).read(path, "config");
  if (source === undefined) return refused(configDiagnostics("not-found", undefined, { path: uri }));
  return configFrom({ ...source, uri }, pathToFileURL(join(folder, path)).href);
}

/** Reads the configuration in a text; a program is run from its own place, `url`. */
export async function configFrom(source: SourceText, url: string): Promise<Found<ConfigFile | undefined>> {
  const { uri, text, unreadable } = source;
  if (unreadable === undefined && /\.[cm]?[jt]s$/u.test(url)) return configFromProgram(url, uri, text);
  const { value: document, diagnostics } = parseSource(source);
  if (document === undefined) return { value: undefined, diagnostics };
  // An empty file configures nothing.
  return {
    value: { uri, value: document.value ?? {}, digest: digestText(text), locate: document.locate },
    diagnostics,
  };
}

async function configFromProgram(url: string, uri: string, text: string): Promise<Found<ConfigFile | undefined>> {
  const toLocation = createLocator(uri, text);
  const result = await runConfig(url);
  if ("reason" in result) {
    const start = result.place === undefined ? 0 : offsetOf(result.place, text);
    const location = toLocation({ start, end: start }, "");
    const conflict = conflictDiagnostic(uri, text);
    if (conflict !== undefined) return refused(conflict);
    return refused(configDiagnostics("cannot-load", location, { uri, reason: result.reason }));
  }
  const places = spansInProgram(text);
  const locate: ConfigFile["locate"] = (pointer, part = "value") => {
    const found = places.find(pointer);
    return toLocation(part === "key" && found.key !== undefined ? found.key : found.value, found.pointer);
  };
  if ("value" in result) {
    return { value: { uri, value: result.value, digest: digestText(text), locate }, diagnostics: [] };
  }
  return {
    value: undefined,
    diagnostics: result.problems.map(({ pointer, what }) =>
      configDiagnostics("not-data", locate(pointer), { variant: pointer === "" ? "export" : "member", pointer, what }),
    ),
  };
}

function offsetOf({ line, column }: LineAndColumn, text: string): number {
  const before = text.split("\n").slice(0, line - 1);
  return Math.min(before.reduce((length, each) => length + each.length + 1, 0) + column - 1, text.length);
}

function refused(diagnostic: Diagnostic): Found<undefined> {
  return { value: undefined, diagnostics: [diagnostic] };
}
