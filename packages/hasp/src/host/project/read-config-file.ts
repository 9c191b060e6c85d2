import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { configDiagnostics } from "../../config/diagnostics.js";
import { toPlainData } from "../../config/plain-data.js";
import type { ConfigFile } from "../../config/presets.js";
import { placesInProgram } from "../../config/program-places.js";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import { thrownText } from "../../diagnostics/thrown-text.js";
import type { SourceText } from "../../model/document.js";
import { digestOfText } from "../../emitters/digest.js";
import { createLocator } from "../../phases/1-load/locator.js";
import { parseSource } from "../../phases/1-load/index.js";
import { importModule, syntaxErrorOf } from "../modules/import-module.js";
import { createProjectReader } from "../fs/read-inside.js";

/**
 * Reads one file of a configuration: data is parsed, a program is run. `path` is relative to `folder`, outside of which
 * nothing is read; `uri` is what findings call it.
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

/** The configuration that a text holds; a program is run from its own place, `url`. */
export async function configFrom(source: SourceText, url: string): Promise<Found<ConfigFile | undefined>> {
  const { uri, text, unreadable } = source;
  if (unreadable === undefined && /\.[cm]?[jt]s$/u.test(url)) return runConfig(url, uri, text);
  const { value: document, diagnostics } = parseSource(source);
  if (document === undefined) return { value: undefined, diagnostics };
  // An empty file configures nothing.
  return {
    value: { uri, value: document.value ?? {}, digest: digestOfText(text), locate: document.locate },
    diagnostics,
  };
}

async function runConfig(url: string, uri: string, text: string): Promise<Found<ConfigFile | undefined>> {
  const toLocation = createLocator(uri, text);
  try {
    const { default: value } = (await importModule(url)) as { readonly default?: unknown };
    if (value === undefined) {
      return refused(
        configDiagnostics("cannot-load", toLocation({ start: 0, end: 0 }, ""), {
          uri,
          reason: "it has no default export",
        }),
      );
    }
    const places = placesInProgram(text);
    const locate: ConfigFile["locate"] = (pointer, part = "value") => {
      const found = places.find(pointer);
      return toLocation(part === "key" && found.key !== undefined ? found.key : found.value, found.pointer);
    };
    const data = toPlainData(value);
    if ("value" in data) {
      return { value: { uri, value: data.value, digest: digestOfText(text), locate }, diagnostics: [] };
    }
    return {
      value: undefined,
      diagnostics: data.problems.map(({ pointer, what }) =>
        configDiagnostics("not-data", locate(pointer), { pointer, what }),
      ),
    };
  } catch (error) {
    const [reason = "it throws"] = thrownText(error).split("\n");
    const isUnparsed =
      error instanceof Error && error.name === "SyntaxError" && offsetIn(error, uri, text) === undefined;
    const start = offsetIn(isUnparsed ? await syntaxErrorOf(url) : error, uri, text) ?? 0;
    return refused(configDiagnostics("cannot-load", toLocation({ start, end: start }, ""), { uri, reason }));
  }
}

/** The offset of the line and column of the configuration that an error or its stack names, if one does. */
function offsetIn(error: unknown, uri: string, text: string): number | undefined {
  const told = error instanceof Error ? `${error.stack ?? ""}\n${error.message}` : "";
  const name = basename(uri).replaceAll(/[^\w-]/gu, String.raw`\$&`);
  const [, line, column = "1"] = new RegExp(`${name}(?:\\?[^:]*)?:(\\d+)(?::(\\d+))?`).exec(told) ?? [];
  if (line === undefined) return undefined;
  const before = text.split("\n").slice(0, Number(line) - 1);
  return Math.min(before.reduce((length, each) => length + each.length + 1, 0) + Number(column) - 1, text.length);
}

function refused(diagnostic: Diagnostic): Found<undefined> {
  return { value: undefined, diagnostics: [diagnostic] };
}
