import { expect, test } from "vitest";
import { lower } from "../lower/lower.js";
import { anthropic } from "./anthropic/anthropic.js";
import { dialectOf } from "./find-dialect.js";
import type { DialectId } from "./definition/dialect-id.js";

test("a dialect is found by its id, or is itself", () => {
  expect(dialectOf("anthropic")).toBe(anthropic);
  expect(dialectOf(anthropic)).toBe(anthropic);
});

test.each(["nope", "constructor", "__proto__", ""])("%j is no dialect", (id) => {
  expect(() => dialectOf(id as DialectId)).toThrow(RangeError);
  expect(() => lower({ type: "object", properties: {} }, id as DialectId)).toThrow(/There is no dialect/);
});
