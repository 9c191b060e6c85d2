/** Lets at most so many calls run at once, first come, first served. */
export interface Limiter {
  /** `undefined`: go ahead. Else the promise of a turn; whoever no longer wants it must still {@link release} it. */
  acquire(): Promise<void> | undefined;
  release(): void;
}

/** Makes a limiter with `size` places. */
export function createLimiter(size: number): Limiter {
  let line: (() => void)[] = [];
  // The line is served by position: taking the first of thousands off a list would move all the others.
  let served = 0;
  let taken = 0;
  return {
    acquire() {
      if (taken < size) {
        taken += 1;
        return undefined;
      }
      return new Promise((resolve) => line.push(resolve));
    },
    release() {
      const next = line[served];
      if (next === undefined) {
        taken -= 1;
        return;
      }
      served += 1;
      if (served === line.length) {
        line = [];
        served = 0;
      }
      next();
    },
  };
}
