import type { CallProgress, CallTracker, DispatchEvent } from "./dispatcher-types.js";
import { isThenable } from "./scheduling/bounded.js";
import type { Gate } from "./scheduling/gate.js";
import type { Limiter } from "./scheduling/limiter.js";
import type { PermissionPolicy } from "./pipeline/permission.js";
import type { CutToBudget, DispatcherParts, HookPhases, Offload } from "./parts.js";

/** What all turns of a dispatcher share. A handler that dispatches gets one of its own, inside its hold of the gate. */
export interface Engine {
  readonly gate: Gate;
  readonly limiter: Limiter;
  readonly maxConcurrency: number;
  readonly permissions: PermissionPolicy;
  readonly hooks: HookPhases | undefined;
  readonly interactive: boolean;
  readonly offload: Offload | undefined;
  readonly cutToBudget: CutToBudget | undefined;
  readonly parts: DispatcherParts;
  readonly dialect: string | undefined;
  readonly hookTimeoutMs: number;
  readonly retryDelayMs: (attempt: number) => number;
  readonly nextIdempotencyKey: () => string;
  readonly tracker: CallTracker | undefined;
  /** `undefined` when nobody listens, so that no event is even made. Never throws. */
  readonly emit: ((event: DispatchEvent) => void) | undefined;
  readonly progress: ((progress: CallProgress) => void) | undefined;
  /** Present inside a handler. */
  readonly nested: Nesting | undefined;
}

/** Where a handler's own calls run. */
export interface Nesting {
  readonly depth: number;
  /** The gate of the dispatcher itself, which the outermost handler holds. */
  readonly outermostGate: Gate;
  /** The handler is a reader: it may dispatch readers only. */
  readonly readersOnly: boolean;
}

/** A listener that may be called from anywhere: what it throws is its own affair. */
export function safely<Argument>(
  listener: ((argument: Argument) => unknown) | undefined,
): ((argument: Argument) => void) | undefined {
  if (listener === undefined) return undefined;
  return (argument) => {
    try {
      const answer = listener(argument);
      if (isThenable(answer)) answer.then(undefined, () => undefined);
    } catch {
      // A listener only watches: its failure must not change what is watched.
    }
  };
}
