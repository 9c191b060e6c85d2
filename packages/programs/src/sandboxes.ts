import { Worker } from "node:worker_threads";
import type { ProgramPast } from "@hasp/runtime/extension";
import {
  LOADED,
  type SandboxCall,
  type SandboxAnswer,
  type ProgramEnd,
  type ProgramFaultCode,
  type ProgramLimits,
  type SandboxReport,
  type SandboxRequest,
} from "./sandbox-messages.js";

/** The time that a worker gets beyond its limit before it is ended: QuickJS cannot stop every operation. */
const GRACE_MS = 1000;

/** The time in which a worker must have loaded QuickJS. */
const START_MS = 20_000;

/** The time for which a worker waits for the next program. */
const IDLE_MS = 30_000;

/** Limits the workers that wait for the next program. */
const MOST_IDLE = 2;

/** The ends after which a worker takes no further program. */
const BROKEN: ReadonlySet<ProgramFaultCode> = new Set<ProgramFaultCode>(["program-time-limit", "program-memory-limit"]);

interface ProgramHost {
  readonly signal: AbortSignal;
  /** The calls of an earlier run, which this one must make again. */
  readonly past: ProgramPast;
  readonly print: (lines: readonly string[]) => void;
  /** True unless an earlier run asked for something else in this place. */
  readonly isSame: (asked: SandboxCall) => boolean;
  /** Runs a call. `undefined`: it waits for an answer that only another run of the program can receive. */
  readonly call: (asked: SandboxCall) => Promise<OrderedAnswer | undefined>;
}

/** An answer and its place in the order in which the program receives them. */
export interface OrderedAnswer {
  readonly answer: SandboxAnswer;
  readonly order: number;
}

/** The part of the platform that sandboxes depend on. */
export interface SandboxPlatform {
  createWorker(): Worker;
  /** Calls back after some time, unless the process ends before. Returns the function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

const NODE: SandboxPlatform = {
  createWorker() {
    const worker = new Worker(new URL("./sandbox-worker.js", import.meta.url), {
      // QuickJS needs more stack than Node gives a worker.
      resourceLimits: { stackSizeMb: 32 },
      env: {},
      stdin: false,
    });
    // A worker that is being ended may still run out of memory: without a listener, the process would end too.
    return worker.on("error", () => undefined);
  },
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

/** Workers, each for one program at a time. Those that are idle serve the next program, whichever host it is from. */
export class Sandboxes {
  readonly #platform: SandboxPlatform;
  /** With the function that cancels the end of each. */
  readonly #idle = new Map<Worker, () => void>();
  readonly #ending = new Set<Promise<unknown>>();

  constructor(platform: SandboxPlatform = NODE) {
    this.#platform = platform;
  }

  /** Runs a program to its end; `undefined` if all that is left of it waits. Rejects if the signal aborts. */
  async run(code: string, limits: ProgramLimits, host: ProgramHost): Promise<ProgramEnd | undefined> {
    host.signal.throwIfAborted();
    const worker = this.#take();
    worker.ref();
    let isIntact = false;
    try {
      const end = await runIn(worker, code, limits, host, this.#platform);
      isIntact = end === undefined || !("code" in end) || !BROKEN.has(end.code);
      return end;
    } finally {
      worker.unref();
      if (isIntact && this.#idle.size < MOST_IDLE) this.#keep(worker);
      else this.#end(worker);
    }
  }

  /** Ends the workers that no program uses. Resolves when they have ended. */
  async endIdle(): Promise<void> {
    for (const worker of this.#idle.keys()) this.#end(worker);
    await Promise.all(this.#ending);
  }

  #take(): Worker {
    const worker = [...this.#idle.keys()].at(-1);
    if (worker === undefined) {
      const created = this.#platform.createWorker();
      return created.once("exit", () => this.#forget(created));
    }
    this.#forget(worker);
    return worker;
  }

  #keep(worker: Worker): void {
    this.#idle.set(
      worker,
      this.#platform.after(IDLE_MS, () => this.#end(worker)),
    );
  }

  #forget(worker: Worker): void {
    this.#idle.get(worker)?.();
    this.#idle.delete(worker);
  }

  #end(worker: Worker): void {
    this.#forget(worker);
    const ending = worker.terminate().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

async function runIn(
  worker: Worker,
  code: string,
  limits: ProgramLimits,
  host: ProgramHost,
  platform: SandboxPlatform,
): Promise<ProgramEnd | undefined> {
  return new Promise((resolve, reject) => {
    const answers = new Map<number, SandboxAnswer>();
    const replayed = [...host.past.order];
    let last = replayed.at(-1) ?? 0;
    let asked = 0;
    let running = 0;
    let isWaiting = false;
    let isBusy = false;
    let isProceeding = false;
    let isClosed = false;
    let ranMs = 0;
    let end: ProgramEnd | undefined;
    let isLoaded = false;
    let stopWaiting: (() => void) | undefined;

    function close(settle: () => void): void {
      isClosed = true;
      stopWaiting?.();
      host.signal.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      settle();
    }

    function post(request: SandboxRequest): void {
      isBusy = true;
      waitAtMost(isLoaded ? restMs() : START_MS);
      worker.postMessage(request, []);
    }

    function waitAtMost(milliseconds: number): void {
      stopWaiting?.();
      stopWaiting = platform.after(milliseconds, onLate);
    }

    function restMs(): number {
      return limits.seconds * 1000 - ranMs + GRACE_MS;
    }

    /** Takes the answers whose turn it is: first those of the earlier run, then new ones as they have settled. */
    function takeAnswers(): readonly SandboxAnswer[] {
      const taken: SandboxAnswer[] = [];
      for (;;) {
        const order = replayed[0] ?? last + 1;
        const answer = answers.get(order);
        if (answer === undefined) return taken;
        answers.delete(order);
        if (replayed.length > 0) replayed.shift();
        else last = order;
        taken.push(answer);
      }
    }

    /** Proceeds once for all calls that settle in the same turn of the event loop. */
    function proceedSoon(): void {
      if (isProceeding) return;
      isProceeding = true;
      setImmediate(() => {
        isProceeding = false;
        proceed();
      });
    }

    function proceed(): void {
      if (isBusy || isClosed) return;
      const ended = end;
      if (ended !== undefined && "code" in ended) return close(() => resolve(ended));
      const taken = takeAnswers();
      if (taken.length > 0) return post({ answers: taken });
      if (running > 0) return;
      if (replayed.length > 0 || asked < host.past.calls) return diverge();
      if (isWaiting) return close(() => resolve(undefined));
      if (ended !== undefined) return close(() => resolve(ended));
      const message = "The program waits for something that no call of it settles, such as a promise of its own.";
      close(() => resolve({ code: "program-stuck", message }));
    }

    function diverge(): void {
      const message = "The program did not ask for the same calls as before, so it was stopped.";
      close(() => resolve({ code: "program-diverged", message }));
    }

    function start(call: SandboxCall): void {
      running += 1;
      host.call(call).then(
        (settled) => {
          running -= 1;
          if (settled === undefined) isWaiting = true;
          else answers.set(settled.order, settled.answer);
          proceedSoon();
        },
        (error: unknown) => close(() => reject(error as Error)),
      );
    }

    function onMessage(message: SandboxReport | typeof LOADED): void {
      if (message !== LOADED) return onReport(message);
      isLoaded = true;
      waitAtMost(restMs());
    }

    function onReport(report: SandboxReport): void {
      stopWaiting?.();
      isBusy = false;
      ranMs = report.ranMs;
      end = report.end;
      host.print(report.console);
      asked += report.calls.length;
      if (!report.calls.every((call) => call.n > host.past.calls || host.isSame(call))) return diverge();
      for (const call of report.calls) start(call);
      proceed();
    }

    function onLate(): void {
      const message = isLoaded
        ? `The program ran for more than ${limits.seconds} s.`
        : `The sandbox was not loaded within ${START_MS / 1000} s.`;
      close(() => resolve({ code: "program-time-limit", message }));
    }

    function onError(error: Error & { readonly code?: unknown }): void {
      const message = "The program needed more memory than its sandbox has.";
      if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") return close(() => reject(error));
      close(() => resolve({ code: "program-memory-limit", message }));
    }

    function onExit(): void {
      onError(new Error("The worker of the sandbox ended."));
    }

    function onAbort(): void {
      close(() => reject(host.signal.reason as Error));
    }

    host.signal.addEventListener("abort", onAbort, { once: true });
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    post({ code, limits });
  });
}
