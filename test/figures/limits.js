/** Figures that add up: one limit may rise where others sink, as code moves between packages. */
const PART = /^leaves of packages\//;

/** Lists the limits that are higher than those of the commit that a change begins with. */
export function findRaisedLimits(limits, base) {
  const raised = Object.entries(limits)
    .filter(([name, limit]) => !PART.test(name) && limit > (base[name] ?? limit))
    .map(([name, limit]) => `${name}: the limit has risen from ${base[name]} to ${limit}`);
  const [together, before] = [sumOfParts(limits), sumOfParts(base)];
  if (before === 0 || together <= before) return raised;
  return [...raised, `leaves of all packages: the limits together have risen from ${before} to ${together}`];
}

const sumOfParts = (limits) =>
  Object.entries(limits).reduce((sum, [name, limit]) => (PART.test(name) ? sum + limit : sum), 0);
