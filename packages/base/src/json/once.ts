/** Returns a function that creates its value on the first call, and returns it on each later one. */
export function once<Value>(create: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: create() }).value;
}
