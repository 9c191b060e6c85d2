import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonValue } from "@hasp/schema";
import { configDiagnostics } from "../config/diagnostics.js";
import type { Diagnostic, Found, Location } from "../diagnostics/diagnostic.js";
import { parseSource } from "../phases/1-load/index.js";
import { importModule } from "./import-module.js";
import { createProjectReader } from "./read-inside.js";

/** A configuration as it was read. Of a program's configuration no places are known. */
export interface ReadConfig {
  readonly uri: string | undefined;
  readonly value: JsonValue;
  readonly locate: (pointer: string, part?: "key" | "value") => Location | undefined;
}

const NAMES = ["hasp.config.yaml", "hasp.config.yml", "hasp.config.json", "hasp.config.mjs", "hasp.config.ts"] as const;

/** Reads the configuration of a project: the named one, else the one that stands in its root, else an empty one. */
export async function readConfig(root: string, named: string | undefined): Promise<Found<ReadConfig | undefined>> {
  if (named !== undefined && !existsSync(join(root, named)))
    return refused(configDiagnostics("not-found", undefined, { path: named }));
  const present = named === undefined ? NAMES.filter((name) => existsSync(join(root, name))) : [named];
  if (present.length > 1) return refused(configDiagnostics("two-configurations", undefined, { names: present }));
  const [uri] = present;
  if (uri === undefined) return { value: { uri, value: {}, locate: () => undefined }, diagnostics: [] };
  return /\.[cm]?[jt]s$/u.test(uri) ? runConfig(root, uri) : parseConfig(root, uri);
}

function parseConfig(root: string, uri: string): Found<ReadConfig | undefined> {
  const source = createProjectReader(root).read(uri, "config");
  if (source === undefined) return refused(configDiagnostics("not-found", undefined, { path: uri }));
  const { value: document, diagnostics } = parseSource(source);
  if (document === undefined) return { value: undefined, diagnostics };
  // An empty file configures nothing.
  return { value: { uri, value: document.value ?? {}, locate: document.locate }, diagnostics };
}

async function runConfig(root: string, uri: string): Promise<Found<ReadConfig | undefined>> {
  const url = pathToFileURL(join(root, uri)).href;
  try {
    const { default: value } = (await importModule(url)) as { readonly default?: JsonValue };
    if (value === undefined)
      return refused(configDiagnostics("cannot-load", undefined, { uri, reason: "it has no default export" }));
    return { value: { uri, value, locate: () => undefined }, diagnostics: [] };
  } catch (error) {
    const [reason = "it throws"] = (error instanceof Error ? error.message : String(error)).split("\n");
    return refused(configDiagnostics("cannot-load", undefined, { uri, reason }));
  }
}

function refused(diagnostic: Diagnostic): Found<undefined> {
  return { value: undefined, diagnostics: [diagnostic] };
}
