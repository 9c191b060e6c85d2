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
