import { type Dirent, existsSync, readdirSync, realpathSync } from "node:fs";
import { join, posix } from "node:path";
import type { SourceText } from "@hasp/compiler";
import { once, sortBy } from "@hasp/base/json";
import { isWithinFolder } from "@hasp/compiler/model";
import { foldersAbove } from "../fs/folders-above.js";
import { findDetours } from "../fs/detours.js";
import { describeOddity, isFolder, linkAt, readErrorCode } from "../fs/entries.js";
import { findRepository } from "../fs/read-git.js";
import { createProjectReader, type ProjectReader } from "../fs/read-inside.js";
import { toSlashPath } from "../fs/slash-path.js";
import {
  findPackage,
  findPluginPackage,
  listCommittedModules,
  listImportablePackages,
} from "../modules/installed-packages.js";
import {
  type FoundModule,
  listFileNames,
  locateImport,
  type ModuleImport,
  readModuleText,
} from "../modules/read-module-text.js";
import { findOutputTwins, findTwins, ignoredByGit } from "../modules/twins.js";
import { today } from "../fs/today.js";
import { readOutputs, readTextIfThere } from "../output/previous-manifest.js";
import type { CompilerHost, FolderEntries, HostQuestions, QuestionKind } from "./host-questions.js";
import { SPEC_FILE } from "./file-names.js";

/** A function for each kind of question. */
type HostAnswers = {
  readonly [Kind in QuestionKind]: (
    question: HostQuestions[Kind]["question"],
  ) => HostQuestions[Kind]["answer"] | Promise<HostQuestions[Kind]["answer"]>;
};

/** Creates the host of the files in and below a folder, as they are now, and of the modules of its repository. */
export function createCompilerHost(root: string, repository?: RepositoryOnDisk): CompilerHost {
  return createHost(createAnswersOfDisk(root, repository));
}

function createHost(answers: HostAnswers): CompilerHost {
  return { ask: async (kind, question) => answers[kind](question) };
}

/**
 * Creates the host of a project as it would be with further files. Those named like specs are specs, in whatever folder.
 * @param texts - Texts by path from the root. They hide the files at these paths.
 */
export function createHostWithFiles(root: string, texts: ReadonlyMap<string, string>): CompilerHost {
  const disk = createAnswersOfDisk(root);
  const further = [...texts.keys()];
  const specs = further.filter((path) => SPEC_FILE.test(path));
  return createHost({
    ...disk,
    present: async (paths) => {
      const found = await disk.present(paths);
      const onDisk = new Set(found.map(({ path }) => path));
      const added = paths.filter((path) => !onDisk.has(path) && further.some((each) => isWithinFolder(path, each)));
      return [...found, ...added.map((path) => ({ path, isFolder: !texts.has(path) }))];
    },
    text: (question) => {
      const text = texts.get(question.uri);
      return text === undefined ? disk.text(question) : { ...question, text };
    },
    specs: async (question) => {
      const found = await disk.specs(question);
      return { ...found, paths: [...new Set([...found.paths, ...specs])].toSorted() };
    },
  });
}

function createAnswersOfDisk(root: string, repository?: RepositoryOnDisk): HostAnswers {
  let reader: ProjectReader | undefined;
  const around = once(() => openRepository(root, repository));
  const committed = once(() => listCommittedModules(root));
  return {
    root: () => isFolder(root),
    present: (paths) =>
      paths
        .filter((path) => existsSync(join(root, path)))
        .map((path) => ({ path, isFolder: isFolder(join(root, path)) })),
    text: ({ uri, role }) => (reader ??= createProjectReader(root)).read(uri, role),
    plan: async (options) => (await import("./read-plan.js")).readWholePlan(root, createCompilerHost(root), options),
    specs: async ({ patterns, ignore }) => (await import("./find-specs.js")).findSpecFiles(root, patterns, ignore),
    folder: ({ folder, endings }) => entriesIn(join(root, folder), endings),
    repository: () => around().way,
    module: (path) => around().module(path),
    data: (path) => around().data(path),
    place: (question) => around().place(question),
    settings: (path) => around().settings(path),
    linked: (named) => findPackage(root, named, committed),
    ignored: (paths) => {
      const ignored = ignoredByGit(root, paths);
      return paths.filter((path) => ignored.has(path));
    },
    twins: (modules) => findTwins(root, modules),
    outputTwins: (outDir) => {
      const manifest = posix.join(outDir, "manifest.json");
      return findOutputTwins(root, [...readOutputs(readTextIfThere(join(root, manifest)) ?? "", manifest)]);
    },
    detours: (folder) => findDetours(root, folder),
    remote: async (remote) =>
      (await import("./stored-remotes.js")).readStoredRemote(root, remote, (reader ??= createProjectReader(root))),
    packages: (names) => listImportablePackages(root, names),
    plugin: (name) => findPluginPackage(root, name),
    today,
  };
}

/** The repository of a project. */
export interface RepositoryOnDisk {
  readonly top: string;
  /** Makes a path from the top readable. */
  provide(path: string): void;
}

interface AroundProject {
  /** The path from the root to the top. */
  readonly way: string;
  module(path: string): Promise<FoundModule | undefined>;
  data(path: string): readonly string[];
  place(question: ModuleImport): Promise<string | undefined>;
  settings(path: string): SourceText | undefined;
}

function openRepository(
  root: string,
  { top, provide }: RepositoryOnDisk = { top: findRepository(root), provide: () => undefined },
): AroundProject {
  const reader = createProjectReader(top);
  const place = toSlashPath(realpathSync.native(top), realpathSync.native(root));
  const fromTop = (path: string): string => {
    const there = posix.join(place, path);
    provide(there);
    return there;
  };
  return {
    way: posix.relative(place, ""),
    async module(path) {
      const there = fromTop(path);
      const text = await readModuleText(reader, there);
      return text && { ...text, path: posix.relative(place, reader.followLinks(there) ?? there) };
    },
    data(path) {
      const there = fromTop(path);
      const names = listFileNames(reader.read(there, "shared")?.text ?? "").flatMap((name) => [
        name,
        ...entriesIn(join(top, there, "..", name), [""]).files.map((each) => `${name}/${each}`),
      ]);
      const places = foldersAbove(there).flatMap((folder) => names.map((name) => posix.join(folder, name)));
      const found = places.filter((each) => {
        provide(each);
        return !SPEC_FILE.test(each) && reader.readBytes(each) !== undefined;
      });
      return found.map((each) => posix.relative(place, reader.followLinks(each) ?? each));
    },
    place: ({ path, specifier }) => locateImport(reader, { path: fromTop(path), specifier }),
    settings(path) {
      const source = reader.read(fromTop(path), "config");
      return source && { ...source, uri: path };
    },
  };
}

function entriesIn(folder: string, endings: readonly string[]): FolderEntries {
  const entries = listed(folder);
  if (entries === "closed") {
    return { files: [], oddities: [{ name: ".", what: "a folder that you are not allowed to read" }] };
  }
  const isLink = linkAt(folder)?.isSymbolicLink() === true;
  const named = sortBy(
    entries.filter(({ name }) => endings.some((ending) => name.endsWith(ending))),
    ({ name }) => name,
  );
  const oddities = named.flatMap((entry) => {
    const what = entry.isFile() ? undefined : describeOddity(join(folder, entry.name));
    return what === undefined ? [] : [{ name: entry.name, what }];
  });
  const odd = new Set(oddities.map(({ name }) => name));
  return {
    files: named.map(({ name }) => name).filter((name) => !odd.has(name)),
    oddities: [...(isLink ? [{ name: ".", what: describeOddity(folder) ?? "a link" }] : []), ...oddities],
  };
}

function listed(folder: string): readonly Dirent[] | "closed" {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = readErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    if (code === "EACCES" || code === "EPERM") return "closed";
    throw error;
  }
}
