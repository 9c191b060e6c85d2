import type { JsonValue } from "@hasp/schema";

/** Work on one item whose outcome depends only on the item and the settings. */
export interface Step<Item, Result, Saved = never> {
  readonly name: string;
  run(item: Item): Result;
  /** Returns false for a result that follows from more than the key covers: it is never reused. */
  holds?(result: Result): boolean;
  /** Returns the plain data from which {@link restore} rebuilds a result; `undefined` keeps this result in memory only. */
  save?(result: Result, item: Item): Saved | undefined;
  /** Rebuilds a result in a later process. `run` computes the parts that were not saved, once they are read. */
  restore?(saved: Saved, item: Item, run: () => Result): Result;
}

export type SavedStep = readonly [settings: string, saved: JsonValue];

interface Entry {
  settings: string;
  outcome?: { readonly result: unknown };
  saved: JsonValue | undefined;
  isNew: boolean;
  lastUse: number;
}

/** The only cache of the compiler. An item's key and the settings cover everything that an outcome depends on. */
export class CompileCache {
  readonly #entries = new Map<string, Entry>();
  readonly #read: (id: string) => SavedStep | undefined;
  #run = 0;

  /** `read` returns what an earlier process saved. */
  constructor(read: (id: string) => SavedStep | undefined = () => undefined) {
    this.#read = read;
  }

  /** Runs a step, or returns its known outcome. Without a key, the step always runs. */
  run<Item, Result, Saved>(
    step: Step<Item, Result, Saved>,
    item: Item,
    key: string | undefined,
    settings = "",
  ): Result {
    if (key === undefined) return step.run(item);
    const entry = this.#entry(`${key} ${step.name}`, settings);
    if (entry.outcome !== undefined) return entry.outcome.result as Result;
    const saved = entry.saved as Saved | undefined;
    const result =
      saved !== undefined && step.restore !== undefined
        ? step.restore(saved, item, () => step.run(item))
        : step.run(item);
    if (step.holds?.(result) === false) return result;
    entry.outcome = { result };
    if (saved === undefined && step.save !== undefined) {
      entry.saved = step.save(result, item) as JsonValue | undefined;
      entry.isNew = entry.saved !== undefined;
    }
    return result;
  }

  async runAsync<Result>(
    name: string,
    run: () => Promise<Result>,
    key: string | undefined,
    settings = "",
  ): Promise<Result> {
    if (key === undefined) return run();
    const entry = this.#entry(`${key} ${name}`, settings);
    if (entry.saved !== undefined) return entry.saved as Result;
    const result = await run();
    entry.saved = result as JsonValue;
    entry.isNew = true;
    return result;
  }

  #entry(id: string, settings: string): Entry {
    const known = this.#entries.get(id);
    if (known?.settings === settings) {
      known.lastUse = this.#run;
      return known;
    }
    const [savedSettings, saved] = (known === undefined ? this.#read(id) : undefined) ?? [];
    const entry = { settings, saved: savedSettings === settings ? saved : undefined, isNew: false, lastUse: this.#run };
    this.#entries.set(id, entry);
    return entry;
  }

  /** Begins a compilation, and forgets outcomes that the last few did not use. */
  begin(): void {
    this.#run += 1;
    for (const [id, { lastUse }] of this.#entries) if (lastUse < this.#run - KEPT_RUNS) this.#entries.delete(id);
  }

  savedSteps(): ReadonlyMap<string, { readonly saved: SavedStep; readonly isNew: boolean }> {
    const steps = new Map<string, { readonly saved: SavedStep; readonly isNew: boolean }>();
    for (const [id, { settings, saved, isNew }] of this.#entries) {
      if (saved !== undefined) steps.set(id, { saved: [settings, saved], isNew });
    }
    return steps;
  }
}

/** Watch mode compiles under two plans in turn, with and without approvals, and may do so twice for one change. */
const KEPT_RUNS = 4;

/** Returns an object with the `known` members; the `others` are computed together once one of them is read. */
export function lazily<Whole extends object, Known extends Partial<Whole>>(
  known: Known,
  others: Readonly<Record<Exclude<keyof Whole, keyof Known>, boolean>>,
  compute: () => Whole,
): Whole {
  let whole: Whole | undefined;
  const value = { ...known };
  for (const [key, isThere] of Object.entries(others)) {
    if (isThere === false) continue;
    const get = (): unknown => (whole ??= compute())[key as keyof Whole];
    Object.defineProperty(value, key, { enumerable: true, get });
  }
  return value as unknown as Whole;
}
