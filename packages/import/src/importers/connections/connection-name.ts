export const CONNECTION_NAME: RegExp = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/u;

/** Leaves room for a number. */
const LONGEST = 60;

/** Converts words to a connection name: `Shop API` becomes `shop-api`; returns `fallback` if nothing is left. */
export function connectionNameOf(words: string, fallback: string): string {
  const name = words
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(/[^A-Za-z0-9_]+/gu, "-")
    .replaceAll(/^[-_]+|[-_]+$/gu, "")
    .toLowerCase();
  if (name === "") return fallback;
  return (/^[a-z]/u.test(name) ? name : `${fallback}-${name}`).slice(0, LONGEST);
}
