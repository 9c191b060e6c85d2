/** The signals by which somebody ends a program. */
export const STOP_SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** One signal may come twice: from the terminal, and from the process that passes it on. */
const ECHO_MS = 1000;

/**
 * Calls `stop` at the first signal that would end this process, so that what changes something may end what it does. A
 * second one ends the process at once.
 */
export function onStopSignal(stop: () => void): void {
  let first: number | undefined;
  const hear = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = performance.now();
      stop();
    } else if (performance.now() - first > ECHO_MS) {
      process.off(signal, hear);
      process.kill(process.pid, signal);
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, hear);
}
