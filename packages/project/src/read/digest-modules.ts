import { createHash } from "node:crypto";
import { posix } from "node:path";
import { dropUndefined, once } from "@hasp/base/json";
import { isWithinFolder, type HandlerDigest } from "@hasp/compiler/model";
import type { CompilePlan } from "@hasp/compiler";
import { readOutputs } from "../output/previous-manifest.js";
import type { ModuleImport } from "../modules/read-module-text.js";
import type { CompilerHost } from "./host-questions.js";
import { isFlaw, remember } from "./module-settings.js";
import { createImportResolver, type ImportResolver, type Resolved } from "./resolve-imports.js";

/** The most modules that one approval covers; a handler that imports more is a whole application. */
const MOST_MODULES = 500;

interface DigestOptions {
  readonly resolver?: ImportResolver;
  /** True if the modules may read files that their texts name, even if none of them imports what reads files. */
  readonly mayRead?: boolean;
}

/** The parts by which modules are digested. */
interface ModuleSurroundings {
  readonly resolver: ImportResolver;
  /** Finds the place in a module where it imports a specifier. */
  readonly findPlace: (imported: ModuleImport) => Promise<string | undefined>;
  /** True for files of the last build. */
  readonly isBuilt: (path: string) => Promise<boolean>;
  /** True if the modules may read files that their texts name. */
  readonly mayRead: boolean;
  readonly findData: (path: string) => Promise<readonly string[]>;
}

/**
 * Digests modules, each with the files of the repository that it imports, directly or through others, by paths or by
 * names. Installed packages, types and the files of the last build (which the specs cover) are not followed.
 */
export async function digestModules(
  files: CompilerHost,
  modules: readonly string[],
  outDir: string,
  { resolver = createImportResolver(files), mayRead = false }: DigestOptions = {},
): Promise<CompilePlan["handlerDigests"]> {
  if (modules.length === 0) return {};
  const outputs = once(async () => {
    const uri = `${outDir}/manifest.json`;
    return readOutputs((await files.ask("text", { uri, role: "config" }))?.text ?? "", uri);
  });
  const isBuilt = async (path: string): Promise<boolean> => isWithinFolder(outDir, path) && (await outputs()).has(path);
  const digests: [string, HandlerDigest][] = [];
  const findData = remember(async (path: string): Promise<readonly string[]> => {
    const found = (await files.ask("data", path)).filter((each) => !isWithinFolder(outDir, each));
    // Tools may write files that git ignores, and such files exist on this machine only.
    const ignored = mayRead || found.length === 0 ? [] : await files.ask("ignored", found);
    return found.filter((each) => !ignored.includes(each));
  });
  const findPlace = remember((imported: ModuleImport) => files.ask("place", imported));
  const surroundings = { resolver, findPlace, isBuilt, mayRead, findData };
  for (const path of modules) digests.push([path, await digestModule(path, surroundings)]);
  return Object.fromEntries(digests);
}

async function digestModule(
  path: string,
  { resolver, findPlace, isBuilt, mayRead, findData }: ModuleSurroundings,
): Promise<HandlerDigest> {
  const start = await resolver.moduleAt(path);
  const reached = new Map([[start?.path ?? path, start]]);
  const settings = new Set<string>();
  let obstacle: string | undefined;
  const follow = async (found: Resolved): Promise<void> => {
    for (const each of found.words) {
      settings.add(each);
      if (isFlaw(each)) obstacle ??= each;
    }
    for (const file of found.files) {
      if (reached.has(file) || (await isBuilt(file))) continue;
      if (reached.size < MOST_MODULES) reached.set(file, await resolver.moduleAt(file));
      else obstacle ??= `it imports more than ${MOST_MODULES} files`;
    }
  };
  // Bundlers may load another file in its place.
  await follow(await resolver.resolve(".", `./${path}`));
  // A map that grows during iteration is iterated to its new end.
  for (const [from, module] of reached) {
    const { imports = [], certain = [], loaded = [], required = [] } = module ?? {};
    if (module?.obstacle !== undefined) obstacle ??= `${from} cannot be followed: ${module.obstacle}`;
    for (const specifier of imports) {
      const resolved = await resolver.resolve(posix.dirname(from), specifier);
      await follow(resolved);
      if (resolved.obstacle !== undefined && certain.includes(specifier) && obstacle === undefined) {
        // Only a parser can tell an import from another text.
        const place = await findPlace({ path: from, specifier });
        if (place !== undefined) {
          obstacle = `${from}:${place} imports ${JSON.stringify(specifier)}, ${resolved.obstacle}`;
        }
      }
      // The imports of such a file are not found.
      const known = required.includes(specifier) ? NAMED_FOR_NODE : ENDED;
      const odd = loaded.includes(specifier) ? [...resolved.files].find((each) => !known.test(each)) : undefined;
      if (odd !== undefined) obstacle ??= `${from} imports ${odd}, which may run as code in spite of its name`;
    }
  }
  const readsFiles = mayRead || [...reached.values()].some((module) => module?.readsFiles);
  const data = readsFiles ? await Promise.all(Array.from(reached.keys(), findData)) : [];
  for (const each of data.flat()) if (!reached.has(each)) reached.set(each, await resolver.moduleAt(each));
  const covered = [...reached.values()].flatMap((module) => module ?? []);
  const lines = [...reached.keys()].toSorted().map((each) => `${each} ${reached.get(each)?.digest ?? ""}`);
  const own = start?.digest ?? "";
  const isAlone = reached.size === 1 && settings.size === 0;
  return {
    digest: isAlone
      ? own
      : createHash("sha256")
          .update([...lines, ...[...settings].toSorted()].join("\n"))
          .digest("hex"),
    own,
    ...dropUndefined({
      obstacle,
      isolates: covered.find(({ isolates }) => isolates)?.isolates,
      marksRetryable: covered.find(({ marksRetryable }) => marksRetryable)?.marksRetryable,
    }),
  };
}

/** The names of files that `require` loads as their endings say. */
const NAMED_FOR_NODE = /\.(?:[cm]?[jt]sx?|json|node)$/u;

/** The names of files that `import` loads as code that is followed, or as data. Compilers make code of many others. */
const ENDED =
  /[^/]\.(?:[cm]?[jt]sx?|json[5c]?|node|wasm|txt|md|html?|css|xml|csv|tsv|ya?ml|toml|sql|g(?:raph)?ql|pem|svg|png|jpe?g|gif|webp|ico|pdf)$/iu;
