/** The longest wait that is told, a day. */
const LONGEST_SECONDS = 86_400;

/** The seconds that `Retry-After` asks for, given in seconds or as a date; `undefined` if it says nothing sensible. */
export function retryAfterSeconds(header: string, now: number = Date.now()): number | undefined {
  const text = header.trim();
  const isCount = /^\d{1,9}$/u.test(text);
  // The platform takes many a text for a date; those of HTTP begin with a weekday.
  if (!isCount && !/^[A-Z][a-z]{2,8},? /u.test(text)) return undefined;
  const seconds = isCount ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(LONGEST_SECONDS, Math.max(0, Math.ceil(seconds)));
}
