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

/** `1.5e-7` as `[15n, -8]`. */
function decimalOf(value: number): readonly [bigint, number] {
  const [mantissa = "0", exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

function scale(digits: bigint, exponent: number): bigint {
  return digits * 10n ** BigInt(exponent);
}

/** Computes the least common multiple of two positive decimal numerals; `undefined` if it is not exact. */
export function leastCommonMultiple(left: number, right: number): number | undefined {
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
