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

/** A first-come, first-served lock: readers share it, any other call holds it alone. */
export interface Gate {
  enter(mode: GateMode): GateTicket;
  abandon(callId: string): AbandonedCall;
  /** Declares every abandoned call with this id over. Returns false if there was none. */
  releaseAbandoned(callId: string): boolean;
  /** Returns the call that still runs after its time, if any. */
  abandonedCall(): string | undefined;
}

/** A call that exceeded its time. */
export interface AbandonedCall {
  /** Records that it is over; calling it again does nothing. */
  over(): void;
  /** Resolves when it is over, or the host declared it over. */
  readonly ended: Promise<void>;
}

interface GateWaiter {
  readonly mode: GateMode;
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

type AbandonedCalls = Omit<Gate, "enter">;

function abandonedCalls(): AbandonedCalls {
  const abandoned = new Map<Release, string>();
  return {
    abandon(callId) {
      let over: Release = () => undefined;
      const ended = new Promise<void>((resolve) => {
        over = once(() => {
          abandoned.delete(over);
          resolve();
        });
      });
      abandoned.set(over, callId);
      return { over, ended };
    },
    releaseAbandoned(callId) {
      const found = [...abandoned].filter(([, id]) => id === callId);
      for (const [over] of found) over();
      return found.length > 0;
    },
    abandonedCall: () => abandoned.values().next().value,
  };
}

function gateWith({ abandon, releaseAbandoned, abandonedCall }: AbandonedCalls): Gate {
  const line: GateWaiter[] = [];
  let readers = 0;
  let held = false;

  function admit(): void {
    for (let next = line[0]; next !== undefined; next = line[0]) {
      if (held || (next.mode === "exclusive" && readers > 0)) return;
      line.shift();
      next.grant(take(next.mode));
    }
  }

  function take(mode: GateMode): Release {
    if (mode === "shared") readers += 1;
    else held = true;
    return once(() => {
      if (mode === "shared") readers -= 1;
      else held = false;
      admit();
    });
  }

  return {
    enter(mode) {
      if (line.length === 0 && !held && (mode === "shared" || readers === 0)) {
        const release = take(mode);
        return { release, granted: Promise.resolve(release), withdraw: release };
      }
      let place: GateWaiter | undefined;
      const granted = new Promise<Release>((grant) => {
        place = { mode, grant };
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

function once(action: () => void): Release {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
