/** Figures that add up: one limit may rise where others sink, as code moves between packages. */
const PART = /^leaves of packages\//;

/**
 * Lists the limits that are higher than those of the commit that a change begins with. Room that was granted for a stated
 * reason, before the change that needs it, is no rise: `granted` says up to where.
 */
export function findRaisedLimits(limits, base, granted = {}) {
  const ceiling = Object.fromEntries(
    Object.entries(base).map(([name, limit]) => [name, Math.max(limit, granted[name] ?? limit)]),
  );
  const raised = Object.entries(limits)
    .filter(([name, limit]) => !PART.test(name) && limit > (ceiling[name] ?? limit))
    .map(([name, limit]) => `${name}: the limit has risen from ${base[name]} to ${limit}`);
  const [together, before, allowed] = [limits, base, ceiling].map(sumOfParts);
  if (before === 0 || together <= allowed) return raised;
  return [...raised, `leaves of all packages: the limits together have risen from ${before} to ${together}`];
}

const sumOfParts = (limits) =>
  Object.entries(limits).reduce((sum, [name, limit]) => (PART.test(name) ? sum + limit : sum), 0);
