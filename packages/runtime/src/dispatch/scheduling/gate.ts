import { isDifferentResource, type Resource } from "../../tool/resource-key.js";
import { once } from "@hasp/base/json";
import { LONGEST_TIMER } from "./with-timeout.js";

/** The way a batch of calls enters a {@link Gate}: together with other readers, or alone. */
export type GateMode = "shared" | "exclusive";

/** Releases the gate; calling it again does nothing. */
export type Release = () => void;

export interface GateTicket {
  readonly release?: Release | undefined;
  readonly granted: Promise<Release>;
  /** Leaves the queue; if the gate was granted meanwhile, releases it. */
  withdraw(): void;
}

/**
 * A first-come, first-served lock: readers share it, writers of different resources share it, any other call holds it
 * alone. A gate that ignores `resource` is stricter, and as safe.
 */
export interface Gate {
  enter(mode: GateMode, resource?: Resource): GateTicket;
  abandon(callId: string, resource?: Resource): AbandonedCall;
  /** Declares every abandoned call with this id over. Returns false if there was none. */
  releaseAbandoned(callId: string): boolean;
  /** Returns a call that still runs after its time limit and may change this resource; without one, any such call. */
  abandonedCall(resource?: Resource): string | undefined;
}

/** A call that exceeded its time. */
interface AbandonedCall {
  /** Records that it is over; calling it again does nothing. */
  over(): void;
  /** Resolves when it is over, or the host declared it over. */
  readonly ended: Promise<void>;
}

interface GateWaiter {
  readonly mode: GateMode;
  readonly resource: Resource | undefined;
  readonly grant: (release: Release) => void;
}

/** Creates a gate, to share between dispatchers that touch the same things. */
export function createGate(): Gate {
  return gateWith(abandonedCalls());
}

/** Creates the gate inside one handler's hold of `outer`: its own queue, but one record of abandoned calls. */
export function createInnerGate(outer: Gate): Gate {
  return gateWith(outer);
}

/** Waits until no call holds a gate. Returns false if some still do after the timeout. */
export async function awaitCallsEnd(gate: Gate, milliseconds: number): Promise<boolean> {
  const ticket = gate.enter("exclusive");
  let timer: ReturnType<typeof setTimeout> | undefined;
  const longest = Math.min(milliseconds, LONGEST_TIMER);
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), longest)));
  const hasEnded = await Promise.race([ticket.granted.then(() => true as const), late]);
  clearTimeout(timer);
  ticket.withdraw();
  return hasEnded;
}

type AbandonedCalls = Omit<Gate, "enter">;

function abandonedCalls(): AbandonedCalls {
  const abandoned = new Map<Release, { readonly callId: string; readonly resource: Resource | undefined }>();
  return {
    abandon(callId, resource) {
      let over: Release = () => undefined;
      const ended = new Promise<void>((resolve) => {
        over = once(() => {
          abandoned.delete(over);
          resolve();
        });
      });
      abandoned.set(over, { callId, resource });
      return { over, ended };
    },
    releaseAbandoned(callId) {
      const found = [...abandoned].filter(([, call]) => call.callId === callId);
      for (const [over] of found) over();
      return found.length > 0;
    },
    abandonedCall: (resource) =>
      [...abandoned.values()].find((call) => !isDifferentResource(call.resource, resource))?.callId,
  };
}

function gateWith({ abandon, releaseAbandoned, abandonedCall }: AbandonedCalls): Gate {
  const line: GateWaiter[] = [];
  const writers = new Set<{ readonly resource: Resource | undefined }>();
  let readers = 0;

  function isFree(mode: GateMode, resource: Resource | undefined): boolean {
    if (mode === "shared") return writers.size === 0;
    if (readers > 0) return false;
    for (const writer of writers) if (!isDifferentResource(writer.resource, resource)) return false;
    return true;
  }

  function admit(): void {
    for (let next = line[0]; next !== undefined; next = line[0]) {
      if (!isFree(next.mode, next.resource)) return;
      line.shift();
      next.grant(take(next.mode, next.resource));
    }
  }

  function take(mode: GateMode, resource: Resource | undefined): Release {
    const writer = { resource };
    if (mode === "shared") readers += 1;
    else writers.add(writer);
    return once(() => {
      if (mode === "shared") readers -= 1;
      else writers.delete(writer);
      admit();
    });
  }

  return {
    enter(mode, resource) {
      if (line.length === 0 && isFree(mode, resource)) {
        const release = take(mode, resource);
        return { release, granted: Promise.resolve(release), withdraw: release };
      }
      let place: GateWaiter | undefined;
      const granted = new Promise<Release>((grant) => {
        place = { mode, resource, grant };
        line.push(place);
        admit();
      });
      return {
        granted,
        withdraw() {
          const index = place === undefined ? -1 : line.indexOf(place);
          if (index >= 0) {
            line.splice(index, 1);
            admit();
          } else {
            void granted.then((release) => release());
          }
        },
      };
    },
    abandon,
    releaseAbandoned,
    abandonedCall,
  };
}
