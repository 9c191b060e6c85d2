/** True if JavaScript holds a decimal number exactly: `0.10`, but not `12345678901234567890`. */
export function isExactNumber(text: string, value: number): boolean {
  if (/^-?\d{1,15}$/u.test(text)) return true;
  return Number.isFinite(value) && decimal(text) === decimal(String(value));
}

/**
 * Finds an integer in JSON text that `JSON.parse` rounds, in any spelling. Unsafe integers always count, fractions
 * never.
 */
export function inexactInteger(text: string): string | undefined {
  if (!mayBeInexact(text)) return undefined;
  for (const { token } of numbersOf(text)) if (isInexactInteger(token)) return token;
  return undefined;
}

/** Quotes every integer in JSON text that {@link inexactInteger} would find, so that no digit is lost. */
export function quoteInexactIntegers(text: string): string {
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

/** Looks quickly, and may only err on the side of `true`. */
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
  const significant = digits.replace(/0+$/u, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}
