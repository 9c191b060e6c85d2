/**
 * A source of keys that never repeat. Ids of calls would not do: some providers give none, others count from one in
 * every turn, and a service that saw a key before would take a new call for the old one.
 */
export function idempotencyKeys(): () => string {
  let prefix: string | undefined;
  let count = 0;
  // Made with the first key: some platforms give no randomness while modules load.
  return () => `${(prefix ??= randomText())}-${(count += 1)}`;
}

/**
 * The time and a hundred random bits. A key must be unique, not secret; to load `crypto` costs Node more than a first
 * call.
 */
function randomText(): string {
  return [Date.now(), Math.random(), Math.random()].map((number) => number.toString(36).replace("0.", "")).join("-");
}
