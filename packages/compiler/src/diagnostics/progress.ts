/** Is told what a run does and how far it has come. It changes no result. */
export type OnProgress = (phase: string, done?: number, total?: number) => void;

/** For runs that nobody watches. */
export const ignoreProgress: OnProgress = () => undefined;

/** Passes on items one by one, and tells before each how many are done. */
export function* counted<Item>(items: readonly Item[], phase: string, onProgress: OnProgress): Generator<Item, void> {
  for (const [index, item] of items.entries()) {
    onProgress(phase, index, items.length);
    yield item;
  }
}
