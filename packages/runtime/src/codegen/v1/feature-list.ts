/** Says which feature gates are open, as `features` of a dispatcher does: only `true` opens one. */
export type Features = (gate: string) => unknown;

/** What makes a tool's entry, and the gate that it is behind; `undefined` where a bundler has shut the gate. */
export type GatedEntry<Entry> = readonly [make: () => Entry, gate?: string] | undefined;

/** The entries of the tools without a gate and behind open ones. A gate whose question throws stays shut. */
export function listFor<Entry>(features: Features, entries: readonly GatedEntry<Entry>[]): Entry[] {
  return entries.flatMap((entry) => {
    if (entry === undefined) return [];
    const [make, gate] = entry;
    return gate === undefined || isOpen(features, gate) ? [make()] : [];
  });
}

function isOpen(features: Features, gate: string): boolean {
  try {
    return features(gate) === true;
  } catch {
    return false;
  }
}
