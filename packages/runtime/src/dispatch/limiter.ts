/** Lets at most so many calls run at once, first come, first served. */
export interface Limiter {
  /** `undefined`: go ahead. Else the promise of a turn; whoever no longer wants it must still {@link release} it. */
  acquire(): Promise<void> | undefined;
  release(): void;
}

/** Makes a limiter with `size` places. */
export function createLimiter(size: number): Limiter {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    acquire() {
      if (taken < size) {
        taken += 1;
        return undefined;
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    release() {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    },
  };
}
