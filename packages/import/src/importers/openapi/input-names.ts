/** Names that `input.…` references can hold: no dot, no bracket, no character that a provider refuses. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/u;
const LONGEST = 64;

/**
 * Returns a parameter's or body's name in the input: the nearest one that handlers and providers can write. On a clash,
 * adds the location, then a number.
 */
export function freeInputName(name: string, place: string, isTaken: (candidate: string) => boolean): string {
  const plain = plainName(name);
  if (!isTaken(plain)) return plain;
  const placed = plainName(`${place}_${plain}`);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : `_${number}`;
    const candidate = placed.slice(0, LONGEST - suffix.length) + suffix;
    if (!isTaken(candidate)) return candidate;
  }
}

function plainName(name: string): string {
  if (PLAIN.test(name) && name !== "__proto__") return name;
  const cleaned = name
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(/[^A-Za-z0-9_-]+/gu, "_")
    .replaceAll(/^[_-]+|[_-]+$/gu, "");
  const started = /^[A-Za-z]/u.test(cleaned) ? cleaned : `value_${cleaned}`.replace(/_$/u, "");
  return started.slice(0, LONGEST);
}
