import { expect, test, vi } from "vitest";
import { idempotencyKeys } from "./idempotency-keys.js";

test("keys never repeat, though dispatchers begin at the same moment", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const keys = Array.from({ length: 1000 }, idempotencyKeys).flatMap((next) => [next(), next(), next()]);
  vi.useRealTimers();
  expect(new Set(keys).size).toBe(3000);
  for (const key of keys) expect(key).toMatch(/^[\da-z-]{20,64}$/);
});
