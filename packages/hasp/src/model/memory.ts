/** What was computed from an object before. */
export interface Memory<Key extends object, Value> {
  /** The value for this object, and for whatever else it depends on, said in `settings`; computed where it is not yet known. */
  of(key: Key, settings: string, compute: () => Value): Value;
}

/** So many values are kept for one object: who compiles under two plans in turn still finds both. */
const MOST_VALUES = 16;

/**
 * Remembers results of pure functions by the identity of what they were computed from. Who compiles again and again
 * (`--watch`, an editor) hands in the same objects for what has not changed, and pays for the rest only. Nothing outlives its
 * object, and nothing that is remembered can be told from what would be computed.
 */
export function createMemory<Key extends object, Value>(): Memory<Key, Value> {
  const values = new WeakMap<Key, Map<string, Value>>();
  return {
    of(key, settings, compute) {
      const known = values.get(key) ?? new Map<string, Value>();
      if (known.size === 0) values.set(key, known);
      const value = known.get(settings);
      if (value !== undefined || known.has(settings)) return value as Value;
      const computed = compute();
      if (known.size >= MOST_VALUES) known.clear();
      known.set(settings, computed);
      return computed;
    },
  };
}
