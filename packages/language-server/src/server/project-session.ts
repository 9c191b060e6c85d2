import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  isTemporary,
  toSlashPath,
  foldersToWatch,
  type FolderWatch,
  TooManyWatches,
  watchFolders,
} from "@hasp/project";
import { SPEC_FILE, type CompilerHost, createLiveHost, type LiveHost } from "@hasp/project/read";
import type { LanguageProject } from "../language-project.js";
import type { CompileCache } from "@hasp/compiler";

/** A project: a folder and, if several configurations are side by side, the name of one. */
export interface ProjectPlace {
  readonly root: string;
  readonly config?: string;
}

/** Compiles a project, as `hasp check` does. */
export type CompileProject = (place: ProjectPlace, host: CompilerHost, cache: CompileCache) => Promise<LanguageProject>;

export interface SessionCache {
  readonly tools: CompileCache;
  /**
   * Stores new results for later processes, and returns a cache that reads them from there, to save memory. Returns
   * `undefined` if nothing is new or storable.
   */
  store(): SessionCache | undefined;
}

interface SessionOptions {
  readonly compile: CompileProject;
  readonly onCompiled: (project: LanguageProject) => void;
  readonly onError: (error: unknown) => void;
}

/** Debounce in milliseconds: keystrokes and saves come in bursts. */
const DEBOUNCE_MILLISECONDS = 5;

/** A project that stays compiled while its files change in the editor and on disk. */
export class ProjectSession {
  readonly place: ProjectPlace;
  readonly #options: SessionOptions;
  readonly #host: LiveHost;
  readonly #watch: FolderWatch;
  #cache: SessionCache;
  /** False if the system reports no changes: then each compilation reads all files again. */
  #isWatched = true;
  #watchedQuestions = -1;
  #changes = 0;
  #compiled: { readonly changes: number; readonly project: LanguageProject | undefined } | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(place: ProjectPlace, cache: SessionCache, options: SessionOptions) {
    this.place = place;
    this.#options = options;
    this.#cache = cache;
    this.#host = createLiveHost(place.root, () => this.#isWatched);
    this.#watch = watchFolders((folder, name, kind) => this.#onEvent(folder, name, kind));
  }

  get last(): LanguageProject | undefined {
    return this.#compiled?.project;
  }

  /** True if the last compilation read this file. */
  covers(path: string): boolean {
    const uri = toSlashPath(this.place.root, path);
    return this.#host.questions.some(({ kind, question }) => kind === "text" && question.uri === uri);
  }

  /** Replaces a file's text; `undefined` restores the file. */
  overlay(path: string, text: string | undefined): void {
    this.#host.overlay(toSlashPath(this.place.root, path), text);
    // The spec of another project changes nothing here.
    if (this.#compiled === undefined || !SPEC_FILE.test(path) || this.covers(path)) this.#change();
  }

  invalidate(path?: string): void {
    this.#host.invalidate(path === undefined ? undefined : toSlashPath(this.place.root, path));
    this.#change();
  }

  /** Returns the project after pending changes are compiled. */
  async current(): Promise<LanguageProject | undefined> {
    while (!this.#isClosed && this.#compiled?.changes !== this.#changes) await this.#start();
    return this.last;
  }

  close(): void {
    this.#isClosed = true;
    this.#watch.close();
  }

  #onEvent(folder: string, name: string | undefined, kind: "rename" | "change"): void {
    if (name !== undefined && isTemporary(name)) return;
    // A new folder must be watched, too.
    if (kind === "rename") this.#watchedQuestions = -1;
    this.invalidate(name === undefined ? undefined : join(folder, name));
  }

  #change(): void {
    this.#changes += 1;
    void this.#start();
  }

  #start(): Promise<void> {
    return (this.#running ??= this.#compileAll().finally(() => (this.#running = undefined)));
  }

  async #compileAll(): Promise<void> {
    while (!this.#isClosed && this.#compiled?.changes !== this.#changes) {
      await wait(DEBOUNCE_MILLISECONDS);
      const changes = this.#changes;
      this.#host.begin();
      try {
        const isFirst = this.#compiled === undefined;
        const project = await this.#options.compile(this.place, this.#host, this.#cache.tools);
        this.#compiled = { changes, project };
        if (!this.#isClosed) this.#options.onCompiled(project);
        if (isFirst) this.#release();
      } catch (error) {
        // Keep the last state; the next change is another chance.
        this.#compiled = { changes, project: this.last };
        this.#options.onError(error);
      }
      this.#follow();
    }
  }

  /** Compiles once more with the stored results, so that the next keystroke need not. */
  #release(): void {
    const stored = this.#cache.store();
    if (stored === undefined) return;
    this.#cache = stored;
    this.#changes += 1;
  }

  /** Watches the folders that were read. Recompiles if changes may have gone unseen before. */
  #follow(): void {
    const { questions } = this.#host;
    if (!this.#isWatched || this.#isClosed || questions.length === this.#watchedQuestions) return;
    this.#watchedQuestions = questions.length;
    try {
      const folders = foldersToWatch(this.place.root, {
        outDir: this.last?.compiled?.plan.outDir,
        questions,
        written: [],
      });
      if (this.#watch.follow(folders)) this.invalidate();
    } catch (error) {
      if (!(error instanceof TooManyWatches)) throw error;
      this.#isWatched = false;
      this.#watch.close();
    }
  }
}
