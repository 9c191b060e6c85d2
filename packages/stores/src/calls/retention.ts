export interface RetentionOptions {
  /**
   * Seconds after which a turn is removed with its records, counted from the last of these, once all its calls are
   * settled. Checked by `setUp` and, at most once a minute, as turns are opened. Default: turns stay forever. A removed
   * turn's id counts as unused: keep turns for longer than anybody may repeat `run` with one.
   */
  readonly keepSettledSeconds?: number;
}

interface Sweeper {
  now(): Promise<void>;
  ifDue(): Promise<void>;
}

const PAUSE_MS = 60_000;

/** Creates a sweeper; `remove` removes turns that ended before an ISO date. Throws a `TypeError` for a bad duration. */
export function createSweeper(
  { keepSettledSeconds = Infinity }: RetentionOptions,
  remove: (before: string) => Promise<void>,
): Sweeper {
  if (typeof keepSettledSeconds !== "number" || !(keepSettledSeconds >= 0)) {
    throw new TypeError("`keepSettledSeconds` must be a number of seconds, 0 or more.");
  }
  let last = 0;
  async function now(): Promise<void> {
    last = Date.now();
    const before = last - keepSettledSeconds * 1000;
    // Nothing is older than 1970.
    if (before > 0) await remove(new Date(before).toISOString());
  }
  return {
    now,
    async ifDue() {
      if (keepSettledSeconds !== Infinity && Math.abs(Date.now() - last) >= PAUSE_MS) await now();
    },
  };
}
