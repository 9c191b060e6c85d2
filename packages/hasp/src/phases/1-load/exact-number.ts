/**
 * Whether a decimal number and the number that JavaScript makes of it are the same: `0.10` and `1e3` are, `1e400` and
 * `12345678901234567890` are not.
 */
export function isExactNumber(text: string, value: number): boolean {
  if (/^-?\d{1,15}$/u.test(text)) return true;
  return Number.isFinite(value) && decimal(text) === decimal(String(value));
}

/** Sign, digits without outer zeros, and power of ten: one spelling for each decimal value. */
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
