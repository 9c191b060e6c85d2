import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { hasErrors, isError } from "../../../../compiler/src/diagnostics/severity.js";
import { errorCode } from "../../../../project/src/fs/error-code.js";
import { type InputTracker, trackInputs } from "../../../../project/src/cache.js";
import { isTemporary } from "../../../../project/src/fs/write-atomically.js";
import { slashPath } from "../../../../project/src/fs/slash-path.js";
import { readTextIfThere } from "../../../../project/src/output/previous-manifest.js";
import { compilerHost } from "../../../../project/src/read/compiler-host.js";
import { foldersToWatch } from "../../../../project/src/watch/folders-to-watch.js";
import { type FolderWatch, TooManyWatches, watchFolders } from "../../../../project/src/watch/watch-folders.js";
import { WAITING } from "../../../../compiler/src/ledger/diagnostics.js";
import type { OutputFile } from "../../../../compiler/src/model/output.js";
import type { Invocation, CommandResult } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { type CompiledProject, compileProject, isCompiled, locateProject } from "./project.js";
import type { RunCache } from "./run-cache.js";

/** Debounce between the last file change and a rebuild, in milliseconds: an editor writes a file in several steps. */
const DEBOUNCE_MILLISECONDS = 10;
/** Changes that never cease, as beside a log that grows, put a rebuild off for this many waits at most. */
const WAITS_LIMIT = 50;
/** How long, and how often, a file that does not parse is given to be written to its end. */
const HALF_WRITTEN_MILLISECONDS = 20;
const HALF_WRITTEN_TRIES = 5;
/** How many times in a row a build starts again because its files were removed. */
const TAKEN_AWAY_TRIES = 5;
/** After more events than this, the system may have dropped some: Linux keeps 16,384 until they are read. */
const EVENTS_LIMIT = 8000;

/** A build after a change. */
export interface Rebuild {
  readonly project: CompiledProject;
  /** When it began, as `performance.now()` counts. */
  readonly started: number;
}

/** What came of writing the files of a project. */
export interface WrittenProject {
  readonly outcome: CommandResult;
  /** Whether any file changed. */
  readonly hasChanged: boolean;
}

/** Writes the files of a project. */
export type WriteProject = (rebuild: Rebuild) => Promise<WrittenProject>;

/**
 * Builds, and builds again whenever something changes from which a build is made, until the user ends it. What a change
 * does not touch is not computed again.
 */
export async function watchProject(
  invocation: Invocation,
  cache: Pick<RunCache, "tools" | "saveTools">,
  write: WriteProject,
): Promise<CommandResult> {
  const { root } = locateProject(invocation);
  const watcher = new ProjectWatcher(invocation, cache, root, write);
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
  readonly #cache: Pick<RunCache, "tools" | "saveTools">;
  readonly #root: string;
  readonly #write: WriteProject;
  readonly #watch: FolderWatch;
  /** What the last build read. */
  #tracker: InputTracker | undefined;
  /** The files of hasp's that the last build left. */
  #written: ReadonlyMap<string, OutputFile> = new Map();
  #outDir: string | undefined;
  /** Changes since the last build began. */
  #changes = 0;
  /** As `#changes`, with those that hasp itself made. */
  #events = 0;
  #isClosed = false;
  #wake: () => void = () => undefined;
  #last: CommandResult | undefined;
  #folders: ReadonlySet<string> = new Set();
  /** Whether the last build went on without approvals: then the next one will most likely have to. */
  #wentUnlocked = false;

  constructor(invocation: Invocation, cache: Pick<RunCache, "tools" | "saveTools">, root: string, write: WriteProject) {
    this.#invocation = invocation;
    this.#cache = cache;
    this.#root = root;
    this.#write = write;
    this.#watch = watchFolders((folder, name) => this.#onEvent(folder, name));
  }

  get folderCount(): number {
    return this.#folders.size;
  }

  close(): void {
    this.#isClosed = true;
    this.#watch.close();
    this.#wake();
  }

  async run(): Promise<void> {
    for (let isFirst = true; !this.#isClosed; isFirst = false) {
      this.#changes = 0;
      this.#events = 0;
      await this.#buildWhatIsThere();
      if (isFirst) this.#cache.saveTools();
      this.#folders = this.#foldersToWatch();
      // What happened in a folder before it was watched went unseen.
      if (!this.#watch.follow(this.#folders)) await this.#change();
    }
  }

  /** A build whose project is removed meanwhile starts again with what is there then. */
  async #buildWhatIsThere(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#build();
      } catch (error) {
        if (tries === TAKEN_AWAY_TRIES || !["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) throw error;
      }
    }
  }

  /** Waits for a change, and until no more come. */
  async #change(): Promise<void> {
    if (this.#changes === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    for (let seen = -1, waits = 0; seen !== this.#changes && waits < WAITS_LIMIT && !this.#isClosed; waits += 1) {
      seen = this.#changes;
      await wait(DEBOUNCE_MILLISECONDS);
    }
  }

  #onEvent(folder: string, name: string | undefined): void {
    this.#events += 1;
    if (this.#events !== EVENTS_LIMIT && name !== undefined && this.#isOwnWriting(folder, name)) return;
    this.#changes += 1;
    this.#wake();
  }

  #isOwnWriting(folder: string, name: string): boolean {
    if (isTemporary(name)) return true;
    const path = slashPath(this.#root, join(folder, name));
    const file = this.#written.get(path);
    return file !== undefined && readIfFile(join(this.#root, path)) === file.text;
  }

  async #build(): Promise<void> {
    const started = performance.now();
    const project = await this.#compile();
    if (this.#isClosed) return;
    const { outcome, hasChanged } = isCompiled(project)
      ? await this.#writeProject(project, started)
      : { outcome: project, hasChanged: false };
    const isNews = hasChanged || this.#last === undefined || findingsOf(outcome) !== findingsOf(this.#last);
    this.#last = outcome;
    // A change of something else is no reason to say the same once more.
    if (!isNews) return;
    this.#invocation.terminal.clear();
    await this.#invocation.show(outcome);
    if (this.#invocation.options.format === "pretty") {
      this.#invocation.terminal.error("Watching for changes; press Ctrl-C to stop.\n");
    }
  }

  async #writeProject(project: CompiledProject, started: number): ReturnType<WriteProject> {
    const written = await this.#write({ project, started });
    this.#outDir = project.plan.outDir;
    const { files } = project.result;
    if (files.length > 0) {
      this.#written = new Map(files.filter(({ owner }) => owner === "hasp").map((file) => [file.path, file]));
    }
    return written;
  }

  /**
   * Compiles. A file with errors may be half written: it is read again before anybody is told, a little later and as
   * long as it changes; one that does not even parse, a few times more.
   */
  async #compile(): Promise<CompiledProject | CommandResult> {
    let project = await this.#compileOnce();
    for (let tries = 0; tries < HALF_WRITTEN_TRIES && !this.#isClosed && this.#last !== undefined; tries += 1) {
      const broken = project.diagnostics
        .filter(isError)
        .flatMap(({ code, location }) => (location === undefined ? [] : [code]));
      if (broken.length === 0) break;
      const before = this.#changes;
      await wait(HALF_WRITTEN_MILLISECONDS);
      if (this.#changes === before && !broken.some((code) => code.startsWith("load/"))) break;
      project = await this.#compileOnce();
    }
    return project;
  }

  /**
   * Goes on without approvals, but only where some are missing: with all of them, files are those of any other build.
   * Where they were missing the last time, that is tried first, for most builds then are right at once.
   */
  async #compileOnce(): Promise<CompiledProject | CommandResult> {
    const compile = (unlocked: boolean): Promise<CompiledProject | CommandResult> => {
      this.#tracker = trackInputs(compilerHost(this.#root));
      return compileProject(this.#invocation, {
        emits: true,
        host: this.#tracker,
        cache: this.#cache.tools,
        unlocked,
      });
    };
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
    return foldersToWatch(this.#root, {
      outDir: this.#outDir,
      questions: this.#tracker?.questions ?? [],
      written: this.#written.keys(),
    });
  }
}

/** Whether a finding says no more than that a reviewer has yet to look. */
function isWaiting({ code }: Diagnostic): boolean {
  return WAITING.has(code);
}

function findingsOf({ diagnostics, summary }: CommandResult): string {
  const { files: _files, ...counts } = summary ?? {};
  return JSON.stringify([diagnostics, counts]);
}

function readIfFile(path: string): string | undefined {
  try {
    return readTextIfThere(path);
  } catch {
    return undefined;
  }
}
