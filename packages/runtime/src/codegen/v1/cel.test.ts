import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  all,
  checkedDuration,
  checkedTimestamp,
  compareText,
  contains,
  divideIntegers,
  duration,
  equal,
  exists,
  matches,
  member,
  remainder,
  safeInteger,
  textLength,
  timestamp,
} from "./cel.js";

/** The order of code points, as plainly as possible. */
function plainOrder(left: string, right: string): number {
  const [a, b] = [left, right].map((text) => Array.from(text, (character) => character.codePointAt(0) ?? 0));
  for (const [index, codePoint] of (a ?? []).entries()) {
    const other = b?.[index];
    if (other === undefined) return 1;
    if (codePoint !== other) return codePoint - other;
  }
  return (a?.length ?? 0) - (b?.length ?? 0);
}

describe("text", () => {
  test("textLength counts code points", () => {
    expect(textLength("")).toBe(0);
    expect(textLength("a😀é")).toBe(3);
  });

  test("compareText orders by code points, where JavaScript orders UTF-16 units", () => {
    expect(["😀", "\uFFFD"].toSorted()).toEqual(["😀", "\uFFFD"]);
    expect(compareText("😀", "\uFFFD")).toBeGreaterThan(0);
    expect(compareText("a", "ab")).toBeLessThan(0);
    expect(compareText("ab", "ab")).toBe(0);
  });

  test("compareText agrees with the order of code points for any text", () => {
    const text = fc.string({ unit: "binary", maxLength: 6 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(Math.sign(compareText(left, right))).toBe(Math.sign(plainOrder(left, right)));
      }),
    );
  });

  test("compareText refuses anything but text", () => {
    expect(() => compareText("a", undefined as never)).toThrow(/a string can only be compared/u);
  });
});

describe("equal", () => {
  test("equal compares by value, own keys only", () => {
    expect(equal({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true);
    expect(equal({ a: 1 }, { b: 1 })).toBe(false);
    expect(equal([1], { 0: 1 })).toBe(false);
    expect(equal({ toString: 1 }, { valueOf: 1 })).toBe(false);
    expect(equal(JSON.parse('{"__proto__":1}'), {})).toBe(false);
    expect(equal(null, {})).toBe(false);
  });

  test("equal agrees with JSON text for JSON values", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        expect(equal(left, structuredClone(left))).toBe(true);
        if (JSON.stringify(left) !== JSON.stringify(right)) return;
        expect(equal(left, right)).toBe(true);
      }),
    );
  });
});

describe("integers", () => {
  test("integers stay exact or throw", () => {
    expect(safeInteger(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => safeInteger(Number.MAX_SAFE_INTEGER + 1)).toThrow(RangeError);
    expect(() => safeInteger(Number.NaN)).toThrow(RangeError);
  });

  test("integers divide as 64-bit integers do", () => {
    const integer = fc.maxSafeInteger();
    fc.assert(
      fc.property(integer, integer, (dividend, divisor) => {
        fc.pre(divisor !== 0);
        expect(BigInt(divideIntegers(dividend, divisor))).toBe(BigInt(dividend) / BigInt(divisor));
        expect(BigInt(remainder(dividend, divisor))).toBe(BigInt(dividend) % BigInt(divisor));
      }),
    );
    expect(() => divideIntegers(1, 0)).toThrow(/zero/u);
    expect(() => remainder(1, 0)).toThrow(/zero/u);
  });
});

describe("timestamp", () => {
  test("timestamp agrees with Date in Date's range", () => {
    const date = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (value) => {
        expect(timestamp(value.toISOString())).toBe(BigInt(value.getTime()) * 1_000_000n);
      }),
    );
  });

  test("timestamp keeps nanoseconds and offsets", () => {
    expect(timestamp("1970-01-01T00:00:00.000000001Z")).toBe(1n);
    expect(timestamp("1970-01-01T02:00:00+02:00")).toBe(0n);
    expect(timestamp("1969-12-31T23:00:00-01:00")).toBe(0n);
    expect(timestamp("2024-02-29T00:00:00z")).toBe(timestamp("2024-02-29t00:00:00Z"));
  });

  test.each([
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-12-31T23:59:60Z",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00",
    "2026-01-01T00:00:00.1234567890Z",
    "0001-01-01T00:00:00+01:00",
    "",
  ])("timestamp refuses %j", (text) => {
    expect(() => timestamp(text)).toThrow(RangeError);
  });

  test("timestamp arithmetic stays in range", () => {
    expect(() => checkedTimestamp(timestamp("9999-12-31T23:59:59Z") + duration("1s"))).toThrow(/years/u);
  });
});

describe("duration", () => {
  test.each([
    ["0", 0n],
    ["1h30m", 5_400_000_000_000n],
    ["-2.5s", -2_500_000_000n],
    ["+1ms", 1_000_000n],
    [".5us", 500n],
    ["1µs1ns", 1001n],
  ])("duration parses %s", (text, nanoseconds) => {
    expect(duration(text)).toBe(nanoseconds);
  });

  test.each(["", "1", "h", "1 h", "1d", ".s", "1h-1m", `${"9".repeat(40)}h`, "1".repeat(70)])(
    "duration refuses %j",
    (text) => {
      expect(() => duration(text)).toThrow(RangeError);
    },
  );

  test("duration arithmetic stays in range", () => {
    expect(() => checkedDuration(duration("87600000h") + duration("87600000h"))).toThrow(/range/u);
  });
});

test("member reads own properties only", () => {
  const hostile = JSON.parse('{"__proto__": 1, "constructor": "x"}') as { constructor: string };
  expect(member(hostile, "constructor")).toBe("x");
  expect(member(hostile as object as { __proto__: number }, "__proto__")).toBe(1);
  expect(() => member({} as { toString: string }, "toString")).toThrow(/"toString"/u);
});

describe("lists", () => {
  test("all and exists ask in order and no further than needed", () => {
    const asked: number[] = [];
    const isTwo = (item: number): boolean => asked.push(item) > 0 && item === 2;
    expect(exists([1, 2, 3], isTwo)).toBe(true);
    expect(all([2, 1, 3], isTwo)).toBe(false);
    expect(asked).toEqual([1, 2, 2, 1]);
    expect([all([], isTwo), exists([], isTwo)]).toEqual([true, false]);
  });

  test("all and exists throw if one of their items does", () => {
    const fails = (): boolean => {
      throw new Error("no");
    };
    expect(() => all([1], fails)).toThrow("no");
    expect(() => exists([1], fails)).toThrow("no");
    expect(() => all(undefined as never, fails)).toThrow(TypeError);
  });

  test("contains finds lists and objects by value", () => {
    expect(contains([[1], { a: 1 }], { a: 1 })).toBe(true);
    expect(contains([[1]], [2])).toBe(false);
  });
});

describe("matches", () => {
  test("matches finds a match anywhere in a text, without backtracking", () => {
    expect(matches("x aaab", "(?:a+)+b")).toBe(true);
    expect(matches("a".repeat(5000), "^(?:a+)+b$")).toBe(false);
  });

  test("matches throws for a text that is too long for the pattern, and for a pattern that it cannot match", () => {
    expect(() => matches("a".repeat(1_000_000), "^(?:a|b){50}(?:a+)+$")).toThrow("too long");
    expect(() => matches("a", "(a)\\1")).toThrow(/cannot be decided/u);
  });
});
