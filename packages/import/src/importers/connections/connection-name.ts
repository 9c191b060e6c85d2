/** The names that the configuration accepts for a connection. */
export const CONNECTION_NAME: RegExp = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/u;

/** Room for a number where a name is taken. */
const LONGEST = 60;

/** Turns words into the name of a connection, in kebab case: `Shop API` becomes `shop-api`; `fallback` where nothing is left. */
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
