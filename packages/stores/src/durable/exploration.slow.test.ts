import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CallStore, Question, RunOutcome } from "@hasp/runtime/call-store";
import { memoryCallStore } from "../calls/memory-call-store.js";
import { createHost as createDispatcher, callsOf, writer, type Host } from "./durable.testing.js";
import { possibleEnds, type PlannedCall } from "./exploration.testing.js";

// Two processes share only the store, so every way they can meet is an order of their requests, with a crash somewhere
// and a person who answers at some point. The test runs the dispatcher itself through all of these orders.

/** One possible next step: a process gets the answer to a request, or is killed before or after the store took it. */
interface Step {
  readonly process: number;
  readonly request: number;
  readonly kind: "answer" | "killed before" | "killed after";
}

/** A step of a process, or a person's answer to an open question. */
type Action = Step | { readonly kind: "person"; readonly callId: string };

const QUESTION_SECONDS = 25;
const LEASE_SECONDS = 10;

interface Request {
  readonly name: string;
  readonly make: () => Promise<unknown>;
  readonly give: (answer: unknown) => void;
}

interface Process {
  /** The requests that wait for an answer. */
  requests: Request[];
  /** All answers so far; the next step of the process follows from them. */
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
  readonly plan: readonly PlannedCall[];

  constructor(plan: readonly PlannedCall[]) {
    this.plan = plan;
    this.processes = [0, 1].map(() => ({ requests: [], answers: [], isDead: false, outcome: undefined }));
  }

  dispatcher(process?: Process): Host {
    const act =
      (name: PlannedCall["name"]) =>
      (_input: object, { callId, idempotencyKey }: { callId: string; idempotencyKey: string }) => {
        // A killed process does nothing more.
        if (process?.isDead !== true) this.effects.push(`${callId} ${idempotencyKey}`);
        return name;
      };
    return createDispatcher({
      tools: [
        writer("write", act("write"), { behavior: { isIdempotent: false } }),
        writer("upsert", act("upsert"), { behavior: { isIdempotent: "withKey" } }),
        writer("pay", act("pay"), { behavior: { isIdempotent: false, requiresPermission: true } }),
      ] as never,
      callStore: process === undefined ? this.store : this.#gated(process),
      leaseSeconds: LEASE_SECONDS,
      questionTtlSeconds: QUESTION_SECONDS,
      hookTimeoutMs: 2 ** 31,
    });
  }

  get calls(): ReturnType<typeof callsOf> {
    return callsOf(...this.plan.map(({ name }) => name));
  }

  start(): void {
    for (const process of this.processes) {
      void this.dispatcher(process)
        .run(this.calls, { turnId: "t" })
        .then((outcome) => {
          process.outcome = outcome;
        });
    }
  }

  /** Lists the possible next steps. Time passes only if nothing else can happen. */
  async actions(mayCrash: boolean): Promise<readonly Action[]> {
    for (;;) {
      await this.#resumeWhatWaits();
      const actions = this.processes.flatMap(({ requests, isDead }, process) =>
        requests.flatMap((_, request): readonly Action[] => {
          if (isDead) return [];
          const answer = { process, request, kind: "answer" } as const;
          const killed = { ...answer, kind: "killed after" } as const;
          if (!mayCrash) return [answer];
          return request === 0 ? [answer, killed, { ...answer, kind: "killed before" }] : [answer, killed];
        }),
      );
      const questions = (await this.store.questions({ isOpen: true })).filter(({ callId }) => this.#decisionOf(callId));
      actions.push(...questions.map(({ callId }) => ({ kind: "person", callId }) as const));
      if (actions.length > 0) return actions;
      if (this.processes.every(({ outcome, isDead }) => isDead || outcome?.status === "settled")) return [];
      await vi.advanceTimersByTimeAsync((LEASE_SECONDS + 1) * 1000);
    }
  }

  /** Continues the turns whose questions are decided or expired. */
  async #resumeWhatWaits(): Promise<void> {
    await settle();
    for (const process of this.processes) {
      const { outcome, isDead } = process;
      if (outcome?.status !== "waiting" || isDead) continue;
      const calls = (await this.store.read("t"))?.calls ?? [];
      const isOpen = ({ id, expiresAt }: Question): boolean =>
        Date.parse(expiresAt) > Date.now() &&
        calls.some(({ state, question }) => question?.id === id && state === "asked");
      if (outcome.questions.every(isOpen)) continue;
      process.outcome = undefined;
      void this.dispatcher(process)
        .resume("t")
        .then((next) => {
          process.outcome = next;
        });
    }
    await settle();
  }

  #decisionOf(callId: string): "allow" | "deny" | undefined {
    const answer = this.plan[this.calls.findIndex(({ id }) => id === callId)]?.answer;
    return answer === "nobody" ? undefined : answer;
  }

  async take(action: Action): Promise<void> {
    if (action.kind !== "person") return this.#step(action);
    const { callId } = action;
    const question = (await this.store.questions({ isOpen: true })).find((each) => each.callId === callId);
    const decision = this.#decisionOf(callId);
    if (decision !== undefined) await this.dispatcher().answer(question?.id ?? "", { decision });
    await settle();
  }

  async #step({ process: index, request: place, kind }: Step): Promise<void> {
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

  /** Returns the same text for worlds with the same future. */
  async key(): Promise<string> {
    const turn = withoutTimes(await this.store.read("t"));
    // The two processes are interchangeable.
    const pasts = this.processes
      .map(({ answers, isDead, outcome }) => withoutTimes([answers, isDead, outcome?.status]))
      .toSorted();
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
    .replaceAll(/"id":"[0-9a-f]{64}"/g, '"id":"<question>"')
    .replaceAll(/"durationMs":[\d.]+/g, '"durationMs":0');
}

/** Tries every order, or of the orders that branch off a tried one, every so many. Returns their ends and the number of distinct worlds. */
async function explore(
  plan: readonly PlannedCall[],
  stride: number,
): Promise<{ readonly ends: readonly string[]; readonly worlds: number }> {
  const seen = new Set<string>();
  const ends = new Set<string>();
  const paths: (readonly Action[])[] = [[]];
  let branches = 0;
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    // Otherwise, the dead processes of the previous path would run forever.
    vi.clearAllTimers();
    vi.setSystemTime(0);
    const world = new World(plan);
    world.start();
    for (const action of path) {
      await world.actions(false);
      await world.take(action);
    }
    for (;;) {
      const next = await world.actions(!world.processes.some(({ isDead }) => isDead));
      const key = await world.key();
      if (seen.has(key)) break;
      seen.add(key);
      const [first, ...others] = next;
      if (first === undefined) {
        ends.add(await endOf(world));
        break;
      }
      for (const action of others) if ((branches += 1) % stride === 0) paths.push([...path, action]);
      path = [...path, first];
      await world.take(first);
    }
  }
  return { ends: [...ends].toSorted(), worlds: seen.size };
}

/** Returns each call's result and number of effects, as a third process sees them at the end. */
async function endOf(world: World): Promise<string> {
  const third: Pick<Process, "outcome"> = { outcome: undefined };
  void world
    .dispatcher()
    .run(world.calls, { turnId: "t" })
    .then((outcome) => {
      third.outcome = outcome;
    });
  await settle();
  // A dead process holds its calls for one lease.
  for (let lease = 0; lease < 3; lease += 1) {
    if (third.outcome === undefined) await vi.advanceTimersByTimeAsync((LEASE_SECONDS + 1) * 1000);
    await settle();
  }
  const last = third.outcome;
  if (last?.status !== "settled") return "never settled";
  for (const { outcome } of world.processes) {
    if (outcome === undefined) continue;
    // Every process that answered gave the same answer.
    expect(outcome.results.map(({ error }) => error?.code)).toEqual(last.results.map(({ error }) => error?.code));
  }
  const asked = (await world.store.records({ turnId: "t" })).filter(({ from, to }) => from !== to && to === "asked");
  expect(asked.map(({ callId }) => callId).toSorted()).toEqual(
    last.results.map(({ callId }) => callId).filter((_, index) => world.plan[index]?.name === "pay"),
  );
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

const [write, upsert] = [{ name: "write" }, { name: "upsert" }] as const;
const paying = (answer: NonNullable<PlannedCall["answer"]>): PlannedCall => ({ name: "pay", answer });
/** Without `HASP_SAMPLES`, a part of the orders is tried. */
const STRIDE = process.env["HASP_SAMPLES"] === undefined ? 3 : 1;

/** Pairs with questions have thousands of worlds each: `HASP_SAMPLES=all` explores them, in minutes. */
const PLANS: readonly (readonly PlannedCall[])[] =
  process.env["HASP_SAMPLES"] === "all"
    ? [
        [write, write],
        [paying("allow"), write],
        [write, paying("allow")],
        [paying("deny"), write],
        [paying("nobody"), write],
        [paying("allow"), paying("deny")],
      ]
    : [[upsert, write], [paying("nobody")], ...(process.env["HASP_SAMPLES"] === undefined ? [] : [[paying("allow")]])];

const named = PLANS.map((plan) => [plan.map(({ name, answer = "" }) => `${name} ${answer}`).join(", "), plan] as const);

test.each(named)(
  "two processes, two calls, one crash: exactly what the contract allows: %s",
  async (_name, plan) => {
    const { ends, worlds } = await explore(plan, STRIDE);
    expect(ends).toEqual(possibleEnds(plan));
    expect(worlds).toBeGreaterThan(100);
  },
  1_200_000,
);
