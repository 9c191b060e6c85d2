import { findOrAdd } from "./find-or-add.js";

/** Groups items by key, in the order of first occurrence; `Map.groupBy` is missing in Node 20. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) findOrAdd(groups, keyOf(item), (): Item[] => []).push(item);
  return groups;
}

/** Returns items by key. Of two with the same key, the later one counts. */
export function indexBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item> {
  return new Map(Array.from(items, (item) => [keyOf(item), item]));
}
