import type { Definition } from "./definition-stock.js";

export function dependentsOf(
  definitions: readonly Definition[],
  needsOf: ReadonlyMap<Definition, ReadonlySet<Definition>>,
): ReadonlySet<Definition> {
  const users = new Map<Definition, Definition[]>();
  for (const [user, needs] of needsOf) {
    for (const need of needs) {
      const known = users.get(need);
      if (known === undefined) users.set(need, [user]);
      else known.push(user);
    }
  }
  const found = new Set(definitions);
  // Iterating a set also visits elements added during the walk.
  for (const definition of found) for (const user of users.get(definition) ?? []) found.add(user);
  return found;
}
