import { expect, test } from "vitest";
import { createRateLimit } from "./serve-http.js";

test("each principal has so many calls at once, and as many in each minute", () => {
  let now = 0;
  const limit = createRateLimit(60, () => now);
  const take = (times: number, principal = "ann"): readonly number[] =>
    Array.from({ length: times }, () => limit.take(principal, 1));
  expect(take(62).slice(58)).toEqual([0, 0, 1, 1]);
  expect(take(1, "bob")).toEqual([0]);
  now = 2000;
  expect(take(3)).toEqual([0, 0, 1]);
  now = 3_600_000;
  expect(take(61).filter((wait) => wait > 0)).toEqual([1]);
});

test("many calls at once count as many, and none of them where too few are left", () => {
  let now = 0;
  const limit = createRateLimit(60, () => now);
  expect([limit.take("ann", 50), limit.take("ann", 20), limit.take("ann", 10), limit.take("ann", 1)]).toEqual([
    0, 10, 0, 1,
  ]);
  now = 3_600_000;
  expect(limit.take("ann", 61)).toBeGreaterThan(0);
});
