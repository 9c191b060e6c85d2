import { indexBy } from "@hasp/base/json";
import { attempt, type Diagnostic, hasErrors, isError } from "@hasp/base/diagnostics";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readErrorCode } from "../fs/entries.js";
import { isTemporary } from "../fs/write-atomically.js";
import { toSlashPath } from "../fs/slash-path.js";
import { foldersToWatch, type FolderWatch, TooManyWatches, watchFolders } from "../watch-folders.js";
import { type InputTracker, trackInputs } from "../cache.js";
import { readTextIfThere } from "../output/previous-manifest.js";
import { createCompilerHost } from "../read/compiler-host.js";
import { WAITING } from "@hasp/compiler/claims";
import type { OutputFile } from "@hasp/compiler";
import { type CompiledProject, compileProject, type FoundInTexts, type ReadSession } from "./compile-project.js";
import { sessionDiagnostics } from "./diagnostics.js";
import type { RunCache } from "./run-cache.js";

/** Debounce between the last file change and a rebuild: an editor writes a file in several steps. */
const DEBOUNCE_MILLISECONDS = 10;
/** Most postponements of a rebuild, for changes that never cease, such as a growing log. */
const WAITS_LIMIT = 50;
const HALF_WRITTEN_MILLISECONDS = 20;
const HALF_WRITTEN_TRIES = 5;
/** Most restarts of a build whose files were removed. */
const TAKEN_AWAY_TRIES = 5;
/** After more events than this, the system may have dropped some: Linux queues 16,384. */
const EVENTS_LIMIT = 8000;

type FoundProject = FoundInTexts<CompiledProject | undefined>;
type ToolCache = Pick<RunCache<object>, "tools" | "saveTools">;

/** The outcome of one build. */
interface WatchRound {
  /** True if files were written or deleted. */
  readonly hasChanged: boolean;
  /** Equal for outcomes of which nobody needs to see the second. */
  readonly identity: string;
  /** Shows the outcome, if it is news. */
  end(isNews: boolean): Promise<void>;
}

/** Writes a compiled project, or reports why there is none. `started` is when the build began. */
export type FinishRound = (found: FoundProject, started: number) => Promise<WatchRound>;

/**
 * Builds, and rebuilds on each change until a signal ends it. Recomputes only what a change touches. Returns the finding
 * about folders that cannot be watched, if that ends it.
 */
export async function watchProject(
  session: ReadSession,
  cache: ToolCache,
  finish: FinishRound,
): Promise<Diagnostic | undefined> {
  const watcher = new ProjectWatcher(session, cache, finish);
  return new Promise((resolve, reject) => {
    const end = (): void => {
      watcher.close();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
      resolve(undefined);
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
    watcher.run().catch((error: unknown) => {
      watcher.close();
      if (!(error instanceof TooManyWatches)) return reject(error instanceof Error ? error : new Error(String(error)));
      resolve(sessionDiagnostics("cannot-watch", undefined, { folders: watcher.folderCount }));
    });
  });
}

class ProjectWatcher {
  readonly #session: ReadSession;
  readonly #cache: ToolCache;
  readonly #root: string;
  readonly #finish: FinishRound;
  readonly #watch: FolderWatch;
  #tracker: InputTracker | undefined;
  #written: ReadonlyMap<string, OutputFile> = new Map();
  #outDir: string | undefined;
  #changes = 0;
  /** Counts like `#changes`, but also hasp's own writes. */
  #events = 0;
  #isClosed = false;
  #wake: () => void = () => undefined;
  #last: WatchRound | undefined;
  #folders: ReadonlySet<string> = new Set();
  /** True if approvals were missing: they most likely are next time. */
  #wentUnlocked = false;

  constructor(session: ReadSession, cache: ToolCache, finish: FinishRound) {
    this.#session = session;
    this.#cache = cache;
    this.#root = session.root;
    this.#finish = finish;
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
      // Changes in a folder before it was watched went unseen.
      if (!this.#watch.follow(this.#folders)) await this.#change();
    }
  }

  /** Restarts a build whose project is removed meanwhile. */
  async #buildWhatIsThere(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#build();
      } catch (error) {
        if (tries === TAKEN_AWAY_TRIES || !["ENOENT", "ENOTDIR"].includes(readErrorCode(error) ?? "")) throw error;
      }
    }
  }

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
    const path = toSlashPath(this.#root, join(folder, name));
    const file = this.#written.get(path);
    return file !== undefined && readIfFile(join(this.#root, path)) === file.text;
  }

  async #build(): Promise<void> {
    const started = performance.now();
    const found = await this.#compile();
    if (this.#isClosed) return;
    const round = await this.#finish(found, started);
    if (found.value !== undefined) this.#keepWritten(found.value);
    const isNews = round.hasChanged || round.identity !== this.#last?.identity;
    this.#last = round;
    await round.end(isNews);
  }

  #keepWritten({ plan, result: { files } }: CompiledProject): void {
    this.#outDir = plan.outDir;
    if (files.length > 0) {
      this.#written = indexBy(
        files.filter(({ owner }) => owner === "hasp"),
        ({ path }) => path,
      );
    }
  }

  /**
   * Compiles. A file with errors may be half written: reads it again while it changes, and a few times more if it does
   * not parse.
   */
  async #compile(): Promise<FoundProject> {
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

  /** Compiles. Continues without approvals only if some are missing; tries that first if some were last time. */
  async #compileOnce(): Promise<FoundProject> {
    const compile = (unlocked: boolean): Promise<FoundProject> => {
      this.#tracker = trackInputs(createCompilerHost(this.#root));
      return compileProject(this.#session, {
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

function isWaiting({ code }: Diagnostic): boolean {
  return WAITING.has(code);
}

function readIfFile(path: string): string | undefined {
  return attempt(() => readTextIfThere(path));
}
