import { parse } from "jsonc-parser";
import { posix } from "node:path";
import type { JsonObject } from "@hasp/schema";
import { isObject } from "../../../compiler/src/model/json.js";
import type { CompilerHost } from "./compiler-host.js";

/** The targets of one imported name in the user's configuration files. */
interface Mapped {
  /** The paths in the project that the name may mean. */
  readonly targets: readonly string[];
  /** The mappings as text: if it changes, the name may lead elsewhere. */
  readonly words: readonly string[];
}

/** The mappings of names by the nearest `package.json` and the nearest `tsconfig.json`. */
export interface ImportMappings {
  /** Resolves a name that a module in this folder imports. */
  of(folder: string, name: string): Promise<Mapped>;
  /** Finds the files that the `main` of a folder's own `package.json` may mean. */
  mainOf(folder: string): Promise<readonly string[]>;
}

interface Mapping {
  /** A name, perhaps with one `*` for any text. */
  readonly pattern: string;
  /** Paths in the project, perhaps with `*` for the same text. */
  readonly targets: readonly string[];
  /** `undefined` if the mapping rarely applies to names of this form. */
  readonly words: string | undefined;
}

/** Creates the {@link ImportMappings} of a project; each file is read once. */
export function createImportMappings(files: CompilerHost): ImportMappings {
  const packageNames = nearestMappings(files, "package.json", async (config) => [
    ...importsOf(config),
    ...exportsOf(config),
  ]);
  const paths = nearestMappings(files, "tsconfig.json", async (config) => pathsOf(await withExtended(files, config)));
  return {
    async of(folder, name) {
      const mappings = [...(await packageNames(folder)), ...(await paths(folder))];
      const matching = mappings.flatMap((mapping) =>
        spellingsOf(name).flatMap((spelling) => {
          const rest = restOf(spelling, mapping.pattern);
          return rest === undefined ? [] : [{ ...mapping, rest }];
        }),
      );
      return {
        targets: matching.flatMap(({ targets, rest }) =>
          targets.map((target) => posix.normalize(target.replaceAll("*", () => rest))),
        ),
        words: matching.flatMap(({ words }) => words ?? []),
      };
    },
    async mainOf(folder) {
      const config = await readConfig(files, posix.join(folder, "package.json"));
      const main = config?.content["main"];
      if (typeof main !== "string") return [];
      const path = posix.join(folder, main);
      return ["", ".js", ".json", ".node", "/index.js"].map((ending) => `${path}${ending}`);
    },
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

/** Finds the mappings of the nearest file with a name, upwards from a folder. */
function nearestMappings(
  files: CompilerHost,
  name: string,
  mappingsOf: (config: Config) => Promise<readonly Mapping[]>,
): (folder: string) => Promise<readonly Mapping[]> {
  const known = new Map<string, Promise<readonly Mapping[]>>();
  const find = async (folder: string): Promise<readonly Mapping[]> => {
    const config = await readConfig(files, posix.join(folder, name));
    if (config === undefined) return folder === "." ? [] : nearest(posix.dirname(folder));
    const { path, unreadable } = config;
    return unreadable === undefined
      ? mappingsOf(config)
      : [{ pattern: "*", targets: [], words: `${path} ${unreadable}` }];
  };
  const nearest = (folder: string): Promise<readonly Mapping[]> => {
    const mappings = known.get(folder) ?? find(folder);
    known.set(folder, mappings);
    return mappings;
  };
  return nearest;
}

/** A file with its content; anything but an object counts as empty. */
interface Config {
  readonly path: string;
  readonly content: JsonObject;
  readonly unreadable: string | undefined;
}

async function readConfig(files: CompilerHost, path: string): Promise<Config | undefined> {
  if (path.startsWith("../")) return undefined;
  const source = await files.ask("text", { uri: path, role: "config" });
  if (source === undefined) return undefined;
  const content: unknown = parse(source.text, [], { allowTrailingComma: true });
  return { path, content: isObject(content) ? content : {}, unreadable: source.unreadable };
}

function importsOf({ path, content }: Config): readonly Mapping[] {
  const imports = isObject(content["imports"]) ? content["imports"] : {};
  return Object.entries(imports).map(([pattern, value]) => ({
    pattern,
    // Other targets are packages.
    targets: textsIn(value).flatMap((text) => (text.startsWith("./") ? [posix.join(posix.dirname(path), text)] : [])),
    words: `${path} ${JSON.stringify([pattern, value])}`,
  }));
}

/** Returns the names under which the modules of a package may import each other. */
function exportsOf({ path, content }: Config): readonly Mapping[] {
  const { name, exports } = content;
  if (typeof name !== "string" || exports === undefined) return [];
  const isMap = isObject(exports) && Object.keys(exports).some((key) => key.startsWith("."));
  return Object.entries(isMap ? exports : { ".": exports }).map(([key, value]) => ({
    pattern: `${name}${key.slice(1)}`,
    targets: textsIn(value).map((text) => posix.join(posix.dirname(path), text)),
    words: `${path} ${JSON.stringify([key, value])}`,
  }));
}

/** Returns every string in a value: the targets of all conditions, since any of them may apply. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Reads a TypeScript configuration and those in the project that it extends. */
async function withExtended(files: CompilerHost, config: Config): Promise<readonly Config[]> {
  const configs = new Map([[config.path, config]]);
  for (const { path, content } of configs.values()) {
    for (const written of textsIn(content["extends"])) {
      const extended = posix.join(posix.dirname(path), written.endsWith(".json") ? written : `${written}.json`);
      // Other names are packages.
      if (!written.startsWith(".") || configs.has(extended)) continue;
      const read = await readConfig(files, extended);
      if (read !== undefined) configs.set(extended, read);
    }
  }
  return [...configs.values()];
}

function pathsOf(configs: readonly Config[]): readonly Mapping[] {
  const options = configs.map(({ path, content }) => ({
    path,
    folder: posix.dirname(path),
    options: isObject(content["compilerOptions"]) ? content["compilerOptions"] : {},
  }));
  const bases = options.flatMap(({ folder, options: { baseUrl } }) =>
    typeof baseUrl === "string" ? [posix.join(folder, baseUrl)] : [],
  );
  const mappings = options.flatMap(({ path, folder, options: { paths } }) =>
    Object.entries(isObject(paths) ? paths : {}).map(([pattern, value]) => ({
      pattern,
      // The base of an extending configuration applies, too.
      targets: [folder, ...bases].flatMap((base) => textsIn(value).map((text) => posix.join(base, text))),
      words: `${path} ${JSON.stringify([pattern, value, bases])}`,
    })),
  );
  // With a base, `lib/x` is a path before it is a package.
  return [...mappings, { pattern: "*", targets: bases.map((base) => posix.join(base, "*")), words: undefined }];
}
