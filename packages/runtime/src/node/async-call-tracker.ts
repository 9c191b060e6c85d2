import { AsyncLocalStorage } from "node:async_hooks";
import type { CallTracker, TrackedCall } from "../dispatch/state/dispatcher-types.js";

/**
 * Follows each call through its `await`s. With it (`createDispatcher({ callTracker: asyncCallTracker() })`) a handler
 * that dispatches around the `dispatch` it was given gets an error at once, where it would wait for itself.
 */
export function asyncCallTracker(): CallTracker {
  const storage = new AsyncLocalStorage<TrackedCall>();
  return {
    run: (call, body) => storage.run(call, body),
    current: () => storage.getStore(),
  };
}
