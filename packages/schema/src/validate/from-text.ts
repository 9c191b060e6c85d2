import { kindsOf } from "./checks/kinds.js";

/**
 * Reads the one value of the given types that a text spells without loss: a canonical number (`String(Number(text)) ===
 * text`) in the safe range, `true` or `false`, the JSON of an array or object. `undefined` if there is none; `null`
 * never is.
 */
export function fromText(text: string, accepted: number): unknown {
  const value = valueOf(text);
  return value === null || (kindsOf(value) & accepted) === 0 ? undefined : value;
}

function valueOf(text: string): unknown {
  const number = Number(text);
  if (String(number) === text) return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
  if (!/^(?:true|false)$|^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return losesNothing(text, value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** True if `JSON.parse` rounded no number and dropped no member: of two with one name it keeps the last. */
function losesNothing(text: string, value: unknown): boolean {
  const outside = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "");
  const colons = outside.split(":").length - 1;
  return colons === countMembers(value) && (outside.match(/\d[\d.eE+-]*/g) ?? []).every(isExact);
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts: readonly unknown[] = Object.values(value);
  return parts.reduce<number>((sum, part) => sum + countMembers(part), Array.isArray(value) ? 0 : parts.length);
}

/** True if a double keeps a numeral: up to 15 significant digits survive; more do if they are the double's own. */
function isExact(numeral: string): boolean {
  const value = Number(numeral);
  const digits = numeral.replace(/e.*/i, "").replaceAll(/^[0.]+|\./g, "");
  return (
    String(value) === numeral || (digits.length <= 15 && Number.isFinite(value) && (value === 0) === (digits === ""))
  );
}
