/**
 * A source of keys that never repeat. Ids of calls would not do: some providers give none, others count from one in every
 * turn, and a service that saw a key before would take a new call for the old one.
 */
export function idempotencyKeys(): () => string {
  let prefix: string | undefined;
  let count = 0;
  // Made with the first key: some platforms give no randomness while modules load.
  return () => `${(prefix ??= randomText())}-${(count += 1)}`;
}

/** Browsers give `randomUUID` to secure pages only. */
function randomText(): string {
  const { crypto } = globalThis as { crypto?: { randomUUID?(): string } };
  return crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}
