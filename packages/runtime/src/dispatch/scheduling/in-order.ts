/**
 * Folds steps over a value, one after the other. Waits only for a step that must be waited for: where none is, the
 * answer is there at once, and costs no promise.
 */
export function inOrder<Item, Value>(
  items: readonly Item[],
  start: Value,
  step: (value: Value, item: Item) => Value | Promise<Value>,
  first = 0,
): Value | Promise<Value> {
  let value = start;
  for (let index = first; index < items.length; index++) {
    const next = step(value, items[index] as Item);
    if (next instanceof Promise) return next.then((late) => inOrder(items, late, step, index + 1));
    value = next;
  }
  return value;
}
