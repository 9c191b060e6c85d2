/** Adds up a number of each item. */
export function sumBy<Item>(items: Iterable<Item>, read: (item: Item) => number): number {
  let sum = 0;
  for (const item of items) sum += read(item);
  return sum;
}
