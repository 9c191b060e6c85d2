import type { CallStore } from "../../calls/call-store.js";
import type { Dispatcher, DispatcherOptions } from "../../dispatch/state/dispatcher-types.js";
import { createEquippedDispatcher } from "../../dispatch/tools.testing.js";
import { durableCalls } from "./durable-calls.js";
import type { DurableOptions } from "./durable-options.js";
import type { StoredTurns } from "./turns.js";

export {
  anyObject,
  callsOf,
  deferred,
  createEquippedDispatcher,
  reader,
  sleep,
  writer,
} from "../../dispatch/tools.testing.js";

/** Settings of a dispatcher and of its durable calls in one. */
export interface HostOptions extends DispatcherOptions, Partial<Omit<DurableOptions, "store">> {
  readonly callStore?: CallStore | undefined;
}

/** A dispatcher with the functions of its durable calls. */
export type Host = Dispatcher & Omit<StoredTurns, "store">;

/** Creates a dispatcher that keeps calls in its `callStore`, with all extensions of the runtime. */
export function createHost({
  callStore: store,
  principal,
  mayAnswer,
  allowUnseenInput,
  questionTtlSeconds,
  leaseSeconds,
  ...options
}: HostOptions): Host {
  if (store === undefined) return createEquippedDispatcher(options) as Host;
  const durable = durableCalls({ store, principal, mayAnswer, allowUnseenInput, questionTtlSeconds, leaseSeconds });
  const dispatcher = createEquippedDispatcher({ ...options, extensions: [durable, ...(options.extensions ?? [])] });
  const { run, resume, answer } = dispatcher.use(durable);
  return Object.freeze(
    Object.defineProperties({ run, resume, answer }, Object.getOwnPropertyDescriptors(dispatcher)),
  ) as Host;
}
