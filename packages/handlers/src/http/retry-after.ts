/** A day. */
const LONGEST_SECONDS = 86_400;

/** Reads `Retry-After`, given in seconds or as a date; `undefined` if it makes no sense. */
export function retryAfterSeconds(header: string, now: number = Date.now()): number | undefined {
  const text = header.trim();
  const isCount = /^\d{1,9}$/u.test(text);
  // `Date.parse` accepts too much; dates of HTTP begin with a weekday.
  if (!isCount && !/^[A-Z][a-z]{2,8},? /u.test(text)) return undefined;
  const seconds = isCount ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(LONGEST_SECONDS, Math.max(0, Math.ceil(seconds)));
}
