import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { digestText } from "@hasp/builtin";
import { configDiagnostics } from "../config/diagnostics.js";
import { type ConfigFile, isRuleFile, listNamedFiles } from "../config/presets.js";
import { findSpansInProgram } from "../config/program-spans.js";
import type { Diagnostic, Found, Location } from "@hasp/base/diagnostics";
import type { SourceText } from "@hasp/compiler";
import { parseSource, findConflictMarker, createLocator } from "@hasp/compiler/source";
import { entryAt } from "../fs/entries.js";
import { createProjectReader, isWithin } from "../fs/read-inside.js";
import { toSlashPath } from "../fs/slash-path.js";
import { type LineAndColumn, runConfig } from "../modules/run-config.js";
import type { CompilerHost, PlanOptions } from "./host-questions.js";
import { CONFIG_NAMES, findConfigs, MISTAKEN_NAMES } from "./file-names.js";

/**
 * Reads one file of a configuration: data is parsed, a program is run. `path` is relative to `folder`, outside of which
 * nothing is read; findings call it `uri`.
 */
async function readConfigFile(folder: string, path: string, uri: string): Promise<Found<ConfigFile | undefined>> {
  const source = createProjectReader(folder).read(path, "config");
  if (source === undefined) return refused(configDiagnostics("not-found", undefined, { path: uri }));
  return configFrom({ ...source, uri }, pathToFileURL(join(folder, path)).href);
}

/** Reads the configuration in a text; a program is run from its own place, `url`. */
async function configFrom(source: SourceText, url: string): Promise<Found<ConfigFile | undefined>> {
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
    const conflict = findConflictMarker(uri, text);
    if (conflict !== undefined) return refused(conflict);
    return refused(configDiagnostics("cannot-load", location, { uri, reason: result.reason }));
  }
  const places = findSpansInProgram(text);
  const locate: ConfigFile["locate"] = (pointer, part = "value") => {
    const found = places.find(pointer);
    return toLocation(part === "key" && found.key !== undefined ? found.key : found.value, found.pointer);
  };
  if ("value" in result) {
    // The value also depends on the modules that it imports.
    const digest = digestText(`${text}\n${JSON.stringify(result.value)}`);
    return { value: { uri, value: result.value, digest, locate }, diagnostics: [] };
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

/** The project's own configuration file, if there is one, and the presets that it extends. */
export interface ReadConfig {
  readonly own: ConfigFile | undefined;
  /** The farthest first: later ones take precedence. */
  readonly presets: readonly ConfigFile[];
  /** The files of rules that these name. */
  readonly ruleFiles: readonly ConfigFile[];
}

/** Reads the configuration of a project: the named one, else the one in its root, else an empty one. */
export async function readConfig(
  root: string,
  files: CompilerHost,
  { config: named, isEarlier = false }: Pick<PlanOptions, "config" | "isEarlier">,
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
    return { value: { own: undefined, presets: [], ruleFiles: [] }, diagnostics: [] };
  }
  const source = await files.ask("text", { uri, role: "config" });
  if (source === undefined) return refused(configDiagnostics("not-found", undefined, { path: uri }));
  const { value: read, diagnostics } = await configFrom(source, pathToFileURL(join(root, uri)).href);
  if (read === undefined) return { value: undefined, diagnostics };
  const own = isEarlier ? await toCurrentForm(read) : read;
  const others = await readOtherFiles(root, own, isEarlier);
  return others.value === undefined
    ? { value: undefined, diagnostics: others.diagnostics }
    : { value: { own, ...others.value }, diagnostics: [] };
}

/** Gives a configuration of an earlier version today's form. */
async function toCurrentForm(file: ConfigFile): Promise<ConfigFile> {
  const { modernizeValue } = await import("@hasp/compiler/edit");
  return { ...file, ...modernizeValue(file.value) };
}

function refused(diagnostic: Diagnostic): Found<undefined> {
  return { value: undefined, diagnostics: [diagnostic] };
}

/**
 * Reads every preset that a configuration extends, directly or through others, the farthest first, and the files of rules
 * that it or they name; `undefined` if one of them is unusable. Later names in `extends` take precedence over earlier
 * ones, even if others name them too.
 */
async function readOtherFiles(
  root: string,
  own: ConfigFile,
  isEarlier: boolean,
): Promise<Found<Pick<ReadConfig, "presets" | "ruleFiles"> | undefined>> {
  const project = realpathSync.native(root);
  const diagnostics: Diagnostic[] = [];
  const layers = new Map<string, readonly ConfigFile[]>();
  const ruleFiles: ConfigFile[] = [];

  const below = async (
    file: ConfigFile,
    { folder: home, path }: PresetFile,
    chain: readonly PresetFile[],
  ): Promise<readonly ConfigFile[]> => {
    const found: ConfigFile[] = [];
    const search = { project, home, from: join(home, path) };
    for (const { name, location } of listNamedFiles(file, "extends")) {
      const preset = findPreset({ ...search, name, location });
      if ("diagnostic" in preset) diagnostics.push(preset.diagnostic);
      else found.push(...(await read(preset, location, chain)));
    }
    for (const { name, location } of listNamedFiles(file, "plugins").filter((plugin) => isRuleFile(plugin.name))) {
      const place = findPreset({ ...search, name, location });
      if ("diagnostic" in place) diagnostics.push(place.diagnostic);
      else {
        const read = await readConfigFile(place.folder, place.path, place.uri);
        diagnostics.push(...read.diagnostics);
        if (read.value !== undefined) ruleFiles.push(read.value);
      }
    }
    return lastOfEach(found);
  };
  const read = async (
    preset: PresetFile,
    location: Location,
    chain: readonly PresetFile[],
  ): Promise<readonly ConfigFile[]> => {
    const path = join(preset.folder, preset.path);
    const known = layers.get(path);
    if (known !== undefined) return known;
    const circle = chain.findIndex((link) => join(link.folder, link.path) === path);
    if (circle !== -1) {
      diagnostics.push(
        configDiagnostics("preset-cycle", location, {
          chain: [...chain.slice(circle).map(({ uri }) => uri), preset.uri].join(" → "),
        }),
      );
      return [];
    }
    const { value: found, diagnostics: problems } = await readConfigFile(preset.folder, preset.path, preset.uri);
    diagnostics.push(...problems);
    const file = found !== undefined && isEarlier ? await toCurrentForm(found) : found;
    const all = file === undefined ? [] : [...(await below(file, preset, [...chain, preset])), file];
    layers.set(path, all);
    return all;
  };

  const start: PresetFile = {
    folder: project,
    path: relative(project, realpathSync.native(join(root, own.uri))),
    uri: own.uri,
  };
  const presets = await below(own, start, [start]);
  return { value: diagnostics.length === 0 ? { presets, ruleFiles } : undefined, diagnostics };
}

function lastOfEach(files: readonly ConfigFile[]): readonly ConfigFile[] {
  return files.filter((file, index) => files.lastIndexOf(file) === index);
}

interface PresetFile {
  readonly folder: string;
  readonly path: string;
  readonly uri: string;
}

/** A preset search: for `name`, as the file at the absolute path `from` calls it at `location`. */
interface PresetSearch {
  readonly project: string;
  /** The project, or the package of the preset that names another: relative paths must not leave it. */
  readonly home: string;
  readonly from: string;
  readonly name: string;
  readonly location: Location;
}

type FoundPreset = PresetFile | { readonly diagnostic: Diagnostic };

function findPreset(search: PresetSearch): FoundPreset {
  return /^\.{1,2}(?:\/|$)/u.test(search.name) ? findFile(search) : findPackage(search);
}

function findFile({ project, home, from, name, location }: PresetSearch): FoundPreset {
  const path = resolve(dirname(from), name);
  if (!isWithin(home, path)) return { diagnostic: configDiagnostics("preset-outside", location, { name }) };
  if (!existsSync(path) || entryAt(path)?.isFile() !== true) {
    return {
      diagnostic: configDiagnostics("preset-not-found", location, {
        name,
        looked: `no file "${uriOf(project, path)}"`,
        remedy: undefined,
      }),
    };
  }
  const real = realpathSync.native(path);
  if (!isWithin(home, real)) return { diagnostic: configDiagnostics("preset-outside", location, { name }) };
  return { folder: home, path: relative(home, real), uri: uriOf(project, real) };
}

const PACKAGE = /^(?<name>(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:\/(?<file>.+))?$/iu;

/** Looks where Node looks: in each `node_modules` from the naming file upwards, which may lie above the project. */
function findPackage({ project, from, name, location }: PresetSearch): FoundPreset {
  const notFound = (looked: string, remedy?: string): FoundPreset => ({
    diagnostic: configDiagnostics("preset-not-found", location, { name, looked, remedy }),
  });
  const { name: packageName, file } = PACKAGE.exec(name)?.groups ?? {};
  const hint = existsSync(join(dirname(from), name))
    ? `Paths are relative to the file that contains them: "./${name}".`
    : undefined;
  if (packageName === undefined) {
    return notFound("that is neither a file such as ./strict.yaml nor the name of a package", hint);
  }
  const folder = installedFolder(dirname(from), packageName);
  if (folder === undefined) {
    return notFound(`no package "${packageName}" is installed`, hint ?? `Install it, or correct the name.`);
  }
  const path = file ?? findConfigs(folder)[0];
  if (path === undefined) {
    return notFound(
      `the package "${packageName}" holds no ${CONFIG_NAMES[0]}`,
      `Name a file in it, such as "${packageName}/strict.yaml".`,
    );
  }
  const real = realpathSync.native(folder);
  if (!isWithin(real, resolve(real, path))) {
    return { diagnostic: configDiagnostics("preset-outside", location, { name }) };
  }
  if (!existsSync(join(real, path))) return notFound(`the package "${packageName}" holds no "${path}"`);
  return { folder: real, path, uri: uriOf(project, join(folder, path)) };
}

function installedFolder(start: string, packageName: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", packageName);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

function uriOf(root: string, path: string): string {
  return toSlashPath(root, path);
}
