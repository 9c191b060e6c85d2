import type { CallStore } from "../../calls/call-store.js";
import { DISPATCHER_OPTIONS } from "../../dispatch/check-options.js";
import type { DispatcherExtension } from "../../dispatch/state/extension.js";
import { checkShape } from "../../tool/shape.js";
import { createStoredTurns, type DurableOptions, type StoredTurns } from "./stored-turns.js";

export type { DurableOptions };

/** Keeps calls in a store, so that questions, effects and results outlive the process. Throws for unknown options. */
export function durableCalls<Context = unknown>(options: DurableOptions): DispatcherExtension<StoredTurns<Context>> {
  const { callStore, principal, mayAnswer, questionTtlSeconds, leaseSeconds, allowUnseenInput } = DISPATCHER_OPTIONS;
  const shape = { store: callStore, principal, mayAnswer, questionTtlSeconds, leaseSeconds, allowUnseenInput };
  checkShape(options, shape, "", (path, what) => {
    throw new TypeError(`durableCalls: ${path} ${what}.`);
  });
  if ((options.store as CallStore | undefined) === undefined) throw new TypeError("durableCalls needs a `store`.");
  const { store, principal: owner = "" } = options;
  const attachment = { owns: ["keep"], keepsOrder: store.keepsOrder, conversation: owner, labelStore: store } as const;
  return {
    name: "durable",
    attach: (host) => ({ ...attachment, api: createStoredTurns(options, host) as object as StoredTurns<Context> }),
  };
}
