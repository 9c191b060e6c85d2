import { EventEmitter } from "node:events";
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { LOADED, type SandboxReport, type SandboxRequest } from "./sandbox-messages.js";
import { Sandboxes, type SandboxPlatform } from "./sandboxes.js";

/** A worker that does what a test tells it. */
class FakeWorker extends EventEmitter {
  readonly requests: SandboxRequest[] = [];
  isOver = false;

  postMessage(request: SandboxRequest): void {
    this.requests.push(request);
  }

  report(report: Partial<SandboxReport>): void {
    this.emit("message", { calls: [], console: [], ranMs: 0, ...report });
  }

  async terminate(): Promise<number> {
    this.isOver = true;
    this.emit("exit", 1);
    return 1;
  }

  ref(): void {}
  unref(): void {}
}

/** A clock that stands until a test moves it, and the workers that were created. */
class FakePlatform implements SandboxPlatform {
  readonly workers: FakeWorker[] = [];
  #now = 0;
  readonly #timers = new Map<object, { readonly at: number; readonly callback: () => void }>();

  createWorker(): Worker {
    const worker = new FakeWorker();
    this.workers.push(worker);
    return worker as unknown as Worker;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const key = {};
    this.#timers.set(key, { at: this.#now + milliseconds, callback });
    return () => this.#timers.delete(key);
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    for (const [key, { at, callback }] of this.#timers) {
      if (at > this.#now) continue;
      this.#timers.delete(key);
      callback();
    }
  }

  get alive(): number {
    return this.workers.filter(({ isOver }) => !isOver).length;
  }
}

const limits = { seconds: 2, memoryMb: 64, calls: 10, resultChars: 1000 };

function createSandboxes(): {
  readonly platform: FakePlatform;
  readonly sandboxes: Sandboxes;
  start(): ReturnType<Sandboxes["run"]>;
} {
  const platform = new FakePlatform();
  const sandboxes = new Sandboxes(platform);
  const host = {
    past: { calls: 0, order: [] },
    print: () => undefined,
    isSame: () => true,
    call: async () => undefined,
  };
  return {
    platform,
    sandboxes,
    start: () => sandboxes.run("return 1", limits, { ...host, signal: new AbortController().signal }),
  };
}

const done = { end: { result: "1" } };

test("a program's time counts once its worker is loaded, with a second of grace", async () => {
  const { platform, start } = createSandboxes();
  const running = start();
  platform.pass(19_000);
  platform.workers[0]?.emit("message", LOADED);
  platform.pass(2999);
  expect(platform.alive).toBe(1);
  platform.pass(1);
  expect(await running).toEqual({ code: "program-time-limit", message: "The program ran for more than 2 s." });
  expect(platform.alive).toBe(0);
});

test("a worker that does not load is ended, and its program is not blamed", async () => {
  const { platform, start } = createSandboxes();
  const running = start();
  platform.pass(20_000);
  expect(await running).toMatchObject({ message: "The sandbox was not loaded within 20 s." });
  expect(platform.alive).toBe(0);
});

test("an idle worker serves the next program, and ends after 30 seconds", async () => {
  const { platform, start } = createSandboxes();
  for (let round = 0; round < 2; round += 1) {
    const running = start();
    platform.workers[0]?.emit("message", LOADED);
    platform.workers[0]?.report(done);
    await running;
    platform.pass(29_999);
  }
  expect(platform.workers).toHaveLength(1);
  expect(platform.alive).toBe(1);
  platform.pass(1);
  expect(platform.alive).toBe(0);
});

test("two workers remain of many programs that ran at once, and none once the idle ones are ended", async () => {
  const { platform, sandboxes, start } = createSandboxes();
  const running = Array.from({ length: 40 }, start);
  for (const worker of platform.workers) worker.report(done);
  await Promise.all(running);
  expect([platform.workers.length, platform.alive]).toEqual([40, 2]);
  await sandboxes.endIdle();
  expect(platform.alive).toBe(0);
});

test("a worker that ends while it is idle serves no program", async () => {
  const { platform, start } = createSandboxes();
  const running = start();
  platform.workers[0]?.report(done);
  await running;
  await platform.workers[0]?.terminate();
  const next = start();
  platform.workers[1]?.report(done);
  expect(await next).toEqual({ result: "1" });
});
