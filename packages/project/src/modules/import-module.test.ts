import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runWithinLimit } from "./import-module.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("gives up on a module that awaits forever", async () => {
  const outcome = expect(runWithinLimit(new Promise(() => {}))).rejects.toThrow(
    "it was not imported within 10 seconds",
  );
  await vi.advanceTimersByTimeAsync(10_000);
  await outcome;
});

test("an import leaves no timer behind, even if it throws", async () => {
  expect(await runWithinLimit(Promise.resolve(1))).toBe(1);
  await expect(runWithinLimit(Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(vi.getTimerCount()).toBe(0);
});
