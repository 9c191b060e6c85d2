import { type Effect, type MarkedResult, toolResult } from "@hasp/runtime";
import { cut } from "@hasp/runtime/internal";
import type { AnswerContent } from "./decode.js";
import { HttpError, createNotExecuted, type FailureFacts, type RawAnswer } from "./network/transport.js";

const EXCERPT = 1000;

const MOST_READ = 8000;

/** The statuses with which a service did nothing. With all others, it may have acted. */
const NOT_DONE: ReadonlySet<number> = new Set([
  400, 401, 402, 403, 404, 405, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 425, 426, 428, 429,
  431, 451,
]);

const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function readEffect(status: number): Effect {
  if (status >= 200 && status < 300) return "landed";
  return NOT_DONE.has(status) || status === 304 ? "none" : "unknown";
}

/** Creates the result of a failed call: thrown if another attempt may succeed, else returned. */
export function createFailedResult(
  name: string,
  { status, statusText }: RawAnswer,
  seconds: number | undefined,
  text: string,
  mayHaveLanded: boolean,
): MarkedResult {
  const what = `answered ${status}${statusText === "" ? "" : ` ${cut(plain(statusText), 80)}`}`;
  const excerpt = cut(plain(text), EXCERPT);
  const message = excerpt === "" ? `${what}.` : `${what}:\n${excerpt}`;
  const stated = readEffect(status);
  const effect = stated === "none" && mayHaveLanded ? "unknown" : stated;
  if (PASSING.has(status) || (status >= 400 && seconds !== undefined)) {
    const facts: FailureFacts = { status, retryable: true, retryAfterSeconds: seconds };
    const reason = `the service ${message}`;
    throw effect === "none" ? createNotExecuted(reason, facts) : new HttpError(reason, facts);
  }
  return toolResult({ isError: true, content: `${name} ${message}`, details: { status }, effect });
}

export function createUnusableResult(name: string, status: number, reason: string): MarkedResult {
  return toolResult({
    isError: true,
    content: `${name} answered ${status}, but ${reason}.`,
    details: { status },
    effect: readEffect(status),
  });
}

export function createBytesContent(
  uri: string,
  { bytes, mediaType }: Extract<AnswerContent, { kind: "bytes" }>,
): MarkedResult {
  return toolResult({ content: [{ type: "resource", uri, mimeType: mediaType, blob: bytes.toString("base64") }] });
}

function plain(long: string): string {
  const text = cut(long, MOST_READ);
  const body = /^\s*<(?:!doctype|html|\?xml|[a-z])/iu.test(text) ? withoutMarkup(text) : text;
  return body
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, " ")
    .replaceAll(/[ \t]+/gu, " ")
    .replaceAll(/(?<!\s)\s*\n\s*/gu, "\n")
    .trim();
}

function withoutMarkup(text: string): string {
  return text.replaceAll(/<(style|script)\b[^>]*>[\s\S]*?<\/\1>/giu, " ").replaceAll(/<[^<>]*>/gu, " ");
}

const LONGEST_SECONDS = 86_400;

/** Reads `Retry-After`, in seconds or as a date; `undefined` if malformed. */
export function retryAfterSeconds(header: string, now: number = Date.now()): number | undefined {
  const text = header.trim();
  const isCount = /^\d{1,9}$/u.test(text);
  // `Date.parse` accepts too much; dates of HTTP begin with a weekday.
  if (!isCount && !/^[A-Z][a-z]{2,8},? /u.test(text)) return undefined;
  const seconds = isCount ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(LONGEST_SECONDS, Math.max(0, Math.ceil(seconds)));
}
