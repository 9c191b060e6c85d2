/** Awaits a promise. Rejects with the reason once the signal aborts. */
export function untilAborted<Value>(pending: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    void pending.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
