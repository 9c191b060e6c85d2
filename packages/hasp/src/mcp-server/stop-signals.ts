export const STOP_SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** A signal may arrive twice: from the terminal, and from the process that forwards it. */
const ECHO_MS = 1000;

/** Calls `stop` on the first termination signal, so that calls can finish. A second signal ends the process at once. */
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
