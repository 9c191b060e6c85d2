import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { attempt } from "@hasp/base/diagnostics";
import { ADDED_ENDINGS } from "../modules/code-endings.js";
import type { FoundModule } from "../modules/read-module-text.js";
import type { CompilerHost } from "./host-questions.js";
import {
  createModuleSettings,
  isElements,
  isOutside,
  type ModuleSettings,
  readPackageName,
  remember,
} from "./module-settings.js";

/** Everything that a specifier may mean. */
export interface Resolved {
  /** The files that may run, without links; paths from the root. */
  readonly files: Set<string>;
  /** The settings that lead to them, as text. */
  readonly words: Set<string>;
  /** The reason why it may lead to a file that nothing here covers. */
  obstacle: string | undefined;
}

/** Resolves imports as Node, TypeScript and bundlers do. Where these differ, each of their answers counts. */
export interface ImportResolver {
  readonly settings: ModuleSettings;
  /** Reads a module; `undefined` if there is none at the path. */
  moduleAt(path: string): Promise<FoundModule | undefined>;
  /** Resolves a specifier in a module of this folder. */
  resolve(folder: string, specifier: string): Promise<Resolved>;
}

/** Creates an {@link ImportResolver} of a project, which asks about each path once. */
export function createImportResolver(files: CompilerHost): ImportResolver {
  const settings = createModuleSettings(files);
  const moduleAt = remember(async (path: string) =>
    (await isOutside(path, files)) || path.includes("\0") ? undefined : files.ask("module", path),
  );
  const disk = { files, settings, moduleAt };
  const meant = remember(({ path, ...form }: PathForm & { readonly path: string }) => findFiles(path, form, disk));
  const packagesAt = remember((named: { readonly folder: string; readonly name: string }) =>
    files.ask("linked", named),
  );

  const addPaths = async (found: Resolved, paths: readonly string[], form = RELATIVE): Promise<void> => {
    for (const path of paths) addTo(found, await meant({ path, ...form }));
  };
  /** Returns true if the name leads somewhere, or an obstacle says why that is unknown. */
  const addName = async (found: Resolved, folder: string, name: string, isOwn: boolean): Promise<boolean> => {
    const { paths, names, words } = isOwn ? await settings.of(folder, name) : NOTHING;
    for (const each of words) found.words.add(each);
    await addPaths(
      found,
      paths.flatMap((path) => spellingsOf(".", `./${path}`)),
    );
    // A mapping leads to a package, and to no further mapping; only what makes elements is like an import.
    const isOptional = PROVIDED.test(name) || (isElements(name) && words.length === 0);
    let isKnown = found.files.size > 0 || isBuiltin(name) || isOptional;
    for (const each of names) if (await addName(found, folder, each, isElements(name))) isKnown = true;
    const named = readPackageName(name);
    if (named === undefined) return isKnown;
    const { linked, isInstalled, isUnpinned } = await packagesAt({ folder, name: named.name });
    const { homes, isPublished } = await settings.declarationsOf(folder, named.name);
    for (const home of [...linked, ...homes]) {
      const part = await settings.partOf(home, named.part);
      const inPackage = newFound();
      await addPaths(
        inPackage,
        part.paths.flatMap((path) => spellingsOf(".", `./${path}`)),
        { isNamed: true, target: named.part === "" ? "both" : readTarget(named.part) },
      );
      addTo(found, { ...inPackage, words: new Set([...inPackage.words, ...part.words]) });
      if (inPackage.files.size > 0) return true;
    }
    if (isUnpinned) found.obstacle = UNPINNED;
    if (isKnown || isInstalled || isPublished) return true;
    // A package with nothing but types never runs.
    const types = `@types/${named.name.replace(/^@(.*)\//u, "$1__")}`;
    return (await packagesAt({ folder, name: types })).isInstalled;
  };
  const resolve = remember(async ({ folder, specifier }: { readonly folder: string; readonly specifier: string }) => {
    const found = newFound();
    if (/^file:/iu.test(specifier)) found.obstacle = OUTSIDE;
    else if (/^\.{1,2}(?:\/|$)/u.test(specifier)) {
      await addPaths(found, spellingsOf(folder, specifier), { isNamed: false, target: readTarget(specifier) });
    } else if (!(await addName(found, folder, specifier, true))) found.obstacle ??= LOST;
    // A mapping may give such a name another meaning.
    if (/^(?:\/|[a-z]:[\\/])/iu.test(specifier) && found.files.size === 0) found.obstacle = OUTSIDE;
    for (const file of found.files) for (const each of await settings.effectsOf(file)) found.words.add(each);
    return found;
  });
  return { settings, moduleAt, resolve: (folder, specifier) => resolve({ folder, specifier }) };
}

const OUTSIDE = "outside the repository";
const LOST =
  "which leads to no file and no installed package: install or build it, or map the name in package.json or tsconfig.json";
const UNPINNED =
  "a package that no lockfile pins, because it is committed to git or copied from this repository: install or link it, or import its files";

/** The names of modules that a runtime has, that a registry's version pins, or that are hasp's. */
const PROVIDED = /^(?:node|bun|cloudflare|deno|npm|jsr|data):|^(?:@hasp\/|hasp(?:\/|$))/u;

const RELATIVE: PathForm = { isNamed: false, target: "file first" };

function readTarget(specifier: string): PathForm["target"] {
  if (specifier.endsWith("/")) return "folder";
  return /(?:^|\/)\.{1,2}$/u.test(specifier) ? "both" : "file first";
}

const NOTHING = { paths: [], names: [], words: [] } as const;

function newFound(): Resolved {
  return { files: new Set(), words: new Set(), obstacle: undefined };
}

function addTo(found: Resolved, { files, words, obstacle }: Resolved): void {
  for (const each of files) found.files.add(each);
  for (const each of words) found.words.add(each);
  found.obstacle ??= obstacle;
}

/** A placeholder for the top of the file system in URLs, far above every project. */
const ROOT = `file:///${"hasp/".repeat(64)}`;

/**
 * Returns the paths that a relative specifier may spell: as written, as `require` takes it, and as a URL, as `import`
 * does, without its query and fragment and with its escapes undone.
 */
function spellingsOf(folder: string, specifier: string): readonly string[] {
  const base = new URL(`${ROOT}${folder.split("/").map(encodeURIComponent).join("/")}/`);
  const pathname = attempt(() => new URL(specifier, base).pathname) ?? "/";
  const byUrl = posix.relative(new URL(ROOT).pathname, attempt(() => decodeURIComponent(pathname)) ?? pathname);
  return [...new Set([posix.join(folder, specifier), byUrl].map((path) => path.replace(/\/$/u, "") || "."))];
}

interface Disk {
  readonly files: CompilerHost;
  readonly settings: ModuleSettings;
  readonly moduleAt: ImportResolver["moduleAt"];
}

/** The form in which an import spells a path. */
interface PathForm {
  /** True if the name of a package leads to the path. */
  readonly isNamed: boolean;
  /** `file first` if a file hides a folder at the path, `both` if it hides it from some loaders only. */
  readonly target: "file first" | "both" | "folder";
}

/**
 * Finds the files that a path may mean: the file itself, which TypeScript may have been compiled to; else one with an
 * ending; else the main file of a folder.
 */
async function findFiles(path: string, form: PathForm, disk: Disk): Promise<Resolved> {
  const found = newFound();
  if (await isOutside(path, disk.files)) return { ...found, obstacle: OUTSIDE };
  const { paths, words } = await disk.settings.replacementsOf(path);
  for (const each of words) found.words.add(each);
  for (const each of [path, ...paths]) await addFiles(found, each, form, disk);
  return found;
}

async function addFiles(found: Resolved, path: string, form: PathForm, disk: Disk): Promise<void> {
  const beside = form.target === "folder" ? [] : await addFile(found, path, ADDED_ENDINGS, form, disk);
  const endings = form.target === "file first" ? beside : ADDED_ENDINGS;
  if (endings.length === 0) return;
  const { paths, words } = await disk.settings.mainsOf(path);
  for (const each of words) found.words.add(each);
  for (const main of paths) {
    const inMain = await addFile(found, main, endings, form, disk);
    if (inMain.length > 0) await addFile(found, posix.join(main, "index"), inMain, form, disk);
  }
  await addFile(found, posix.join(path, "index"), endings, form, disk);
}

/** Adds the file at a path. Returns the endings with which some loader still looks into a folder at the path. */
async function addFile(
  found: Resolved,
  path: string,
  endings: readonly string[],
  { isNamed }: PathForm,
  disk: Disk,
): Promise<readonly string[]> {
  const add = async (candidate: string): Promise<boolean> => {
    const module = await disk.moduleAt(candidate);
    if (module !== undefined) found.files.add(module.path);
    return module !== undefined;
  };
  const [, stem = "", module = "", language = ""] = /^(.*)\.([cm]?)(jsx?)$/u.exec(path) ?? [];
  const isThere = await add(path);
  if (language !== "" && !(await add(`${stem}.${module}ts`))) await add(`${stem}.${module}tsx`);
  if (isThere) return [];
  const there = new Set<string>();
  for (const ending of endings) if (await add(`${path}${ending}`)) there.add(ending);
  // A loader that adds an ending to the name of an index has added it to the path first.
  const left = endings.filter((ending) => !there.has(ending));
  // All loaders add these two before they look for a folder,
  if (!there.has(".js") && !there.has(".json")) return left;
  // but in packages, TypeScript looks for its own files everywhere before it looks for others.
  return isNamed && !TYPED_ENDINGS.some((ending) => there.has(ending))
    ? left.filter((ending) => TYPED_ENDINGS.includes(ending))
    : [];
}

/** The endings that TypeScript adds first. */
const TYPED_ENDINGS: readonly string[] = [".ts", ".tsx"];
