/** Compares texts by code units, so that the order is the same on every machine. */
export function compareTexts(left = "", right = ""): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Sorts by a text of each item. */
export function sortBy<Item>(items: Iterable<Item>, read: (item: Item) => string): Item[] {
  return [...items].toSorted((left, right) => compareTexts(read(left), read(right)));
}
