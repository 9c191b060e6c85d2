/** The saved form of a step's results, for later processes. */
export interface Keeping<Item = unknown, Result = unknown, Saved = unknown> {
  /** Returns false for a result that follows from more than its key covers: it is never reused. */
  holds?(result: Result): boolean;
  /** Returns plain data from which {@link restore} rebuilds a result; `undefined` keeps this result in memory only. */
  save(result: Result, item: Item): Saved | undefined;
  /** Rebuilds a result. `run` computes the parts that were not saved, once they are read. */
  restore(saved: Saved, item: Item, run: () => Result): Result;
}

/** The form of results that are plain data. */
export const plainData: Keeping = { save: (result) => result, restore: (saved) => saved };
