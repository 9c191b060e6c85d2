/** Receives the phase of a run and its progress. Never changes results. */
export type OnProgress = (phase: string, done?: number, total?: number) => void;

export const ignoreProgress: OnProgress = () => undefined;

/** Yields items one by one and reports the count before each. */
export function* counted<Item>(items: readonly Item[], phase: string, onProgress: OnProgress): Generator<Item, void> {
  for (const [index, item] of items.entries()) {
    onProgress(phase, index, items.length);
    yield item;
  }
}
