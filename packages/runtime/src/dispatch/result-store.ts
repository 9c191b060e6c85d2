import type { ResultStore } from "./dispatcher-types.js";
import { cut, messageOf } from "../results/text.js";
import { bounded } from "./scheduling/bounded.js";
import type { Offload } from "./parts.js";
import { idsOf } from "./slot.js";
import { GRACE_MS } from "./scheduling/stop.js";

/** The part that puts results away which are too long for the model: a store that fails costs no call its answer. */
export function resultStore(store: ResultStore): Offload {
  return async ({ hookTimeoutMs, emit }, turn, slot, content) => {
    let message = "the result store did not answer with a reference";
    try {
      const pending = Promise.resolve(store.put({ ...idsOf(slot), content }));
      const reference: unknown = await bounded(pending, turn, { milliseconds: hookTimeoutMs, graceMs: GRACE_MS });
      if (typeof reference === "string" && reference !== "") return cut(reference, 1000);
    } catch (error) {
      message = messageOf(error);
    }
    emit?.({ type: "problem", ...idsOf(slot), code: "result-store-failed", message });
    return undefined;
  };
}
