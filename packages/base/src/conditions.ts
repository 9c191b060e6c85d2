// Arithmetic and comparisons of conditions where JavaScript differs from CEL, for printed predicates and for what checks
// them. Each throws where CEL reports an error.
import { isEqualJson, type JsonValue } from "./json/index.js";

type Nanoseconds = bigint;

export function celError(message: string): RangeError {
  return new RangeError(`A predicate cannot be decided: ${message}`);
}

/** Counts the Unicode code points of a string, as CEL and JSON Schema do. */
export function textLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Compares two strings by Unicode code points: below, equal to or above zero. */
export function compareText(left: string, right: string): number {
  if (typeof left !== "string" || typeof right !== "string") {
    throw celError("a string can only be compared with a string.");
  }
  const shorter = Math.min(left.length, right.length);
  let index = 0;
  while (index < shorter && left.charCodeAt(index) === right.charCodeAt(index)) index += 1;
  if (index === shorter) return left.length - right.length;
  return codePointRank(left.charCodeAt(index)) - codePointRank(right.charCodeAt(index));
}

/** Orders UTF-16 units as their code points are ordered: surrogates stand for those above U+FFFF. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Compares two JSON values, lists by position and objects by their own keys. */
export function equal(left: unknown, right: unknown): boolean {
  return isEqualJson(left as JsonValue, right as JsonValue);
}

/** Returns the result of integer arithmetic. Throws if a JSON number can no longer hold it exactly. */
export function safeInteger(value: number): number {
  if (!Number.isSafeInteger(value)) throw celError("an integer left the exact range (2^53).");
  return value;
}

/** Divides integers as CEL does: towards zero, and never by zero. */
export function divideIntegers(dividend: number, divisor: number): number {
  if (divisor === 0) throw celError("division by zero.");
  return safeInteger(Math.trunc(dividend / divisor));
}

/** Returns CEL's remainder of integers: with the sign of the dividend, and never by zero. */
export function remainder(dividend: number, divisor: number): number {
  if (divisor === 0) throw celError("division by zero.");
  return safeInteger(dividend % divisor);
}

const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/u;
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const NANOSECONDS_PER_SECOND = 1_000_000_000n;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z. */
const FIRST_TIMESTAMP = -62_135_596_800_000_000_000n;
const LAST_TIMESTAMP = 253_402_300_799_999_999_999n;
/** About 10 000 years. */
const LONGEST_DURATION = 315_576_000_000_000_000_000n;

/** Parses an RFC 3339 time into nanoseconds since 1970. As in CEL, leap seconds and a tenth digit are errors. */
export function timestamp(text: string): Nanoseconds {
  const parts = typeof text === "string" ? TIMESTAMP.exec(text) : null;
  if (parts === null) throw celError("it is not an RFC 3339 time such as 2026-01-31T12:00:00Z.");
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const daysBefore = DAYS_BEFORE_MONTH[month - 1];
  const daysUntilNext = DAYS_BEFORE_MONTH[month] ?? 365;
  const offsetHours = Number(parts[9] ?? 0);
  const offsetMinutes = Number(parts[10] ?? 0);
  if (daysBefore === undefined || day < 1 || day > daysUntilNext - daysBefore + (month === 2 && isLeapYear ? 1 : 0)) {
    throw celError("it names a day that does not exist.");
  }
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) {
    throw celError("it names a time of day that does not exist.");
  }
  const pastYears = year - 1;
  const leapDays = Math.floor(pastYears / 4) - Math.floor(pastYears / 100) + Math.floor(pastYears / 400);
  const dayOfYear = daysBefore + day - 1 + (month > 2 && isLeapYear ? 1 : 0);
  const days = pastYears * 365 + leapDays + dayOfYear - 719_162;
  const offsetSeconds = (parts[8] === "-" ? -1 : 1) * (offsetHours * 3600 + offsetMinutes * 60);
  const seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offsetSeconds;
  const nanoseconds = BigInt((parts[7] ?? "").padEnd(9, "0"));
  return checkedTimestamp(BigInt(seconds) * NANOSECONDS_PER_SECOND + nanoseconds);
}

/** Returns the result of time arithmetic. Throws outside the years 1 to 9999. */
export function checkedTimestamp(value: Nanoseconds): Nanoseconds {
  if (value < FIRST_TIMESTAMP || value > LAST_TIMESTAMP) throw celError("a time is outside the years 1 to 9999.");
  return value;
}

const DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:h|ms|m|s|us|µs|ns))+)$/u;
const DURATION_PART = /(\d*)(?:\.(\d*))?(h|ms|m|s|us|µs|ns)/gu;
const UNIT: { readonly [unit: string]: bigint } = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: NANOSECONDS_PER_SECOND,
  ms: 1_000_000n,
  us: 1000n,
  µs: 1000n,
  ns: 1n,
};

/** Parses a length of time such as `1h30m` or `-2.5s` into nanoseconds. */
export function duration(text: string): Nanoseconds {
  // 64 characters are more than any duration in range needs; they bound the arithmetic on the digits.
  if (typeof text !== "string" || text.length > 64 || !DURATION.test(text)) {
    throw celError("it is not a duration such as 90s or 1h30m.");
  }
  let total = 0n;
  for (const [, whole = "", fraction = "", unit = "ns"] of text.matchAll(DURATION_PART)) {
    const size = UNIT[unit] ?? 1n;
    total += BigInt(whole || "0") * size;
    if (fraction !== "") total += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
  }
  return checkedDuration(text.startsWith("-") ? -total : total);
}

/** Returns the result of duration arithmetic. Throws beyond CEL's ten thousand years. */
export function checkedDuration(value: Nanoseconds): Nanoseconds {
  if (value < -LONGEST_DURATION || value > LONGEST_DURATION) throw celError("a duration is out of range.");
  return value;
}
