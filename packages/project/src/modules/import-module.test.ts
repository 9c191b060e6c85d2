import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withinLimit } from "./import-module.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("gives up on a module that awaits forever", async () => {
  const outcome = expect(withinLimit(new Promise(() => {}))).rejects.toThrow("it was not imported within 10 seconds");
  await vi.advanceTimersByTimeAsync(10_000);
  await outcome;
});

test("an import leaves no timer behind, even if it throws", async () => {
  expect(await withinLimit(Promise.resolve(1))).toBe(1);
  await expect(withinLimit(Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(vi.getTimerCount()).toBe(0);
});
