import { describe, expect, test } from "vitest";
import { createGate, createInnerGate, type Release } from "./gate.js";
import { createLimiter } from "./concurrency.js";
import type { Stoppable } from "./with-timeout.js";
import { matchesPattern } from "../permissions/tool-pattern.js";

/** True if a promise has settled by now. */
async function isGranted(granted: Promise<Release>): Promise<boolean> {
  return Promise.race([
    granted.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 1)),
  ]);
}

describe("a gate", () => {
  test("a gate is shared by readers and held alone by anyone else, first come, first served", async () => {
    const gate = createGate();
    const [one, two] = [gate.enter("shared"), gate.enter("shared")];
    const alone = gate.enter("exclusive");
    const late = gate.enter("shared");
    (await one.granted)();
    expect(await isGranted(alone.granted)).toBe(false);
    (await two.granted)();
    const release = await alone.granted;
    expect(await isGranted(late.granted)).toBe(false);
    release();
    expect(await isGranted(late.granted)).toBe(true);
  });

  test("a gate lets the next ones pass when a ticket is withdrawn, before or after it was granted", async () => {
    const gate = createGate();
    const holding = await gate.enter("shared").granted;
    const leaves = gate.enter("exclusive");
    const behind = gate.enter("shared");
    leaves.withdraw();
    expect(await isGranted(behind.granted)).toBe(true);
    holding();
    (await behind.granted)();
    gate.enter("exclusive").withdraw();
    expect(await isGranted(gate.enter("exclusive").granted)).toBe(true);
  });

  test("a gate ignores a second release", async () => {
    const gate = createGate();
    const release = await gate.enter("exclusive").granted;
    release();
    const next = gate.enter("exclusive");
    await next.granted;
    release();
    expect(await isGranted(gate.enter("exclusive").granted)).toBe(false);
  });

  test("a gate and the gates inside it share one record of abandoned calls", () => {
    const gate = createGate();
    const { over } = createInnerGate(gate).abandon("a");
    gate.abandon("b");
    expect(gate.abandonedCall()).toBe("a");
    over();
    expect(gate.abandonedCall()).toBe("b");
    expect([gate.releaseAbandoned("b"), gate.releaseAbandoned("b"), gate.abandonedCall()]).toEqual([
      true,
      false,
      undefined,
    ]);
  });
});

test("a limiter hands its places on in order", async () => {
  const limiter = createLimiter(1);
  const turn: Stoppable = { stopped: undefined, onStop: new Set() };
  expect(limiter.acquire(turn)).toBeUndefined();
  const order: number[] = [];
  const waiting = [1, 2].map((number) => Promise.resolve(limiter.acquire(turn)).then(() => order.push(number)));
  limiter.release();
  await waiting[0];
  expect(order).toEqual([1]);
  limiter.release();
  await waiting[1];
  limiter.release();
  expect(limiter.acquire(turn)).toBeUndefined();
});

test("a limiter passes over a call whose turn stops while it waits", async () => {
  const limiter = createLimiter(1);
  const [stopping, lasting] = [1, 2].map((): Stoppable => ({ stopped: undefined, onStop: new Set() }));
  if (stopping === undefined || lasting === undefined) throw new Error("there are two turns");
  expect(limiter.acquire(lasting)).toBeUndefined();
  const waiting = [limiter.acquire(stopping), limiter.acquire(lasting)];
  for (const stop of stopping.onStop) stop({ code: "aborted", message: "stopped" });
  await expect(waiting[0]).rejects.toThrow("stopped");
  limiter.release();
  await waiting[1];
  expect([stopping.onStop.size, lasting.onStop.size]).toEqual([0, 0]);
  limiter.release();
  expect(limiter.acquire(lasting)).toBeUndefined();
});

test.each([
  ["a*c", "abc", true],
  ["a*c", "ac", true],
  ["a*c", "abcd", false],
  ["*", "", true],
  ["a*a", "a", false],
  ["*b*", "abc", true],
  ["a*b*c", "a-c-b", false],
  ["a**c", "abc", true],
  ["a.c", "abc", false],
  ["", "a", false],
])("the pattern %s and the name %s", (pattern, name, expected) => expect(matchesPattern(pattern, name)).toBe(expected));
