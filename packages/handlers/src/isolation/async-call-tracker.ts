import { AsyncLocalStorage } from "node:async_hooks";
import type { CallTracker, TrackedCall } from "@hasp/runtime";

/**
 * Creates a tracker that follows each call through its `await`s. With `createDispatcher({ callTracker:
 * asyncCallTracker() })`, a handler that calls the dispatcher instead of its own `dispatch` gets an error instead of
 * waiting for itself.
 */
export function asyncCallTracker(): CallTracker {
  const storage = new AsyncLocalStorage<TrackedCall>();
  return {
    run: (call, body) => storage.run(call, body),
    current: () => storage.getStore(),
  };
}
