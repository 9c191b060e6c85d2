import { expect, test } from "vitest";
import { lower } from "../lower/lower.js";
import { anthropic } from "./providers/anthropic.js";
import { findDialect } from "./index.js";
import type { DialectId } from "./definition/dialect-id.js";

test("a dialect is found by its id, or is itself", () => {
  expect(findDialect("anthropic")).toBe(anthropic);
  expect(findDialect(anthropic)).toBe(anthropic);
});

test.each(["nope", "constructor", "__proto__", ""])("%j is no dialect", (id) => {
  expect(() => findDialect(id as DialectId)).toThrow(RangeError);
  expect(() => lower({ type: "object", properties: {} }, id as DialectId)).toThrow(/There is no dialect/);
});
