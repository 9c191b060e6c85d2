import { placeAt } from "@hasp/base/diagnostics";
import { parse, visit } from "jsonc-parser";
import { posix } from "node:path";
import { isWithinFolder } from "@hasp/compiler/model";
import type { JsonObject } from "@hasp/schema";
import { findOrAdd, isObject, isStructured, readOwnMember, toObject } from "@hasp/base/json";
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
  /** The reason why it cannot be read, or why programs differ in what they read. */
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
  /** Finds what the `package.json` files above the folder say of a package. */
  declarationsOf(folder: string, name: string): Promise<Declarations>;
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

/** The sources of a package, by its declarations. */
interface Declarations {
  /** Its folders in the repository, from which a package manager links or copies it. */
  readonly homes: readonly string[];
  /** True if a registry or an archive has it. */
  readonly isPublished: boolean;
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

/** Creates the {@link ModuleSettings} of a project; each file is read once. */
export function createModuleSettings(files: CompilerHost): ModuleSettings {
  const read = remember((path: string) => readSettings(files, path));
  const readAll = async (paths: readonly string[]): Promise<readonly Config[]> =>
    (await Promise.all(paths.map(read))).flatMap((config) => config ?? []);
  const above = (names: readonly string[]): ((folder: string) => Promise<readonly Config[]>) => {
    const find = remember(async (folder: string): Promise<readonly Config[]> => {
      const found = await readAll(names.map((name) => posix.join(folder, name)));
      const next = posix.join(folder, "..");
      const others = (await isOutside(next, files)) ? [] : await find(next);
      return [...found.slice(0, 1), ...others];
    });
    return find;
  };
  const packagesAbove = above(["package.json"]);
  const denoAbove = above(["deno.json", "deno.jsonc"]);
  /** Returns the settings above a folder that replace modules or packages. */
  const replacingAbove = remember(async (folder: string): Promise<readonly Config[]> => [
    ...(await packagesAbove(folder)),
    ...(await denoAbove(folder)).map(readImportMap),
  ]);
  const optionsAbove = above(["tsconfig.json", "jsconfig.json"]);
  const partOf = async (folder: string, part = ""): Promise<Mapped> => {
    const config = await read(posix.join(folder, "package.json"));
    const exported = mappingsOf(config, (each) => exportsOf(each, ""));
    if (exported.length > 0) return chosen(part, exported);
    return { paths: [posix.join(folder, part)], names: [], words: [] };
  };
  /** Reads the configurations that a value of `extends` may name, except those of installed packages. */
  const readBases = async (config: Config, written: string): Promise<readonly Config[]> => {
    const { text, path: from } = config;
    const { name, part } = readPackageName(written) ?? {};
    const folder = folderOf(config);
    const found = name === undefined ? undefined : await files.ask("linked", { folder, name });
    const paths = found === undefined ? [posix.join(folder, written)] : [];
    for (const home of found?.linked ?? []) {
      const { paths: exported } = await partOf(home, part);
      const own = part || (await read(posix.join(home, "package.json")))?.content["tsconfig"];
      paths.push(...exported, ...textsIn(own).map((path) => posix.join(home, path)));
    }
    const places = paths.flatMap((path) => [path, `${path}.json`, posix.join(path, "tsconfig.json")]);
    const bases = await readAll(places);
    if (bases.length > 0 || found?.isInstalled === true) return bases;
    const place = placeAt(text, text.indexOf('"extends"'));
    return [{ ...config, flaw: `${from}:${place} extends ${JSON.stringify(written)}, which is not found` }];
  };
  /** Adds the configurations that one extends. A map that grows during iteration is iterated to its new end. */
  const withBases = async (config: Config): Promise<readonly Config[]> => {
    const configs = new Map([[config.path, config]]);
    for (const each of configs.values()) {
      for (const written of textsIn(each.content["extends"])) {
        for (const base of await readBases(each, written)) configs.set(base.path, base);
      }
    }
    return [...configs.values()];
  };
  /** Returns each TypeScript configuration that counts in a folder, before those that it extends. */
  const optionsFor = remember(async (folder: string): Promise<readonly (readonly Config[])[]> => {
    const configs = new Set([...(await optionsAbove(folder)), ...(await optionsAbove("."))]);
    return Promise.all([...configs].map(withBases));
  });
  return {
    async of(folder, name) {
      const [[nearest], options] = [await packagesAbove(folder), await optionsFor(folder)];
      return chosen(name, [
        ...mappingsOf(nearest, (config) => [...importsOf(config), ...exportsOf(config, config.content["name"])]),
        ...(await replacingAbove(folder)).flatMap((config) => mappingsOf(config, replacementsBy)),
        ...options.flat().flatMap((config) => mappingsOf(config, () => [])),
        ...options.flatMap(pathsOf),
        ...options.flat().flatMap(elementsBy),
        // A program's own options may choose React's.
        { pattern: `${ELEMENTS}*`, paths: [], names: ["react/*"], words: undefined },
      ]);
    },
    async declarationsOf(folder, name) {
      const found = (await packagesAbove(folder)).flatMap((config) =>
        [...DECLARING.map((field) => config.content[field]), readOwnMember(config.content["pnpm"], "overrides")]
          .flatMap((list) => versionsOf(list, name))
          .map((version) => ({ config, version })),
      );
      return {
        homes: found.flatMap(({ config, version }) => {
          const [, path] = FOLDER.exec(version) ?? [];
          return path === undefined ? [] : [posix.join(folderOf(config), path)];
        }),
        isPublished: found.some(({ version }) => !FOLDER.test(version) && !version.startsWith("workspace:")),
      };
    },
    async effectsOf(path) {
      const [nearest] = await packagesAbove(posix.dirname(path));
      const value = nearest?.content["sideEffects"] ?? true;
      const words = value === true ? [] : [`${nearest?.path} ${JSON.stringify(["sideEffects", value])}`];
      return [...words, ...findFlaws(nearest)];
    },
    async replacementsOf(path) {
      return joined(
        (await replacingAbove(posix.dirname(path))).flatMap((config) =>
          mappingsOf(config, () =>
            replacementsBy(config).filter((each) => withoutEnding(moduleBy(config, each)) === withoutEnding(path)),
          ),
        ),
      );
    },
    async replacementsIn(folder, packages) {
      const above = await replacingAbove(folder);
      return [...new Set([...above, ...(await readAll(packages))])].flatMap((config): readonly ModuleReplacement[] => {
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
    partOf,
    async mainsOf(folder) {
      const config = await read(posix.join(folder, "package.json"));
      const mains = config === undefined ? [] : mainsIn(config);
      return {
        paths: mains.map(([, value]) => posix.join(folder, value)),
        names: [],
        words: [...findFlaws(config), ...(mains.length < 2 ? [] : [`${config?.path} ${JSON.stringify(mains)}`])],
      };
    },
  };
}

/** The fields of a `package.json` that list packages with versions; a version may be a path instead. */
const DECLARING = [
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
  "overrides",
  "resolutions",
] as const;

/** A version that is a path. */
const FOLDER = /^(?:(?:file|link|portal):|(?=(?:\.{0,2}|~)\/))(.*)$/u;

/** Lists the versions that a list states of a package. Overrides nest, and may begin with a dependent: `a>b@1`. */
function versionsOf(list: unknown, name: string, isWithin = false): readonly string[] {
  if (!isObject(list)) return [];
  return Object.entries(list).flatMap(([key, value]) => {
    const start = key.lastIndexOf(name);
    const isNamed = start !== -1 && /(?:^|[>/])$/u.test(key.slice(0, start));
    const isMeant = key === "." ? isWithin : isNamed && /^(?:@|$)/u.test(key.slice(start + name.length));
    return typeof value === "string" ? (isMeant ? [value] : []) : versionsOf(value, name, isMeant);
  });
}

/** True for words that say why a file may map any name anywhere; those of a mapping end with its JSON. */
export function isFlaw(words: string): boolean {
  return !words.endsWith("]");
}

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

/** Keeps the results of a function by its parameter, which is plain data. */
export function remember<Key, Result>(compute: (key: Key) => Promise<Result>): (key: Key) => Promise<Result> {
  const known = new Map<string, Promise<Result>>();
  return (key) => findOrAdd(known, JSON.stringify(key), () => compute(key));
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
  return config.flaw === undefined ? mappings(config) : [{ pattern: "*", paths: [], words: config.flaw }];
}

function findFlaws(config: Config | undefined): readonly string[] {
  return config?.flaw === undefined ? [] : [config.flaw];
}

/** A file with its content; anything but an object counts as empty. */
interface Config extends SettingsFile {
  readonly content: JsonObject;
  /** The place and reason why it may map any name anywhere. */
  readonly flaw: string | undefined;
}

async function readSettings(files: CompilerHost, path: string): Promise<Config | undefined> {
  if (await isOutside(path, files)) return undefined;
  const source = await files.ask("settings", path);
  if (source === undefined || source.unreadable === "it is a folder") return undefined;
  const { text } = source;
  const { name, offset = 0 } = findTwice(text) ?? {};
  const unreadable = name === undefined ? source.unreadable : `it has "${name}" twice in one object`;
  const flaw = unreadable === undefined ? undefined : `${path}:${placeAt(text, offset)} cannot be read: ${unreadable}`;
  const content: unknown = parse(text, [], LENIENT);
  return { path, text, content: toObject(content), unreadable, flaw };
}

const LENIENT = { allowTrailingComma: true, allowEmptyContent: true };

/** Finds a member that is written twice, of which programs read different ones. */
function findTwice(text: string): { readonly name: string; readonly offset: number } | undefined {
  const objects: Set<string>[] = [];
  let found: ReturnType<typeof findTwice>;
  visit(
    text,
    {
      onObjectBegin: () => void objects.push(new Set()),
      onObjectEnd: () => void objects.pop(),
      onObjectProperty(name, offset) {
        const names = objects.at(-1);
        if (names?.has(name) === true) found ??= { name, offset };
        names?.add(name);
      },
    },
    LENIENT,
  );
  return found;
}

function importsOf({ path, content }: Config): readonly Mapping[] {
  return Object.entries(toObject(content["imports"])).map(([pattern, value]) =>
    mappingTo(path, pattern, value, [pattern, value]),
  );
}

/** Reads the settings of Deno as those that replace modules; a key that ends with `/` maps a whole folder. */
function readImportMap(config: Config): Config {
  const { content, path, text } = config;
  const lists = [content["imports"], ...Object.values(toObject(content["scopes"]))];
  const entries = lists.flatMap((list) => Object.entries(toObject(list)));
  const imports = entries.map(([key, value]) => (key.endsWith("/") ? [`${key}*`, `${String(value)}*`] : [key, value]));
  const place = placeAt(text, text.indexOf('"importMap"'));
  const unread = {
    unreadable: 'it names an import map in place of "imports"',
    flaw: `${path}:${place} names an import map, which hasp does not read: write "imports" instead`,
  };
  return {
    ...config,
    content: { alias: Object.fromEntries(imports) as JsonObject },
    ...(content["importMap"] === undefined ? {} : unread),
  };
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
    Object.entries(toObject(content[field])).map(([pattern, value]) => ({
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
  return isStructured(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Splits a specifier into the name of a package and a part of it; `undefined` for other specifiers. */
export function readPackageName(specifier: string): { readonly name: string; readonly part: string } | undefined {
  const [, name, part = ""] = /^((?:@[^/@:\\?#]+\/)?[^./@:#\\?][^/:\\?#]*)(?:\/(.*))?$/su.exec(specifier) ?? [];
  return name === undefined ? undefined : { name, part };
}

function optionsOf({ content }: Config): JsonObject {
  return toObject(content["compilerOptions"]);
}

/** The start of the import that compilers add to a module with elements, before the name of its part of a package. */
const ELEMENTS = "jsx:/";

export function isElements(name: string): boolean {
  return name.startsWith(ELEMENTS);
}

/** Returns the package that makes elements, by a TypeScript configuration. */
function elementsBy(config: Config): readonly Mapping[] {
  const { jsx, jsxImportSource: name = String(jsx).startsWith("react-jsx") ? "react" : undefined } = optionsOf(config);
  if (typeof name !== "string") return [];
  const words = `${config.path} ${JSON.stringify(["jsxImportSource", name])}`;
  return [{ pattern: `${ELEMENTS}*`, paths: [], names: [`${name}/*`], words }];
}

/** Returns the mappings of a TypeScript configuration, given before those that it extends. */
function pathsOf(configs: readonly Config[]): readonly Mapping[] {
  const top = configs.slice(0, 1).map(folderOf).join("");
  // In a base, this means the folder of the configuration that extends it.
  const pathOf = (folder: string, text: string): string =>
    /^\$\{configDir\}/iu.test(text) ? posix.join(top, text.slice("${configDir}".length)) : posix.join(folder, text);
  const bases = configs.flatMap((config) => {
    const { baseUrl } = optionsOf(config);
    return typeof baseUrl === "string" ? [pathOf(folderOf(config), baseUrl)] : [];
  });
  const mappings = configs.flatMap((config) => {
    const { paths } = optionsOf(config);
    return Object.entries(toObject(paths)).map(([pattern, value]) => ({
      pattern,
      // The base of an extending configuration applies, too.
      paths: [folderOf(config), ...bases].flatMap((base) => textsIn(value).map((text) => pathOf(base, text))),
      words: `${config.path} ${JSON.stringify([pattern, value, bases])}`,
    }));
  });
  // With a base, `lib/x` is a path before it is a package.
  return [...mappings, { pattern: "*", paths: bases.map((base) => posix.join(base, "*")), words: undefined }];
}
