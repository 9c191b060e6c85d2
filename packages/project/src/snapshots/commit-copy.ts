import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { attempt } from "@hasp/base/diagnostics";
import { once, indexBy } from "@hasp/base/json";
import { isWithinFolder } from "@hasp/compiler/model";
import { MEGABYTE, MEGABYTES_LIMIT } from "@hasp/compiler/source";
import { foldersAbove } from "../fs/folders-above.js";
import { isWithin } from "../fs/read-inside.js";
import { runGit } from "../fs/run-git.js";
import { toSlashPath } from "../fs/slash-path.js";
import { isInstalled } from "../modules/installed-packages.js";
import { findUp } from "../fs/read-git.js";

/** The files that make up a project: specs, shared files, ledgers, configuration and handlers. */
const READ = /\.(?:ya?ml|json|[cm]?[jt]sx?)$/u;
const CODE = /\.[cm]?[jt]sx?$/u;

/** Thrown if git does not give what it lists. */
export class GitFailure extends Error {}

/** A file or link of a commit. */
interface CommittedFile {
  readonly id: string;
  readonly path: string;
  readonly isLink: boolean;
}

/** Files and links of a commit by path. */
type CommittedFiles = ReadonlyMap<string, CommittedFile>;

/** A linked package of the work tree: its name, and its folder from the top. */
type LinkedPackage = readonly [name: string, home: string];

interface CopySource {
  /** The top of the work tree. */
  readonly head: string;
  readonly commit: string;
  /** The commit as people call it. */
  readonly ref: string;
  /** An empty folder. */
  readonly temporary: string;
}

/** The part of a repository at a commit that has been written to a temporary folder. Paths are relative to its top. */
export class CommitCopy {
  readonly top: string;
  readonly #source: CopySource;
  readonly #written = new Map<string, Buffer>();
  readonly #asked = new Set<string>();
  readonly #everything = once(() => this.#list(""));
  #ofProject: CommittedFiles = new Map();
  #project = "";

  constructor(source: CopySource) {
    this.#source = source;
    this.top = join(source.temporary, "repository");
    mkdirSync(this.top);
    const above = findUp(dirname(source.head), "node_modules");
    if (above !== undefined) linkFolder(join(above, "node_modules"), join(source.temporary, "node_modules"));
  }

  /**
   * Adds the project, and each linked package whose name stands in a file that was added, without the data files that
   * no code of these names. Other packages are those of the work tree.
   */
  addProject(project: string): void {
    this.#project = project;
    mkdirSync(join(this.top, project), { recursive: true });
    this.#ofProject = this.#list(project);
    this.#add([...this.#ofProject.values()].filter(isMade));
    for (const folder of foldersAbove(project)) this.provide(posix.join(folder, "package.json"));
    const linked = new Map(this.#linkModules(project));
    const homes = new Set<string>();
    const next = (): string | undefined =>
      [...linked].find(([name, home]) => !homes.has(home) && this.#mentions(name))?.[1];
    for (let home = next(); home !== undefined; home = next()) {
      homes.add(home);
      this.#addFolder(home);
      for (const [name, other] of this.#linkModules(home)) linked.set(name, other);
    }
    const named = this.#namesInCode();
    const data = [...homes].flatMap((home) => [...this.#everything().values()].filter(inFolder(home)));
    this.#add([...this.#ofProject.values(), ...data].filter(({ path }) => isNamed(path, named)));
    if (homes.size > 0) this.#addBuilt([...homes], named);
  }

  /** Adds a file if the commit has it. */
  provide(path: string): void {
    if (this.#asked.has(path)) return;
    this.#asked.add(path);
    const entries = isWithinFolder(this.#project, path) ? this.#ofProject : this.#everything();
    const link = [path, ...foldersAbove(path)].flatMap((each) => entries.get(each) ?? []).find(({ isLink }) => isLink);
    const file = link ?? entries.get(path);
    if (file !== undefined) this.#add([file]);
    const target = link && this.#targetOf(link);
    if (link !== undefined && target !== undefined) this.provide(posix.join(target, posix.relative(link.path, path)));
  }

  #mentions(name: string): boolean {
    return [...this.#written.values()].some((text) => text.includes(name));
  }

  /** Collects the words of all code that was added: the names of files that it may read are among them. */
  #namesInCode(): ReadonlySet<string> {
    const texts = [...this.#written].flatMap(([path, text]) => (CODE.test(path) ? [text.toString("utf8")] : []));
    return new Set(texts.flatMap((text) => text.match(/[\w.-]+/gu) ?? []));
  }

  #addFolder(folder: string): void {
    this.#add([...this.#everything().values()].filter(inFolder(folder)).filter(isMade));
  }

  #list(folder: string): CommittedFiles {
    const within = folder === "" ? [] : ["--", `${folder}/`];
    const out = this.#git(["ls-tree", "-r", "-z", "--long", "--full-tree", this.#source.commit, ...within]);
    return indexBy(parseListing(out), ({ path }) => path);
  }

  #add(entries: readonly CommittedFile[]): void {
    const missing = entries.filter(({ path }) => !this.#written.has(path));
    if (missing.length === 0) return;
    const texts = parseBatch(this.#git(["cat-file", "--batch"], missing.map(({ id }) => `${id}\n`).join("")));
    for (const { id, path } of missing) {
      const text = texts.get(id);
      // Without the file, a tool would count as removed or as new.
      if (text === undefined) throw new GitFailure(`it has no contents for ${path} at ${this.#source.ref}`);
      this.#written.set(path, text);
    }
    for (const entry of missing) this.#write(entry);
  }

  #write(entry: CommittedFile): void {
    const file = join(this.top, entry.path);
    if (!isWithin(this.top, file)) return;
    mkdirSync(dirname(file), { recursive: true });
    if (!entry.isLink) return writeFileSync(file, this.#written.get(entry.path) ?? "");
    const target = this.#targetOf(entry);
    if (target === undefined) return;
    attempt(() => symlinkSync(join(this.top, target), file));
    if (!isWithinFolder(this.#project, target)) this.#addFolder(target);
  }

  /** Returns the path to which a link that was added leads; `undefined` if it leads out of the repository. */
  #targetOf({ path }: CommittedFile): string | undefined {
    const text = this.#written.get(path)?.toString("utf8") ?? "";
    const target = posix.join(posix.dirname(path), text);
    return posix.isAbsolute(text) || /^\.\.(?:\/|$)/u.test(target) ? undefined : target;
  }

  /**
   * Makes the packages of a folder and of those above it importable, and returns those that are linked: they lead into
   * this copy.
   */
  #linkModules(folder: string): readonly LinkedPackage[] {
    const { head } = this.#source;
    return [folder, ...foldersAbove(folder)].flatMap((each): readonly LinkedPackage[] => {
      const path = posix.join(each, "node_modules");
      if (this.#asked.has(path)) return [];
      this.#asked.add(path);
      const [from, to] = [join(head, path), join(this.top, path)];
      const packages = packagesIn(from);
      const linked = packages.filter(({ real }) => isWithin(head, real) && !isInstalled(real));
      if (packages.length === 0) return [];
      mkdirSync(dirname(to), { recursive: true });
      if (linked.length === 0) linkFolder(from, to);
      for (const { name, real } of linked.length === 0 ? [] : packages) {
        mkdirSync(dirname(join(to, name)), { recursive: true });
        linkFolder(
          linked.some((one) => one.name === name) ? join(this.top, toSlashPath(head, real)) : real,
          join(to, name),
        );
      }
      return linked.map(({ name, real }) => [name, toSlashPath(head, real)]);
    });
  }

  /**
   * Adds what git ignores in some packages, such as what a compiler made of them: only the work tree has it. Where any of
   * their own files has changed since the commit, it was made of others, and counts as changed.
   */
  #addBuilt(homes: readonly string[], named: ReadonlySet<string>): void {
    const { head } = this.#source;
    const places = homes.map((home) => home || ".");
    const list = (words: readonly string[]): readonly string[] =>
      this.#git(["ls-files", "-z", "--others", "--exclude-standard", ...words, "--", ...places])
        .toString("utf8")
        .split("\0")
        .filter((path) => path !== "");
    const built = list(["--ignored", "--directory"])
      .flatMap((path) => filesBelow(head, path.replace(/\/$/u, "")))
      .filter((path) => READ.test(path) || isNamed(path, named))
      .filter((path) => !this.#written.has(path));
    if (built.length === 0) return;
    const isChanged = list([]).length > 0 || this.#differs(places);
    for (const path of built) {
      const bytes = readFileSync(join(head, path));
      mkdirSync(dirname(join(this.top, path)), { recursive: true });
      writeFileSync(join(this.top, path), isChanged && READ.test(path) ? Buffer.concat([bytes, NEW_LINE]) : bytes);
    }
  }

  /** True if a tracked file at one of these places is not as in the commit. */
  #differs(places: readonly string[]): boolean {
    const { head, commit } = this.#source;
    const { status, error, message } = runGit(head, ["diff", "--quiet", "--no-ext-diff", commit, "--", ...places]);
    if (status !== 0 && status !== 1) throw new GitFailure(error ?? message);
    return status === 1;
  }

  #git(words: readonly string[], input?: string): Buffer {
    const { status, out, error, message } = runGit(this.#source.head, words, input);
    if (status !== 0) throw new GitFailure(error ?? message);
    return out;
  }
}

const NEW_LINE = Buffer.from("\n");

/** True for the links and files that are added without being named. */
function isMade({ path, isLink }: CommittedFile): boolean {
  return isLink || READ.test(path);
}

/** True if a file, or its folder, has one of these names. */
function isNamed(path: string, names: ReadonlySet<string>): boolean {
  return names.has(posix.basename(path)) || names.has(posix.basename(posix.dirname(path)));
}

function inFolder(folder: string): (entry: CommittedFile) => boolean {
  return ({ path }) => isWithinFolder(folder, path);
}

function linkFolder(target: string, link: string): void {
  symlinkSync(target, link, "junction");
}

interface ModulesEntry {
  readonly name: string;
  readonly real: string;
}

/** Lists the packages directly in a folder `node_modules`, with their real paths. */
function packagesIn(folder: string): readonly ModulesEntry[] {
  const namesIn = (path: string): readonly string[] =>
    (attempt(() => readdirSync(path)) ?? []).filter((name) => !name.startsWith("."));
  return namesIn(folder)
    .flatMap((name) => (name.startsWith("@") ? namesIn(join(folder, name)).map((each) => `${name}/${each}`) : [name]))
    .flatMap((name) => {
      const real = attempt(() => realpathSync.native(join(folder, name)));
      return real === undefined ? [] : [{ name, real }];
    });
}

/** Lists the files in and below a path, without those behind links. */
function filesBelow(root: string, path: string): readonly string[] {
  if (posix.basename(path) === "node_modules") return [];
  const entries = attempt(() => readdirSync(join(root, path), { withFileTypes: true }));
  if (entries === undefined) return [path];
  return entries.flatMap((entry) => {
    const inner = posix.join(path, entry.name);
    if (entry.isDirectory()) return filesBelow(root, inner);
    return entry.isFile() ? [inner] : [];
  });
}

/**
 * Parses `<mode> <type> <id> <size>\t<path>` entries, each ended by a zero byte. Submodules and what is in
 * `node_modules` are left out; `BAD` is the size of an object that git lacks.
 */
function parseListing(out: Buffer): readonly CommittedFile[] {
  return out
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const [, mode, id = "", size = "", path = ""] =
        /^(\d+) blob ([0-9a-f]+) +(\d+|BAD)\t([\s\S]+)$/u.exec(line) ?? [];
      if (mode === undefined || Number(size) > MEGABYTES_LIMIT * MEGABYTE) return [];
      const isLink = mode === "120000";
      if (/(?:^|\/)node_modules(?:\/|$)/u.test(path) || (!isLink && !mode.startsWith("100"))) return [];
      return [{ id, path, isLink }];
    });
}

/** Parses entries `<id> blob <size>\n<contents>\n`. */
function parseBatch(out: Buffer): ReadonlyMap<string, Buffer> {
  const texts = new Map<string, Buffer>();
  for (let at = 0; at < out.length;) {
    const end = out.indexOf("\n", at);
    const [id = "", type, size] = out.toString("utf8", at, end).split(" ");
    const length = type === "blob" ? Number(size) : 0;
    if (type === "blob") texts.set(id, out.subarray(end + 1, end + 1 + length));
    at = type === "blob" ? end + 1 + length + 1 : end + 1;
  }
  return texts;
}
