import type {
  DispatchEvent,
  CallTracker,
  Hooks,
  PostHook,
  CallProgress,
  GuardHook,
  ResultStore,
  TransformHook,
} from "../contract/dispatcher.js";
import { isThenable } from "./bounded.js";
import type { Gate } from "./gate.js";
import type { Limiter } from "./limiter.js";
import type { PermissionPolicy } from "./lifecycle/permission.js";

/** What all turns of a dispatcher share. A handler that dispatches gets one of its own, inside its hold of the gate. */
export interface Engine {
  readonly gate: Gate;
  readonly limiter: Limiter;
  readonly maxConcurrency: number;
  readonly permissions: PermissionPolicy;
  readonly hooks: HookLists;
  readonly interactive: boolean;
  readonly resultStore: ResultStore | undefined;
  readonly turnResultBudgetChars: number;
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

/** Hooks as lists. */
export interface HookLists {
  readonly transform: readonly TransformHook[];
  readonly guard: readonly GuardHook[];
  readonly post: readonly PostHook[];
}

/** Each hook as a list, whatever way it was given. */
export function hookLists<Context>(hooks: Hooks<Context> | undefined): HookLists {
  return {
    transform: list(hooks?.transform) as readonly TransformHook[],
    guard: list(hooks?.guard) as readonly GuardHook[],
    post: list(hooks?.post) as readonly PostHook[],
  };
}

function list<Hook>(given: Hook | readonly Hook[] | undefined): readonly Hook[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? [...(given as readonly Hook[])] : [given as Hook];
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
