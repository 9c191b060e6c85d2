/** Returns a value that is made when it is first asked for. */
export type Lazy<Value> = () => Value;

/** Makes a value once, when it is first asked for. */
export function lazy<Value>(make: () => Value): Lazy<Value> {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
