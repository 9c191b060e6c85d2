import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { hasErrors, isError } from "../../diagnostics/severity.js";
import { errorCode } from "../../host/fs/error-code.js";
import { foldersToWatch } from "../../host/watch/folders-to-watch.js";
import { type KeptAnswers, keepAnswers } from "../../host/watch/kept-answers.js";
import { readTextIfThere } from "../../host/output/previous-manifest.js";
import { slashPath } from "../../host/fs/slash-path.js";
import { type FolderWatch, TooManyWatches, watchFolders } from "../../host/watch/watch-folders.js";
import { isWrittenAside } from "../../host/output/temp-files.js";
import { WAITING } from "../../ledger/diagnostics.js";
import { isTextOf, type OutputFile } from "../../model/output.js";
import type { Invocation, Outcome } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { type CompiledProject, compileProject, isCompiled, projectPlace } from "./project.js";
import type { RunMemory } from "./run-memory.js";

/** So long after the last change a build begins: an editor writes a file in several steps. */
const DEBOUNCE_MILLISECONDS = 10;
/** Where changes never cease, as beside a log that grows, a build begins after so many of these waits all the same. */
const MOST_WAITS = 50;
/** So long a file that does not parse is given to be written to its end, so many times. */
const HALF_WRITTEN_MILLISECONDS = 20;
const HALF_WRITTEN_TRIES = 5;
/** So many times in a row a build begins anew because what it had found was taken away. */
const TAKEN_AWAY_TRIES = 5;
/** More changes at once than these, and some may have been lost on the way: everything is read again. */
const MOST_EVENTS = 500;
/**
 * More since the last build than this, hasp's own writing included, and the system may have dropped what came then: Linux
 * keeps 16,384 until they are heard.
 */
const MOST_HEARD = 8000;

/** A build after a change. */
export interface Rebuild {
  readonly project: CompiledProject;
  /** What the last build left and is known to be on disk still. */
  readonly standing: ReadonlyMap<string, OutputFile>;
  /** When it began, as `performance.now()` counts. */
  readonly started: number;
}

/** What came of putting the files of a project down. */
export interface WrittenProject {
  readonly outcome: Outcome;
  /** Whether any file changed. */
  readonly hasChanged: boolean;
  /** Whether a file came or went. */
  readonly hasOtherFiles: boolean;
}

/** The records of files of earlier runs, and how they are kept for later ones. */
export type KeptRecords = Pick<RunMemory, "records" | "rememberRecords">;

/** Puts the files of a project down. */
export type WriteProject = (rebuild: Rebuild) => Promise<WrittenProject>;

/**
 * Builds, and builds again whenever something changes from which a build is made, until the user ends it. What no
 * change touched is neither read nor computed again. The first build takes up what earlier runs computed file by file,
 * and adds to it.
 */
export async function watchProject(invocation: Invocation, memory: KeptRecords, write: WriteProject): Promise<Outcome> {
  const { root } = projectPlace(invocation);
  const watcher = new ProjectWatcher(invocation, memory, root, write);
  return new Promise((resolve, reject) => {
    const end = (): void => {
      watcher.close();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
      resolve({ diagnostics: [], root, isShown: true });
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
    watcher.run().catch((error: unknown) => {
      watcher.close();
      if (!(error instanceof TooManyWatches)) return reject(error instanceof Error ? error : new Error(String(error)));
      resolve({
        diagnostics: [cliDiagnostics("cannot-watch", undefined, { folders: watcher.folderCount })],
        root,
        couldNotCheck: true,
      });
    });
  });
}

class ProjectWatcher {
  readonly #invocation: Invocation;
  /** What earlier runs computed file by file, until the first build is done. */
  #memory: KeptRecords | undefined;
  readonly #root: string;
  readonly #write: WriteProject;
  readonly #answers: KeptAnswers;
  readonly #watch: FolderWatch;
  #standing = new Map<string, OutputFile>();
  #outDir: string | undefined;
  #events = 0;
  /** As `#events`, with those that are no news. */
  #heard = 0;
  /** Where something happened since the build began. */
  readonly #touched = new Set<string>();
  /** Whether something happened of which the system did not say where. */
  #sawUnknown = false;
  #isClosed = false;
  #wake: () => void = () => undefined;
  #last: Outcome | undefined;
  #folders: ReadonlySet<string> | undefined;
  /** Whether the last build went on without approvals: then the next one will most likely have to. */
  #wentUnlocked = false;

  constructor(invocation: Invocation, memory: KeptRecords, root: string, write: WriteProject) {
    this.#invocation = invocation;
    this.#memory = memory;
    this.#root = root;
    this.#write = write;
    this.#answers = keepAnswers(root);
    this.#watch = watchFolders((folder, name, kind) => this.#onEvent(folder, name, kind));
  }

  get folderCount(): number {
    return this.#folders?.size ?? 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#watch.close();
    this.#wake();
  }

  async run(): Promise<void> {
    while (!this.#isClosed) {
      this.#events = 0;
      this.#heard = 0;
      this.#touched.clear();
      this.#sawUnknown = false;
      await this.#buildWhatIsThere();
      this.#leaveRecords();
      // What happened in a folder before it was watched went unseen: it is looked at once more.
      if (this.#watch.follow(this.#foldersToWatch())) this.#forgetAll();
      else await this.#somethingHappened();
    }
  }

  /** A build from which its folder is taken away on the way is no end: it begins anew with what is there then. */
  async #buildWhatIsThere(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#build();
      } catch (error) {
        if (tries === TAKEN_AWAY_TRIES || !["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) throw error;
        this.#forgetAll();
      }
    }
  }

  /** From now on all is remembered by identity, and whoever saves need not wait until it is known what leads where. */
  #leaveRecords(): void {
    this.#memory?.rememberRecords();
    this.#memory?.records?.close();
    this.#memory = undefined;
  }

  async #somethingHappened(): Promise<void> {
    if (this.#events === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    for (let seen = -1, waits = 0; seen !== this.#events && waits < MOST_WAITS && !this.#isClosed; waits += 1) {
      seen = this.#events;
      await wait(DEBOUNCE_MILLISECONDS);
    }
    if (this.#events > MOST_EVENTS) this.#forgetAll();
  }

  #forgetAll(): void {
    this.#answers.forgetAll();
    this.#standing.clear();
    this.#folders = undefined;
  }

  #onEvent(folder: string, name: string | undefined, kind: "rename" | "change"): void {
    this.#heard += 1;
    const mayHaveLost = this.#heard === MOST_HEARD;
    if (!mayHaveLost && name !== undefined && isWrittenAside(name)) return;
    if (mayHaveLost || name === undefined) {
      this.#forgetAll();
      this.#sawUnknown = true;
    } else {
      const path = slashPath(this.#root, join(folder, name));
      const file = this.#standing.get(path);
      const present = file === undefined ? undefined : readIfFile(join(this.#root, path));
      // hasp's own writing is no news.
      if (file !== undefined && present !== undefined && isTextOf(file, present)) return;
      this.#touched.add(path);
      this.#forgetStanding(path);
      this.#answers.forgetTexts(path);
      if (kind === "rename") {
        this.#answers.forgetListings();
        this.#folders = undefined;
      }
    }
    this.#events += 1;
    this.#wake();
  }

  /** What stands at this path, or below it if a folder came or went, may be something else now. */
  #forgetStanding(path: string): void {
    if (this.#standing.delete(path)) return;
    for (const known of this.#standing.keys()) if (known.startsWith(`${path}/`)) this.#standing.delete(known);
  }

  async #build(): Promise<void> {
    const started = performance.now();
    const project = await this.#compile();
    if (this.#isClosed) return;
    const { outcome, hasChanged } = isCompiled(project)
      ? await this.#written(project, started)
      : { outcome: project, hasChanged: false };
    const isNews = hasChanged || this.#last === undefined || findingsOf(outcome) !== findingsOf(this.#last);
    this.#last = outcome;
    // A change of something else is no reason to say the same once more.
    if (!isNews) return;
    this.#invocation.terminal.clear();
    await this.#invocation.show(outcome);
    if (this.#invocation.options.format === "pretty") {
      this.#invocation.terminal.error("Watching for changes; Ctrl-C ends it.\n");
    }
  }

  async #written(project: CompiledProject, started: number): ReturnType<WriteProject> {
    const written = await this.#write({ project, standing: this.#standing, started });
    this.#outDir = project.plan.outDir;
    const { files } = project.result;
    if (written.outcome.couldNotCheck === true) this.#standing.clear();
    else if (files.length > 0) {
      this.#standing = this.#standingAfter(files);
      // What somebody else changed while the build waited for its turn may be no longer what was found or made.
      if (this.#sawUnknown) this.#standing.clear();
      for (const path of this.#touched) this.#forgetStanding(path);
    }
    if (written.hasOtherFiles) this.#folders = undefined;
    return written;
  }

  /** The files that stand on disk after a build: hasp's own as they were made, the user's as they are. */
  #standingAfter(files: readonly OutputFile[]): Map<string, OutputFile> {
    const standing = new Map<string, OutputFile>();
    for (const file of files) {
      const { path, owner } = file;
      const before = this.#standing.get(path);
      const present = owner === "hasp" ? file : before?.owner === "user" ? before : userFile(this.#root, path);
      if (present !== undefined) standing.set(path, present);
    }
    return standing;
  }

  /**
   * Compiles. A file with errors may be half written: it is read again before anybody is told, a little later and as
   * long as it changes; one that does not even parse, a few times more.
   */
  async #compile(): Promise<CompiledProject | Outcome> {
    let project = await this.#compileOnce();
    for (let tries = 0; tries < HALF_WRITTEN_TRIES && !this.#isClosed && this.#last !== undefined; tries += 1) {
      const broken = project.diagnostics
        .filter(isError)
        .flatMap(({ code, location }) => (location === undefined ? [] : [{ code, uri: location.uri }]));
      if (broken.length === 0) break;
      const before = this.#events;
      await wait(HALF_WRITTEN_MILLISECONDS);
      if (this.#events === before && !broken.some(({ code }) => code.startsWith("load/"))) break;
      for (const { uri } of broken) this.#answers.forgetTexts(uri);
      project = await this.#compileOnce();
    }
    return project;
  }

  /**
   * Goes on without approvals, but only where some are missing: with all of them, files are those of any other build.
   * Where they were missing the last time, that is tried first, for most builds then are right at once.
   */
  async #compileOnce(): Promise<CompiledProject | Outcome> {
    const compile = (unlocked: boolean): Promise<CompiledProject | Outcome> =>
      compileProject(this.#invocation, {
        emits: true,
        files: this.#answers,
        records: this.#memory?.records,
        unlocked,
      });
    if (this.#wentUnlocked) {
      const project = await compile(true);
      if (!hasErrors(project.diagnostics) && project.diagnostics.some(isWaiting)) return project;
    }
    const project = await compile(false);
    const errors = project.diagnostics.filter(isError);
    this.#wentUnlocked = errors.length > 0 && errors.every(isWaiting);
    return this.#wentUnlocked ? compile(true) : project;
  }

  #foldersToWatch(): ReadonlySet<string> {
    this.#folders ??= foldersToWatch(this.#root, {
      outDir: this.#outDir,
      patterns: this.#answers.patterns(),
      asked: this.#answers.folders(),
      written: this.#standing.keys(),
    });
    return this.#folders;
  }
}

/** Whether a finding says no more than that a reviewer has yet to look. */
function isWaiting({ code }: Diagnostic): boolean {
  return WAITING.has(code);
}

function findingsOf({ diagnostics, summary }: Outcome): string {
  const { files: _files, ...counts } = summary ?? {};
  return JSON.stringify([diagnostics, counts]);
}

function userFile(root: string, path: string): OutputFile | undefined {
  const text = readIfFile(join(root, path));
  return text === undefined ? undefined : { path, owner: "user", text };
}

function readIfFile(path: string): string | undefined {
  try {
    return readTextIfThere(path);
  } catch {
    return undefined;
  }
}
