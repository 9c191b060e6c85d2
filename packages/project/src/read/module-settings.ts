import { parse, visit } from "jsonc-parser";
import { posix } from "node:path";
import { isWithinFolder } from "@hasp/compiler/model";
import type { JsonObject } from "@hasp/schema";
import { isObject } from "@hasp/base/json";
import type { CompilerHost } from "./host-questions.js";

/** The targets of one imported name in the settings of its modules. */
interface Mapped {
  /** The paths from the root that the name may mean. */
  readonly paths: readonly string[];
  /** The packages that it may mean instead. */
  readonly names: readonly string[];
  /** The mappings as text: if it changes, the name may lead elsewhere. */
  readonly words: readonly string[];
}

interface SettingsFile {
  readonly path: string;
  readonly text: string;
  /** The reason why it cannot be read. */
  readonly unreadable: string | undefined;
}

/** A part of a settings file by which bundlers load something else in place of a module. */
export interface ModuleReplacement {
  readonly file: SettingsFile;
  /** The field, perhaps with a key in it; absent if the file cannot be read, and so may replace any module. */
  readonly place?: readonly [field: string, key?: string];
  /** The path of the module, perhaps without its ending, or of a folder of which it is the index. */
  readonly module: string;
}

/**
 * The answers of `package.json` and `tsconfig.json` files to what imports mean. Some programs read the nearest
 * `tsconfig.json`, others that of the folder where they start: all above the module and the root count.
 */
export interface ModuleSettings {
  /** Resolves a name that a module in this folder imports. */
  of(folder: string, name: string): Promise<Mapped>;
  /** Finds the settings by which bundlers leave out a module that is imported for its effects. */
  effectsOf(path: string): Promise<readonly string[]>;
  /** Finds the modules that bundlers load in place of one. */
  replacementsOf(path: string): Promise<Mapped>;
  /**
   * Finds the replacements of modules in a folder, by the settings that apply to it.
   * @param packages - The `package.json` files in the folder.
   */
  replacementsIn(folder: string, packages: readonly string[]): Promise<readonly ModuleReplacement[]>;
  /** Resolves a part of the package in a folder; `""` is the package itself. */
  partOf(folder: string, part: string): Promise<Mapped>;
  /** Finds the main files that a folder's own `package.json` names. */
  mainsOf(folder: string): Promise<Mapped>;
}

interface Mapping {
  /** A name, perhaps with one `*` for any text. */
  readonly pattern: string;
  /** Paths from the root, perhaps with `*` for the same text. */
  readonly paths: readonly string[];
  readonly names?: readonly string[];
  /** `undefined` if the mapping rarely applies to names of this form. */
  readonly words: string | undefined;
}

/** Reads a settings file; `undefined` if there is none, or if it is outside the repository. */
type ReadSettings = (path: string) => Promise<Config | undefined>;

/** Creates the {@link ModuleSettings} of a project; each file is read once. */
export function createModuleSettings(files: CompilerHost): ModuleSettings {
  const read = remember((path) => readSettings(files, path));
  const above = (names: readonly string[]): ((folder: string) => Promise<readonly Config[]>) => {
    const find = remember(async (folder: string): Promise<readonly Config[]> => {
      const found = await Promise.all(names.map((name) => read(posix.join(folder, name))));
      const next = posix.join(folder, "..");
      const others = (await isOutside(next, files)) ? [] : await find(next);
      return [...found.flatMap((config) => config ?? []).slice(0, 1), ...others];
    });
    return find;
  };
  const packagesAbove = above(["package.json"]);
  const optionsAbove = above(["tsconfig.json", "jsconfig.json"]);
  /** Returns each TypeScript configuration that counts in a folder, before those that it extends. */
  const optionsFor = remember(async (folder: string): Promise<readonly (readonly Config[])[]> => {
    const configs = new Set([...(await optionsAbove(folder)), ...(await optionsAbove("."))]);
    return Promise.all([...configs].map((config) => withExtended(files, read, config)));
  });
  return {
    async of(folder, name) {
      const [packages, options] = [await packagesAbove(folder), await optionsFor(folder)];
      return chosen(name, [
        ...mappingsOf(packages[0], (config) => [...importsOf(config), ...exportsOf(config, config.content["name"])]),
        ...packages.flatMap((config) => mappingsOf(config, replacementsBy)),
        ...options.flat().flatMap((config) => mappingsOf(config, () => [])),
        ...options.flatMap(pathsOf),
      ]);
    },
    async effectsOf(path) {
      const [nearest] = await packagesAbove(posix.dirname(path));
      const value = nearest?.content["sideEffects"] ?? true;
      return value === true ? [] : [`${nearest?.path} ${JSON.stringify(["sideEffects", value])}`];
    },
    async replacementsOf(path) {
      const packages = await packagesAbove(posix.dirname(path));
      return joined(
        packages.flatMap((config) =>
          replacementsBy(config).filter((each) => withoutEnding(moduleBy(config, each)) === withoutEnding(path)),
        ),
      );
    },
    async replacementsIn(folder, packages) {
      const above = await packagesAbove(folder);
      const below = (await Promise.all(packages.map(read))).flatMap((config) => config ?? []);
      return [...new Set([...above, ...below])].flatMap((config): readonly ModuleReplacement[] => {
        if (config.unreadable !== undefined) return [{ file: config, module: folder }];
        const indexes = above.includes(config) ? [] : mainsIn(config);
        return [
          ...indexes.map(([field]): ModuleReplacement => ({ file: config, place: [field], module: folderOf(config) })),
          ...replacementsBy(config)
            .map((each): ModuleReplacement => ({ file: config, place: each.place, module: moduleBy(config, each) }))
            .filter(({ module }) => isWithinFolder(folder, module)),
        ];
      });
    },
    async partOf(folder, part) {
      const config = await read(posix.join(folder, "package.json"));
      if (config?.content["exports"] === undefined) {
        if (part === "") return { paths: [folder], names: [], words: [] };
        return { paths: [posix.join(folder, part)], names: [], words: [] };
      }
      return chosen(part, exportsOf(config, ""));
    },
    async mainsOf(folder) {
      const config = await read(posix.join(folder, "package.json"));
      const mains = config === undefined ? [] : mainsIn(config);
      return {
        paths: mains.map(([, value]) => posix.join(folder, value)),
        names: [],
        words: mains.length < 2 ? [] : [`${config?.path} ${JSON.stringify(mains)}`],
      };
    },
  };
}

/** The part of a mapping's words that says that a file cannot be read. */
export const UNREAD = " cannot be read: ";

/** The fields that name a package's main file to Node and to bundlers. */
const MAINS = ["main", "module", "browser"] as const;

function mainsIn({ content }: Config): readonly (readonly [field: string, value: string])[] {
  return MAINS.flatMap((field) => {
    const value = content[field];
    return typeof value === "string" ? [[field, value] as const] : [];
  });
}

function folderOf({ path }: Config): string {
  return posix.dirname(path);
}

/** Chooses the mappings that apply to a name. */
function chosen(name: string, mappings: readonly Mapping[]): Mapped {
  return joined(
    mappings.flatMap(({ pattern, paths, names = [], words }) =>
      spellingsOf(name).flatMap((spelling) => {
        const rest = restOf(spelling, pattern);
        if (rest === undefined) return [];
        const filled = (target: string): string => target.replaceAll("*", () => rest);
        return [{ paths: paths.map((path) => posix.normalize(filled(path))), names: names.map(filled), words }];
      }),
    ),
  );
}

function joined(mappings: readonly Omit<Mapping, "pattern">[]): Mapped {
  return {
    paths: mappings.flatMap(({ paths }) => paths),
    names: mappings.flatMap(({ names = [] }) => names),
    words: mappings.flatMap(({ words }) => words ?? []),
  };
}

/** True for a path that leaves the repository. */
export async function isOutside(path: string, files: CompilerHost): Promise<boolean> {
  const top = await files.ask("repository", null);
  const leaves = /^(?:\.\.(?:\/|$))*/u.exec(path)?.[0] ?? "";
  return posix.isAbsolute(path) || /^[a-z]:/iu.test(path) || leaves.split("..").length > top.split("..").length;
}

/** Keeps the results of a function by its parameter. */
export function remember<Result>(compute: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const known = new Map<string, Promise<Result>>();
  return (key) => {
    const result = known.get(key) ?? compute(key);
    known.set(key, result);
    return result;
  };
}

/** Returns a name as written, and without a query and a fragment, as bundlers and URLs read it. */
function spellingsOf(name: string): readonly string[] {
  const [plain = name] = /^.[^?#]*/su.exec(name) ?? [];
  return [...new Set([name, plain])];
}

/** Returns the part of a name that matches the `*` of a pattern; `undefined` if the name does not match. */
function restOf(name: string, pattern: string): string | undefined {
  const [before = "", after] = pattern.split("*");
  if (after === undefined) return pattern === name ? "" : undefined;
  const isLongEnough = name.length >= before.length + after.length;
  return isLongEnough && name.startsWith(before) && name.endsWith(after)
    ? name.slice(before.length, name.length - after.length)
    : undefined;
}

/** Returns the mappings of a settings file; one that cannot be read may map anything anywhere. */
function mappingsOf(config: Config | undefined, mappings: (config: Config) => readonly Mapping[]): readonly Mapping[] {
  if (config === undefined) return [];
  const { path, unreadable } = config;
  return unreadable === undefined ? mappings(config) : [{ pattern: "*", paths: [], words: path + UNREAD + unreadable }];
}

/** A file with its content; anything but an object counts as empty. */
interface Config extends SettingsFile {
  readonly content: JsonObject;
}

async function readSettings(files: CompilerHost, path: string): Promise<Config | undefined> {
  if (await isOutside(path, files)) return undefined;
  const source = await files.ask("settings", path);
  if (source === undefined) return undefined;
  const { text, unreadable = findFlaw(text) } = source;
  const content: unknown = parse(text, [], LENIENT);
  return { path, text, content: isObject(content) ? content : {}, unreadable };
}

const LENIENT = { allowTrailingComma: true, allowEmptyContent: true };

/** Finds the reason why programs differ in what they read. */
function findFlaw(text: string): string | undefined {
  const objects: Set<string>[] = [];
  let flaw: string | undefined;
  const see = (name: string): void => {
    const names = objects.at(-1);
    if (names?.has(name) === true) flaw ??= `it has "${name}" twice in one object`;
    names?.add(name);
  };
  visit(
    text,
    {
      onObjectBegin: () => void objects.push(new Set()),
      onObjectEnd: () => void objects.pop(),
      onObjectProperty: see,
    },
    LENIENT,
  );
  return flaw;
}

function importsOf({ path, content }: Config): readonly Mapping[] {
  const imports = isObject(content["imports"]) ? content["imports"] : {};
  return Object.entries(imports).map(([pattern, value]) => mappingTo(path, pattern, value, [pattern, value]));
}

/** Returns the names under which a package may be imported, for a name of its own choice. */
function exportsOf({ path, content }: Config, name: unknown): readonly Mapping[] {
  const { exports } = content;
  if (typeof name !== "string" || exports === undefined) return [];
  const isMap = isObject(exports) && Object.keys(exports).some((key) => key.startsWith("."));
  return Object.entries(isMap ? exports : { ".": exports }).map(([key, value]) => ({
    // An older form of package maps whole folders.
    pattern: `${name === "" ? key.slice(2) : `${name}${key.slice(1)}`}${/.\/$/u.test(key) ? "*" : ""}`,
    paths: textsIn(value).map((text) => `${posix.join(posix.dirname(path), text)}${text.endsWith("/") ? "*" : ""}`),
    words: `${path} ${JSON.stringify([key, value])}`,
  }));
}

/** The fields that replace modules: for browsers, by Metro and by Parcel. */
const REPLACING = ["browser", "react-native", "alias"] as const;

/** Returns the replacements for modules and packages that bundlers read. */
function replacementsBy({ path, content }: Config): readonly PlacedMapping[] {
  return REPLACING.flatMap((field) =>
    Object.entries(isObject(content[field]) ? content[field] : {}).map(([pattern, value]) => ({
      ...mappingTo(path, pattern, value, [field, pattern, value]),
      place: [field, pattern] as const,
    })),
  );
}

/** A mapping with its field of a settings file and its key there. */
interface PlacedMapping extends Mapping {
  readonly place: readonly [field: string, key: string];
}

/** Returns the path of the module that a mapping replaces. Bundlers read a key with and without `./` at its start. */
function moduleBy(config: Config, { pattern }: Mapping): string {
  return posix.join(folderOf(config), pattern);
}

/** Creates the mapping of a name to files of a package or, by other names, to packages. */
function mappingTo(path: string, pattern: string, value: unknown, words: readonly unknown[]): Mapping {
  const targets = textsIn(value);
  return {
    pattern,
    paths: targets.flatMap((text) => (text.startsWith("./") ? [posix.join(posix.dirname(path), text)] : [])),
    names: targets.filter((text) => !text.startsWith(".")),
    words: `${path} ${JSON.stringify(words)}`,
  };
}

function withoutEnding(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/u, "").replace(/(?:^|\/)index$/u, "");
}

/** Returns every string in a value: the targets of all conditions, since any of them may apply. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Reads a TypeScript configuration and those in the repository that it extends. */
async function withExtended(files: CompilerHost, read: ReadSettings, config: Config): Promise<readonly Config[]> {
  const configs = new Map([[config.path, config]]);
  for (const { path, content } of configs.values()) {
    for (const written of textsIn(content["extends"])) {
      for (const place of await placesOf(files, posix.dirname(path), written)) {
        const extended = configs.has(place) ? undefined : await read(place);
        if (extended !== undefined) configs.set(place, extended);
      }
    }
  }
  return [...configs.values()];
}

async function placesOf(files: CompilerHost, folder: string, written: string): Promise<readonly string[]> {
  const withEnding = (path: string): string => (path.endsWith(".json") ? path : `${path}.json`);
  if (written.startsWith(".")) return [posix.join(folder, withEnding(written))];
  const named = readPackageName(written);
  if (named === undefined) return [];
  const folders = await files.ask("linked", { folder, name: named.name });
  return folders.map((each) => posix.join(each, named.part === "" ? "tsconfig.json" : withEnding(named.part)));
}

/** Splits a specifier into the name of a package and a part of it; `undefined` for other specifiers. */
export function readPackageName(specifier: string): { readonly name: string; readonly part: string } | undefined {
  const [, name, part = ""] = /^((?:@[^/@:\\?#]+\/)?[^./@:#\\?][^/:\\?#]*)(?:\/(.*))?$/su.exec(specifier) ?? [];
  return name === undefined ? undefined : { name, part };
}

function optionsOf({ content }: Config): JsonObject {
  return isObject(content["compilerOptions"]) ? content["compilerOptions"] : {};
}

/** Returns the mappings of a TypeScript configuration, given before those that it extends. */
function pathsOf(configs: readonly Config[]): readonly Mapping[] {
  const top = configs.slice(0, 1).map(folderOf).join("");
  // In a base, this means the folder of the configuration that extends it.
  const placeAt = (folder: string, text: string): string =>
    /^\$\{configDir\}/iu.test(text) ? posix.join(top, text.slice("${configDir}".length)) : posix.join(folder, text);
  const bases = configs.flatMap((config) => {
    const { baseUrl } = optionsOf(config);
    return typeof baseUrl === "string" ? [placeAt(folderOf(config), baseUrl)] : [];
  });
  const mappings = configs.flatMap((config) => {
    const { paths } = optionsOf(config);
    return Object.entries(isObject(paths) ? paths : {}).map(([pattern, value]) => ({
      pattern,
      // The base of an extending configuration applies, too.
      paths: [folderOf(config), ...bases].flatMap((base) => textsIn(value).map((text) => placeAt(base, text))),
      words: `${config.path} ${JSON.stringify([pattern, value, bases])}`,
    }));
  });
  // With a base, `lib/x` is a path before it is a package.
  return [...mappings, { pattern: "*", paths: bases.map((base) => posix.join(base, "*")), words: undefined }];
}
