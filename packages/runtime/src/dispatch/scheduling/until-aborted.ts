import { messageOf } from "../../results/text.js";
import { NotExecuted } from "../../results/tool-result.js";

/**
 * What a promise resolves to. Rejects with {@link NotExecuted} once the signal aborts; a value that comes later goes to
 * `onLate`, and a later rejection is handled.
 */
export function untilAborted<Value>(
  pending: Promise<Value>,
  signal: AbortSignal,
  onLate?: (value: Value) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      pending.then(onLate, () => undefined);
      reject(new NotExecuted(`nothing was run: ${messageOf(signal.reason)}`));
    };
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    pending.then(
      (value) => {
        signal.removeEventListener("abort", stop);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", stop);
        reject(error);
      },
    );
  });
}
