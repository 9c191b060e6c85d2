import type { JsonValue } from "./json-value.js";

/** True if JavaScript prints the decimal number that it read: `0.10` and `1e3`, but not `12345678901234567890`. */
export function isExactNumber(text: string, value: number): boolean {
  if (/^-?\d{1,15}$/u.test(text)) return true;
  return Number.isFinite(value) && decimal(text) === decimal(String(value));
}

/** Finds an integer in JSON text that `JSON.parse` rounds. Unsafe integers always count, fractions never. */
export function inexactInteger(text: string): string | undefined {
  if (!mayBeInexact(text)) return undefined;
  for (const { token } of numbersOf(text)) if (isInexactInteger(token)) return token;
  return undefined;
}

/**
 * Throws a `TypeError`, with the `number`, for an integer that a parser may have rounded. One that JavaScript prints with
 * an exponent is no identifier.
 */
export function refuseRounded(number: number): void {
  if (!Number.isInteger(number) || Number.isSafeInteger(number) || Math.abs(number) >= 1e21) return;
  // The number may be a secret.
  const words = "It has an integer with too many digits to be kept exactly. Write an identifier as a string.";
  throw Object.assign(new TypeError(words), { number });
}

/** Parses JSON text; an integer that {@link inexactInteger} would find becomes a string, so that no digit is lost. */
export function parseExactJson(text: string): JsonValue {
  return JSON.parse(quoteInexactIntegers(text)) as JsonValue;
}

function quoteInexactIntegers(text: string): string {
  if (!mayBeInexact(text)) return text;
  let quoted = "";
  let end = 0;
  for (const { token, index } of numbersOf(text)) {
    if (!isInexactInteger(token)) continue;
    quoted += `${text.slice(end, index)}"${token}"`;
    end = index + token.length;
  }
  return quoted + text.slice(end);
}

/** Checks quickly; may err only on the side of `true`. */
function mayBeInexact(text: string): boolean {
  return /\d(?:[\d.]{15}|[eE])/.test(text);
}

function isInexactInteger(token: string): boolean {
  const value = Number(token);
  const isSafe = /^-?\d+$/.test(token) ? Number.isSafeInteger(value) : isExactNumber(token, value);
  return !isSafe && (Number.isInteger(value) || !Number.isFinite(value)) && isWhole(token);
}

/** Lists the numbers of a JSON text as they are spelled, without a regular expression: strings may be long. */
function* numbersOf(text: string): Generator<{ readonly token: string; readonly index: number }> {
  const next = /"|-?\d[\d.eE+-]*/g;
  for (let match = next.exec(text); match !== null; match = next.exec(text)) {
    if (match[0] !== '"') yield { token: match[0], index: match.index };
    else next.lastIndex = endOfString(text, match.index);
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

function isWhole(text: string): boolean {
  const power = /e(-?\d+)$/.exec(decimal(text) ?? "")?.[1];
  return power === undefined || Number(power) >= 0;
}

/** Spells each decimal value in one way: sign, digits without outer zeros, and power of ten. */
function decimal(text: string): string | undefined {
  const parts = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/u.exec(text);
  if (parts === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts;
  const digits = (whole + fraction).replace(/^0+/u, "");
  const significant = digits.replace(/(?<!0)0+$/u, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}

/**
 * True if `value` is a whole multiple of `divisor`, judged by the decimal numerals that the two print as: `0.07` is a
 * multiple of `0.01`, although the quotient of the two doubles is 7.000000000000001. A JSON number is a decimal numeral
 * (RFC 8259 §6), and `multipleOf` (2020-12 Validation §6.2.1) speaks of the numbers, not of their binary neighbours.
 * Both are scaled by a power of ten to integers, whose remainder BigInt gives exactly; for safe integers, `%` is exact.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [digits, exponent] = decimalOf(value);
  const [divisorDigits, divisorExponent] = decimalOf(divisor);
  const shared = Math.min(exponent, divisorExponent);
  return scale(digits, exponent - shared) % scale(divisorDigits, divisorExponent - shared) === 0n;
}

/** Splits a number: `1.5e-7` into `[15n, -8]`. */
function decimalOf(value: number): readonly [bigint, number] {
  const [mantissa = "0", exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

function scale(digits: bigint, exponent: number): bigint {
  return digits * 10n ** BigInt(exponent);
}

/** Computes the least common multiple of two positive decimal numerals; `undefined` if it is not exact. */
export function computeLeastCommonMultiple(left: number, right: number): number | undefined {
  if (left === right) return left;
  const [digits, exponent] = decimalOf(left);
  const [otherDigits, otherExponent] = decimalOf(right);
  const shared = Math.min(exponent, otherExponent);
  if (shared < -MOST_PLACES || Math.max(exponent, otherExponent) - shared > 2 * MOST_PLACES) return undefined;
  const first = scale(digits, exponent - shared);
  const second = scale(otherDigits, otherExponent - shared);
  let divisor = first;
  for (let rest = second; rest !== 0n;) [divisor, rest] = [rest, divisor % rest];
  const multiple = (first / divisor) * second;
  const result = Number(`${multiple}e${shared}`);
  const [resultDigits, resultExponent] = decimalOf(result);
  const isExact = resultExponent >= shared && scale(resultDigits, resultExponent - shared) === multiple;
  return multiple <= BigInt(Number.MAX_SAFE_INTEGER) && isExact ? result : undefined;
}

const MOST_PLACES = 20;
