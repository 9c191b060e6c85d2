/** Copies an object with other values. */
export function mapMembers<Value, Result>(
  object: { readonly [key: string]: Value },
  change: (value: Value, key: string) => Result,
): { [key: string]: Result } {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

/** Copies an object with the members whose keys are wanted. */
export function pickMembers<Value>(
  object: { readonly [key: string]: Value },
  isWanted: (key: string) => boolean,
): { [key: string]: Value } {
  return Object.fromEntries(Object.entries(object).filter(([key]) => isWanted(key)));
}
