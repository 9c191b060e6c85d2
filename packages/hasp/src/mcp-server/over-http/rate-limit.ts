interface RateLimit {
  /** Takes calls from the budget and returns 0, or returns the seconds to wait and takes none. */
  take(principal: string, calls: number): number;
}

interface Account {
  left: number;
  at: number;
}

/** With more principals than this, those silent for a minute are forgotten. */
const MANY = 10_000;

/** Allows each principal this many calls at once, refilled over a minute. `now` is in milliseconds. */
export function rateLimit(perMinute: number, now: () => number = () => performance.now()): RateLimit {
  const accounts = new Map<string, Account>();
  const perMs = perMinute / 60_000;
  return {
    take(principal, calls) {
      const at = now();
      const { left, at: last } = accounts.get(principal) ?? { left: perMinute, at };
      const rest = Math.min(perMinute, left + (at - last) * perMs);
      // The oldest is first.
      accounts.delete(principal);
      accounts.set(principal, { left: rest < calls ? rest : rest - calls, at });
      if (accounts.size > MANY) {
        for (const [name, account] of accounts) {
          if (at - account.at < 60_000) break;
          accounts.delete(name);
        }
      }
      return rest < calls ? Math.ceil((calls - rest) / perMs / 1000) : 0;
    },
  };
}
