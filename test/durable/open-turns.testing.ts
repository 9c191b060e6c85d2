import { createDispatcher, type DispatcherOptions } from "@hasp/runtime";
import type { StoredTurns } from "@hasp/runtime/call-store";
import { durableCalls, type DurableOptions } from "@hasp/stores";

/** Creates a dispatcher that keeps its calls in a store. Returns the functions of its turns. */
export function openTurns<Context = unknown>(
  options: DispatcherOptions<Context>,
  durableOptions: DurableOptions,
): StoredTurns<Context> {
  const durable = durableCalls<Context>(durableOptions);
  return createDispatcher({ ...options, extensions: [...(options.extensions ?? []), durable] }).use(durable);
}
