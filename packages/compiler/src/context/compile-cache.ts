import type { JsonValue } from "@hasp/schema";
import { sha256 } from "@hasp/base/json";
import type { Keeping } from "./keeping.js";

export type SavedStep = readonly [settings: string, saved: JsonValue];

export interface NewStep {
  readonly key: string;
  readonly title: string;
  readonly step: SavedStep;
}

interface Entry {
  readonly key: string;
  readonly title: string;
  settings: string;
  outcome?: { readonly result: unknown };
  saved: JsonValue | undefined;
  isNew: boolean;
  lastUse: number;
}

/** The results of steps, by title and by a key that covers everything that a result depends on. */
export class CompileCache {
  readonly #entries = new Map<string, Entry>();
  readonly #read: (key: string, title: string) => SavedStep | undefined;
  #run = 0;

  /** `read` returns what an earlier process saved. */
  constructor(read: (key: string, title: string) => SavedStep | undefined = () => undefined) {
    this.#read = read;
  }

  /** Runs a step, or returns its known result. Without a key, it always runs. Without `keeping`, nothing is saved. */
  run<Item, Result>(
    title: string,
    item: Item,
    run: (item: Item) => Result,
    key: string | undefined,
    settings = "",
    keeping?: Keeping,
  ): Result {
    if (key === undefined) return run(item);
    const entry = this.#entry(key, title, settings);
    if (entry.outcome !== undefined) return entry.outcome.result as Result;
    const { saved } = entry;
    // A title means one step, whose types these are.
    const kept = keeping as Keeping<Item, Result, unknown> | undefined;
    const result = saved === undefined || kept === undefined ? run(item) : kept.restore(saved, item, () => run(item));
    if (kept?.holds?.(result) === false) return result;
    entry.outcome = { result };
    if (saved === undefined) this.#save(entry, kept?.save(result, item));
    return result;
  }

  /** Like {@link run} for results that are plain data. Only their saved form stays in memory. */
  async runAsync<Item, Result extends JsonValue>(
    title: string,
    item: Item,
    run: (item: Item) => Promise<Result>,
    key: string | undefined,
    settings = "",
  ): Promise<Result> {
    if (key === undefined) return run(item);
    const entry = this.#entry(key, title, settings);
    if (entry.saved === undefined) this.#save(entry, await run(item));
    return entry.saved as Result;
  }

  /** True if the result of a step without further settings is known. */
  knows(title: string, key: string): boolean {
    const { outcome, saved } = this.#entry(key, title, "");
    return outcome !== undefined || saved !== undefined;
  }

  /** Adds steps that another thread ran, in their saved form. */
  add(steps: readonly NewStep[]): void {
    for (const { key, title, step } of steps) {
      const [settings, saved] = step;
      const entry = this.#entry(key, title, settings);
      if (entry.outcome === undefined && entry.saved === undefined) this.#save(entry, saved);
    }
  }

  #save(entry: Entry, saved: unknown): void {
    entry.saved = saved as JsonValue | undefined;
    entry.isNew = saved !== undefined;
  }

  #entry(key: string, title: string, settings: string): Entry {
    const id = `${key} ${title}`;
    const known = this.#entries.get(id);
    if (known?.settings === settings) {
      known.lastUse = this.#run;
      return known;
    }
    const [savedSettings, content] = (known === undefined ? this.#read(key, title) : undefined) ?? [];
    const saved = savedSettings === settings ? content : undefined;
    const entry = { key, title, settings, saved, isNew: false, lastUse: this.#run };
    this.#entries.set(id, entry);
    return entry;
  }

  /** Begins a compilation, and forgets results that the last few did not use. */
  begin(): void {
    this.#run += 1;
    for (const [id, { lastUse }] of this.#entries) if (lastUse < this.#run - KEPT_RUNS) this.#entries.delete(id);
  }

  newSteps(): readonly NewStep[] {
    return [...this.#entries.values()].flatMap(({ key, title, settings, saved, isNew }) =>
      isNew && saved !== undefined ? [{ key, title, step: [settings, saved] as const }] : [],
    );
  }
}

/** Watch mode compiles under two plans in turn, with and without approvals, and may do so twice for one change. */
const KEPT_RUNS = 4;

export function digestOfText({ text, ...others }: { readonly text: string }): string {
  return sha256(JSON.stringify(others) + text);
}
