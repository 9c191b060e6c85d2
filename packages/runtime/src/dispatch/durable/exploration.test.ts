import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CallStore } from "../../calls/call-store.js";
import { memoryCallStore } from "../../calls/memory-call-store.js";
import { createDispatcher } from "../dispatcher.js";
import type { Dispatcher, RunOutcome } from "../state/dispatcher-types.js";
import { callsOf, reader, writer } from "../tools.testing.js";

// Two processes share nothing but the store. So every way in which they can meet is an order of their requests to it,
// with a crash somewhere: all of them are tried, with the dispatcher itself.

type Kind = "look" | "write" | "upsert";

/** What may happen next: a process gets the answer to a request, or is killed before or after the store took that. */
interface Action {
  readonly process: number;
  readonly request: number;
  readonly kind: "answer" | "killed before" | "killed after";
}

interface Request {
  readonly name: string;
  readonly make: () => Promise<unknown>;
  readonly give: (answer: unknown) => void;
}

interface Process {
  /** The requests that it waits for. */
  requests: Request[];
  /** All answers that it got: whatever it does next follows from them. */
  readonly answers: string[];
  isDead: boolean;
  outcome: RunOutcome | undefined;
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

class World {
  readonly store: CallStore = memoryCallStore();
  readonly effects: string[] = [];
  readonly processes: readonly Process[];
  readonly kinds: readonly Kind[];

  constructor(kinds: readonly Kind[]) {
    this.kinds = kinds;
    this.processes = [0, 1].map(() => ({ requests: [], answers: [], isDead: false, outcome: undefined }));
  }

  dispatcher(process?: Process): Dispatcher {
    const act =
      (name: Kind) =>
      (_input: object, { callId, idempotencyKey }: { callId: string; idempotencyKey: string }) => {
        // What is killed does nothing any more.
        if (process?.isDead !== true) this.effects.push(`${callId} ${idempotencyKey}`);
        return name;
      };
    return createDispatcher({
      tools: [
        reader("look", act("look")),
        writer("write", act("write"), { behavior: { isIdempotent: false } }),
        writer("upsert", act("upsert"), { behavior: { isIdempotent: "withKey" } }),
      ] as never,
      callStore: process === undefined ? this.store : this.#gated(process),
      leaseSeconds: 10,
      hookTimeoutMs: 2 ** 31,
    });
  }

  start(): void {
    for (const process of this.processes) {
      void this.dispatcher(process)
        .run(callsOf(...this.kinds), { turnId: "t" })
        .then((outcome) => {
          process.outcome = outcome;
        });
    }
  }

  /** What may happen next. Time passes only where nothing else can happen. */
  async actions(mayCrash: boolean): Promise<readonly Action[]> {
    for (;;) {
      await settle();
      const actions = this.processes.flatMap(({ requests, isDead }, process) =>
        requests.flatMap((_, request): readonly Action[] => {
          if (isDead) return [];
          const answer = { process, request, kind: "answer" } as const;
          const killed = { ...answer, kind: "killed after" } as const;
          if (!mayCrash) return [answer];
          return request === 0 ? [answer, killed, { ...answer, kind: "killed before" }] : [answer, killed];
        }),
      );
      if (actions.length > 0) return actions;
      if (this.processes.every(({ outcome, isDead }) => isDead || outcome !== undefined)) return [];
      await vi.advanceTimersByTimeAsync(11_000);
    }
  }

  async take({ process: index, request: place, kind }: Action): Promise<void> {
    const process = this.processes[index] as Process;
    const [request] = process.requests.splice(place, 1);
    if (kind !== "answer") process.isDead = true;
    if (request === undefined || kind === "killed before") return;
    const answer = await request.make();
    if (kind === "killed after") return;
    process.answers.push(`${request.name} ${withoutTimes(answer)}`);
    request.give(answer);
    await settle();
  }

  /** Equal for worlds in which the same can happen from now on. */
  async key(): Promise<string> {
    const turn = withoutTimes(await this.store.read("t"));
    // Which of the two is which makes no difference.
    const pasts = this.processes.map(({ answers, isDead }) => JSON.stringify([answers, isDead])).toSorted();
    return JSON.stringify([turn, this.effects, pasts]);
  }

  #gated(process: Process): CallStore {
    const gate =
      <Arguments extends unknown[], Answer>(name: string, make: (...given: Arguments) => Promise<Answer>) =>
      (...given: Arguments): Promise<Answer> =>
        new Promise((give) => {
          if (!process.isDead) process.requests.push({ name, make: () => make(...given), give: give as never });
        });
    const { store } = this;
    return {
      setUp: () => store.setUp(),
      questions: (filter) => store.questions(filter),
      records: (filter) => store.records(filter),
      open: gate("open", store.open),
      read: gate("read", store.read),
      advance: gate("advance", store.advance),
    };
  }
}

function withoutTimes(value: unknown): string {
  return (JSON.stringify(value) ?? "")
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"<time>"')
    .replaceAll(/"owner":"[^"]+"/g, '"owner":"<run>"')
    .replaceAll(/"durationMs":[\d.]+/g, '"durationMs":0');
}

/** Tries every order. Answers with all that may come of it, and how many different worlds there were. */
async function explore(kinds: readonly Kind[]): Promise<{ readonly ends: readonly string[]; readonly worlds: number }> {
  const seen = new Set<string>();
  const ends = new Set<string>();
  const paths: (readonly Action[])[] = [[]];
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    // The dead of the path before would go on for ever.
    vi.clearAllTimers();
    const world = new World(kinds);
    world.start();
    const mayCrash = (): boolean => !world.processes.some(({ isDead }) => isDead);
    for (const action of path) {
      await world.actions(false);
      await world.take(action);
    }
    const next = await world.actions(mayCrash());
    const key = await world.key();
    if (seen.has(key)) continue;
    seen.add(key);
    if (next.length === 0) ends.add(await endOf(world));
    for (const action of next) paths.push([...path, action]);
  }
  return { ends: [...ends].toSorted(), worlds: seen.size };
}

/** How it ends: per call its result, and how often its effect happened. A third process says so in the end. */
async function endOf(world: World): Promise<string> {
  const third: Pick<Process, "outcome"> = { outcome: undefined };
  void world
    .dispatcher()
    .run(callsOf(...world.kinds), { turnId: "t" })
    .then((outcome) => {
      third.outcome = outcome;
    });
  await settle();
  // What a dead process holds is free after one lease.
  for (let lease = 0; lease < 3; lease += 1) {
    if (third.outcome === undefined) await vi.advanceTimersByTimeAsync(11_000);
    await settle();
  }
  const last = third.outcome;
  if (last?.status !== "settled") return "never settled";
  for (const { outcome } of world.processes) {
    if (outcome === undefined) continue;
    // Whoever answered, answered the same.
    expect(outcome.results.map(({ error }) => error?.code)).toEqual(last.results.map(({ error }) => error?.code));
  }
  return last.results
    .map(({ callId, error }) => {
      const own = world.effects.filter((effect) => effect.startsWith(`${callId} `));
      expect(new Set(own).size).toBeLessThanOrEqual(1);
      return `${error?.code ?? "ok"} ${own.length}`;
    })
    .join(", ");
}

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => vi.useRealTimers());

test("two processes, two calls, one crash: exactly what the contract allows", async () => {
  const { ends, worlds } = await explore(["upsert", "write"]);
  // By hand: one crash leaves one call that may have run. What may be repeated runs again; the other is not known.
  expect(ends).toEqual(["ok 1, ok 1", "ok 1, process-lost 0", "ok 1, process-lost 1", "ok 2, ok 1"]);
  expect(worlds).toBeGreaterThan(100);
}, 120_000);
