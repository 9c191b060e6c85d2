/** Whether two lists hold the same items in the same order; by default each must be the very same. */
export function isSameList<Item>(
  left: readonly Item[],
  right: readonly Item[],
  isSame: (left: Item, right: Item) => boolean = Object.is,
): boolean {
  if (left === right) return true;
  return left.length === right.length && left.every((item, index) => isSame(item, right[index] as Item));
}
