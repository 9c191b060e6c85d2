import { kinds, kindsOf } from "./kinds.js";

/**
 * The one value that a text spells without loss, if it is of one of the given types: a canonical number
 * (`String(Number(text)) === text`) in the safe range, `true` or `false`, or the JSON of an array or object. `undefined`
 * where there is none. `null` and texts are never read out of a text.
 */
export function fromText(text: string, accepted: number): unknown {
  const value = text === "true" ? true : text === "false" ? false : (numberFromText(text) ?? containerFromText(text));
  return (kindsOf(value) & accepted) === 0 ? undefined : value;
}

function numberFromText(text: string): number | undefined {
  const value = Number(text);
  return String(value) === text && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

function containerFromText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return losesNothing(text, value) ? value : undefined;
}

/** JSON.parse rounds long numbers and keeps only the last of two members with one name; both are losses. */
function losesNothing(text: string, value: unknown): boolean {
  const outsideStrings = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const colons = outsideStrings.split(":").length - 1;
  const numbers = outsideStrings.match(/-?\d[\d.eE+-]*/g) ?? [];
  return colons === countMembers(value) && numbers.every(isExact);
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts: readonly unknown[] = Object.values(value);
  return parts.reduce<number>((sum, part) => sum + countMembers(part), Array.isArray(value) ? 0 : parts.length);
}

/** Up to 15 significant digits survive the way through a double; more do if they are the double's own. */
function isExact(numeral: string): boolean {
  const value = Number(numeral);
  const digits = numeral.replace(/e.*/i, "").replaceAll(/[-.]/g, "").replace(/^0+/, "");
  if (!Number.isFinite(value) || (value === 0) !== (digits === "")) return false;
  return digits.length <= 15 || String(value) === numeral;
}

/** Whether values of some other type than text are among the given ones, and texts are not: only there a text is read. */
export function readsText(accepted: number): boolean {
  return (accepted & kinds.string) === 0 && (accepted & ~kinds.null) !== 0;
}
